"""The index over everything that chats hold, kept with them: what is appended enters it, what is purged leaves it.

The FTS5 table `words` knows of each text (`TextRow`) which terms it holds (`finding/terms.py`), and nothing else.
Texts of the vault, and those that an older version stored, wait until there is time (`Store.read_texts`).
"""

import codecs
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session

from app.core.entries import Entry
from app.core.errors import StoreError
from app.core.ids import EntryId
from app.core.parts import Part
from app.finding.found import originals_in, texts_in
from app.finding.terms import terms_of, words_of
from app.store import rows

MOST_ORIGINAL_BYTES = 64 << 20
"""So much of a text of the vault is found."""
_PIECE_BYTES = 1 << 20
_READ_AT_ONCE, _READ_CHARS = 100, 256 * 1024
"""Texts, or signs, that wait and are read at a stretch: the writer is kept for some milliseconds."""
_MERGED_PAGES = 500
"""Of the index rewritten at a stretch."""

ReadRange = Callable[[str, int, int], bytes]
"""Bytes of a text of the vault by its hash: from, to. Empty at its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A text that the index doesn't hold yet."""

    doc: int
    sha256: str | None
    parts: tuple[Part, ...]
    """Of its entry."""


class Texts:
    def __init__(self, session: Session) -> None:
        self._session = session

    # ---- what comes in

    def add(self, entries: Sequence[Entry]) -> None:
        """Take in what is stored in this transaction."""
        first = self._number("SELECT coalesce(max(doc), 0) FROM texts") + 1
        docs = [(doc, entry.id) for doc, entry in enumerate(entries, first)]
        self._many("INSERT INTO texts (doc, entry_id, is_read) VALUES (?, ?, 1)", docs)
        read = {doc: entry_terms(entry.parts) for doc, entry in enumerate(entries, first)}
        self._put(read)
        self._queue(entry.parts for entry in entries)

    def waiting(self) -> tuple[Waiting, ...]:
        """Some of what waits, newest first."""
        found: list[Waiting] = []
        n_chars = 0
        cursor = self._session.connection().exec_driver_sql(
            "SELECT t.doc, t.sha256, CAST(e.parts AS BLOB) FROM texts t LEFT JOIN entries e ON e.id = t.entry_id"
            " WHERE t.is_read = 0 AND coalesce(t.entry_id, t.sha256) IS NOT NULL ORDER BY t.doc DESC LIMIT ?",
            (_READ_AT_ONCE,),
        )
        for doc, sha256, parts in cursor:
            found.append(Waiting(doc=doc, sha256=sha256, parts=readable_parts(parts) if parts else ()))
            n_chars += len(parts or b"")
            if n_chars > _READ_CHARS:
                break
        return tuple(found)

    def take(self, read: Mapping[int, tuple[Waiting, set[str]]]) -> None:
        """Put in the terms of texts that waited; what was purged meanwhile is left out."""
        still = self._numbers(
            "UPDATE texts SET is_read = 1 WHERE doc IN (SELECT value FROM json_each(?)) AND is_read = 0"
            " AND coalesce(entry_id, sha256) IS NOT NULL RETURNING doc",
            rows.to_json(sorted(read)),
        )
        self._put({doc: read[doc][1] for doc in still})
        self._queue(read[doc][0].parts for doc in still)

    def _queue(self, held: Iterable[tuple[Part, ...]]) -> None:
        """Have texts of the vault wait."""
        query = "INSERT INTO texts (sha256, is_read) SELECT ?, 0 WHERE NOT EXISTS (SELECT 1 FROM texts WHERE sha256 = ?)"
        hashes = [blob.sha256 for parts in held for blob in originals_in(parts)]
        self._many(query, [(sha256, sha256) for sha256 in hashes])

    def _put(self, read: Mapping[int, set[str]]) -> None:
        given = [(doc, _joined(terms)) for doc, terms in read.items() if terms]
        self._many("INSERT INTO words (rowid, terms) VALUES (?, ?)", given)
        words = sorted(words_of(set[str]().union(*read.values())))
        self._many("INSERT OR IGNORE INTO vocabulary (word) VALUES (?)", [(word,) for word in words])

    # ---- what leaves for good (M13)

    def forget(self, ids: Iterable[EntryId]) -> None:
        """Take entries out, before their texts go."""
        found = self._session.connection().exec_driver_sql(
            "SELECT t.doc, t.is_read, CAST(e.parts AS BLOB) FROM json_each(?) j"
            " CROSS JOIN texts t ON t.entry_id = j.value JOIN entries e ON e.id = t.entry_id",
            (rows.to_json(sorted(ids)),),
        )
        self._forget(
            {doc: entry_terms(readable_parts(parts)) if is_read else set() for doc, is_read, parts in found}
        )

    def unwanted(self) -> tuple[tuple[int, str, bool], ...]:
        """Texts of the vault that no message refers to any more: doc, hash, and whether the index holds them."""
        found = self._session.connection().exec_driver_sql(
            "SELECT doc, sha256, is_read FROM texts WHERE sha256 IS NOT NULL AND sha256 NOT IN"
            " (SELECT sha256 FROM blob_refs WHERE entry_id IS NOT NULL)"
        )
        return tuple((int(doc), str(sha256), bool(is_read)) for doc, sha256, is_read in found)

    def forget_originals(self, terms: Mapping[int, set[str]]) -> None:
        """Take out texts of the vault, by the terms that they had put in."""
        self._forget(terms)

    def _forget(self, gone: Mapping[int, set[str]]) -> None:
        given = [(doc, _joined(terms)) for doc, terms in gone.items() if terms]
        self._many("INSERT INTO words (words, rowid, terms) VALUES ('delete', ?, ?)", given)
        words = words_of(set[str]().union(*gone.values()))
        lost = [(word,) for word in sorted(words) if not self._numbers(_HOLDING, f'"{word}"')]
        self._many("DELETE FROM vocabulary WHERE word = ?", lost)
        self._many(
            "UPDATE texts SET entry_id = NULL, sha256 = NULL WHERE doc = ?", [(doc,) for doc in sorted(gone)]
        )

    def start_again(self) -> None:
        """Empty the index, and have all of it read anew: a text is lost by whose words it could be taken out."""
        self._run("INSERT INTO words (words) VALUES ('delete-all')")
        self._run("DELETE FROM vocabulary")
        self._run("DELETE FROM texts WHERE coalesce(entry_id, sha256) IS NULL")
        self._run("UPDATE texts SET is_read = 0")

    def is_swept(self) -> bool:
        """Whether no word of what was taken out lies in the index's pages any more."""
        return not self._numbers("SELECT doc FROM texts WHERE coalesce(entry_id, sha256) IS NULL LIMIT 1")

    def sweep(self, *, is_first: bool) -> bool:
        """Rewrite some of the index: words that were taken out stand in its older parts until those are merged.

        Returns: whether it is done.
        """
        before = self._number("SELECT total_changes()")
        pages = -_MERGED_PAGES if is_first else _MERGED_PAGES
        self._run("INSERT INTO words (words, rank) VALUES ('merge', ?)", pages)
        # SQLite counts the command itself as one change.
        if is_first or self._number("SELECT total_changes()") - before >= 2:
            return False
        self._run("DELETE FROM texts WHERE coalesce(entry_id, sha256) IS NULL")
        return True

    # ---- SQL

    def _run(self, query: str, *values: object) -> None:
        self._session.connection().exec_driver_sql(query, values)

    def _many(self, query: str, values: Sequence[tuple[object, ...]]) -> None:
        if values:
            self._session.connection().exec_driver_sql(query, list(values))

    def _numbers(self, query: str, *values: object) -> list[int]:
        return [int(row[0]) for row in self._session.connection().exec_driver_sql(query, values)]

    def _number(self, query: str) -> int:
        return self._numbers(query)[0]


_HOLDING = "SELECT rowid FROM words WHERE words MATCH ? LIMIT 1"


def entry_terms(parts: tuple[Part, ...]) -> set[str]:
    """The terms of the texts that lie in an entry."""
    return set[str]().union(*(terms_of(text) for _, text in texts_in(parts)))


def original_terms(sha256: str, read: ReadRange) -> set[str]:
    """The terms of a text of the vault, as far as it is found.

    Raises:
        OriginalLost: missing or damaged.
    """
    found = set[str]()
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    rest = ""
    for start in range(0, MOST_ORIGINAL_BYTES, _PIECE_BYTES):
        if not (data := read(sha256, start, start + _PIECE_BYTES)):
            break
        text = rest + decoder.decode(data)
        end = max(text.rfind(" "), text.rfind("\n")) + 1 or len(text)
        found |= terms_of(text[:end])
        rest = text[end:]
    return found | terms_of(rest)


def terms_of_waiting(waiting: Iterable[Waiting], read: ReadRange) -> dict[int, tuple[Waiting, set[str]]]:
    """The terms of texts that wait, by their doc; a text that is lost has none."""
    found: dict[int, tuple[Waiting, set[str]]] = {}
    for item in waiting:
        try:
            terms = original_terms(item.sha256, read) if item.sha256 else entry_terms(item.parts)
        except StoreError:
            terms = set[str]()
        found[item.doc] = (item, terms)
    return found


def terms_of_unwanted(
    unwanted: Iterable[tuple[int, str, bool]], read: ReadRange
) -> dict[int, set[str]] | None:
    """What each text had put in; None: one of them is lost."""
    try:
        return {
            doc: original_terms(sha256, read) if is_read else set[str]() for doc, sha256, is_read in unwanted
        }
    except StoreError:
        return None


def _joined(terms: set[str]) -> str:
    return " ".join(sorted(terms))


def readable_parts(stored: bytes) -> tuple[Part, ...]:
    """What an entry holds; nothing where that cannot be read: it is shown raw, and not found (TS1)."""
    try:
        return rows.to_parts(stored)
    except (ValueError, TypeError):
        return ()
