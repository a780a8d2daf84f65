import asyncio
import logging
import sys
import time

import pytest

from app.processes import ChildProcess, DeathLimit, worker_command

ECHO = """
import asyncio
from app.processes import ParentPipe

async def main():
    pipe = ParentPipe()
    print("said by a library")
    async for message, payload in pipe.frames():
        pipe.send({"heard": message.get("word"), "bytes": len(payload), "text": payload.decode()[:10]})

asyncio.run(main())
"""


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


async def first(child: ChildProcess) -> object:
    async for message in child:
        return message
    return None


async def test_a_message_and_its_payload_reach_the_child_and_its_answer_comes_back() -> None:
    child = await ChildProcess.spawn("echo", command=python(ECHO))

    await child.send({"word": "汉\ud800"}, "汉字".encode() * 1_000_000)

    assert await first(child) == {"heard": "汉\ud800", "bytes": 6_000_000, "text": "汉字" * 5}
    await child.aclose()


async def test_what_a_library_prints_goes_to_the_log_and_not_among_the_frames(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    child = await ChildProcess.spawn("echo", command=[sys.executable, "-u", "-c", ECHO])

    await child.send({"word": "x"})

    assert await first(child) == {"heard": "x", "bytes": 0, "text": ""}
    await child.aclose()
    assert "echo: said by a library" in caplog.messages


async def test_a_death_ends_the_messages_and_refuses_the_next_send() -> None:
    child = await ChildProcess.spawn("brief", command=python("import sys; print('{\"a\": 1}'); sys.exit(3)"))

    said = [message async for message in child]
    await child.aclose()

    assert said == [{"a": 1}]
    with pytest.raises(ConnectionError):
        await child.send({"word": "x"})


async def test_a_child_that_hangs_is_ended_by_force(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.processes._PATIENCE_S", 0.05)
    child = await ChildProcess.spawn("deaf", command=python("import time; time.sleep(60)"))

    started = time.monotonic()
    await child.aclose()

    assert time.monotonic() - started < 5


async def test_a_child_ends_when_the_parent_dies_without_a_word() -> None:
    parent = f"""
import asyncio, os, sys
from app.processes import ChildProcess

async def main():
    child = await ChildProcess.spawn("echo", command=[sys.executable, "-c", {ECHO!r}])
    await child.send({{"word": "x"}})
    async for _ in child:
        print(child.pid, flush=True)
        os.kill(os.getpid(), 9)

asyncio.run(main())
"""
    process = await asyncio.create_subprocess_exec(
        *python(parent), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )

    out, errors = await process.communicate()  # returns when the child, too, has closed its copy of stderr

    assert int(out) > 0, errors


def test_a_frozen_program_is_its_own_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)

    assert worker_command("text") == [sys.executable, "--worker", "text"]


def test_three_deaths_within_a_minute_are_enough() -> None:
    limit = DeathLimit()
    limit.note(0)
    limit.note(50)
    assert not limit.is_reached(50)

    limit.note(59)
    assert limit.is_reached(59)

    limit.note(100)
    assert limit.is_reached(100)
    assert not limit.is_reached(111)
