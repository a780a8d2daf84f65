"""JSON read in slices, so that a thread that reads a long file never holds the interpreter for long.

One C call keeps the GIL to its end: `json.loads` of a 10 MB export stops the window for a third of a second,
and only putting its text together for 30 ms. Here each message is a call of its own, over the few pieces of
text that it needs, and between two of them other threads have their turn.
"""

import json
import re
from collections.abc import Iterable, Iterator

from pydantic import JsonValue

_SPACE = re.compile(r"[ \t\n\r]*")
_MORE_OF_A_NUMBER = re.compile(r"[-+.0-9eE]*")
_DECODER = json.JSONDecoder()
_LEVELS = 3
"""How deep values are taken apart: a list of chats, a chat's fields, its list of messages."""
_MOST_CHARS = 512_000_000
"""Of one value that is read at a stretch; more is no message of anybody's, and would fill the memory."""


def loads(pieces: Iterable[str]) -> tuple[JsonValue, str]:
    """The same value as `json.loads` of all the pieces, and the blanks after it.

    Raises:
        ValueError: not JSON; says where.
        RecursionError: nested too deeply.
    """
    text = _Text(pieces)
    value = _value(text, _LEVELS)
    end = text.blanks()
    if text.peek():
        raise text.refusal("Extra data")
    return value, end


class Items:
    """The values of a text one by one: of a list at the top its items, of lines one a line, else the only value.

    What was given stays good whatever comes after it: a file that was cut ends in a refusal, and a line that is
    spoiled is passed over.
    """

    def __init__(self, pieces: Iterable[str]) -> None:
        self._text = _Text(pieces)
        self.is_list = self._text.take("[")
        self.n_spoiled = 0
        """Lines that could not be read."""
        self.end = ""
        """The blanks after the last value, known once all was read."""

    def __iter__(self) -> Iterator[JsonValue]:
        """
        Raises:
            ValueError: what follows is not JSON; says where.
            RecursionError: nested too deeply.
        """
        yield from self._of_a_list() if self.is_list else self._of_lines()

    def _of_a_list(self) -> Iterator[JsonValue]:
        text = self._text
        is_empty = text.take("]")
        while not is_empty:
            yield _value(text, _LEVELS - 1)
            if text.take("]"):
                break
            if not text.take(","):
                raise text.refusal("Expecting ',' delimiter")
        self.end = text.blanks()
        if text.peek():
            raise text.refusal("Extra data")

    def _of_lines(self) -> Iterator[JsonValue]:
        text = self._text
        yield _value(text, _LEVELS)
        self.end = text.blanks()
        while text.peek():
            if "\n" not in self.end:
                raise text.refusal("Extra data")
            try:
                yield _DECODER.decode(text.line())
            except (ValueError, RecursionError):
                self.n_spoiled += 1
            self.end = text.blanks()


class _Text:
    """A text that arrives in pieces; what was read is let go."""

    def __init__(self, pieces: Iterable[str]) -> None:
        self._pieces = iter(pieces)
        self._held = ""
        self._at = 0
        self._n_passed = 0

    def refusal(self, why: str, at: int | None = None) -> ValueError:
        return ValueError(f"{why} at character {self._n_passed + (self._at if at is None else at)}")

    def peek(self) -> str:
        """The next character; empty at the end."""
        while self._at == len(self._held) and self._more():
            pass
        return self._held[self._at : self._at + 1]

    def take(self, character: str) -> bool:
        """Pass over `character`, and over the blanks before it, if it is next."""
        self.blanks()
        if self.peek() != character:
            return False
        self._at += 1
        return True

    def blanks(self) -> str:
        """The blanks that come next, passed over."""
        found = ""
        while self.peek():
            match = _SPACE.match(self._held, self._at)
            if not match or not match.group():
                break
            found += match.group()
            self._at = match.end()
        return found

    def line(self) -> str:
        """What comes next up to the end of the line, passed over; the end stays."""
        while (end := self._held.find("\n", self._at)) < 0 and self._more():
            pass
        start, self._at = self._at, end if end >= 0 else len(self._held)
        return self._held[start : self._at]

    def value(self) -> JsonValue:
        """One value whole; read again with more text where it reaches the end of what is here."""
        self.peek()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._held, self._at)
            except json.JSONDecodeError as error:
                if not self._more():
                    raise self.refusal(error.msg, error.pos) from error
                continue
            # A number may go on in the next piece: from `[-12.` alone, -12 and a stray point are read.
            open_end = isinstance(value, int | float) and _MORE_OF_A_NUMBER.fullmatch(self._held, end)
            if not open_end or not self._more():
                self._at = end
                return value

    def _more(self) -> bool:
        """As much again as is left of what is here, so that a huge value is not read over and over."""
        rest = self._held[self._at :]
        if len(rest) > _MOST_CHARS:
            raise self.refusal("Value too long")
        added: list[str] = []
        wanted = max(1, len(rest))
        for piece in self._pieces:
            added.append(piece)
            wanted -= len(piece)
            if wanted <= 0:
                break
        if not added:
            return False
        self._n_passed += self._at
        self._held, self._at = rest + "".join(added), 0
        return True


def _value(text: _Text, levels: int) -> JsonValue:
    text.blanks()
    if levels and text.take("["):
        return _array(text, levels - 1)
    if levels and text.take("{"):
        return _object(text, levels - 1)
    return text.value()


def _array(text: _Text, levels: int) -> JsonValue:
    found: list[JsonValue] = []
    if text.take("]"):
        return found
    while True:
        found.append(_value(text, levels))
        if text.take("]"):
            return found
        if not text.take(","):
            raise text.refusal("Expecting ',' delimiter")


def _object(text: _Text, levels: int) -> JsonValue:
    found: dict[str, JsonValue] = {}
    if text.take("}"):
        return found
    while True:
        text.blanks()
        if text.peek() != '"':
            raise text.refusal("Expecting property name enclosed in double quotes")
        key = str(text.value())
        if not text.take(":"):
            raise text.refusal("Expecting ':' delimiter")
        found[key] = _value(text, levels)
        if text.take("}"):
            return found
        if not text.take(","):
            raise text.refusal("Expecting ',' delimiter")
