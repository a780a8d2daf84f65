"""What the store takes on this machine: `python -m tests.bench.store`; ends with 1 where a bound is passed."""

import asyncio
import statistics
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from app.context.ports import NewEntry
from app.core.entries import Origin
from app.core.ids import EntryId
from app.core.parts import TextPart
from app.settings import Paths
from app.store.first_screen import first_screen
from app.store.store import Store
from tests.app.store.making import CHAT, a_chat
from tests.bench.measures import Measure, tell

N = 10_000
IMPORT = 500


def _entry(i: int) -> NewEntry:
    parent = EntryId(f"e{i - 1:06}") if i else None
    origin = Origin.ASSISTANT if i % 2 else Origin.USER
    return NewEntry(
        id=EntryId(f"e{i:06}"), parent_id=parent, origin=origin, parts=(TextPart(text=f"line {i} " * 60),)
    )


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    before = time.perf_counter()
    await work()
    return (time.perf_counter() - before) * 1000


async def longest_pause_ms(work: Callable[[], Awaitable[object]]) -> tuple[float, float]:
    """How long `work` takes, and the longest that another thread had to wait for the interpreter meanwhile."""
    pauses: list[float] = []
    is_over = threading.Event()

    def tick() -> None:
        last = time.perf_counter()
        while not is_over.is_set():
            time.sleep(0.001)
            now = time.perf_counter()
            pauses.append((now - last) * 1000 - 1)
            last = now

    other = threading.Thread(target=tick)
    other.start()
    took = await timed(work)
    is_over.set()
    other.join()
    return took, max(pauses)


async def measures() -> list[Measure]:
    with tempfile.TemporaryDirectory() as folder:
        paths = Paths(data=Path(folder) / "data")
        first = await timed(lambda: _open_and_close(paths))
        store = await Store.open(paths)
        await store.create_chat(a_chat())
        batches = [
            await timed(lambda at=at: store.append(CHAT, [_entry(i) for i in range(at, at + IMPORT)]))
            for at in range(0, N, IMPORT)
        ]
        appends = [await timed(lambda i=i: store.append(CHAT, [_entry(i)])) for i in range(N, N + 200)]
        tails = [await timed(lambda: store.tail(CHAT, 60)) for _ in range(20)]
        load, pause = await longest_pause_ms(lambda: store.load(CHAT))
        await store.aclose()
        again = await timed(lambda: _open_and_close(paths))
        screens: list[float] = []
        for _ in range(20):
            before = time.perf_counter()
            first_screen(paths)
            screens.append((time.perf_counter() - before) * 1000)
    return [
        Measure(what="Store: first start", value=first, unit="ms"),
        Measure(what="Store: open again, checked", value=again, unit="ms"),
        Measure(what="Q3 the first screen read", value=statistics.median(screens), unit="ms", target=20),
        Measure(
            what=f"Store: {IMPORT} entries in one transaction", value=statistics.median(batches), unit="ms"
        ),
        Measure(what=f"Store: append after {N:,} entries", value=statistics.median(appends), unit="ms"),
        Measure(what="Store: the last 60 entries", value=statistics.median(tails), unit="ms"),
        Measure(what=f"Store: load {N:,} entries", value=load, unit="ms"),
        Measure(what="Store: longest wait of another thread meanwhile", value=pause, unit="ms"),
    ]


async def _open_and_close(paths: Paths) -> None:
    await (await Store.open(paths)).aclose()


if __name__ == "__main__":
    raise SystemExit(tell(asyncio.run(measures())))
