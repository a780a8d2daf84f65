"""Our own form, and the chat-completions form of which each file comes out again to the letter."""

import json
from collections.abc import Iterator
from dataclasses import asdict

from pydantic import JsonValue

from app.chats import own
from app.chats.kinds.kind import File, Format, Imported, first_time, title_of
from app.chats.messages import JsonObject, cleaned, read_message
from app.chats.originals import Originals
from app.context.ports import NewEntry
from app.core.ids import EntryId, ModelId, new_id
from app.core.parts import clean_text


def _is_message(value: JsonValue) -> bool:
    return isinstance(value, dict) and "role" in value


def is_list(value: JsonValue) -> bool:
    return isinstance(value, list) and any(_is_message(item) for item in value)


def _is_envelope(value: JsonValue) -> bool:
    return isinstance(value, dict) and (value.get("messages") == [] or is_list(value.get("messages")))


def _is_own(value: JsonValue) -> bool:
    return isinstance(value, dict) and value.get("format") == own.FORMAT and "entries" in value


def _read_list(file: File) -> Iterator[Imported]:
    assert isinstance(file.json, list)  # as detected
    yield chat_form(file, file.json, envelope=None)


def _read_envelope(file: File) -> Iterator[Imported]:
    assert isinstance(file.json, dict)  # as detected
    messages = file.json["messages"]
    assert isinstance(messages, list)
    yield chat_form(file, messages, envelope=cleaned(file.json | {"messages": None}))


def chat_form(file: File, messages: list[JsonValue], *, envelope: JsonObject | None) -> Imported:
    """Args: `envelope`: everything but the messages, None in their place."""
    originals = Originals()
    faults = list(file.faults)
    entries: list[NewEntry] = []
    shapes: JsonObject = {}
    unread: list[JsonValue] = []
    last: EntryId | None = None
    for index, raw in enumerate(messages):
        message = read_message(raw, n=index + 1, originals=originals, faults=faults)
        if message is None:
            unread.append([index, raw])
            continue
        entry = NewEntry(
            id=EntryId(new_id("e")),
            parent_id=last,
            origin=message.origin,
            parts=message.parts,
            created_at=first_time(raw) if isinstance(raw, dict) else None,
        )
        last = entry.id
        entries.append(entry)
        if message.shape is not None:
            shapes[entry.id] = message.shape
    source = ""
    if file.style:
        held = {"style": asdict(file.style), "envelope": envelope, "shapes": shapes, "unread": unread}
        source = clean_text(json.dumps(held, ensure_ascii=False))
    return Imported(
        title=title_of(envelope or {}, file.name),
        created_at=first_time(envelope or {}),
        entries=tuple(entries),
        head=last,
        n_messages=len(messages),
        source=source,
        faults=tuple(faults),
        blobs=originals.blobs,
        bytes_of=originals.bytes_of,
    )


def _read_own(file: File) -> Iterator[Imported]:
    assert isinstance(file.json, dict)  # as detected
    raw = file.json["entries"]
    raw = raw if isinstance(raw, list) else []
    originals = Originals()
    faults = list(file.faults)
    entries = own.read_entries(raw, originals=originals, faults=faults)
    kept = own.read_kept(file.json, entries, originals=originals, faults=faults)
    head, model = file.json.get("head"), file.json.get("model")
    shown = entries.get(head) if isinstance(head, int) else None
    yield Imported(
        title=title_of(file.json, file.name),
        created_at=first_time(file.json),
        entries=tuple(entries.values()),
        head=shown.id if shown else None,
        model=ModelId(model) if isinstance(model, str) else None,
        n_messages=len(raw),
        source="",
        kept=kept,
        faults=tuple(faults),
        blobs=originals.blobs,
        bytes_of=originals.bytes_of,
    )


OWN = Format(id="palimpsest", detect=_is_own, read=_read_own)
ENVELOPE = Format(id="messages", detect=_is_envelope, read=_read_envelope)
LIST = Format(id="list", detect=is_list, read=_read_list)
