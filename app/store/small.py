"""Drafts, ledgers, token counts, breakers, kept blobs, and what calls changed of files."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from pydantic import TypeAdapter
from sqlalchemy import delete, insert, text, update
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlmodel import Session, col, select

from app.context.breaker import Breaker
from app.core.ids import ChatId, EntryId, ModelId
from app.core.ledger import LedgerItem
from app.core.parts import Blob
from app.core.records import Draft, FileChange
from app.store import rows
from app.store.chats import Chats
from app.store.tables import (
    BlobRefRow,
    BreakerRow,
    DraftRow,
    EntryRow,
    FileTouchRow,
    KeptBlobRow,
    LedgerRow,
    TokenCountRow,
    from_row,
    to_row,
)

_CHANGE = TypeAdapter(FileChange)


class Small:
    def __init__(self, session: Session, now: datetime) -> None:
        self._session = session
        self._now = now
        self._chats = Chats(session, now)

    def kept_blobs(self) -> tuple[Blob, ...]:
        query = select(KeptBlobRow).order_by(col(KeptBlobRow.kept_at).desc())
        return tuple(from_row(row, Blob) for row in self._session.exec(query))

    def keep_blob(self, blob: Blob, *, keep: bool) -> None:
        if keep:
            row = to_row(blob, kept_at=self._now)
            self._session.exec(upsert(KeptBlobRow).values(row).on_conflict_do_nothing())
        else:
            self._session.exec(delete(KeptBlobRow).where(col(KeptBlobRow.sha256) == blob.sha256))

    def draft(self, chat_id: ChatId) -> Draft:
        row = self._session.get(DraftRow, chat_id)
        return from_row(row, Draft) if row else Draft()

    def save_draft(self, chat_id: ChatId, draft: Draft) -> None:
        row = to_row(draft, chat_id=chat_id)
        self._session.exec(
            upsert(DraftRow).values(row).on_conflict_do_update(index_elements=["chat_id"], set_=row)
        )

    def ledger(self, chat_id: ChatId) -> tuple[LedgerItem, ...]:
        query = select(LedgerRow).where(col(LedgerRow.chat_id) == chat_id).order_by(text("rowid"))
        return tuple(from_row(row, LedgerItem) for row in self._session.exec(query))

    def save_ledger(self, chat_id: ChatId, items: Iterable[LedgerItem]) -> None:
        """The whole of it, in this order; lines of entries that were purged are left out.

        Only what differs from what is stored is written: rows are read in the order in which they were made.
        """
        new = self._with_entries(tuple(items))
        held = self.ledger(chat_id)
        n = next(
            (at for at, (old, item) in enumerate(zip(held, new, strict=False)) if old.id != item.id), None
        )
        n = min(len(held), len(new)) if n is None else n
        of_chat = col(LedgerRow.chat_id) == chat_id
        for old, item in zip(held[:n], new[:n], strict=True):
            if old != item:
                chosen = of_chat, col(LedgerRow.id) == item.id
                self._session.exec(update(LedgerRow).where(*chosen).values(to_row(item, chat_id=chat_id)))
        if gone := [item.id for item in held[n:]]:
            self._session.exec(delete(LedgerRow).where(of_chat, col(LedgerRow.id).in_(gone)))
        if rest := [to_row(item, chat_id=chat_id) for item in new[n:]]:
            self._session.exec(insert(LedgerRow), params=rest)

    def _with_entries(self, items: Sequence[LedgerItem]) -> tuple[LedgerItem, ...]:
        named = {item.entry_id for item in items if item.entry_id}
        there = set(self._session.exec(select(EntryRow.id).where(col(EntryRow.id).in_(named))))
        return tuple(item for item in items if item.entry_id is None or item.entry_id in there)

    def change_ledger(self, chat_id: ChatId, change: Callable[[int], Iterable[LedgerItem]]) -> int:
        """Save what `change` makes of the next number of the chat's counter. Returns: that number."""
        rev = self._chats.take_revs(chat_id, 1)
        self.save_ledger(chat_id, change(rev))
        return rev

    def token_counts(self, entry_ids: Iterable[EntryId], tokenizer: str) -> dict[EntryId, tuple[int, ...]]:
        wanted = set(entry_ids)
        query = select(TokenCountRow).where(col(TokenCountRow.tokenizer) == tokenizer)
        return {
            EntryId(row.entry_id): row.counts for row in self._session.exec(query) if row.entry_id in wanted
        }

    def save_token_counts(self, tokenizer: str, counts: Mapping[EntryId, tuple[int, ...]]) -> None:
        """Counts of entries that were purged meanwhile are left out."""
        self._session.connection().exec_driver_sql(
            "INSERT INTO token_counts (entry_id, tokenizer, counts) SELECT e.id, ?, ? FROM entries e WHERE e.id = ?"
            " ON CONFLICT (entry_id, tokenizer) DO UPDATE SET counts = excluded.counts",
            [(tokenizer, rows.to_json(count), entry_id) for entry_id, count in counts.items()],
        )

    def breakers(self) -> dict[ModelId, Breaker]:
        return {ModelId(row.model): from_row(row, Breaker) for row in self._session.exec(select(BreakerRow))}

    def save_breaker(self, model: ModelId, breaker: Breaker) -> None:
        row = to_row(breaker, model=model)
        self._session.exec(
            upsert(BreakerRow).values(row).on_conflict_do_update(index_elements=["model"], set_=row)
        )

    def file_changes(self, chat_id: ChatId) -> tuple[FileChange, ...]:
        query = select(FileTouchRow).where(col(FileTouchRow.chat_id) == chat_id).order_by(text("rowid"))
        return tuple(_CHANGE.validate_python(row.content) for row in self._session.exec(query))

    def save_file_change(self, change: FileChange) -> None:
        row = {
            "id": change.id,
            "chat_id": change.chat_id,
            "entry_id": change.entry_id,
            "content": _CHANGE.dump_python(change, mode="json"),
        }
        if change.before and self._session.get(FileTouchRow, change.id) is None:
            self._session.exec(
                insert(BlobRefRow).values(sha256=change.before.sha256, entry_id=change.entry_id, fold_id=None)
            )
        self._session.exec(
            upsert(FileTouchRow)
            .values(row)
            .on_conflict_do_update(index_elements=["id"], set_={"content": row["content"]})
        )
