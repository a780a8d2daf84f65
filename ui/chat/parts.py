"""What of an entry's parts makes an item: which stand together, and how much room they take."""

from app.core.parts import Blob, Body, MediaPart, Part, TextPart, ThinkingPart, ToolResultPart, body_of

LONGEST_SHOWN_BYTES = 256 * 1024
"""Longer texts stay in the vault and are shown as a card (architecture.md, Concurrency)."""
_CARD_CHARS = 120


def runs(parts: tuple[Part, ...], *, is_own: bool) -> list[tuple[Part, ...]]:
    """Consecutive parts that are shown as one: texts, thoughts; of the person's own, all of a message."""
    if len(parts) == 1:
        return [parts]  # the very tuple: most messages of a long chat are one text
    runs: list[tuple[Part, ...]] = []
    for part in parts:
        last = runs[-1][-1] if runs else None
        if last is not None and (_joins(last, part) or (is_own and _is_said(last) and _is_said(part))):
            runs[-1] = (*runs[-1], part)
        else:
            runs.append((part,))
    return runs


def _joins(last: Part, part: Part) -> bool:
    is_inline = isinstance(body_of(last), str) and isinstance(body_of(part), str)
    is_folded = _is_paste(last) or _is_paste(part)
    is_text = type(last) is type(part) and isinstance(part, TextPart | ThinkingPart)
    return is_text and is_inline and not is_folded


def _is_paste(part: Part) -> bool:
    return isinstance(part, TextPart) and part.is_paste


def _is_said(part: Part) -> bool:
    return isinstance(part, MediaPart) or (isinstance(part, TextPart) and not part.is_paste)


def call_id(part: Part) -> str | None:
    return part.call_id if isinstance(part, ToolResultPart) else None


def source(part: Part) -> Body:
    return part.source if isinstance(part, MediaPart) else body_of(part)


def size(part: Part) -> int:
    """Characters; of a blob its bytes, which is what is known without reading it."""
    body = body_of(part)
    return body.n_bytes if isinstance(body, Blob) else len(body)


def length(part: Part) -> int:
    """About how many characters the part takes on the screen."""
    n = size(part)
    return n if n <= LONGEST_SHOWN_BYTES and not _is_paste(part) else _CARD_CHARS
