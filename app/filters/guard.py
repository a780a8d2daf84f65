"""The last bound (C24): beginning, end and structure of what fits nowhere, within an exact number of tokens."""

from app.filters.filtered import Count
from app.filters.selection import GAP

_HEAD_LINES = 100
_HEAD_CHARS = 2_000
_ROOMY_HEAD_CHARS = 4_000
_TAIL_CHARS = 1_000
_CHARS_PER_TOKEN = 3


def guarded(text: str, *, limit_tokens: int, count: Count, structure: str = "") -> str:
    """At most `limit_tokens` of `text`; its first 100 lines within 2,000 characters, 4,000 where there is room.

    Args:
        structure: What a filter made of it; has what room is left.
    """
    room = limit_tokens * _CHARS_PER_TOKEN
    while True:
        head_chars = min(_ROOMY_HEAD_CHARS if room > 4 * _ROOMY_HEAD_CHARS else _HEAD_CHARS, room // 2)
        tail_chars = min(_TAIL_CHARS, room // 4)
        found = _ends(text, head_chars, tail_chars, structure[: max(0, room - head_chars - tail_chars - 20)])
        if room < 8 or count(found) <= limit_tokens:
            return found
        room = room * 3 // 4


def _ends(text: str, head_chars: int, tail_chars: int, structure: str) -> str:
    if len(text) <= head_chars + tail_chars:
        return text
    head = "\n".join(text[:head_chars].split("\n")[:_HEAD_LINES])
    tail = text[len(text) - tail_chars :] if tail_chars else ""
    if "\n" in tail[: tail_chars // 2]:
        tail = tail.partition("\n")[2]  # begin with a whole line
    middle = f"{GAP}\n{structure}\n{GAP}" if structure else GAP
    return f"{head}\n{middle}\n{tail}"
