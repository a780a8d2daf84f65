"""M6: a chat with 50 pastes of 1 MB, against one that keeps them in its entries: `python -m tests.bench.pastes`."""

import asyncio
import gc
import random
import tempfile
import tracemalloc
from pathlib import Path

from app.context.ports import NewEntry
from app.core.entries import Origin
from app.core.ids import ChatId, EntryId
from app.core.parts import INLINE_BYTES, TextPart
from app.settings import Paths
from app.store.store import Store
from tests.app.store.making import a_chat
from tests.bench.measures import Measure, tell
from tests.bench.store import longest_pause_ms, timed

N = 50
LIMIT = INLINE_BYTES // 4
"""Characters of a piece that stays in its entry, whatever they are."""
APART, INLINE = ChatId("apart"), ChatId("inline")
AGAINST = "in the entries"


def _paste(n: int) -> str:
    draw = random.Random(n)
    lines = (f"{at:06} worker-{draw.randrange(9)} {draw.randbytes(8).hex()} done" for at in range(27_000))
    return "\n".join(lines)[: 1 << 20]


async def _fill(store: Store, chat: ChatId) -> None:
    await store.create_chat(a_chat(chat))
    for n in range(N):
        text = _paste(n)
        starts = range(0, len(text), LIMIT if chat == INLINE else len(text))
        pieces = (text[start : start + starts.step] for start in starts)
        parent = EntryId(f"{chat}{n - 1}") if n else None
        parts = tuple(TextPart(text=piece) for piece in pieces)
        new = NewEntry(id=EntryId(f"{chat}{n}"), parent_id=parent, origin=Origin.USER, parts=parts)
        await store.append(chat, [new])


async def _opened(paths: Paths, chat: ChatId) -> tuple[float, float, float, float]:
    """MB of the database and of memory, ms until the chat is read, and the longest that the window would wait."""
    store = await Store.open(paths)
    await store.chats()  # what is loaded at the first read is not the chat's
    took, pause = await longest_pause_ms(lambda: store.load(chat))
    gc.collect()
    tracemalloc.start()
    contents = await store.load(chat)
    memory, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    await store.aclose()
    assert len(contents.entries) == N
    return paths.database.stat().st_size / 1e6, memory / 1e6, took, pause


async def measures() -> list[Measure]:
    found: dict[ChatId, tuple[float, float, float, float]] = {}
    written: dict[ChatId, float] = {}
    for chat in (APART, INLINE):
        with tempfile.TemporaryDirectory() as folder:
            paths = Paths(data=Path(folder) / "data")
            store = await Store.open(paths)
            written[chat] = await timed(lambda store=store, chat=chat: _fill(store, chat)) / N
            await store.aclose()
            found[chat] = await _opened(paths, chat)
    rows = zip(
        ("SQLite", "memory of the open chat", "chat read", "longest wait of another thread meanwhile"),
        ("MB", "MB", "ms", "ms"),
        (2.0, 1.0, 100.0, None),
        found[APART],
        found[INLINE],
        strict=True,
    )
    return [
        Measure(
            what="M6 50 pastes of 1 MB: one stored",
            value=written[APART],
            unit="ms",
            baseline=written[INLINE],
            against=AGAINST,
        ),
        *(
            Measure(
                what=f"M6 50 pastes of 1 MB: {what}",
                value=value,
                unit=unit,
                target=target,
                baseline=baseline,
                against=AGAINST,
            )
            for what, unit, target, value, baseline in rows
        ),
    ]


if __name__ == "__main__":
    raise SystemExit(tell(asyncio.run(measures())))
