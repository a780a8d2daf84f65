"""Where an entry that was found stands: in which chat a person comes to it, and whether that shows it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from app.core.ids import ChatId, EntryId
from app.store import rows

_CHAT = "SELECT title, head, fork_entry_id, called_by, deleted_at FROM chats WHERE id = ?"
# A chat without versions shows all that it made: then nobody walks up ten thousand entries to know.
_IS_LINEAR = """
SELECT (SELECT count(*) FROM entries e WHERE e.chat_id = c.id)
= h.depth - coalesce((SELECT f.depth FROM entries f WHERE f.id = c.fork_entry_id), -1) AND h.chat_id = c.id
FROM chats c JOIN entries h ON h.id = c.head WHERE c.id = ?"""
_PLACE = "SELECT chat_id, depth, origin, parent_id FROM entries WHERE id = ?"
_HEIRS = "SELECT id FROM chats WHERE parent_id = ? ORDER BY updated_at DESC"
_HIDDEN = "SELECT entry_id FROM deletions WHERE chat_id = ? AND undone_rev IS NULL"
_MOST_CALLS = 8
"""Sub-agents that call sub-agents, and forks of forks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    chat_id: ChatId
    title: str
    entry_id: EntryId
    """The call's, where a sub-agent said it."""
    is_shown: bool


def standing_of(
    connection: Connection, wanted: Iterable[tuple[EntryId, ChatId]], limit: int
) -> dict[EntryId, Standing]:
    """Where the first `limit` of some entries stand that can be gone to; none in the trash, none that is deleted."""
    chats = _Chats(connection)
    found: dict[EntryId, Standing] = {}
    for entry_id, chat_id in wanted:
        if len(found) >= limit:
            break
        if standing := chats.place(entry_id, chat_id):
            found[entry_id] = standing
    shown = chats.shown(found.values())
    return {
        entry_id: replace(item, is_shown=item.entry_id in shown[item.chat_id])
        for entry_id, item in found.items()
    }


class _Chats:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._known: dict[ChatId, Sequence[object] | None] = {}
        self._hidden: dict[ChatId, frozenset[str]] = {}

    def place(self, entry_id: EntryId, chat_id: ChatId) -> Standing | None:
        for _ in range(_MOST_CALLS):
            chat = self._chat(chat_id)
            if chat is None:  # it was purged while forks of it live
                heir = self._heir(entry_id, chat_id)
                if heir is None:
                    return None
                chat_id = heir
                continue
            title, _head, _fork, called_by, deleted_at = chat
            if deleted_at is not None or self._is_hidden(entry_id, chat_id):
                return None
            if called_by is None:
                return Standing(chat_id=chat_id, title=str(title), entry_id=entry_id, is_shown=True)
            call = self._one(_PLACE, str(called_by))
            if call is None:
                return None
            entry_id, chat_id = EntryId(str(called_by)), ChatId(str(call[0]))
        return None

    def shown(self, standings: Iterable[Standing]) -> dict[ChatId, set[str]]:
        """Those of the entries, by chat, that its shown path holds."""
        found: dict[ChatId, set[str]] = {}
        by_chat: dict[ChatId, set[str]] = {}
        for item in standings:
            by_chat.setdefault(item.chat_id, set()).add(item.entry_id)
        for chat_id, ids in by_chat.items():
            linear = self._one(_IS_LINEAR, chat_id)
            found[chat_id] = ids if linear and linear[0] else ids & self._path(chat_id)
        return found

    def _path(self, chat_id: ChatId) -> set[str]:
        chat = self._chat(chat_id)
        if not chat or not chat[1]:
            return set()
        return {str(row[0]) for row in self._connection.exec_driver_sql(rows.PATH_IDS, (chat[1], rows.ALL))}

    def _chat(self, chat_id: ChatId) -> Sequence[object] | None:
        if chat_id not in self._known:
            self._known[chat_id] = self._one(_CHAT, chat_id)
        return self._known[chat_id]

    def _heir(self, entry_id: EntryId, chat_id: ChatId) -> ChatId | None:
        """The fork that was used last of those that share the entry."""
        for row in self._connection.exec_driver_sql(_HEIRS, (chat_id,)).all():
            heir = ChatId(str(row[0]))
            if entry_id in self._path(heir):
                return heir
        return None

    def _is_hidden(self, entry_id: EntryId, chat_id: ChatId) -> bool:
        """Whether it, or a message of its group (M2), is deleted there."""
        if chat_id not in self._hidden:
            marked = self._connection.exec_driver_sql(_HIDDEN, (chat_id,)).all()
            self._hidden[chat_id] = frozenset(self._first(str(row[0])) for row in marked)
        return bool(self._hidden[chat_id]) and self._first(entry_id) in self._hidden[chat_id]

    def _first(self, entry_id: str) -> str:
        """The entry that begins the group."""
        here = entry_id
        while (place := self._one(_PLACE, here)) and place[2] == "tool" and place[3]:
            here = str(place[3])
        return here

    def _one(self, query: str, value: str) -> Sequence[object] | None:
        row = self._connection.exec_driver_sql(query, (value,)).first()
        return tuple(row) if row else None
