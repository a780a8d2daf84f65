"""The search: the newest texts that hold the terms are looked at one by one, and the best of them come first.

What is bounded is how many are looked at, so that the first page of a million messages costs what one of a
thousand does: the index gives them newest first, and stops when it is told.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from sqlmodel import Session

from app.core.entries import Origin
from app.core.errors import StoreError
from app.core.ids import ChatId, EntryId
from app.finding.found import Findings, Found, Place, texts_in
from app.finding.terms import fold
from app.finding.wanted import Term, Wanted, snippet_of
from app.store import rows
from app.store.shown import Standing, standing_of
from app.store.texts import ReadRange, readable_parts

if TYPE_CHECKING:
    import sqlite3

_POOL = 100
"""Messages among which the best are chosen; more where more are asked for."""
_MOST_LOOKED_AT = 1_000
_MOST_CHARS = 2 << 20
_MOST_ORIGINALS = 8
"""Texts of the vault that are read for one search; further ones are taken at the index's word."""
_PIECE_BYTES, _ORIGINAL_PIECES = 1 << 20, 4
_MOST_ENDINGS = 100
"""Words that one that was begun may become; the shortest."""
_COUNTED = 500
"""A word that is in more texts is common, no matter how common."""
_K1, _B = 1.2, 0.75
"""Of BM25 (Robertson, Zaragoza 2009: The Probabilistic Relevance Framework)."""
_HALF_LIFE_US = 60 * 86_400 * 1_000_000
"""So old a message counts three quarters of a new one; the oldest counts half."""
_WEIGHTS = {Place.SAID: 1.0, Place.ORIGINAL: 0.8, Place.REASONING: 0.6, Place.RESULT: 0.5, Place.CALL: 0.5}

# The path of a query that must not sort: `words` from its newest row down, all else by its keys.
_CANDIDATES = """
SELECT t.sha256, e.id, e.chat_id, e.origin, e.created_at, CAST(e.parts AS BLOB)
FROM words w CROSS JOIN texts t ON t.doc = w.rowid CROSS JOIN entries e
ON e.id = coalesce(t.entry_id, (SELECT max(r.entry_id) FROM blob_refs r WHERE r.sha256 = t.sha256))
WHERE w.words MATCH ? ORDER BY w.rowid DESC"""
_ENDINGS = "SELECT word FROM vocabulary WHERE word >= ? AND word < ? ORDER BY length(word), word LIMIT ?"
_Row = tuple[str | None, EntryId, ChatId, str, int, bytes]
_N_WITH = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    chat_id: ChatId
    entry_id: EntryId
    origin: str
    at_us: int
    place: Place
    text: str
    folded: str
    counts: tuple[int, ...]
    n_chars: int
    """Of all texts of the message."""


class Finder:
    """Args:
    read: Reads texts of the vault.
    """

    def __init__(self, session: Session, read: ReadRange) -> None:
        self._connection = session.connection()
        self._read = read

    def find(self, wanted: Wanted, *, limit: int) -> Findings:
        """See `Store.find`."""
        by_word = [[self._match(item) for item in word] for word in wanted.terms()]
        matches = [match for word in by_word for match in word]
        if not matches or not all(matches):
            return Findings()
        pool, has_more = self._pool(wanted, " AND ".join(matches), max(_POOL, 2 * limit))
        rarity = [self._rarity(word) for word in by_word]
        found = tuple(self._found(wanted, _ranked(pool, rarity), limit))
        return Findings(found=found, has_more=has_more or len(pool) > limit)

    # ---- what the index says

    def _match(self, term: Term) -> str:
        """The term in FTS5's language; empty: no text holds it."""
        if not term.is_begun:
            return f'"{term.text}"'
        last = term.text[:-1] + chr(ord(term.text[-1]) + 1)
        found = self._connection.exec_driver_sql(_ENDINGS, (term.text, last, _MOST_ENDINGS))
        words = " OR ".join(f'"{row[0]}"' for row in found)
        return f"({words})" if words else ""

    def _rarity(self, matches: Sequence[str]) -> float:
        """BM25's weight of a word, from so many texts as it pays to count."""
        if not matches:
            return 0.0
        n = int(self._connection.exec_driver_sql("SELECT coalesce(max(doc), 0) FROM texts").scalar_one())
        n_with = min(
            int(self._connection.exec_driver_sql(_N_WITH, (match, _COUNTED)).scalar_one())
            for match in matches
        )
        return math.log(1 + max(n - n_with + 0.5, 0.5) / (n_with + 0.5))

    def _pool(self, wanted: Wanted, match: str, size: int) -> tuple[list[_Candidate], bool]:
        """The newest texts that hold the words as they were typed, and whether older ones were not looked at."""
        pool: list[_Candidate] = []
        seen = set[EntryId]()
        n_looked_at = n_chars = n_originals = 0
        for sha256, entry_id, chat_id, origin, at_us, parts in self._candidates(match):
            if len(pool) >= size or n_looked_at >= _MOST_LOOKED_AT or n_chars >= _MOST_CHARS:
                return pool, True
            n_looked_at += 1
            if entry_id in seen:
                continue
            if sha256:
                n_originals += 1
                texts = tuple(self._original(wanted, sha256, is_read=n_originals <= _MOST_ORIGINALS))
            else:
                texts = tuple(texts_in(readable_parts(parts)))
            n_chars += sum(len(text) for _, text in texts)
            if chosen := _chosen(wanted, texts):
                seen.add(entry_id)
                place, text, folded, counts = chosen
                pool.append(
                    _Candidate(
                        chat_id=chat_id,
                        entry_id=entry_id,
                        origin=origin,
                        at_us=at_us,
                        place=place,
                        text=text,
                        folded=folded,
                        counts=counts,
                        n_chars=sum(len(text) for _, text in texts),
                    )
                )
        return pool, False

    def _candidates(self, match: str) -> Iterator[_Row]:
        with closing(cast("sqlite3.Cursor", self._connection.connection.cursor())) as cursor:
            yield from cursor.execute(_CANDIDATES, (match,))

    def _original(self, wanted: Wanted, sha256: str, *, is_read: bool) -> Iterator[tuple[Place, str]]:
        """The piece of a text of the vault in which the words stand, if it is near its beginning; else no words."""
        for at in range(_ORIGINAL_PIECES if is_read else 0):
            try:
                data = self._read(sha256, at * _PIECE_BYTES, (at + 1) * _PIECE_BYTES)
            except StoreError:
                break
            text = data.decode(errors="replace")
            if wanted.is_in(fold(text)):
                yield Place.ORIGINAL, text
                return
            if len(data) < _PIECE_BYTES:
                return
        yield Place.ORIGINAL, ""

    # ---- which are best

    def _found(self, wanted: Wanted, pool: Sequence[_Candidate], limit: int) -> Iterator[Found]:
        standing = standing_of(self._connection, [(item.entry_id, item.chat_id) for item in pool], limit)
        for item in pool:
            if stands := standing.get(item.entry_id):
                yield _told(item, stands, wanted)


def _ranked(pool: Sequence[_Candidate], rarity: Sequence[float]) -> list[_Candidate]:
    """Best first: BM25, less for what is older, and for what nobody said."""
    mean = sum(item.n_chars for item in pool) / max(len(pool), 1) or 1.0
    newest = max((item.at_us for item in pool), default=0)

    def score(item: _Candidate) -> float:
        length = _K1 * (1 - _B + _B * item.n_chars / mean)
        said = sum(
            weight * count * (_K1 + 1) / (count + length)
            for weight, count in zip(rarity, item.counts, strict=True)
        )
        youth = 0.5 + 0.5 * 2 ** ((item.at_us - newest) / _HALF_LIFE_US)
        return said * youth * _WEIGHTS[item.place]

    return sorted(pool, key=score, reverse=True)


def _chosen(
    wanted: Wanted, texts: Sequence[tuple[Place, str]]
) -> tuple[Place, str, str, tuple[int, ...]] | None:
    """The text of a message that says most of the words, and how often all of its texts say each.

    None: they are not all there as they were typed.
    """
    if [place for place, text in texts if not text] == [Place.ORIGINAL]:
        return Place.ORIGINAL, "", "", tuple(1 for _ in wanted.words)
    folded = [fold(text) for _, text in texts]
    counts = [wanted.counts(text) for text in folded]
    total = tuple(map(sum, zip(*counts, strict=True)))
    if not total or not all(total):
        return None
    best = max(range(len(texts)), key=lambda at: (sum(map(bool, counts[at])), _WEIGHTS[texts[at][0]]))
    return *texts[best], folded[best], total


def _told(item: _Candidate, stands: Standing, wanted: Wanted) -> Found:
    found = Found(
        chat_id=item.chat_id,
        title=stands.title,
        entry_id=item.entry_id,
        origin=Origin(item.origin),
        place=item.place,
        said_at=rows.to_moment(item.at_us),
        snippet=snippet_of(item.text, item.folded, wanted),
        is_shown=stands.is_shown,
    )
    return replace(
        found, chat_id=stands.chat_id, entry_id=stands.entry_id, is_delegated=stands.entry_id != item.entry_id
    )
