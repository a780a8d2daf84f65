"""Our own JSON of a chat: its whole tree, each part as we hold it, large originals written out.

Entries are named by their place in the list, so that the same chat gives the same bytes wherever it lies.
"""

import base64
from collections.abc import Container, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import assert_never

from pydantic import BaseModel, JsonValue, TypeAdapter, ValidationError

from app.chats import kept
from app.chats.faults import Fault, FaultKind
from app.chats.messages import JsonObject, cleaned
from app.chats.originals import Originals, text_of
from app.context.ports import ChatContents, NewEntry
from app.core.entries import Entry, Finish, Origin
from app.core.ids import EntryId, ModelId, new_id
from app.core.parts import (
    Blob,
    Body,
    MediaPart,
    OpaquePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from app.core.usage import Usage

FORMAT = "palimpsest-chat/1"

_KINDS: dict[str, TypeAdapter[Part]] = {
    "text": TypeAdapter(TextPart),
    "thinking": TypeAdapter(ThinkingPart),
    "call": TypeAdapter(ToolCallPart),
    "result": TypeAdapter(ToolResultPart),
    "media": TypeAdapter(MediaPart),
    "opaque": TypeAdapter(OpaquePart),
}


class _Entry(BaseModel):
    parent: int | None
    """Its place in the list; None: a root."""
    origin: Origin
    created_at: datetime | None = None
    model: ModelId | None = None
    finish: Finish | None = None
    usage: Usage | None = None
    provider_fields: str = ""
    parts: list[dict[str, JsonValue]]


def write(
    contents: ChatContents,
    entries: Sequence[Entry],
    bytes_of: Mapping[str, bytes],
    *,
    gone: Container[EntryId] = (),
) -> JsonObject:
    """
    Args:
        entries: Of `contents`, parents before children.
        gone: Those that are left out; what followed them hangs on what stood before.
    """
    chat = contents.chat
    place: dict[EntryId | None, int | None] = {None: None}
    own_place: dict[EntryId, int] = {}
    """Of those that are written."""
    written: list[JsonValue] = []
    for entry in entries:
        parent = place.get(entry.parent_id)
        if entry.id in gone:
            place[entry.id] = parent
            continue
        place[entry.id] = own_place[entry.id] = len(written)
        held = _Entry(
            parent=parent,
            origin=entry.origin,
            created_at=entry.created_at,
            model=entry.model,
            finish=entry.finish,
            usage=entry.usage,
            provider_fields=entry.provider_fields,
            parts=[_written(part, bytes_of) for part in entry.parts],
        )
        written.append(held.model_dump(mode="json", exclude_defaults=True))
    return {
        "format": FORMAT,
        "title": chat.title,
        "created_at": chat.created_at.isoformat(),
        "model": chat.model,
        "head": place.get(chat.head),
        "entries": written,
        **kept.write(contents, place=own_place, write_part=lambda part: _written(part, bytes_of)),
    }


def read_entries(raw: list[JsonValue], *, originals: Originals, faults: list[Fault]) -> dict[int, NewEntry]:
    """Entries by their place in the list; one that can't be read is left out, its children hang on its parent."""
    found: dict[int, NewEntry] = {}
    ids: dict[int | None, EntryId | None] = {None: None}
    for place, item in enumerate(raw):
        try:
            entry = _Entry.model_validate(cleaned(item) if isinstance(item, dict) else item)
            parts = tuple(_read(part, n=place + 1, originals=originals) for part in entry.parts)
        except (ValidationError, ValueError):
            faults.append(Fault(kind=FaultKind.NOT_A_MESSAGE, n=place + 1))
            parent = item.get("parent") if isinstance(item, dict) else None
            ids[place] = ids.get(parent) if isinstance(parent, int) else ids.get(place - 1)
            continue
        entry_id = ids[place] = EntryId(new_id("e"))
        found[place] = NewEntry(
            id=entry_id,
            parent_id=ids.get(entry.parent),
            origin=entry.origin,
            parts=parts,
            model=entry.model,
            finish=entry.finish,
            usage=entry.usage,
            provider_fields=entry.provider_fields,
            created_at=entry.created_at,
        )
    return found


def read_kept(
    raw: JsonObject, entries: Mapping[int, NewEntry], *, originals: Originals, faults: list[Fault]
) -> kept.Kept:
    """Folds, pins and ledger; `entries` as `read_entries` gave them."""
    return kept.read(
        raw,
        ids={place: entry.id for place, entry in entries.items()},
        read_part=lambda part: _read(part, n=0, originals=originals),
        faults=faults,
    )


def _written(part: Part, bytes_of: Mapping[str, bytes]) -> JsonObject:
    """The part's fields that differ from their defaults, blobs written out."""
    written: JsonObject = {"part": _kind_of(part)}
    for item in fields(part):
        value: Body | bool | int | None = getattr(part, item.name)
        if isinstance(part, MediaPart) and isinstance(value, Blob):
            written |= {"name": value.name, "data": base64.b64encode(bytes_of[value.sha256]).decode()}
        elif value != item.default:
            written[item.name] = text_of(value, bytes_of) if isinstance(value, Blob) else value
    return written


def _kind_of(part: Part) -> str:
    match part:
        case TextPart():
            return "text"
        case ThinkingPart():
            return "thinking"
        case ToolCallPart():
            return "call"
        case ToolResultPart():
            return "result"
        case MediaPart():
            return "media"
        case OpaquePart():
            return "opaque"
        case _:
            assert_never(part)


def _read(raw: JsonObject, *, n: int, originals: Originals) -> Part:
    """Raises: ValueError: not a part."""
    kind = _KINDS.get(str(raw.get("part")))
    if kind is None:
        raise ValueError(f"Not a kind of part: {raw.get('part')!r}")
    data = raw.get("data")
    part = kind.validate_python(
        raw | {"source": ""} if isinstance(data, str) else raw
    )  # keys it doesn't know are passed over
    match part:
        case MediaPart() if isinstance(data, str):
            content, name = base64.b64decode(data, validate=True), str(raw.get("name", ""))
            return replace(part, source=originals.blob(content, mime=part.mime, name=name))
        case TextPart(text=str(text)) | ThinkingPart(text=str(text)) | ToolResultPart(text=str(text)):
            return replace(part, text=originals.body(text, name=f"message-{n}.txt"))
        case ToolCallPart(arguments=str(text)):
            return replace(part, arguments=originals.body(text, name=f"message-{n}.txt"))
        case _:
            return part
