"""Chats: their list, their counter, and which path of each is shown."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from sqlmodel import Session, col, delete, insert, update

from app.core.entries import Chat
from app.core.errors import StoreError
from app.core.ids import ChatId, EntryId, ModelId
from app.store import rows
from app.store.tables import ChatRow, to_row


class Chats:
    def __init__(self, session: Session, now: datetime) -> None:
        self._session = session
        self._now = now

    def list(self, *, trash: bool) -> tuple[Chat, ...]:
        found = self._session.connection().exec_driver_sql(rows.TRASH if trash else rows.CHATS)
        return tuple(rows.to_chat(row) for row in found)

    def called_by(self, entry_ids: Iterable[EntryId]) -> tuple[Chat, ...]:
        """Chats of the sub-agents that calls of these answers made."""
        ids = rows.to_json(sorted(entry_ids))
        return tuple(
            rows.to_chat(row) for row in self._session.connection().exec_driver_sql(rows.CALLED, (ids,))
        )

    def caller(self, chat_id: ChatId) -> Chat | None:
        """The chat whose call made this sub-agent's."""
        row = self._session.connection().exec_driver_sql(rows.CALLER, (chat_id,)).one_or_none()
        return rows.to_chat(row) if row else None

    def get(self, chat_id: ChatId) -> Chat:
        """The chat; a head that is not there any more gives way to the newest leaf (TS1)."""
        connection = self._session.connection()
        row = connection.exec_driver_sql(rows.CHAT, (chat_id,)).one_or_none()
        if row is None:
            raise StoreError("This chat does not exist any more.")
        chat = rows.to_chat(row)
        if (
            chat.head
            and not connection.exec_driver_sql("SELECT 1 FROM entries WHERE id = ?", (chat.head,)).first()
        ):
            newest = connection.exec_driver_sql(rows.NEWEST_LEAF, (chat_id,)).scalar_one_or_none()
            return replace(chat, head=newest or chat.fork_entry_id)
        return chat

    def create(self, chat: Chat) -> None:
        self._session.exec(insert(ChatRow).values(to_row(chat)))

    def import_digests(self) -> dict[str, ChatId]:
        """By what stands at the head of `source` (app/chats/digests.py)."""
        found = self._session.connection().exec_driver_sql(
            "SELECT substr(source, 13, 32), id FROM chats "
            """WHERE deleted_at IS NULL AND substr(source, 1, 12) = '{"digest": "' ORDER BY created_at DESC"""
        )
        return {str(row[0]): ChatId(row[1]) for row in found}

    def update(
        self,
        chat_id: ChatId,
        *,
        title: str | None = None,
        is_title_manual: bool | None = None,
        is_pinned: bool | None = None,
        model: ModelId | None = None,
        fill: tuple[int, int] | None = None,
    ) -> None:
        given: dict[str, object] = {
            "title": title,
            "is_title_manual": is_title_manual,
            "is_pinned": is_pinned,
            "model": model,
            "prompt_tokens": fill[0] if fill else None,
            "window_tokens": fill[1] if fill else None,
        }
        self.set(chat_id, **{name: value for name, value in given.items() if value is not None})

    def set(self, chat_id: ChatId, **columns: object) -> None:
        if columns:
            self._session.exec(update(ChatRow).where(col(ChatRow.id) == chat_id).values(columns))

    def trash(self, chat_id: ChatId, *, restore: bool) -> None:
        self.set(chat_id, deleted_at=None if restore else self._now)

    def take_revs(self, chat_id: ChatId, n: int) -> int:
        """Take `n` numbers of the chat's counter (M1).

        Returns: the first of them.
        """
        last = self._session.connection().exec_driver_sql(
            "UPDATE chats SET rev = rev + ? WHERE id = ? RETURNING rev", (n, chat_id)
        )
        rev = last.scalar_one_or_none()
        if rev is None:
            raise StoreError("This chat does not exist any more.")
        return int(rev) - n + 1

    def move_head(self, chat: Chat, head: EntryId) -> None:
        """Show the path to `head`, remembering the child at each branch point on it (case B81)."""
        branches = self._session.connection().exec_driver_sql(
            f"SELECT up.parent_id, up.id FROM ({rows.PATH_IDS}) up WHERE up.parent_id IS NOT NULL"
            " AND (SELECT count(*) FROM entries c WHERE c.parent_id = up.parent_id) > 1",
            (head, rows.ALL),
        )
        chosen = chat.chosen | {EntryId(row[0]): EntryId(row[1]) for row in branches}
        self.set(chat.id, head=head, chosen=chosen)

    def drop(self, chat_id: ChatId) -> None:
        """Delete the chat's row, and by its foreign keys all that was the chat's but its entries."""
        self._session.exec(delete(ChatRow).where(col(ChatRow.id) == chat_id))
