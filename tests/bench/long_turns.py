"""Q4 and Q5 from Enter to the gateway: turns of a long chat, and what they ask of the loop's thread at a stretch.

`python -m tests.bench.long_turns`: recorded conversations of 200,000 and of a million tokens, with a new message of
2,000 tokens each turn; once with room, once so full that all that is free is folded first.
"""

# pyright: reportPrivateUsage=false

import asyncio
import gc
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.core.events import RoomMade
from app.core.records import Draft
from app.settings import Paths
from app.store.store import Store
from tests.bench.measures import Measure, percentile, spread, tell
from tests.bench.sessions import opened, write_recorded
from tests.bench.stages import MODEL, ToldGateway, furnish, paths_in
from tests.bench.stretches import stretches

_LONG = ("glaive-toolcall-zh-150", "tau-airline-14-sessions", "tau2-airline-8-sessions")
_LONGER = (
    "pi-mono-refactor-session", "aider-history-a", "claude-code-cctrace-session", "longmemeval-s-6a1eabeb",
    "longmemeval-s-852ce960", "tau2-airline-8-sessions", "webdancer-12-questions",
)  # fmt: skip
_N_TURNS, _N_COMPACTED, _WARM = 20, 5, 2
_ROOMY_TOKENS = 10_000_000
_FULL = 0.78
"""Of the window: stage full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    to_wire_ms: float
    """Enter until the request is handed over, the append on the disk included."""
    to_wire_cpu_ms: float
    """Work of this process meanwhile, whatever else the machine does."""
    stretch_ms: float
    """The longest of the loop's thread until the answer is stored and counted."""


async def turns(paths: Paths, n: int, *, is_compacted: bool, is_typed: bool = True) -> list[Turn]:
    """Args: is_typed: The message was written in the composer, which keeps it as a draft; else it comes all at once."""
    gateway = ToldGateway()
    found: list[Turn] = []
    async with opened(paths, gateway) as session:
        rooms: list[RoomMade] = []
        session.watch(lambda event: rooms.append(event) if isinstance(event, RoomMade) else None)
        for turn in range(n):
            text = f"Turn {turn}: {' '.join(f'word{turn}x{at}' for at in range(400))}"
            rooms.clear()
            if is_typed:
                await session.save_draft(Draft(text=text))
                await session._scope.wait("ahead")
            gc.collect()
            with stretches() as worked:
                began, began_cpu = time.perf_counter(), time.process_time()
                await session.send(text)
                await session.settled()
                await session._scope.wait("count")
            assert bool(rooms) is is_compacted
            found.append(
                Turn(
                    to_wire_ms=(gateway.handed_at - began) * 1000,
                    to_wire_cpu_ms=(gateway.handed_cpu - began_cpu) * 1000,
                    stretch_ms=max(worked),
                )
            )
    return found


async def written(paths: Paths, recorded: Iterable[str]) -> int:
    """Write the chat and have it counted. Returns: its tokens."""
    store = Store(paths)
    await store.prepare()
    await furnish(store, window_tokens=_ROOMY_TOKENS)
    await write_recorded(store, "long", recorded)
    await store.aclose()
    async with opened(paths, ToldGateway()) as session:
        fill = session.fill()
        assert fill
        return fill.projection.projected_tokens


async def compacted(paths: Paths, tokens: int, *, is_typed: bool) -> list[Turn]:
    """The first turn in a window that is full, again and again from the same state."""
    found: list[Turn] = []
    for at in range(_N_COMPACTED + 1):
        copy = Paths(data=paths.data.with_name(f"full{at}"))
        await asyncio.to_thread(shutil.copytree, paths.data, copy.data)
        store = Store(copy)
        await store.prepare()
        await store.save_setting("model_overrides", {MODEL: {"window_tokens": round(tokens / _FULL)}})
        await store.aclose()
        found += await turns(copy, 1, is_compacted=True, is_typed=is_typed)
        await asyncio.to_thread(shutil.rmtree, copy.data)
    return found[1:]  # the first one loads the steps


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    plain: Sequence[Turn]
    """With room."""
    made: Sequence[Turn]
    """That make some first."""
    at_once: Sequence[Turn]
    """That make some first, right after the chat was opened and with nothing typed."""


async def measured(name: str, recorded: Iterable[str]) -> Measured:
    with tempfile.TemporaryDirectory() as folder:
        paths = paths_in(folder, name)
        tokens = await written(paths, recorded)
        return Measured(
            made=await compacted(paths, tokens, is_typed=True),
            at_once=await compacted(paths, tokens, is_typed=False),
            plain=(await turns(paths, _N_TURNS + _WARM, is_compacted=False))[_WARM:],
        )


async def measures() -> list[Measure]:
    sys.setswitchinterval(0.0005)  # as the window does
    gc.disable()  # the window's own timer collects, between two frames
    long = await measured("long", _LONG)
    found = [
        *spread(
            "Q4 Enter to gateway at 200,000 tokens",
            [item.to_wire_ms for item in long.plain],
            at=0.95,
            target=25,
        ),
        Measure(
            what="Q4 its work of this process: p95",
            value=percentile([item.to_wire_cpu_ms for item in long.plain], 0.95),
            unit="ms",
        ),
        Measure(
            what="Q5 Enter to gateway, a full free compression: median",
            value=percentile([item.to_wire_ms for item in long.made], 0.5),
            unit="ms",
            target=150,
        ),
        Measure(
            what="Q5 its work of this process: median",
            value=percentile([item.to_wire_cpu_ms for item in long.made], 0.5),
            unit="ms",
        ),
    ]
    found += [
        Measure(
            what="Q5 the same in a chat just opened, nothing typed: median",
            value=percentile([item.to_wire_ms for item in long.at_once], 0.5),
            unit="ms",
        ),
        Measure(
            what="Q5 its work of this process: median",
            value=percentile([item.to_wire_cpu_ms for item in long.at_once], 0.5),
            unit="ms",
        ),
    ]
    longer = await measured("longer", _LONGER)
    for what, items in (
        ("200,000 tokens", long.plain),
        ("200,000 tokens, compacted", long.made),
        ("1,000,000 tokens", longer.plain),
        ("1,000,000 tokens, compacted", longer.made),
    ):
        found.append(
            Measure(
                what=f"a turn's longest stretch of the loop at {what}",
                value=max(item.stretch_ms for item in items),
                unit="ms",
                target=16,
            )
        )
    return found


if __name__ == "__main__":
    raise SystemExit(tell(asyncio.run(measures())))
