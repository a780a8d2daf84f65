import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator

import pytest

from app.core.errors import WorkerDied
from app.processes import ChildProcess
from app.tokens.text_work import TextWorker


@pytest.fixture
async def worker() -> AsyncIterator[TextWorker]:
    found = TextWorker()
    yield found
    await found.aclose()


async def test_texts_are_counted_in_another_process(worker: TextWorker) -> None:
    counts = await worker.count(["hello world", "", "汉字\ud800", "hello " * 400_000], "o200k")

    assert counts == (2, 0, 3, 400_001)


async def test_the_registry_is_asked_in_the_same_process(worker: TextWorker) -> None:
    answer = await worker.call("model_facts", {"kind": "openai", "names": ["gpt-4o"]})

    assert isinstance(answer, dict)
    assert isinstance(answer["gpt-4o"], dict)
    assert answer["gpt-4o"]["window_tokens"] == 128_000


async def test_a_cancelled_question_leaves_the_others_answered(worker: TextWorker) -> None:
    await worker.count(["warm"], "o200k")
    async with asyncio.TaskGroup() as group:
        long = group.create_task(worker.count(["word " * 1_000_000] * 5, "o200k"))
        short = group.create_task(worker.count(["hello world"], "o200k"))
        await asyncio.sleep(0.01)
        long.cancel()

    assert short.result() == (2,)


@pytest.mark.expected_warnings("has ended unasked")
async def test_a_death_in_mid_question_is_made_good_by_a_new_process() -> None:
    children: list[ChildProcess] = []

    async def spawn() -> ChildProcess:
        children.append(await ChildProcess.spawn("text"))
        return children[-1]

    worker = TextWorker(spawn)
    await worker.count(["warm"], "o200k")
    async with asyncio.TaskGroup() as group:
        asked = group.create_task(worker.count(["word " * 200_000], "o200k"))
        await asyncio.sleep(0.01)
        os.kill(children[0].pid, signal.SIGKILL)

    assert asked.result() == (200_001,)
    assert len(children) == 2
    await worker.aclose()


@pytest.mark.expected_warnings("has ended unasked")
async def test_three_deaths_in_a_minute_are_told_instead_of_tried_again() -> None:
    spawned = 0
    now_s = 0.0

    async def spawn() -> ChildProcess:
        nonlocal spawned
        spawned += 1
        return await ChildProcess.spawn("text", command=[sys.executable, "-c", "raise SystemExit(1)"])

    worker = TextWorker(spawn, clock_s=lambda: now_s)
    with pytest.raises(WorkerDied):
        await worker.count(["hello"], "o200k")
    with pytest.raises(WorkerDied):
        await worker.count(["hello"], "o200k")
    assert spawned == 3

    now_s = 61.0
    with pytest.raises(WorkerDied):
        await worker.count(["hello"], "o200k")
    assert spawned == 6
    await worker.aclose()


async def test_a_failing_operation_is_told_to_its_caller_only(worker: TextWorker) -> None:
    with pytest.raises(RuntimeError, match="KeyError"):
        await worker.call("model_facts", {})

    assert await worker.count(["hello world"], "o200k") == (2,)


async def test_closing_cancels_who_still_waits() -> None:
    worker = TextWorker()
    await worker.count(["warm"], "o200k")
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(worker.count(["word " * 1_000_000], "o200k"))
        await asyncio.sleep(0.01)
        await worker.aclose()

    assert waiting.cancelled()
