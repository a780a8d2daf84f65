"""A chat as a file: JSON, to the letter as it came in, and Markdown to read."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue, TypeAdapter

from app.chats import own
from app.chats.messages import messages_of
from app.chats.originals import text_of
from app.chats.text_file import Style
from app.context.ports import ChatContents
from app.context.transcript import Transcript
from app.core.entries import Entry, Origin
from app.core.ids import EntryId
from app.core.parts import (
    Blob,
    MediaPart,
    OpaquePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    blobs_of,
)

_OWN_STYLE = Style(
    indent=" ",
    item_separator=",",
    key_separator=": ",
    newline="\n",
    is_ascii=False,
    has_bom=False,
    end="\n",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """What `Chat.source` holds."""

    style: Style | None = None
    """None: the file was of no form that we write."""
    envelope: dict[str, JsonValue] | None = None
    shapes: dict[EntryId, dict[str, JsonValue]] = field(default_factory=dict[EntryId, dict[str, JsonValue]])
    """Of messages that had no usual one (app/chats/messages.py)."""
    unread: list[tuple[int, JsonValue]] = field(default_factory=list[tuple[int, JsonValue]])
    """Messages that became no entries, with their places."""


_SOURCE = TypeAdapter(_Source)


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words of an export, for another language."""

    you: str = "You"
    assistant: str = "Assistant"
    system: str = "System"
    reasoning: str = "Reasoning"
    call: str = "Call"
    result: str = "Result"
    error: str = "Error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Markdown:
    text: str
    files: Mapping[str, bytes]
    """What lies beside it, by the path relative to it."""


def needed_blobs(contents: ChatContents) -> tuple[Blob, ...]:
    """What has to be fetched from the vault before a chat can be written, each once."""
    held = [entry.parts for entry in contents.entries]
    held += [fold.replacement for fold in contents.folds if fold.undone_rev is None]
    return tuple({blob.sha256: blob for parts in held for blob in blobs_of(parts)}.values())


def export_json(contents: ChatContents, bytes_of: Mapping[str, bytes]) -> bytes:
    """An imported chat's shown path in its file's own form; any other chat's whole tree in ours.

    Args:
        bytes_of: Contents of `needed_blobs`, by hash.
    """
    chat = contents.chat
    source = _SOURCE.validate_json(chat.source) if chat.source else _Source()
    if source.style is None:
        return export_own(contents, bytes_of)
    messages: list[JsonValue] = [
        message
        for entry in shown_path(contents)
        for message in messages_of(entry, bytes_of, source.shapes.get(entry.id))
    ]
    for place, raw in source.unread:
        messages.insert(place, raw)
    if source.envelope is None:
        return _encoded(messages, source.style)
    source.envelope["messages"] = messages  # in the place that was kept for them
    return _encoded(source.envelope, source.style)


def export_own(contents: ChatContents, bytes_of: Mapping[str, bytes]) -> bytes:
    """Any chat's whole tree in our own form."""
    gone = _deleted(contents)
    return _encoded(own.write(contents, _in_order(contents), bytes_of, gone=gone), _OWN_STYLE)


def _in_order(contents: ChatContents) -> list[Entry]:
    """Parents before children, siblings as they were made; a fork's `rev` tells nothing of its ancestors'."""
    return sorted(contents.entries, key=lambda entry: (entry.depth, entry.rev))


def _deleted(contents: ChatContents) -> set[EntryId]:
    """All entries of groups in which one was deleted; results belong to what they follow, blanked or not."""
    first_of: dict[EntryId, EntryId] = {}
    for entry in _in_order(contents):
        is_result = entry.origin is Origin.TOOL and entry.parent_id is not None
        first_of[entry.id] = first_of.get(entry.parent_id or entry.id, entry.id) if is_result else entry.id
    marked = {first_of.get(item.entry_id) for item in contents.deletions if item.undone_rev is None}
    return {entry_id for entry_id, first in first_of.items() if first in marked}


def shown_path(contents: ChatContents) -> tuple[Entry, ...]:
    """The shown path as it was said: deleted groups left out, folds of no account."""
    transcript = Transcript(_in_order(contents))
    gone = _deleted(contents)
    path = transcript.path(contents.chat.head or transcript.newest_leaf())
    return tuple(entry for entry in path if entry.id not in gone)


def _encoded(value: JsonValue, style: Style) -> bytes:
    text = json.dumps(
        value,
        indent=style.indent,
        ensure_ascii=style.is_ascii,
        separators=(style.item_separator, style.key_separator),
    )
    if style.newline != "\n":
        text = text.replace("\n", style.newline)
    return ("\ufeff" * style.has_bom + text + style.end).encode()


# ---- Markdown


def export_markdown(
    contents: ChatContents, bytes_of: Mapping[str, bytes], *, folder: str, words: Words | None = None
) -> Markdown:
    """The transcript of the shown path, whole, whatever is folded.

    Args:
        folder: Where the pictures will lie, relative to the text's own file.
    """
    writer = _Writer(bytes_of=bytes_of, folder=folder, words=words or Words(), files={})
    chat = contents.chat
    blocks = [f"# {' '.join(chat.title.split()) or chat.id}", f"{chat.created_at:%Y-%m-%d %H:%M} UTC"]
    for entry in shown_path(contents):
        if entry.origin is not Origin.NOTE:
            blocks.extend(writer.entry(entry))
    return Markdown(text="\n\n".join(blocks) + "\n", files=writer.files)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Writer:
    bytes_of: Mapping[str, bytes]
    folder: str
    words: Words
    files: dict[str, bytes]

    def entry(self, entry: Entry) -> Iterator[str]:
        match entry.origin:
            case Origin.USER:
                yield f"## {self.words.you}"
            case Origin.ASSISTANT:
                yield f"## {entry.model.partition('/')[2] if entry.model else self.words.assistant}"
            case Origin.SYSTEM:
                yield f"## {self.words.system}"
            case _:
                pass  # a tool's results stand under the answer that asked for them
        for part in entry.parts:
            yield from self._part(part)

    def _part(self, part: Part) -> Iterator[str]:
        match part:
            case TextPart():
                yield text_of(part.text, self.bytes_of)
            case ThinkingPart() if not part.redacted:
                yield quoted(f"**{self.words.reasoning}**\n\n{text_of(part.text, self.bytes_of)}")
            case ToolCallPart():
                yield f"**{self.words.call}** `{part.name}`"
                yield fenced(text_of(part.arguments, self.bytes_of), "json")
            case ToolResultPart():
                word = self.words.error if part.is_error else self.words.result
                yield f"**{word}** `{part.name}`" if part.name else f"**{word}**"
                yield fenced(text_of(part.text, self.bytes_of))
            case MediaPart():
                yield f"![]({self._address(part)})"
            case OpaquePart():
                yield fenced(part.json, "json")
            case _:
                pass  # redacted thinking: nothing to read

    def _address(self, part: MediaPart) -> str:
        if isinstance(part.source, str):
            return part.source
        ending = part.mime.partition("/")[2].partition("+")[0] or "bin"
        address = f"{self.folder}/{part.source.sha256[:12]}.{ending}"
        self.files[address] = self.bytes_of[part.source.sha256]
        return f"<{address}>" if re.search(r"[\s()]", address) else address


def fenced(text: str, language: str = "") -> str:
    """A code block whose fence is longer than any run of backticks inside."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))
