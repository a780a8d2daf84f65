"""What tools wrap around an output (return codes, "stdout:", a line of JSON about the call): kept, but not read."""

import json
import re

from app.filters.selection import Lines

_MOST_LINES = 12
_MARK = re.compile(r"\s*(?:<(\w+)>[^<]{0,200}</\1>|<\w+>|</\w+>.{0,120}|(?:stdout|stderr|output|STDOUT|STDERR|Output):?|>>>>> .{0,60}|\ufeff?)\s*")
_END = re.compile(
    r"\s*(?:</\w+>.{0,120}|(?:stderr|stdout|STDERR):|Command exited with code -?\d+|Exit code:? ?-?\d+|Updated \d+ paths? from \w+|Please try another command.{0,120})?\s*"
)
_OPENED = re.compile(r".{0,40}<(?:output|stdout|output_head|result)>\s*|stdout:\s*")


def body_of(lines: Lines) -> tuple[int, int]:
    """First line of what was put out, and the line behind its last one."""
    texts = lines.texts
    first = 0
    opened = next((i for i, text in enumerate(texts[: 2 * _MOST_LINES]) if _OPENED.fullmatch(text[:100])), None)
    if opened is not None:
        first = opened + 1
    else:
        while first < min(_MOST_LINES, len(texts)) and _MARK.fullmatch(texts[first][:400]):
            first += 1
        first = _behind_json(lines, first)
    end = len(texts)
    while end > max(first, len(texts) - _MOST_LINES) and _END.fullmatch(texts[end - 1][:400]):
        end -= 1
    return (first, end) if end > first else (0, len(texts))


def _behind_json(lines: Lines, first: int) -> int:
    """Behind up to three lines that are each a JSON object, if what follows them is something else."""
    at = first
    while at < min(first + 3, len(lines)) and _is_object(lines.texts[at]):
        at += 1
    if at == first or at >= len(lines) or _is_object(lines.texts[at]):
        return first
    return at


def _is_object(text: str) -> bool:
    if not (text.startswith("{") and text.rstrip().endswith("}")) or len(text) > 20_000:
        return False
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
