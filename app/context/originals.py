"""What a fold hides can be read again: its text, its address, and the way back from an address (M6).

Nothing that the transcript holds is copied: an address is the hash of a text that is rendered from the
entries, and is found again by rendering the entries of the folds that name it.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence

from app.core.entries import Entry, Origin
from app.core.folds import Fold
from app.core.ids import EntryId
from app.core.parts import (
    Blob,
    Body,
    MediaPart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    blobs_of,
    body_of,
)
from app.vault.address import Address, address, find_addresses

PathOf = Callable[[EntryId], tuple[Entry, ...]]

_SPEAKERS = {
    Origin.USER: "User",
    Origin.ASSISTANT: "Assistant",
    Origin.TOOL: "Tool",
    Origin.NOTE: "Note",
    Origin.SYSTEM: "System",
}


def run_text(entries: Sequence[Entry]) -> str:
    """A run of entries as one readable text: who said what, calls with their arguments, results, reasoning."""
    return "\n\n".join(_entry_text(entry) for entry in entries)


def run_address(entries: Sequence[Entry]) -> Address:
    text = run_text(entries)
    return address(_hash(text), "history.md")


def part_address(part: Part, *, name: str = "") -> Address:
    """The address of a part's text; that of its blob where it lies in one."""
    body = part.source if isinstance(part, MediaPart) else body_of(part)
    if isinstance(body, Blob):
        return address(body.sha256, body.name)
    return address(_hash(body), name or _part_name(part))


def resolve(
    wanted: Address, entries: Mapping[EntryId, Entry], path_of: PathOf, folds: Iterable[Fold]
) -> str | Blob | None:
    """The text, or the blob, that an address names among these entries; None: nothing of this chat.

    Args:
        entries: The chat's, its ancestors' up to the fork included.
        path_of: Root to an entry.
        folds: The chat's, undone ones too: what was once named stays readable.
    """
    for fold in folds:
        if any(wanted.names(found.hash) for part in fold.replacement for found in _named(part)):
            text = _covered(wanted, fold, entries, path_of)
            if text is not None:
                return text
    for entry in entries.values():
        for part in entry.parts:
            for blob in blobs_of((part,)):
                if wanted.names(blob.sha256):
                    return blob
            body = "" if isinstance(part, MediaPart) else body_of(part)
            if isinstance(body, str) and body and wanted.names(_hash(body)):
                return body
    return None


def _covered(
    wanted: Address, fold: Fold, entries: Mapping[EntryId, Entry], path_of: PathOf
) -> str | Blob | None:
    if fold.part is not None:
        body = body_of(entries[fold.first].parts[fold.part])
        return body if isinstance(body, Blob) or wanted.names(_hash(body)) else None
    path = path_of(fold.last)
    at = next((index for index, entry in enumerate(path) if entry.id == fold.first), None)
    if at is None:
        return None
    text = run_text(path[at:])
    return text if wanted.names(_hash(text)) else None


def _named(part: Part) -> tuple[Address, ...]:
    body = "" if isinstance(part, MediaPart) else body_of(part)
    return find_addresses(body) if isinstance(body, str) else ()


def _entry_text(entry: Entry) -> str:
    pieces = [f"## {_SPEAKERS[entry.origin]}"]
    pieces.extend(filter(None, map(_part_text, entry.parts)))
    return "\n".join(pieces)


def _part_text(part: Part) -> str:
    match part:
        case TextPart(text=text):
            return _inline(text)
        case ThinkingPart(text=text, redacted=redacted):
            return "" if redacted else f"(reasoning)\n{_inline(text)}"
        case ToolCallPart(name=name, arguments=arguments):
            return f"→ {name} {_inline(arguments)}"
        case ToolResultPart(name=name, text=text, is_error=is_error):
            return f"← {name}{' (error)' if is_error else ''}\n{_inline(text)}"
        case MediaPart(source=source, mime=mime):
            return f"[{mime}: {_inline(source)}]"
        case _:
            return f"[{part.kind}] {part.json}"


def _inline(body: Body) -> str:
    return str(address(body.sha256, body.name)) if isinstance(body, Blob) else body


def _part_name(part: Part) -> str:
    match part:
        case ToolResultPart(name=name):
            return f"{name or 'result'}.txt"
        case ToolCallPart(name=name):
            return f"{name}-arguments.json"
        case ThinkingPart():
            return "reasoning.md"
        case _:
            return "message.md"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
