"""What the window shows first, read by the standard library alone, before SQLModel is loaded."""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from enum import StrEnum
from typing import cast

from pydantic import JsonValue

from app.core.entries import Chat, Entry
from app.core.ids import ChatId
from app.settings import Paths, Settings
from app.store import rows
from app.store.backups import read_only
from app.store.stored_settings import readable
from app.store.upgrade import REVISIONS, revision_of


class Found(StrEnum):
    """What there was to read."""

    READY = "ready"
    NOTHING = "nothing"
    """No database yet, or one whose schema is brought up to date first."""
    NEWER = "newer"
    """A later version made it; opening the store says so."""
    DAMAGED = "damaged"
    """It cannot be read; opening the store says what can be done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstScreen:
    found: Found
    settings: Settings = field(default_factory=Settings)
    chats: tuple[Chat, ...] = ()
    """Newest first; without their `source`."""
    open_chat: ChatId | None = None
    """The chat that was open last, else the newest."""
    tail: tuple[Entry, ...] = ()
    """The last entries of its shown path."""


def first_screen(paths: Paths, *, n: int = 60) -> FirstScreen:
    """Read-only, and never an error: what is wrong is told when the store opens.

    Args:
        n: How many entries of the open chat at most.
    """
    if not paths.database.exists():
        return FirstScreen(found=Found.NOTHING)
    try:
        with closing(read_only(paths.database)) as connection:
            revision = revision_of(connection)
            if revision == REVISIONS[-1]:
                return _read(connection, n)
            is_newer = revision not in ("", *REVISIONS)
            return FirstScreen(found=Found.NEWER if is_newer else Found.NOTHING)
    except (sqlite3.Error, ValueError):
        return FirstScreen(found=Found.DAMAGED)


def _read(connection: sqlite3.Connection, n: int) -> FirstScreen:
    stored = connection.execute("SELECT name, value FROM settings WHERE scope = ''")
    settings = readable({name: cast("JsonValue", json.loads(value)) for name, value in stored})
    chats = tuple(rows.to_chat(row) for row in connection.execute(rows.CHATS))
    shown = next((chat for chat in chats if chat.id == settings.last_chat), chats[0] if chats else None)
    return FirstScreen(
        found=Found.READY,
        settings=settings,
        chats=chats,
        open_chat=shown.id if shown else None,
        tail=_tail(connection, shown, n) if shown else (),
    )


def _tail(connection: sqlite3.Connection, chat: Chat, n: int) -> tuple[Entry, ...]:
    found = connection.execute(rows.TAIL, (chat.head, n)).fetchall()
    if not found and chat.head:
        newest = connection.execute(rows.NEWEST_LEAF, (chat.id,)).fetchone()
        found = connection.execute(rows.TAIL, (newest[0] if newest else chat.fork_entry_id, n)).fetchall()
    return tuple(rows.to_entry(row) for row in found)
