"""The kinds of files a chat can come from, as data: a format is a line in `FORMATS`."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import JsonValue

from app.chats import own, slices
from app.chats.faults import Fault, FaultKind
from app.chats.messages import JsonObject, cleaned, read_message
from app.chats.originals import Originals
from app.chats.text_file import Style, TextFile
from app.context.ports import NewEntry
from app.core.errors import AppError
from app.core.ids import EntryId, ModelId, new_id
from app.core.parts import Blob, clean_text

_CHUNK_BYTES = 256 * 1024


class FileUnreadable(AppError):
    """Nothing of a file could be taken; the other files of an import still are."""

    code = "file_unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A chat as read from a file, before it is stored."""

    title: str
    created_at: datetime | None
    entries: tuple[NewEntry, ...]
    """Parents before children."""
    head: EntryId | None
    model: ModelId | None = None
    n_messages: int
    """As many as the file holds, the unreadable ones included."""
    source: str
    """For `Chat.source`."""
    faults: tuple[Fault, ...]
    blobs: Mapping[str, Blob]
    bytes_of: Mapping[str, bytes]
    """By hash, as `blobs`: what has to be in the vault before the entries are stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file that was parsed and not yet understood."""

    name: str
    """Without its ending; the title of a chat that has none."""
    json: JsonValue
    style: Style
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    id: str
    detect: Callable[[JsonValue], bool]
    read: Callable[[File], tuple[Imported, ...]]


def read_file(path: Path) -> tuple[Imported, ...]:
    """The chats in a file. For a thread: it never holds the interpreter for long.

    Raises:
        FileUnreadable: it can't be opened, is not JSON, or is of no format we know.
    """
    try:
        with path.open("rb") as stream:
            return read_chunks(iter(lambda: stream.read(_CHUNK_BYTES), b""), name=path.name)
    except OSError as error:
        raise FileUnreadable(
            f"The file {path.name!r} can't be opened.", detail=str(error), file=path.name
        ) from error


def read_chunks(chunks: Iterable[bytes], *, name: str) -> tuple[Imported, ...]:
    """As `read_file`, from what a file holds."""
    texts = TextFile(chunks)
    try:
        value, end = slices.loads(texts)
    except (ValueError, RecursionError) as error:
        raise FileUnreadable(f"The file {name!r} is not JSON.", detail=str(error), file=name) from error
    faults = (Fault(kind=FaultKind.NOT_UTF8),) if texts.is_damaged else ()
    file = File(name=Path(name).stem, json=value, style=texts.style(end), faults=faults)
    for item in FORMATS:
        if item.detect(value):
            return item.read(file)
    raise FileUnreadable(
        f"The file {name!r} holds no conversation of a kind that can be read.",
        hint="Chats as JSON with a list of messages can be read, and what Palimpsest exported.",
        file=name,
    )


# ---- the formats


def _is_message(value: JsonValue) -> bool:
    return isinstance(value, dict) and "role" in value


def _is_list(value: JsonValue) -> bool:
    return isinstance(value, list) and any(_is_message(item) for item in value)


def _is_envelope(value: JsonValue) -> bool:
    return isinstance(value, dict) and (value.get("messages") == [] or _is_list(value.get("messages")))


def _is_own(value: JsonValue) -> bool:
    return isinstance(value, dict) and value.get("format") == own.FORMAT and "entries" in value


def _read_list(file: File) -> tuple[Imported, ...]:
    assert isinstance(file.json, list)  # as detected
    return (_chat_form(file, file.json, envelope=None),)


def _read_envelope(file: File) -> tuple[Imported, ...]:
    assert isinstance(file.json, dict)  # as detected
    messages = file.json["messages"]
    assert isinstance(messages, list)
    return (_chat_form(file, messages, envelope=cleaned(file.json | {"messages": None})),)


def _chat_form(file: File, messages: list[JsonValue], *, envelope: JsonObject | None) -> Imported:
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
            created_at=_time(raw) if isinstance(raw, dict) else None,
        )
        last = entry.id
        entries.append(entry)
        if message.shape is not None:
            shapes[entry.id] = message.shape
    source = {"style": asdict(file.style), "envelope": envelope, "shapes": shapes, "unread": unread}
    return Imported(
        title=_title(envelope or {}, file.name),
        created_at=_time(envelope or {}),
        entries=tuple(entries),
        head=last,
        n_messages=len(messages),
        source=clean_text(json.dumps(source, ensure_ascii=False)),
        faults=tuple(faults),
        blobs=originals.blobs,
        bytes_of=originals.bytes_of,
    )


def _read_own(file: File) -> tuple[Imported, ...]:
    assert isinstance(file.json, dict)  # as detected
    raw = file.json["entries"]
    raw = raw if isinstance(raw, list) else []
    originals = Originals()
    faults = list(file.faults)
    entries = own.read_entries(raw, originals=originals, faults=faults)
    head, model = file.json.get("head"), file.json.get("model")
    shown = entries.get(head) if isinstance(head, int) else None
    return (
        Imported(
            title=_title(file.json, file.name),
            created_at=_time(file.json),
            entries=tuple(entries.values()),
            head=shown.id if shown else None,
            model=ModelId(model) if isinstance(model, str) else None,
            n_messages=len(raw),
            source="",
            faults=tuple(faults),
            blobs=originals.blobs,
            bytes_of=originals.bytes_of,
        ),
    )


def _title(envelope: JsonObject, name: str) -> str:
    for key in ("title", "id"):
        if isinstance(value := envelope.get(key), str):
            return clean_text(value)
    return clean_text(name)


def _time(fields: JsonObject) -> datetime | None:
    """When, by whatever field says so: ISO text or seconds since 1970; None: nothing readable says it."""
    for key in ("created_at", "created", "create_time", "timestamp"):
        match fields.get(key):
            case str(text):
                try:
                    found = datetime.fromisoformat(text)
                    return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
                except (ValueError, OverflowError):
                    continue
            case int(seconds) | float(seconds) if not isinstance(seconds, bool):
                try:
                    return datetime.fromtimestamp(seconds, UTC)
                except (ValueError, OverflowError, OSError):
                    continue
            case _:
                continue
    return None


FORMATS: tuple[Format, ...] = (
    Format(id="palimpsest", detect=_is_own, read=_read_own),
    Format(id="messages", detect=_is_envelope, read=_read_envelope),
    Format(id="list", detect=_is_list, read=_read_list),
)
