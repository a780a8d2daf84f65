"""Q10: what finding takes among a million messages: `python -m tests.bench.finding [--n 100000]`; ends with 1 past a bound.

Messages are lines of the real conversations of tests/data, English and Chinese, drawn anew for each; every one has
a number of its own, so that the vocabulary grows with them.
"""

import argparse
import asyncio
import json
import random
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import cast

from app.context.ports import NewEntry
from app.core.entries import Origin
from app.core.ids import ChatId, EntryId, new_id
from app.core.parts import TextPart
from app.finding.terms import terms_of, words_of
from app.settings import Paths
from app.store import rows
from app.store.store import Store
from app.store.upgrade import upgrade
from tests.app.store.making import NOW, a_chat
from tests.bench.measures import Measure, tell

N = 1_000_000
_A_CHAT = 1_000
"""Messages of each chat."""
_AT_ONCE = 5_000
_DATA = Path(__file__).parents[1] / "data" / "conversations"
QUERIES = (
    "the",
    "w",
    "wh",
    "which",
    "somet",
    "import function",
    "the of and to",
    "number4711",
    "number47",
    "nothingofthekind",
    "的",
    "我们",
    "数据",
    "你好",
    "我们 数据",
    "可以的话",
)
"""Common and rare words, half-typed ones, Chinese signs and pairs."""


def lines() -> tuple[str, ...]:
    """Of the conversations, each once."""
    found: dict[str, None] = {}
    for path in sorted(_DATA.glob("*.json")):
        for text in _texts(json.loads(path.read_text(encoding="utf-8"))):
            found.update((line, None) for line in text.splitlines() if 12 <= len(line) <= 400)
    return tuple(found)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in cast("dict[str, object]", value).values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            yield from _texts(item)


def fill(paths: Paths, n: int, said: Sequence[str]) -> int:
    """Store `n` messages as the store does, but without asking it for each. Returns: bytes of their texts."""
    upgrade(paths)
    rng = random.Random(7)
    terms = [terms_of(line) for line in said]
    n_bytes = 0
    with closing(sqlite3.connect(paths.database, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        for start in range(0, n, _AT_ONCE):
            entries: list[tuple[object, ...]] = []
            words: list[tuple[int, str]] = []
            seen = set[str]()
            for at in range(start, min(start + _AT_ONCE, n)):
                chosen = rng.choices(range(len(said)), k=rng.randint(1, 6))
                text = "\n".join([f"number{at}", *(said[i] for i in chosen)])
                n_bytes += len(text.encode())
                entries.append(_entry(at, text))
                held = {f"number{at}"}.union(*(terms[i] for i in chosen))
                seen |= words_of(held)
                words.append((at + 1, " ".join(held)))
            connection.execute("BEGIN")
            connection.executemany(_ENTRY, entries)
            texts = [(doc, entry[0]) for (doc, _), entry in zip(words, entries, strict=True)]
            connection.executemany("INSERT INTO texts (doc, entry_id, is_read) VALUES (?, ?, 1)", texts)
            connection.executemany("INSERT INTO words (rowid, terms) VALUES (?, ?)", words)
            connection.executemany("INSERT OR IGNORE INTO vocabulary VALUES (?)", [(word,) for word in seen])
            connection.execute("COMMIT")
        at_us = rows.from_moment(NOW)
        for chat, first in enumerate(range(0, n, _A_CHAT)):
            head = _id(min(first + _A_CHAT, n) - 1)
            connection.execute(_CHAT, (f"chat{chat:06}", f"Chat {chat}", at_us, at_us, _A_CHAT, head))
    return n_bytes


_ENTRY = (
    "INSERT INTO entries (id, chat_id, parent_id, rev, depth, origin, provider_fields, created_at, parts)"
    " VALUES (?, ?, ?, ?, ?, ?, '', ?, ?)"
)
_CHAT = (
    "INSERT INTO chats (id, title, created_at, updated_at, rev, head, chosen, is_title_manual, is_pinned,"
    " prompt_tokens, window_tokens, source) VALUES (?, ?, ?, ?, ?, ?, '{}', 0, 0, 0, 0, '')"
)


def _id(at: int) -> str:
    return f"entry_{at:026}"


def _entry(at: int, text: str) -> tuple[object, ...]:
    chat, depth = divmod(at, _A_CHAT)
    said_at = rows.from_moment(NOW + timedelta(minutes=at - N))
    origin = Origin.ASSISTANT if depth % 2 else Origin.USER
    parts = rows.from_parts((TextPart(text=text),))
    return _id(at), f"chat{chat:06}", _id(at - 1) if depth else None, depth + 1, depth, origin, said_at, parts


async def found_in_ms(store: Store, typed: str) -> tuple[float, float]:
    """The first page, as the window asks for it: the best of seven, and the processor's part of it."""
    took: list[tuple[float, float]] = []
    for _ in range(7):
        before, before_cpu = time.perf_counter(), time.process_time()
        await store.find(typed, limit=50)
        took.append(((time.perf_counter() - before) * 1000, (time.process_time() - before_cpu) * 1000))
    return min(wall for wall, _ in took), min(cpu for _, cpu in took)


async def appended_ms(store: Store, said: Sequence[str], n: int) -> list[float]:
    """How long `n` messages take, one after the other, in a chat of their own."""
    rng = random.Random(11)
    chat = ChatId(new_id("appending_"))  # a folder that is kept has some of the last time
    await store.create_chat(a_chat(chat))
    took: list[float] = []
    parent: EntryId | None = None
    for _ in range(n):
        text = "\n".join(rng.choices(said, k=4))
        entry = NewEntry(
            id=EntryId(new_id("append_")), parent_id=parent, origin=Origin.USER, parts=(TextPart(text=text),)
        )
        before = time.perf_counter()
        await store.append(chat, [entry])
        took.append((time.perf_counter() - before) * 1000)
        parent = entry.id
    return sorted(took)


async def measures(n: int = N, folder: Path | None = None) -> list[Measure]:
    with tempfile.TemporaryDirectory() as temporary:
        paths = Paths(data=(folder or Path(temporary)) / "data")
        said = lines()
        before = time.perf_counter()
        n_bytes = fill(paths, n, said) if not paths.database.exists() else 0
        found = [
            Measure(what=f"Finding: {n:,} messages stored", value=time.perf_counter() - before, unit="s")
        ]
        store = await Store.open(paths)
        worst_cpu = 0.0
        for typed in QUERIES:
            what = f"Q10 the first page of {typed!r} in {n:,} messages"
            wall, cpu = await found_in_ms(store, typed)
            found.append(Measure(what=what, value=wall, unit="ms", target=50))
            worst_cpu = max(worst_cpu, cpu)
        found.append(Measure(what="Finding: the processor's part, at most", value=worst_cpu, unit="ms"))
        appends = await appended_ms(store, said, 200)
        await store.aclose()
        found.append(Measure(what="Q4 a message stored, p50", value=appends[100], unit="ms"))
        found.append(Measure(what="Q4 a message stored, p95", value=appends[190], unit="ms", target=25))
        return found + list(sizes(paths, n_bytes))


def sizes(paths: Paths, n_bytes: int) -> Iterator[Measure]:
    with closing(sqlite3.connect(paths.database)) as connection:
        (index,) = connection.execute("SELECT sum(length(block)) FROM words_data").fetchone()
        (words,) = connection.execute("SELECT sum(length(word) + 4) FROM vocabulary").fetchone()
        (docs,) = connection.execute("SELECT sum(2 * length(entry_id) + 20) FROM texts").fetchone()
    whole = paths.database.stat().st_size
    for what, value in (("the database", whole), ("texts", n_bytes), ("the index", index + words + docs)):
        yield Measure(what=f"Finding: {what}", value=value / 1e6, unit="MB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int, default=N)
    parser.add_argument("--folder", type=Path, help="keep the messages there, and take them from there")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    raise SystemExit(tell(asyncio.run(measures(options.n, options.folder))))
