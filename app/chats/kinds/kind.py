"""What a kind of file is, and what reading one gives."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pydantic import JsonValue

from app.chats.faults import Fault
from app.chats.kept import Kept
from app.chats.messages import JsonObject
from app.chats.text_file import Style
from app.context.ports import NewEntry
from app.core.errors import AppError
from app.core.ids import EntryId, ModelId
from app.core.parts import Blob, clean_text


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
    kept: Kept = field(default_factory=Kept)
    """Only our own form has any."""
    blobs: Mapping[str, Blob]
    bytes_of: Mapping[str, bytes]
    """By hash, as `blobs`: what has to be in the vault before the entries are stored."""


def _nothing_beside(_name: str) -> bytes | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file, or one conversation of a file that holds many, parsed and not yet understood."""

    name: str
    """Without its ending; the title of a chat that has none."""
    json: JsonValue
    style: Style | None
    """None: one of many, or no JSON; what is made of it is written in our own form."""
    faults: tuple[Fault, ...] = ()
    beside: Callable[[str], bytes | None] = _nothing_beside
    """A file of the same package whose name begins so, or has that path; None: there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    id: str
    detect: Callable[[JsonValue], bool]
    read: Callable[[File], Iterator[Imported]]


def title_of(fields: JsonObject, otherwise: str) -> str:
    for key in ("title", "name", "id"):
        if isinstance(value := fields.get(key), str) and (key != "name" or value.strip()):
            return clean_text(value)
    return clean_text(otherwise)


def time_of(value: JsonValue) -> datetime | None:
    """ISO text, or seconds or milliseconds since 1970; None: none of these."""
    match value:
        case str(text):
            try:
                found = datetime.fromisoformat(text)
                return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
            except (ValueError, OverflowError):
                return None
        case int(number) | float(number) if not isinstance(number, bool):
            try:
                return datetime.fromtimestamp(number / 1000 if number > _LATEST_S else number, UTC)
            except (ValueError, OverflowError, OSError):
                return None
        case _:
            return None


_LATEST_S = 32_503_680_000
"""The year 3000: a greater number counts milliseconds."""


def first_time(fields: JsonObject) -> datetime | None:
    """When, by whatever field says so; None: nothing readable does."""
    names = ("created_at", "created", "create_time", "timestamp", "time", "startTime")
    return next((found for name in names if (found := time_of(fields.get(name)))), None)
