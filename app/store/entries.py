"""Entries: appended, read by path, cut into groups; never changed but when they are purged."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, cast

from sqlmodel import Session, insert

from app.context.ports import NewEntry
from app.core.entries import Chat, Entry, Origin
from app.core.errors import StoreError
from app.core.ids import ChatId, EntryId
from app.core.parts import Part, blobs_of
from app.store import rows
from app.store.chats import Chats
from app.store.tables import BlobRefRow, EntryRow, to_row
from app.store.texts import Texts

if TYPE_CHECKING:
    import sqlite3

_CHUNK = 256
"""Rows turned into entries at a stretch, so that loading a long chat lets the window's thread in between."""


class Entries:
    def __init__(self, session: Session, now: datetime) -> None:
        self._session = session
        self._now = now
        self._chats = Chats(session, now)

    # ---- reading

    def tail(self, chat: Chat, n: int) -> tuple[Entry, ...]:
        return self._select(rows.TAIL, (chat.head, n)) if chat.head else ()

    def path(self, head: EntryId) -> tuple[Entry, ...]:
        return self._select(rows.TAIL, (head, rows.ALL))

    def contents(self, chat: Chat) -> tuple[Entry, ...]:
        """The path to where the chat was forked off, then what it made itself; parents before children."""
        shared = self.path(chat.fork_entry_id) if chat.fork_entry_id else ()
        return shared + self._select(rows.OWN, (chat.id,))

    def ids(self, chat: Chat) -> set[EntryId]:
        """Of the same entries as `contents`."""
        own = self._session.connection().exec_driver_sql(
            "SELECT id FROM entries WHERE chat_id = ?", (chat.id,)
        )
        shared = self.path_ids(chat.fork_entry_id) if chat.fork_entry_id else ()
        return {*(EntryId(row[0]) for row in own), *shared}

    def path_ids(self, head: EntryId, *, at_most: int = rows.ALL) -> tuple[EntryId, ...]:
        """Root to `head`, both inclusive; the last `at_most` of it."""
        found = self._session.connection().exec_driver_sql(rows.PATH_IDS, (head, at_most))
        return tuple(EntryId(row[0]) for row in found)[::-1]

    def ids_between(self, first: EntryId, last: EntryId) -> tuple[EntryId, ...]:
        """The path from `first` to `last`, both inclusive; empty where the one does not lead to the other."""
        depths = self._depths((first, last))
        n = depths[last] - depths[first] + 1 if len(depths) == len({first, last}) else 0
        found = self.path_ids(last, at_most=n) if n > 0 else ()
        return found[found.index(first) :] if first in found else ()

    def get(self, ids: Iterable[EntryId]) -> dict[EntryId, Entry]:
        """Those of `ids` that are stored."""
        query = f"SELECT {rows.ENTRY_COLUMNS} FROM json_each(?) j CROSS JOIN entries e ON e.id = j.value"
        return {entry.id: entry for entry in self._select(query, (rows.to_json(list(ids)),))}

    def group(self, entry_id: EntryId) -> tuple[Entry, ...]:
        """The group (M2) of the entry, in order."""
        first = self.get((entry_id,)).get(entry_id)
        if first is None:
            raise StoreError("This message does not exist any more.")
        alone = first
        while first.origin is Origin.TOOL and first.parent_id:
            first = self.get((first.parent_id,))[first.parent_id]
        if not first.calls:
            return (alone,)
        query = f"""
WITH RECURSIVE below(id) AS (
    SELECT ? UNION SELECT c.id FROM below JOIN entries c ON c.parent_id = below.id WHERE c.origin = 'tool'
) SELECT {rows.ENTRY_COLUMNS} FROM below JOIN entries e ON e.id = below.id ORDER BY e.depth, e.rev"""
        return self._select(query, (first.id,))

    def children(self, entry_id: EntryId) -> tuple[EntryId, ...]:
        """In the order they were made; those of other chats that share the entry among them."""
        found = self._session.connection().exec_driver_sql(
            "SELECT id FROM entries WHERE parent_id = ? ORDER BY rev", (entry_id,)
        )
        return tuple(EntryId(row[0]) for row in found)

    def _select(self, query: str, arguments: tuple[object, ...]) -> tuple[Entry, ...]:
        # The driver's own cursor: rows of SQLAlchemy cost as much again as the entries themselves.
        cursor = cast("sqlite3.Cursor", self._session.connection().connection.cursor())
        found: list[Entry] = []
        same: dict[str, str] = {}
        try:
            cursor.execute(query, arguments)
            while chunk := cursor.fetchmany(_CHUNK):
                found.extend(rows.to_entry(row, same) for row in chunk)
        finally:
            cursor.close()
        return tuple(found)

    # ---- writing

    def append(self, chat_id: ChatId, new: Sequence[NewEntry]) -> tuple[Entry, ...]:
        """Append what is not stored yet; the last of it becomes the head."""
        stored = self.get(item.id for item in new)
        fresh = {item.id: item for item in new if item.id not in stored}
        if not fresh:
            return tuple(stored[item.id] for item in new)
        chat = self._chats.get(chat_id)
        rev = self._chats.take_revs(chat_id, len(fresh))
        parents = self._depths(item.parent_id for item in fresh.values() if item.parent_id not in fresh)
        is_branching = self._is_branching(chat, tuple(fresh.values()))
        for number, item in enumerate(fresh.values(), rev):
            stored[item.id] = self._stored(item, number, parents)
            parents[item.id] = stored[item.id].depth
        added = [stored[item_id] for item_id in fresh]
        self._session.exec(insert(EntryRow), params=[to_row(entry, chat_id=chat_id) for entry in added])
        self.refer((entry.parts, entry.id) for entry in added)
        Texts(self._session).add(added)
        head = added[-1].id
        if is_branching:
            self._chats.move_head(chat, head)
        newest = max(entry.created_at for entry in added)
        self._chats.set(chat_id, head=head, updated_at=max(chat.updated_at, newest))
        return tuple(stored[item.id] for item in new)

    def refer(self, held: Iterable[tuple[tuple[Part, ...], EntryId]]) -> None:
        """Note which blobs the entries point at, in the transaction that stores them (M6)."""
        refs = [
            {"sha256": blob.sha256, "entry_id": entry_id, "fold_id": None}
            for parts, entry_id in held
            for blob in blobs_of(parts)
        ]
        if refs:
            self._session.exec(insert(BlobRefRow), params=refs)

    def _stored(self, item: NewEntry, rev: int, depths: dict[EntryId, int]) -> Entry:
        if item.parent_id and item.parent_id not in depths:
            raise StoreError("The message before this one does not exist any more.")
        return Entry(
            id=item.id,
            parent_id=item.parent_id,
            rev=rev,
            depth=depths[item.parent_id] + 1 if item.parent_id else 0,
            origin=item.origin,
            parts=item.parts,
            created_at=item.created_at or self._now,
            model=item.model,
            finish=item.finish,
            usage=item.usage,
            provider_fields=item.provider_fields,
        )

    def _depths(self, ids: Iterable[EntryId | None]) -> dict[EntryId, int]:
        found = self._session.connection().exec_driver_sql(
            "SELECT e.id, e.depth FROM json_each(?) j CROSS JOIN entries e ON e.id = j.value",
            (rows.to_json(sorted({entry_id for entry_id in ids if entry_id})),),
        )
        return {EntryId(row[0]): int(row[1]) for row in found}

    def _is_branching(self, chat: Chat, fresh: tuple[NewEntry, ...]) -> bool:
        """Whether a branch point may arise; a plain answer must not walk up ten thousand entries to know."""
        parents = {item.parent_id for item in fresh}
        if len(parents) < len(fresh) or fresh[0].parent_id != chat.head:
            return True
        return bool(chat.head and self.children(chat.head))
