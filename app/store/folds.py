"""Folds, pins and deletions: what changes a reading, each under its own number (M1, M3, M9)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from sqlmodel import Session, col, delete, insert, or_, select, update

from app.context.ports import NewFold
from app.core.folds import Deletion, Fold, Pin
from app.core.ids import ChatId, CompactionId, EntryId
from app.core.parts import blobs_of
from app.core.records import Compaction, SummaryVersion
from app.store.chats import Chats
from app.store.entries import Entries
from app.store.tables import (
    BlobRefRow,
    CompactionRow,
    DeletionRow,
    FoldRow,
    PinRow,
    SummaryVersionRow,
    TombstoneRow,
    from_row,
    to_row,
)


class Folds:
    def __init__(self, session: Session, now: datetime) -> None:
        self._session = session
        self._now = now
        self._chats = Chats(session, now)
        self._entries = Entries(session, now)

    # ---- reading

    def of(self, chat_id: ChatId) -> tuple[Fold, ...]:
        query = select(FoldRow).where(col(FoldRow.chat_id) == chat_id).order_by(col(FoldRow.rev))
        return tuple(from_row(row, Fold) for row in self._session.exec(query))

    def pins(self, chat_id: ChatId) -> tuple[Pin, ...]:
        query = select(PinRow).where(col(PinRow.chat_id) == chat_id).order_by(col(PinRow.rev))
        return tuple(from_row(row, Pin) for row in self._session.exec(query))

    def deletions(self, chat_id: ChatId) -> tuple[Deletion, ...]:
        query = select(DeletionRow).where(col(DeletionRow.chat_id) == chat_id).order_by(col(DeletionRow.rev))
        return tuple(from_row(row, Deletion) for row in self._session.exec(query))

    def compactions(self, chat_id: ChatId) -> tuple[Compaction, ...]:
        query = (
            select(CompactionRow)
            .where(col(CompactionRow.chat_id) == chat_id)
            .order_by(col(CompactionRow.rev))
        )
        return tuple(from_row(row, Compaction) for row in self._session.exec(query))

    # ---- compactions

    def commit(
        self, compaction: Compaction, new: Sequence[NewFold], *, planned_rev: int
    ) -> tuple[Fold, ...] | None:
        """Store a compaction and its folds; its `rev` is the first of theirs.

        Returns: None when something in the cover changed after `planned_rev` (M9).
        """
        chat_id = compaction.chat_id
        changed = self._changed_since(chat_id, planned_rev)
        if changed and changed & self._cover(new):
            return None
        rev = self._chats.take_revs(chat_id, max(1, len(new)))
        self.add_compaction(replace(compaction, rev=rev))
        folds = tuple(
            Fold(
                rev=number,
                compaction_id=item.compaction_id,
                kind=item.kind,
                first=item.first,
                last=item.last,
                part=item.part,
                replacement=item.replacement,
                anchor=item.anchor,
            )
            for number, item in enumerate(new, rev)
        )
        self.add(chat_id, folds)
        return folds

    def add_compaction(self, compaction: Compaction) -> None:
        self._session.exec(insert(CompactionRow).values(to_row(compaction)))

    def add(self, chat_id: ChatId, folds: Sequence[Fold]) -> None:
        if folds:
            rows = [to_row(fold, chat_id=chat_id) for fold in folds]
            self._session.connection().execute(insert(FoldRow), rows)  # no mapped object for each of hundreds
        held = {fold.rev: blobs for fold in folds if (blobs := tuple(blobs_of(fold.replacement)))}
        if held:
            of_these = (col(FoldRow.chat_id) == chat_id, col(FoldRow.rev).in_(held))
            stored = self._session.exec(select(FoldRow.rev, FoldRow.fold_id).where(*of_these))
            refs = [
                {"sha256": blob.sha256, "entry_id": None, "fold_id": fold_id}
                for rev, fold_id in stored
                for blob in held[rev]
            ]
            self._session.exec(insert(BlobRefRow), params=refs)

    def undo(self, chat_id: ChatId, compaction_id: CompactionId) -> bool:
        """Returns: False when nothing of it stood any more."""
        standing = [
            fold.rev
            for fold in self.of(chat_id)
            if fold.compaction_id == compaction_id and fold.undone_rev is None
        ]
        if not standing:
            return False
        self.undo_folds(chat_id, standing)
        return True

    def undo_folds(self, chat_id: ChatId, revs: Sequence[int]) -> None:
        """All of them under one number, so that no past moment shows half of an undo."""
        undone = self._chats.take_revs(chat_id, 1)
        chosen = col(FoldRow.chat_id) == chat_id, col(FoldRow.rev).in_(revs)
        self._session.exec(update(FoldRow).where(*chosen).values(undone_rev=undone))

    def covered(self, fold: Fold | NewFold) -> set[EntryId]:
        """The entries that a fold decides."""
        if fold.part is not None:
            return {fold.first}
        return set(self._entries.ids_between(fold.first, fold.last))

    def _cover(self, folds: Iterable[Fold | NewFold]) -> set[EntryId]:
        return {entry_id for fold in folds for entry_id in self.covered(fold)}

    def _changed_since(self, chat_id: ChatId, rev: int) -> set[EntryId]:
        """Entries that were deleted, pinned, folded or put back after `rev`, whole groups of them."""
        marked = {
            group.id
            for mark in (*self.pins(chat_id), *self.deletions(chat_id))
            if max(mark.rev, mark.undone_rev or 0) > rev
            for group in self._entries.group(mark.entry_id)
        }
        is_newer = or_(col(FoldRow.rev) > rev, col(FoldRow.undone_rev) > rev)
        rows = self._session.exec(select(FoldRow).where(col(FoldRow.chat_id) == chat_id, is_newer))
        return marked | self._cover(from_row(row, Fold) for row in rows)

    # ---- summaries in the person's words

    def summary_versions(self, chat_id: ChatId) -> tuple[SummaryVersion, ...]:
        query = (
            select(SummaryVersionRow)
            .where(col(SummaryVersionRow.chat_id) == chat_id)
            .order_by(col(SummaryVersionRow.rev))
        )
        return tuple(from_row(row, SummaryVersion) for row in self._session.exec(query))

    def write_summary(self, chat_id: ChatId, compaction_id: CompactionId, summary: str) -> SummaryVersion:
        rev = self._chats.take_revs(chat_id, 1)
        version = SummaryVersion(compaction_id=compaction_id, rev=rev, summary=summary, created_at=self._now)
        self.add_summary_versions(chat_id, (version,))
        return version

    def add_summary_versions(self, chat_id: ChatId, versions: Iterable[SummaryVersion]) -> None:
        for version in versions:
            self._session.exec(insert(SummaryVersionRow).values(to_row(version, chat_id=chat_id)))

    def undo_summary(self, chat_id: ChatId, rev: int) -> bool:
        """Returns: False when it did not stand."""
        chosen = col(SummaryVersionRow.chat_id) == chat_id, col(SummaryVersionRow.rev) == rev
        found = self._session.exec(select(SummaryVersionRow).where(*chosen)).first()
        if found is None or found.undone_rev is not None:
            return False
        undone = self._chats.take_revs(chat_id, 1)
        self._session.exec(update(SummaryVersionRow).where(*chosen).values(undone_rev=undone))
        return True

    def drop_summaries(self, chat_id: ChatId, made_by: Iterable[CompactionId]) -> None:
        chosen = col(SummaryVersionRow.chat_id) == chat_id, col(SummaryVersionRow.compaction_id).in_(made_by)
        self._session.exec(delete(SummaryVersionRow).where(*chosen))

    # ---- pins and deletions

    def pin(self, chat_id: ChatId, entry_id: EntryId, *, undo: bool) -> bool:
        """Returns: False when it was so already."""
        standing = [
            pin.rev for pin in self.pins(chat_id) if pin.entry_id == entry_id and pin.undone_rev is None
        ]
        if bool(standing) is not undo:
            return False
        rev = self._chats.take_revs(chat_id, 1)
        if undo:
            chosen = col(PinRow.chat_id) == chat_id, col(PinRow.rev).in_(standing)
            self._session.exec(update(PinRow).where(*chosen).values(undone_rev=rev))
        else:
            pin = Pin(entry_id=entry_id, rev=rev)
            self._session.exec(insert(PinRow).values(to_row(pin, chat_id=chat_id)))
        return True

    def delete_group(self, chat_id: ChatId, entry_id: EntryId, *, undo: bool) -> bool:
        """Hide the group of the entry, or show it again.

        Returns: False when it was so already.
        """
        group = {entry.id for entry in self._entries.group(entry_id)}
        standing = [
            item.rev for item in self.deletions(chat_id) if item.entry_id in group and item.undone_rev is None
        ]
        if bool(standing) is not undo or (undo and self._is_gone(entry_id)):
            return False
        rev = self._chats.take_revs(chat_id, 1)
        if undo:
            chosen = col(DeletionRow.chat_id) == chat_id, col(DeletionRow.rev).in_(standing)
            self._session.exec(update(DeletionRow).where(*chosen).values(undone_rev=rev))
        else:
            self.add_deletions(chat_id, (Deletion(entry_id=entry_id, rev=rev, deleted_at=self._now),))
        return True

    def _is_gone(self, entry_id: EntryId) -> bool:
        """Whether the entry was deleted for good; nothing brings that back."""
        return self._session.get(TombstoneRow, entry_id) is not None

    def add_pins(self, chat_id: ChatId, pins: Sequence[Pin]) -> None:
        if pins:
            self._session.exec(insert(PinRow), params=[to_row(pin, chat_id=chat_id) for pin in pins])

    def add_deletions(self, chat_id: ChatId, deletions: Sequence[Deletion]) -> None:
        if deletions:
            self._session.exec(
                insert(DeletionRow), params=[to_row(item, chat_id=chat_id) for item in deletions]
            )
