"""What tools wrap around an output (return codes, "stdout:", a line of JSON about the call): kept, but not read."""

import json
import re
from collections.abc import Sequence

from app.filters.selection import n_rows

_MOST_LINES = 12
_MARK = re.compile(
    r"\s*(?:<(\w+)>[^<]{0,200}</\1>|<\w+>|</\w+>.{0,120}|(?:stdout|stderr|output|STDOUT|STDERR|Output):?|>>>>> .{0,60}|\ufeff?)\s*"
)
_END = re.compile(
    r"\s*(?:</\w+>.{0,120}|(?:stderr|stdout|STDERR):|Command exited with code -?\d+|Exit code:? ?-?\d+|Updated \d+ paths? from \w+|Please try another command.{0,120})?\s*"
)
_OPENED = re.compile(r".{0,40}<(?:output|stdout|output_head|result)>\s*|stdout:\s*")


def unwrapped(text: str) -> tuple[str, str, str, int]:
    """What stands before the output, the output, what stands behind it, and the rows before it."""
    texts = text.split("\n", 3 * _MOST_LINES)
    first = _first_line(texts)
    head = "\n".join(texts[:first])
    begin = len(head) + 1 if first else 0
    behind = text[begin:].rsplit("\n", _MOST_LINES)[1:] if first < len(texts) else []
    n = 0
    while n < len(behind) and _END.fullmatch(behind[-1 - n][:400]):
        n += 1
    tail = "\n".join(behind[len(behind) - n :])
    end = len(text) - len(tail) - 1 if n else len(text)
    if not text[begin:end].strip():
        return "", text, "", 0
    return head, text[begin:end], tail, sum(n_rows(len(line)) for line in texts[:first])


def _first_line(texts: Sequence[str]) -> int:
    first = 0
    opened = next(
        (i for i, text in enumerate(texts[: 2 * _MOST_LINES]) if _OPENED.fullmatch(text[:100])), None
    )
    if opened is not None:
        return opened + 1
    while first < min(_MOST_LINES, len(texts) - 1) and _MARK.fullmatch(texts[first][:400]):
        first += 1
    return _behind_json(texts, first)


def _behind_json(texts: Sequence[str], first: int) -> int:
    """Behind up to three lines that are each a JSON object, if what follows them is something else."""
    at = first
    while at < min(first + 3, len(texts)) and _is_object(texts[at]):
        at += 1
    if at == first or at >= len(texts) or _is_object(texts[at]):
        return first
    return at


def _is_object(text: str) -> bool:
    if not (text.startswith("{") and text.rstrip().endswith("}")) or len(text) > 20_000:
        return False
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
