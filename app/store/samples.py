"""A chat as rows that can be shipped, so that whoever opens it finds each of its figures, compactions and requests."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from pydantic import JsonValue
from sqlmodel import Session

from app.core.ids import ChatId, EntryId
from app.store.entries import Entries
from app.store.texts import Texts

Rows: TypeAlias = Mapping[str, Sequence[Mapping[str, JsonValue]]]
"""By table, in an order in which they can be written; columns as SQLite holds them."""

_OF_CHAT = {
    "chats": "id = ?",
    "preludes": "hash IN (SELECT prelude_hash FROM requests WHERE chat_id = ?)",
    "entries": "chat_id = ? ORDER BY rev",
    "compactions": "chat_id = ?",
    "folds": "chat_id = ? ORDER BY rev",
    "requests": "chat_id = ? ORDER BY created_at",
    "ledger_items": "chat_id = ?",
}
_NUMBERED = {"folds": "fold_id"}
"""Columns that the database numbers anew."""
_TIMES = ("created_at", "updated_at")


class Samples:
    def __init__(self, session: Session, entries: Entries) -> None:
        self._session, self._entries = session, entries

    def taken(self, chat_id: ChatId) -> Rows:
        connection = self._session.connection()
        found: dict[str, list[dict[str, JsonValue]]] = {}
        for table, which in _OF_CHAT.items():
            rows = connection.exec_driver_sql(
                f"SELECT * FROM {table} WHERE {which}", (chat_id,)
            ).mappings()  # names of ours
            found[table] = [
                {name: value for name, value in row.items() if name != _NUMBERED.get(table)} for row in rows
            ]
        return found

    def lay_down(self, rows: Rows, *, later_us: int) -> None:
        """Args: `later_us`: microseconds by which all of it is moved, so that it is no older than it looks."""
        connection = self._session.connection()
        for table in _OF_CHAT:
            for row in rows[table]:
                moved = {name: _moved(name, value, later_us) for name, value in row.items()}
                names, places = ", ".join(moved), ", ".join("?" * len(moved))
                connection.exec_driver_sql(
                    f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({places})",  # as above
                    tuple(moved.values()),
                )
        stored = self._entries.get(EntryId(str(row["id"])) for row in rows["entries"])
        self._entries.refer((entry.parts, entry.id) for entry in stored.values())
        Texts(self._session).add(tuple(stored.values()))


def _moved(name: str, value: JsonValue, later_us: int) -> JsonValue:
    return value + later_us if name in _TIMES and isinstance(value, int) else value
