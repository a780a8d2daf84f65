"""How values become columns and come back: nested values as JSON, times as microseconds; the standard library only."""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import cast

from pydantic import JsonValue

from app.core.entries import Chat, Entry, Finish, Origin
from app.core.ids import ChatId, EntryId, ModelId
from app.core.parts import (
    Blob,
    MediaPart,
    OpaquePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    clean_text,
)
from app.core.records import BreakCause, CacheBreak
from app.core.usage import Usage

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_US = timedelta(microseconds=1)

_NAMES: dict[type[Part], str] = {
    TextPart: "text",
    ThinkingPart: "thinking",
    ToolCallPart: "call",
    ToolResultPart: "result",
    MediaPart: "media",
    OpaquePart: "opaque",
}
_FIELDS = {kind: tuple(field.name for field in fields(kind)) for kind in _NAMES}
_MAKERS: dict[str, Callable[..., Part]] = {name: kind for kind, name in _NAMES.items()}
_BODIES = {"text", "arguments", "source"}
_make_blob: Callable[..., Blob] = Blob
_make_usage: Callable[..., Usage] = Usage
_make_break: Callable[..., CacheBreak] = CacheBreak


def to_json(value: object) -> str:
    """Compact JSON that SQLite can hold: half an emoji that got this far is replaced, not refused (case B76)."""
    return clean_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def from_moment(moment: datetime) -> int:
    """Microseconds since 1970, exact."""
    return (moment - _EPOCH) // _US


def to_moment(us: int) -> datetime:
    return _EPOCH + us * _US


def from_parts(parts: tuple[Part, ...]) -> str:
    return to_json([_plain(part) for part in parts])


def to_parts(text: str | bytes) -> tuple[Part, ...]:
    """
    Raises:
        ValueError: what is stored is not what we write.
    """
    return tuple(_part(item) for item in cast("list[dict[str, object]]", json.loads(text)))


def from_usage(usage: Usage) -> str:
    return to_json({field.name: getattr(usage, field.name) for field in fields(usage)})


def to_usage(text: str) -> Usage:
    return _make_usage(**cast("dict[str, object]", json.loads(text)))


def from_cache_break(found: CacheBreak) -> str:
    return to_json({field.name: getattr(found, field.name) for field in fields(found)})


def to_cache_break(text: str) -> CacheBreak:
    values = cast("dict[str, object]", json.loads(text))
    return _make_break(**values | {"cause": BreakCause(str(values["cause"]))})


def to_values(text: str) -> dict[str, JsonValue]:
    return cast("dict[str, JsonValue]", json.loads(text))


def _plain(part: Part) -> dict[str, object]:
    plain: dict[str, object] = {"part": _NAMES[type(part)]}
    for name in _FIELDS[type(part)]:
        value = getattr(part, name)
        if value is False:  # as every flag is unless it says otherwise
            continue
        plain[name] = (
            {f.name: getattr(value, f.name) for f in fields(value)} if isinstance(value, Blob) else value
        )
    return plain


def _part(plain: dict[str, object]) -> Part:
    try:
        make = _MAKERS[cast("str", plain.pop("part"))]
        return make(**{name: _body(value) if name in _BODIES else value for name, value in plain.items()})
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("A stored part cannot be read") from error


def _body(value: object) -> str | Blob:
    if isinstance(value, dict):
        return _make_blob(**cast("dict[str, object]", value))
    if isinstance(value, str):
        return value
    raise TypeError("A body is text or a blob")


# ---- whole rows, for the reads that must be quick (first screen, tail, load)

ENTRY_COLUMNS = (
    "e.id, e.parent_id, e.rev, e.depth, e.origin, e.model, e.finish, e.usage, e.provider_fields, e.created_at,"
    # Bytes, so that text that is not UTF-8 any more reaches us instead of an error for the whole query.
    " CAST(e.parts AS BLOB)"
)
EntryColumns = tuple[str, str | None, int, int, str, str | None, str | None, str | None, str, int, bytes]

# A parent of the same or a greater depth would be a circle, which only damage makes; it ends the path.
_UP = """
WITH RECURSIVE up(id, parent_id, depth, n) AS (
    SELECT id, parent_id, depth, 1 FROM entries WHERE id = ?
    UNION ALL
    SELECT p.id, p.parent_id, p.depth, up.n + 1
    FROM up JOIN entries p ON p.id = up.parent_id WHERE p.depth < up.depth AND up.n < ?
)"""
TAIL = f"{_UP} SELECT {ENTRY_COLUMNS} FROM up CROSS JOIN entries e ON e.id = up.id ORDER BY up.n DESC"
"""Entries of the path to (entry id), root first, at most (number) of them."""
PATH_IDS = f"{_UP} SELECT id, parent_id, depth FROM up"
"""The same, ids only, head first."""
OWN = f"SELECT {ENTRY_COLUMNS} FROM entries e WHERE e.chat_id = ? ORDER BY e.rev"
"""Entries that (chat id) made."""
NEWEST_LEAF = """
SELECT id FROM entries e WHERE chat_id = ? AND NOT EXISTS (
    SELECT 1 FROM entries c WHERE c.parent_id = e.id AND c.chat_id = e.chat_id
) ORDER BY rev DESC LIMIT 1"""
ALL = 1 << 40
"""A number for `TAIL` and `PATH_IDS` that no path reaches."""

CHAT_COLUMNS = (
    "id, title, created_at, updated_at, rev, head, chosen, parent_id, fork_entry_id, is_title_manual, is_pinned,"
    " deleted_at, model, prompt_tokens, window_tokens, source, called_by, call_index"
)
ChatColumns = tuple[
    str,
    str,
    int,
    int,
    int,
    str | None,
    str,
    str | None,
    str | None,
    int,
    int,
    int | None,
    str | None,
    int,
    int,
    str,
    str | None,
    int,
]
_OWN = "called_by IS NULL"
"""A person's; a sub-agent's stands under the call that made it."""
CHATS = (
    f"SELECT {CHAT_COLUMNS} FROM chats WHERE {_OWN} AND deleted_at IS NULL ORDER BY updated_at DESC, id DESC"
)
TRASH = f"SELECT {CHAT_COLUMNS} FROM chats WHERE deleted_at IS NOT NULL ORDER BY updated_at DESC, id DESC"
CHAT = f"SELECT {CHAT_COLUMNS} FROM chats WHERE id = ?"
CALLER = (
    f"SELECT {CHAT_COLUMNS} FROM chats WHERE id ="
    " (SELECT e.chat_id FROM chats c JOIN entries e ON e.id = c.called_by WHERE c.id = ?)"
)
CALLED = f"SELECT {CHAT_COLUMNS} FROM chats c WHERE c.called_by IN (SELECT value FROM json_each(?)) ORDER BY created_at, id"


def to_entry(row: EntryColumns, same: dict[str, str] | None = None) -> Entry:
    """The entry; one that cannot be read shows its raw text and never keeps the chat from opening (TS1).

    Args:
        same: What was read with it, so that an id or a model's name is one object however often it stands there.
    """
    (id_, parent, rev, depth, origin, model, finish, usage, provider_fields, created_at, parts) = row
    if same is not None:
        same[id_] = id_
        parent = same.get(parent, parent) if parent else None
        model = same.setdefault(model, model) if model else None
    try:
        return Entry(
            id=EntryId(id_),
            parent_id=EntryId(parent) if parent else None,
            rev=rev,
            depth=depth,
            origin=Origin(origin),
            parts=to_parts(parts),
            created_at=to_moment(created_at),
            model=ModelId(model) if model else None,
            finish=Finish(finish) if finish else None,
            usage=to_usage(usage) if usage else None,
            provider_fields=provider_fields,
        )
    except (ValueError, TypeError, OverflowError):
        return Entry(
            id=EntryId(id_),
            parent_id=EntryId(parent) if parent else None,
            rev=rev,
            depth=depth,
            origin=Origin(origin) if origin in set(Origin) else Origin.NOTE,
            parts=(
                OpaquePart(kind="unreadable", json=clean_text(bytes(parts or b"").decode(errors="replace"))),
            ),
            created_at=_EPOCH,
        )


def to_chat(row: ChatColumns) -> Chat:
    (
        id_,
        title,
        created,
        updated,
        rev,
        head,
        chosen,
        parent,
        fork,
        manual,
        pinned,
        deleted,
        model,
        used,
        window,
        source,
        called_by,
        call_index,
    ) = row
    return Chat(
        id=ChatId(id_),
        title=title,
        created_at=to_moment(created),
        updated_at=to_moment(updated),
        rev=rev,
        head=EntryId(head) if head else None,
        chosen=cast("dict[EntryId, EntryId]", json.loads(chosen)),
        parent_id=ChatId(parent) if parent else None,
        fork_entry_id=EntryId(fork) if fork else None,
        is_title_manual=bool(manual),
        is_pinned=bool(pinned),
        deleted_at=None if deleted is None else to_moment(deleted),
        model=ModelId(model) if model else None,
        prompt_tokens=used,
        window_tokens=window,
        source=source,
        called_by=EntryId(called_by) if called_by else None,
        call_index=call_index,
    )


def from_mapping(values: Mapping[str, object]) -> str:
    return to_json(dict(values))
