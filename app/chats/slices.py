"""JSON read in slices, so that a thread that reads a long file never holds the interpreter for long.

One C call keeps the GIL to its end: `json.loads` of a 10 MB export stops the window for a third of a second.
Here each message is a call of its own, and between two of them other threads have their turn.
"""

import json
import re

from pydantic import JsonValue

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()
_LEVELS = 3
"""How deep values are taken apart: a list of chats, a chat's fields, its list of messages."""


def loads(text: str) -> JsonValue:
    """The same value as `json.loads`.

    Raises:
        ValueError: not JSON; `json.JSONDecodeError` says where.
        RecursionError: nested too deeply.
    """
    value, end = _value(text, _past_space(text, 0), _LEVELS)
    end = _past_space(text, end)
    if end != len(text):
        raise json.JSONDecodeError("Extra data", text, end)
    return value


def _value(text: str, at: int, levels: int) -> tuple[JsonValue, int]:
    if levels and text.startswith("[", at):
        return _array(text, at + 1, levels - 1)
    if levels and text.startswith("{", at):
        return _object(text, at + 1, levels - 1)
    return _DECODER.raw_decode(text, at)


def _array(text: str, at: int, levels: int) -> tuple[JsonValue, int]:
    found: list[JsonValue] = []
    at = _past_space(text, at)
    if text.startswith("]", at):
        return found, at + 1
    while True:
        value, at = _value(text, at, levels)
        found.append(value)
        is_last, at = _separator(text, at, "]")
        if is_last:
            return found, at


def _object(text: str, at: int, levels: int) -> tuple[JsonValue, int]:
    found: dict[str, JsonValue] = {}
    at = _past_space(text, at)
    if text.startswith("}", at):
        return found, at + 1
    while True:
        if not text.startswith('"', at):
            raise json.JSONDecodeError("Expecting property name enclosed in double quotes", text, at)
        key, at = _DECODER.raw_decode(text, at)
        at = _past_space(text, at)
        if not text.startswith(":", at):
            raise json.JSONDecodeError("Expecting ':' delimiter", text, at)
        found[key], at = _value(text, _past_space(text, at + 1), levels)
        is_last, at = _separator(text, at, "}")
        if is_last:
            return found, at


def _separator(text: str, at: int, closing: str) -> tuple[bool, int]:
    """Whether the collection ends at `at`, and where what follows begins."""
    at = _past_space(text, at)
    if text.startswith(closing, at):
        return True, at + 1
    if not text.startswith(",", at):
        raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
    return False, _past_space(text, at + 1)


def _past_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match  # the pattern matches nothing, too
    return match.end()
