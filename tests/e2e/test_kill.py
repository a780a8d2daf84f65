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
from pathlib import Path

import pytest

from app.core.entries import Entry, Origin
from app.core.events import TurnCompleted, TurnEvent
from app.core.ids import ChatId, EntryId
from app.core.records import RequestState
from app.settings import Paths
from tests.app.store.conftest import empty_database
from tests.app.store.making import sql
from tests.e2e.child import light_application, main
from tests.fakes import until
from tests.simulator import Family, Model, Simulator, SimulatorThread, Turn
from tests.simulator.models import CacheRule
from tests.simulator.script import last_user_text
from tests.simulator.wire import Body

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
    return Turn(text=f"To {last_user_text(body)[:20]}: " + "word after word " * 40)


@pytest.fixture(scope="module")
def simulator() -> Iterator[Simulator]:
    with SimulatorThread(Simulator(models=(LIGHT,))) as running:
        running.script.otherwise = _long_answer
        yield running


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a program said before it died."""

    killed_at: float
    lines: tuple[tuple[str, float, tuple[str, ...]], ...]

    def of(self, what: str) -> list[tuple[str, ...]]:
        return [values for name, _, values in self.lines if name == what]

    def running(self) -> tuple[str, list[tuple[float, str]]]:
        """Id of the last answer that began, and the pieces of it with their times; no id: none had begun."""
        starts = [at for at, line in enumerate(self.lines) if line[0] == "answer"]
        if not starts:
            return "", []
        rest = self.lines[starts[-1] :]
        return rest[0][2][0], [(at, values[0]) for name, at, values in rest if name == "delta"]


async def _killed(simulator: Simulator, data: Path, seed: int) -> Told:
    """Let a program live for a moment, and kill it."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.e2e.child"])
    told = data.parent / "told"
    child = context.Process(target=main, args=(str(data), simulator.openai_url, seed, str(told)))
    simulator.tokens_per_s = TOKENS_PER_S
    await asyncio.to_thread(child.start)
    await until(lambda: told.exists() and told.stat().st_size > 0, within_s=30)
    # Many deaths close to the beginning, where most is written; some in the middle of long answers.
    await asyncio.sleep(
        random.Random(seed).choice([0.1, 0.6, 1.7, 2.6]) * random.Random(seed + 1).random() + 0.02
    )
    killed_at = time.monotonic()
    child.kill()
    await asyncio.to_thread(child.join)
    lines = [json.loads(line) for line in told.read_text().splitlines(keepends=True) if line.endswith("\n")]
    return Told(killed_at=killed_at, lines=tuple((name, at, tuple(values)) for name, at, *values in lines))


async def _dies_and_goes_on(simulator: Simulator, folder: Path, database: Path, seed: int) -> float:
    """One death. Returns: seconds of the running answer that were missing."""
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
    missing_s = _missing_s(told, contents.entries)
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
    return missing_s


def _nothing_told_is_lost(told: Told, entries: tuple[Entry, ...], queue: tuple[str, ...], draft: str) -> None:
    said = [text for (text,) in told.of("said")]
    there = [entry.text for entry in entries if entry.origin is Origin.USER] + list(queue)
    assert Counter(there) >= Counter(said)
    assert max(Counter(there).values(), default=1) == 1
    assert len(there) - len(said) <= 1  # one may have been stored whose return was not told any more
    answers = {entry.id: entry.text for entry in entries if entry.origin is Origin.ASSISTANT}
    assert all(answers.get(EntryId(name)) == text for name, text in told.of("done"))
    names = [name for name, _, _ in told.lines]
    if names[-1] == "draft":
        assert draft == told.of("draft")[-1][0]


def _missing_s(told: Told, entries: tuple[Entry, ...]) -> float:
    """Age of the oldest word of the running answer that is missing."""
    answer_id, pieces = told.running()
    kept = next((entry.text for entry in entries if entry.id == answer_id), "")
    came = ""
    for at, piece in pieces:
        came += piece
        if len(came) > len(kept):
            assert came.startswith(kept)
            missing_s = told.killed_at - at
            assert missing_s <= CHECKPOINT_S + WRITES_S
            return missing_s
    return 0.0


async def test_twenty_deaths_lose_nothing(simulator: Simulator, tmp_path: Path, empty_database: Path) -> None:
    missing = [
        await _dies_and_goes_on(simulator, tmp_path / str(seed), empty_database, seed) for seed in range(20)
    ]

    print(f"missing at most {max(missing):.2f} s, in {sum(item > 0 for item in missing)} of {len(missing)}")


@pytest.mark.slow
@pytest.mark.timeout(1200)
async def test_two_hundred_deaths_lose_nothing(
    simulator: Simulator, tmp_path: Path, empty_database: Path
) -> None:
    """Q17."""
    missing = [
        await _dies_and_goes_on(simulator, tmp_path / str(seed), empty_database, seed)
        for seed in range(1000, 1200)
    ]

    print(f"missing at most {max(missing):.2f} s, in {sum(item > 0 for item in missing)} of {len(missing)}")
