"""`kill -9` at drawn moments (Q17, M8): what was told durable is there, and nothing is sent twice."""

import asyncio
import json
import multiprocessing
import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import forkserver
from pathlib import Path

import pytest

from app.agent.guards import rounds_of
from app.core.entries import Entry, Origin
from app.core.events import TurnCompleted, TurnEvent
from app.core.ids import ChatId, EntryId
from app.core.records import RequestState
from app.settings import Paths
from tests.app.store.conftest import empty_database
from tests.app.store.making import sql
from tests.e2e.child import let_it_work, light_application, main, work
from tests.fakes import until
from tests.simulator import Family, Model, Simulator, SimulatorThread, ToolCall, Turn
from tests.simulator.models import CacheRule
from tests.simulator.script import last_user_text
from tests.simulator.wire import Body, mappings

__all__ = ["empty_database"]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="forks the programs that it kills")

LIGHT = Model(
    pattern="",  # the light client names none
    family=Family.DEEPSEEK,  # takes parameters that it does not know, as the embedded server does
    listed=(),
    window_tokens=1_000_000,
    output_tokens=4096,
    cache=CacheRule(minimum_tokens=1024, step_tokens=128),
)
TOKENS_PER_S = 60
CHECKPOINT_S = 1.0
WRITES_S = 0.5
"""What a check-point may take beside its second, on a machine that is busy."""


def _long_answer(body: Body) -> Turn:
    return Turn(text=f"To {last_user_text(body)[:20]}: " + "word after word " * 120)


@pytest.fixture(scope="module", autouse=True)
def _forks() -> None:
    """The process that forks the programs, with their imports done; it ends with the tests."""
    multiprocessing.set_forkserver_preload(["tests.e2e.child"])
    forkserver.ensure_running()


@pytest.fixture(scope="module")
def simulator() -> Iterator[Simulator]:
    with SimulatorThread(Simulator(models=(LIGHT,))) as running:
        running.script.otherwise = _long_answer
        yield running


Line = tuple[str, float, tuple[str, ...]]
"""What, when, and the values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a program said before it died."""

    killed_at: float
    lines: tuple[Line, ...]

    def of(self, what: str) -> list[tuple[str, ...]]:
        return [values for name, _, values in self.lines if name == what]

    def running(self) -> tuple[str, list[tuple[float, str]]]:
        """Id of the last answer that began, and the pieces of it with their times; no id: none had begun."""
        starts = [at for at, line in enumerate(self.lines) if line[0] == "answer"]
        if not starts:
            return "", []
        rest = self.lines[starts[-1] :]
        return rest[0][2][0], [(at, values[0]) for name, at, values in rest if name == "delta"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    missing_s: float
    """Age of the oldest word of the running answer that is missing."""
    kept: int
    """Characters of it that are there."""


async def _killed(simulator: Simulator, data: Path, seed: int) -> Told:
    """Let a program live for a moment, and kill it."""
    context = multiprocessing.get_context("forkserver")
    told = data.parent / "told"
    child = context.Process(target=main, args=(str(data), simulator.openai_url, seed, str(told)))
    simulator.tokens_per_s = TOKENS_PER_S
    await asyncio.to_thread(child.start)
    await until(lambda: told.exists() and told.stat().st_size > 0, within_s=30)
    await _moment(told, random.Random(seed), is_late=seed % 2 == 0)
    killed_at = time.monotonic()
    child.kill()
    await asyncio.to_thread(child.join)
    return Told(killed_at=killed_at, lines=_lines(told))


async def _moment(told: Path, dice: random.Random, *, is_late: bool) -> None:
    """Half of the deaths are close to the beginning, where most is written, half well inside an answer."""
    if is_late:
        length_s = dice.uniform(1.1, 2.2)
        await until(lambda: _streams_for_s(told) >= length_s, within_s=30)
    else:
        await asyncio.sleep(dice.uniform(0.0, 0.5))


def _lines(told: Path) -> tuple[Line, ...]:
    whole = [line for line in told.read_text().splitlines(keepends=True) if line.endswith("\n")]
    return tuple((name, at, tuple(values)) for name, at, *values in map(json.loads, whole))


def _streams_for_s(told: Path) -> float:
    """How long the running answer has been coming."""
    _, pieces = Told(killed_at=0.0, lines=_lines(told)).running()
    return pieces[-1][0] - pieces[0][0] if pieces else 0.0


async def _dies_and_goes_on(simulator: Simulator, folder: Path, database: Path, seed: int) -> Loss:
    """One death, and what it cost."""
    simulator.reset()
    data = folder / "data"
    data.mkdir(parents=True, mode=0o700)
    shutil.copy(database, data / "palimpsest.sqlite3")
    told = await _killed(simulator, data, seed)
    simulator.tokens_per_s = None

    opened = await light_application(data, simulator.openai_url)
    chat_id = ChatId(told.of("chat")[0][0])
    contents = await opened.store.load(chat_id)
    assert await opened.store.recover() == ()
    assert await opened.store.load(chat_id) == contents
    draft = await opened.store.draft(chat_id)

    _nothing_told_is_lost(told, contents.entries, draft.queue, draft.text)
    loss = _loss(told, contents.entries)
    under_way = {RequestState.PREPARED, RequestState.SENT, RequestState.ACCEPTED}
    assert under_way.isdisjoint(record.state for record in await opened.store.requests(chat_id))
    assert sql(Paths(data=data), "SELECT count(*) FROM partials") == [(0,)]

    session = await opened.session(chat_id)
    events: list[TurnEvent] = []
    session.watch(events.append)
    n_before = len(simulator.chats)
    await session.send("Go on.")
    await session.settled()
    await opened.aclose()

    assert isinstance(events[-1], TurnCompleted)
    assert len(simulator.chats) - n_before == 1
    assert [item.refusal for item in simulator.chats if item.verdict == "refused"] == []
    answered = Counter(item.raw for item in simulator.chats if item.streamed_tokens)
    assert max(answered.values()) == 1
    return loss


def _nothing_told_is_lost(told: Told, entries: tuple[Entry, ...], queue: tuple[str, ...], draft: str) -> None:
    said = [text for (text,) in told.of("said")]
    there = [entry.text for entry in entries if entry.origin is Origin.USER] + list(queue)
    assert Counter(there) >= Counter(said)
    assert max(Counter(there).values(), default=1) == 1
    assert len(there) - len(said) <= 1  # one may have been stored whose return was not told any more
    answers = {entry.id: entry.text for entry in entries if entry.origin is Origin.ASSISTANT}
    assert all(answers.get(EntryId(name)) == text for name, text in told.of("done"))
    if told.lines[-1][0] == "draft" and len(there) == len(said):
        assert draft == told.of("draft")[-1][0]


def _loss(told: Told, entries: tuple[Entry, ...]) -> Loss:
    answer_id, pieces = told.running()
    kept = next((entry.text for entry in entries if entry.id == answer_id), "")
    came = ""
    for at, piece in pieces:
        came += piece
        if len(came) > len(kept):
            assert came.startswith(kept)
            missing_s = told.killed_at - at
            assert missing_s <= CHECKPOINT_S + WRITES_S
            return Loss(missing_s=missing_s, kept=len(kept))
    return Loss(missing_s=0.0, kept=len(kept))


async def _die(simulator: Simulator, folder: Path, database: Path, seeds: range) -> None:
    losses = [await _dies_and_goes_on(simulator, folder / str(seed), database, seed) for seed in seeds]
    in_the_middle = [loss for loss in losses if loss.missing_s and loss.kept]
    assert len(in_the_middle) * 10 >= len(losses)
    print(
        f"{len(losses)} deaths, {len(in_the_middle)} of them in the middle of a kept answer,"
        f" missing at most {max(loss.missing_s for loss in losses):.2f} s"
    )


@pytest.mark.timeout(400)  # 25 s where nothing else runs
async def test_twenty_deaths_lose_nothing(simulator: Simulator, tmp_path: Path, empty_database: Path) -> None:
    await _die(simulator, tmp_path, empty_database, range(20))


@pytest.mark.slow
@pytest.mark.timeout(1200)
async def test_two_hundred_deaths_lose_nothing(
    simulator: Simulator, tmp_path: Path, empty_database: Path
) -> None:
    """Q17."""
    await _die(simulator, tmp_path, empty_database, range(1000, 1200))


def _calls(body: Body) -> Turn:
    """Two calls at once, other ones each time: one that takes a moment, and one that changes a file."""
    n = len(mappings(body.get("messages")))
    command = json.dumps({"command": f"sleep 0.15; echo {n} >> log.txt"})
    write = json.dumps({"path": f"{n}.txt", "text": str(n)})
    calls = (ToolCall(name="shell", arguments=command), ToolCall(name="file_write", arguments=write))
    return Turn(tool_calls=calls)


@pytest.mark.timeout(400)
@pytest.mark.parametrize("seed", range(6))
async def test_a_death_while_tools_run_leaves_each_call_with_one_result_and_the_chat_goes_on(
    simulator: Simulator, tmp_path: Path, empty_database: Path, seed: int
) -> None:
    """M8, Q17: what was finished stays as it was told; the others say whether they may have run."""
    data, told_in = tmp_path / "data", tmp_path / "told"
    data.mkdir(mode=0o700)
    shutil.copy(empty_database, data / "palimpsest.sqlite3")
    simulator.reset()
    simulator.tokens_per_s = None
    simulator.script.otherwise = _calls
    context = multiprocessing.get_context("forkserver")
    child = context.Process(target=work, args=(str(data), simulator.openai_url, str(told_in)))
    await asyncio.to_thread(child.start)
    await until(lambda: told_in.exists() and "finished" in told_in.read_text(), within_s=30)
    await asyncio.sleep(random.Random(seed).uniform(0.0, 0.5))
    child.kill()
    await asyncio.to_thread(child.join)
    told = Told(killed_at=0.0, lines=_lines(told_in))
    simulator.script.otherwise = _long_answer

    opened = await light_application(data, simulator.openai_url)
    let_it_work(opened, tmp_path)
    session = await opened.session(ChatId(told.of("chat")[0][0]))
    path = session.conversation.path
    results = {entry.id: entry for entry in path if entry.origin is Origin.TOOL}
    for called in (round_ for round_ in rounds_of(path) if round_.calls):
        assert all(called.answers)
    for _, _, result_id in told.of("finished"):
        (part,) = results[EntryId(result_id)].results
        assert not part.is_error
    open_ = [part for entry in results.values() for part in entry.results if part.is_error]
    assert all("not started" in str(part.text) or "may have run" in str(part.text) for part in open_)
    assert len(open_) <= 2

    await session.go_on()
    await session.settled()
    await opened.aclose()

    assert [item.refusal for item in simulator.chats if item.verdict == "refused"] == []
    assert session.conversation.path[-1].text
