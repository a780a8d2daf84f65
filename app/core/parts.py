"""What an entry is made of: texts, thinking, calls, results, media, and blocks that we carry unread."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import assert_never


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    """A large original that lies in the vault; the part only points at it (M6)."""

    sha256: str
    n_bytes: int
    mime: str
    name: str
    n_lines: int = 0
    """0 for what has no lines."""


Body = str | Blob
"""Text of at most 64 KiB lies in the part itself, longer text in a blob."""

INLINE_BYTES = 64 * 1024
_ENDS_CHARS = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPart:
    text: Body
    is_paste: bool = False
    """Put in whole by the person, who did not write it: shown folded (U14)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingPart:
    """Reasoning of the model, with whatever its provider wants back byte for byte."""

    text: Body
    signature: str | None = None
    redacted: bool = False
    """`text` is the provider's opaque data, nothing to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallPart:
    call_id: str
    """As the model gave it; ids repeat across turns, so pairing is done within the turn (C31)."""
    name: str
    arguments: Body
    """JSON as the model wrote it, valid or not."""
    provider_fields: str = ""
    """JSON object of unread fields that travel with the call (Gemini's thought signature); empty: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResultPart:
    call_id: str
    name: str
    text: Body
    is_error: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaPart:
    """An image, sound or film; its bytes are in the vault or at an address that is fetched once (S11)."""

    source: Blob | str
    """A blob, or an http(s) address that was not fetched."""
    mime: str
    width_px: int = 0
    height_px: int = 0
    """0 when unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpaquePart:
    """A block of a kind we do not know: kept as it is, shown as unsupported, exported unchanged."""

    kind: str
    json: str


Said = TextPart | MediaPart
"""What a person's message is made of."""

Part = TextPart | ThinkingPart | ToolCallPart | ToolResultPart | MediaPart | OpaquePart


def body_of(part: Part) -> Body:
    """The text of a part that counts as text; empty for media."""
    match part:
        case TextPart(text=text) | ThinkingPart(text=text) | ToolResultPart(text=text):
            return text
        case ToolCallPart(arguments=arguments):
            return arguments
        case OpaquePart(json=json):
            return json
        case MediaPart():
            return ""
        case _:
            assert_never(part)


def with_body(part: Part, body: Body) -> Part:
    """The part with another text; what has none stays as it is."""
    match part:
        case TextPart() | ThinkingPart() | ToolResultPart():
            return replace(part, text=body)
        case ToolCallPart():
            return replace(part, arguments=body)
        case OpaquePart() | MediaPart():
            return part
        case _:
            assert_never(part)


def file_name_of(part: Part) -> str:
    """What a part's text is called where it becomes a file."""
    match part:
        case ToolResultPart(name=name):
            return f"{name or 'result'}.txt"
        case ToolCallPart(name=name):
            return f"{name}-arguments.json"
        case ThinkingPart():
            return "reasoning.md"
        case TextPart(is_paste=True):
            return "pasted.txt"
        case _:
            return "message.md"


def blobs_of(parts: tuple[Part, ...]) -> tuple[Blob, ...]:
    """The vault blobs that these parts point at, in order."""
    found = (part.source if isinstance(part, MediaPart) else body_of(part) for part in parts)
    return tuple(item for item in found if isinstance(item, Blob))


def clean_text(text: str) -> str:
    """`text` as SQLite, UTF-8 and every provider can carry it (case B76).

    Half an emoji becomes U+FFFD, NUL its visible picture U+2400. Applied once, where text enters.
    """
    if "\x00" in text:
        text = text.replace("\x00", "\u2400")
    try:
        text.encode()
    except UnicodeEncodeError:
        # A pair that was split by a JSON escape joins again; only true halves are replaced.
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def long_bytes(text: str) -> bytes | None:
    """UTF-8 of `text`, cleaned, where it is too long to lie in a part (M6); None: it is not."""
    if len(text) * 4 <= INLINE_BYTES:
        return None
    data = clean_text(text).encode()
    return data if len(data) > INLINE_BYTES else None


def stand_in(media: MediaPart) -> str:
    """What stands for an attached file in the text of a message, as long as that is written and waits.

    The whole hash, since two files may have one name.
    """
    source = media.source
    return source if isinstance(source, str) else f"vault://{source.sha256}/{source.name}"


def said_parts(
    text: str, pastes: Collection[str] = (), media: Collection[MediaPart] = ()
) -> tuple[Said, ...]:
    """What a person says, as parts; joined with blank lines they are the text.

    Of a long message the first and the last paragraphs are parts of their own: what is said around a paste, as
    what never to do, is then read by rules, titles and the ledger without the vault.

    Args:
        pastes: Each is a part of its own where it stands in `text`, between blank lines.
        media: Each is a part where its `stand_in` does.
    """
    parts: list[Said] = []
    attached = {stand_in(part): part for part in media}
    for piece, is_known in pieces_of(text, (*pastes, *attached)):
        if part := attached.get(piece):
            parts.append(part)
        else:
            parts.extend([TextPart(text=piece, is_paste=True)] if is_known else _typed_parts(piece))
    return tuple(parts)


def pieces_of(text: str, pastes: Collection[str]) -> Iterator[tuple[str, bool]]:
    """`text` in pieces, and whether each is one of `pastes` (the very object); joined with blank lines they are it."""
    start = 0
    while found := min(
        ((at, -len(one), one) for one in pastes if (at := _place(text, one, start)) >= 0), default=None
    ):
        at, _, paste = found
        if at > start:
            yield text[start : at - 2], False
        yield paste, True
        start = at + len(paste) + 2
    if start < len(text) or not text:
        yield text[start:], False


def _place(text: str, paste: str, start: int) -> int:
    """Where `paste` stands as a piece of its own: blank lines and words, or an end, before and after; -1: nowhere.

    Each way to stand so is sought once, as places in a text that repeats itself would be tried one by one.
    """
    first, last = len(text) - len(text[start:].lstrip()), len(text.rstrip()) - 1
    end = start + len(paste)
    if text.startswith(paste, start) and (
        end == len(text) or (text.startswith("\n\n", end) and end + 2 <= last)
    ):
        return start
    if (at := text.find(f"\n\n{paste}\n\n", first + 1, max(last, 0))) >= 0:
        return at + 2
    at = len(text) - len(paste)
    return at if at - 3 >= first and text.endswith(f"\n\n{paste}") else -1


def _typed_parts(text: str) -> tuple[TextPart, ...]:
    if long_bytes(text) is None:
        return (TextPart(text=text),)
    head, tail = text.rfind("\n\n", 0, _ENDS_CHARS), text.find("\n\n", len(text) - _ENDS_CHARS)
    start = head + 2 if text[: max(head, 0)].strip() else 0
    end = tail if tail >= start and text[tail:].strip() else len(text)
    if not text[start:end].strip():
        return (TextPart(text=text),)
    pieces = (text[: start - 2] if start else "", text[start:end], text[end + 2 :])
    return tuple(TextPart(text=piece) for piece in pieces if piece)
