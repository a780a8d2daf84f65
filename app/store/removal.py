"""Deleting for good: a chat (M13) or one group in every chat that shows it (M10)."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.dialects.sqlite import insert as upsert
from sqlmodel import Session, col, delete, select, update

from app.core.entries import Chat, Entry
from app.core.folds import Deletion, Fold
from app.core.ids import ChatId, EntryId
from app.core.parts import Blob
from app.core.records import Changes, Fact
from app.store import rows
from app.store.chats import Chats
from app.store.entries import Entries
from app.store.folds import Folds
from app.store.settings import StoredSettings
from app.store.tables import (
    BlobRefRow,
    CompactionRow,
    EntryRow,
    FactRow,
    FileTouchRow,
    FoldRow,
    KeptBlobRow,
    LedgerRow,
    PreludeRow,
    RequestRow,
    TokenCountRow,
    TombstoneRow,
    ToolRunRow,
    from_row,
)
from app.store.texts import Texts

_OF_ENTRIES = (LedgerRow, FactRow, FileTouchRow, TokenCountRow, ToolRunRow, BlobRefRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class Purged:
    changes: Changes
    blobs: tuple[str, ...]
    """SHA-256 of blobs that nothing refers to any more."""


class Removals:
    def __init__(self, session: Session, now: datetime) -> None:
        self._session = session
        self._now = now
        self._chats = Chats(session, now)
        self._entries = Entries(session, now)
        self._folds = Folds(session, now)
        self._settings = StoredSettings(session)

    def scope(
        self, chat_id: ChatId, group: EntryId | None
    ) -> tuple[set[EntryId], set[EntryId], tuple[ChatId, ...]]:
        """What a removal is about.

        Returns: the entries concerned, those of them that would go, and the other chats that show any of them.
        """
        if group:
            ids = {entry.id for entry in self._entries.group(group)}
            return ids, ids, tuple(other for other in self._showing(ids) if other != chat_id)
        ids = self._entries.ids(self._chats.get(chat_id))
        kept = self._kept_without(chat_id)
        return ids, ids - kept, tuple(other for other in self._showing(ids) if other != chat_id)

    def kept(self, gone: set[EntryId]) -> tuple[Blob, ...]:
        """Blobs of these entries that stay, since the person keeps them (C26)."""
        query = "SELECT r.sha256 FROM json_each(?) j CROSS JOIN blob_refs r ON r.entry_id = j.value"
        found = self._session.connection().exec_driver_sql(query, (rows.to_json(sorted(gone)),))
        theirs = {str(row[0]) for row in found}
        kept = self._session.exec(select(KeptBlobRow).order_by(col(KeptBlobRow.name)))
        return tuple(from_row(row, Blob) for row in kept if row.sha256 in theirs)

    def purge_chat(self, chat_id: ChatId) -> Purged:
        _, gone, _ = self.scope(chat_id, None)
        blobs = self._blobs()
        self._purge_called(gone)
        self._settings.forget(chat_id)
        self._chats.drop(chat_id)
        self._delete_entries(gone)
        used = select(RequestRow.prelude_hash)
        self._session.exec(delete(PreludeRow).where(col(PreludeRow.hash).not_in(used)))
        self.bury(chat_id)
        return Purged(
            changes=Changes(facts=frozenset({Fact.CHATS, Fact.ENTRIES}), chats=frozenset({chat_id})),
            blobs=tuple(sorted(blobs - self._blobs())),
        )

    def purge_group(self, chat_id: ChatId, entry_id: EntryId) -> Purged:
        group = self._entries.group(entry_id)
        ids = {entry.id for entry in group}
        blobs = self._blobs()
        chats = self._showing(ids)
        for showing in chats:
            self._blank_folds(showing, ids)
            self._hide(showing, group)
        self._purge_called(ids)
        self.blank(ids)
        return Purged(
            changes=Changes(facts=frozenset({Fact.ENTRIES, Fact.FOLDS}), chats=frozenset({chat_id, *chats})),
            blobs=tuple(sorted(blobs - self._blobs())),
        )

    def _purge_called(self, ids: set[EntryId]) -> None:
        """The chats of the sub-agents that calls of these entries made."""
        for chat in self._chats.called_by(ids):
            self.purge_chat(chat.id)

    def blank(self, ids: set[EntryId]) -> None:
        """Empty entries, and delete what was made from them; their ids and parents stay."""
        Texts(self._session).forget(ids)
        for table in _OF_ENTRIES:
            self._session.exec(delete(table).where(col(table.entry_id).in_(ids)))
        self._session.exec(
            update(EntryRow).where(col(EntryRow.id).in_(ids)).values(parts=(), provider_fields="")
        )
        for entry_id in ids:
            self.bury(entry_id)

    def bury(self, id_: str) -> None:
        self._session.exec(upsert(TombstoneRow).values(id=id_).on_conflict_do_nothing())

    def apply_tombstones(self, ids: set[str]) -> None:
        """Take out of a restored backup what had been deleted for good after it was made (M13)."""
        for chat in (*self._chats.list(trash=False), *self._chats.list(trash=True)):
            if chat.id in ids:
                self.purge_chat(chat.id)
        for entry_id in self._entries.get(EntryId(id_) for id_ in ids):
            self.purge_group(ChatId(""), entry_id)
        for id_ in ids:
            self.bury(id_)

    # ---- who shows what

    def _all_chats(self) -> tuple[Chat, ...]:
        return self._chats.list(trash=False) + self._chats.list(trash=True)

    def _showing(self, ids: set[EntryId]) -> tuple[ChatId, ...]:
        query = "SELECT DISTINCT e.chat_id FROM json_each(?) j CROSS JOIN entries e ON e.id = j.value"
        found = self._session.connection().exec_driver_sql(query, (rows.to_json(sorted(ids)),))
        owners = {ChatId(row[0]) for row in found}
        return tuple(
            chat.id
            for chat in self._all_chats()
            if chat.id in owners or (chat.fork_entry_id and not ids.isdisjoint(self._entries.ids(chat)))
        )

    def _kept_without(self, chat_id: ChatId) -> set[EntryId]:
        kept: set[EntryId] = set()
        for chat in self._all_chats():
            if chat.id != chat_id:
                kept |= self._entries.ids(chat)
        return kept

    # ---- what goes

    def _delete_entries(self, ids: set[EntryId]) -> None:
        Texts(self._session).forget(ids)
        # One statement, since each entry is the parent of the next.
        self._session.connection().exec_driver_sql(
            "DELETE FROM entries WHERE id IN (SELECT value FROM json_each(?))", (rows.to_json(sorted(ids)),)
        )

    def _blobs(self) -> set[str]:
        return set(self._session.exec(select(BlobRefRow.sha256).distinct()))

    def _blank_folds(self, chat_id: ChatId, ids: set[EntryId]) -> None:
        over = [fold for fold in self._folds.of(chat_id) if not ids.isdisjoint(self._folds.covered(fold))]
        if not over:
            return
        if standing := [fold.rev for fold in over if fold.undone_rev is None]:
            self._folds.undo_folds(chat_id, standing)
        self._blank_replacements(chat_id, over)
        made_by = {fold.compaction_id for fold in over}
        self._session.exec(
            update(CompactionRow)
            .where(col(CompactionRow.chat_id) == chat_id, col(CompactionRow.id).in_(made_by))
            .values(intent="", summary="", fact_check="")
        )
        self._folds.drop_summaries(chat_id, made_by)

    def _blank_replacements(self, chat_id: ChatId, over: list[Fold]) -> None:
        chosen = col(FoldRow.chat_id) == chat_id, col(FoldRow.rev).in_([fold.rev for fold in over])
        fold_ids = select(FoldRow.fold_id).where(*chosen)
        self._session.exec(delete(BlobRefRow).where(col(BlobRefRow.fold_id).in_(fold_ids)))
        self._session.exec(update(FoldRow).where(*chosen).values(replacement=()))

    def _hide(self, chat_id: ChatId, group: tuple[Entry, ...]) -> None:
        """A blank group is no group any more, so each of its entries is marked."""
        hidden = {item.entry_id for item in self._folds.deletions(chat_id) if item.undone_rev is None}
        left = [entry.id for entry in group if entry.id not in hidden]
        if left:
            rev = self._chats.take_revs(chat_id, len(left))
            marks = [
                Deletion(entry_id=entry_id, rev=number, deleted_at=self._now)
                for number, entry_id in enumerate(left, rev)
            ]
            self._folds.add_deletions(chat_id, marks)
