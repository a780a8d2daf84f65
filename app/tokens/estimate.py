"""A coarse count of tokens without a vocabulary, from the bytes alone; fast enough for every keystroke.

Stands in only for what is not counted yet (C4). No loop over characters: each class of bytes is counted by
what `bytes.translate` leaves over, so 100 KB take well under 1 ms whatever they hold.
"""

from collections.abc import Callable
from typing import assert_never

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

# Tokens per character of each class, fitted to o200k over conversations and tool outputs: prose comes out at
# length ÷ 4.4 and JSON ÷ 2.2 without guessing which of them a text is.
_ASCII: tuple[tuple[bytes, float], ...] = (
    (bytes(range(0x41, 0x5B)), 0.36),
    (bytes(range(0x61, 0x7B)), 0.185),
    (b"0123456789", 0.89),
    (b" ", 0.24),
    (b"\t\n\r", 0.28),
)
_OTHER_ASCII = 0.51
"""Punctuation, which JSON is full of."""
_ENCODED = 0.68
"""Base64 and the like, whose case changes within what would be a word: per character of whatever class."""
_TWO_BYTES = (bytes(range(0xC2, 0xE0)), 0.4)
"""Accents, Cyrillic, Greek, Hebrew, Arabic."""
_THREE_BYTES: tuple[tuple[bytes, float], ...] = (
    (b"\xe0\xe1", 0.45),  # Indic, Thai
    (b"\xe2", 1.0),  # typographic signs, arrows, frames; the joiner inside emoji
    (b"\xe3", 0.85),  # kana, CJK punctuation
    (bytes(range(0xE4, 0xEA)), 1.0),  # Han
    (b"\xea\xeb\xec\xed", 0.75),  # Hangul
    (b"\xee\xef", 1.0),  # full-width forms, private use
)
_EMOJI = 2.1
_RARE = 3.6
"""Han beyond the basic plane and other four-byte characters that no vocabulary has whole."""

_SAMPLED = 32 * 1024
"""Characters."""
_BLOB_BYTES_PER_TOKEN = {"application/json": 2.2}
_OTHER_BYTES_PER_TOKEN = 4.0


def estimate(text: str) -> int:
    """Tokens of `text`, 0.8 to 1.5 of o200k's count on whole texts (case B23); 0 for nothing."""
    if not text:
        return 0
    data = text.encode(errors="replace")
    counts = [_count(data, members) for members, _ in _ASCII]
    total = sum(n * weight for n, (_, weight) in zip(counts, _ASCII, strict=True))
    rest = len(data) - sum(counts)
    if _is_encoded(len(data), counts):
        return round(len(data) * _ENCODED)
    if not text.isascii():
        beyond, n_bytes = _beyond_ascii(data)
        total += beyond
        rest -= n_bytes
    return max(1, round(total + rest * _OTHER_ASCII))


def _count(data: bytes, members: bytes) -> int:
    return len(data) - len(data.translate(None, members))


def _is_encoded(n_bytes: int, counts: list[int]) -> bool:
    """Whether capitals abound and there are no blanks, as in no text that people or programs write."""
    capitals, _, _, *blanks = counts
    return n_bytes > 200 and sum(blanks) * 40 < n_bytes < capitals * 4


def _beyond_ascii(data: bytes) -> tuple[float, int]:
    """Tokens of the characters beyond ASCII, and their bytes."""
    total = 0.0
    members, weight = _TWO_BYTES
    n_bytes = 2 * (n := _count(data, members))
    total += n * weight
    for members, weight in _THREE_BYTES:
        n = _count(data, members)
        total += n * weight
        n_bytes += 3 * n
    four = _count(data, b"\xf0\xf1\xf2\xf3\xf4")
    emoji = data.count(b"\xf0\x9f")
    return total + emoji * _EMOJI + (four - emoji) * _RARE, n_bytes + 4 * four


def sampled(text: str) -> int:
    """As `estimate`, of a long text by eight pieces of it: in a millisecond, however long it is."""
    if len(text) <= _SAMPLED:
        return estimate(text)
    size = _SAMPLED // 8
    starts = range(0, len(text) - size + 1, (len(text) - size) // 7)
    looked_at = [text[start : start + size] for start in starts]
    return round(sum(map(estimate, looked_at)) * len(text) / (len(looked_at) * size))


def estimate_body(body: Body) -> int:
    """A blob's text is not read: its size says enough until it is counted."""
    if isinstance(body, Blob):
        return round(body.n_bytes / _BLOB_BYTES_PER_TOKEN.get(body.mime, _OTHER_BYTES_PER_TOKEN))
    return estimate(body)


def estimate_part(part: Part, media_tokens: Callable[[MediaPart], int]) -> int:
    """Tokens of a part as it is sent; media by their provider's formula, never by their bytes (case B24)."""
    match part:
        case TextPart(text=text):
            return estimate_body(text)
        case ThinkingPart(text=text, signature=signature):
            return estimate_body(text) + (estimate(signature) if signature else 0)
        case ToolCallPart(name=name, arguments=arguments):
            return estimate(name) + estimate_body(arguments)
        case ToolResultPart(text=text):
            return estimate_body(text)
        case OpaquePart(json=json):
            return estimate(json)
        case MediaPart():
            return media_tokens(part)
        case _:
            assert_never(part)
