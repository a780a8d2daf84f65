"""The values of a JSON text of any size, without the text in memory: what stands in a container is found when asked (U9).

A value that nobody opened is passed over by its strings and brackets alone, a slice at a time; what is wrong inside it
is told when it is opened. Kept are one place for each 1,000 children, and where large children end. As `json.loads`
does, NaN and Infinity are taken; unlike it, all of a key's values are children, and control characters may stand in
strings. All of it is for threads.
"""

import json
import re
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import TypeVar

PAGE = 1_000
"""Children."""
DEEPEST = 1_000_000
_BLOCK_BYTES, _SLICE_BYTES = 1 << 20, 1 << 17
_INDEXED_BYTES = 4 << 20
_LARGE_BYTES = 16 << 10
_LONGEST_KEY, _LONGEST_ATOM, _HEAD_BYTES = 64 << 10, 64 << 10, 480
_BOM = b"\xef\xbb\xbf"
_SPACE = re.compile(rb"[ \t\r\n]*+")
_IN_STRING = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_PLAIN, _WHOLE = rb'[^"\[\]{}]*+', rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_FLAT = rb"%b(?:%b%b)*+" % (_PLAIN, _WHOLE, _PLAIN)
_STRETCH = re.compile(rb"%b(?:(?:%b|\{%b\}|\[%b\])%b)*+" % (_PLAIN, _WHOLE, _FLAT, _FLAT, _PLAIN), re.DOTALL)
_IN_ATOM = re.compile(rb'[^\s,:"\[\]{}]*+')
_ATOM = re.compile(rb"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|NaN|-?Infinity")
_HALF_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{0,3}$")
_QUOTE, _COLON, _COMMA, _END = ord('"'), ord(":"), ord(","), -1
_CLOSING = {ord("{"): ord("}"), ord("["): ord("]")}

Read = Callable[[int, int], bytes]
"""Bytes from a place up to and without another."""
T = TypeVar("T")
Steps = Generator[None, None, None]


class ValueKind(StrEnum):
    OBJECT = "object"
    ARRAY = "array"
    STRING = "string"
    NUMBER = "number"
    LITERAL = "literal"


class Why(StrEnum):
    """What is wrong with a text that is no JSON."""

    CUT = "cut"
    UNEXPECTED = "unexpected"
    TRAILING = "trailing"
    DEEP = "deep"


class BrokenJson(ValueError):
    """`at`: the byte, from 0, from which on it is none."""

    def __init__(self, at: int, why: Why) -> None:
        super().__init__(f"no JSON from byte {at} on: {why}")
        self.at, self.why = at, why


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    key: str | None
    """None: of an array. The first 64 KiB of a longer one."""
    at: int
    """Where its value begins, in bytes."""
    kind: ValueKind
    preview: str
    """Of a string: the text that it stands for. The first 480 bytes of what is longer."""
    is_empty: bool = False
    """A container without children."""

    @property
    def is_container(self) -> bool:
        return self.kind in (ValueKind.OBJECT, ValueKind.ARRAY)


@dataclass(frozen=True, slots=True)
class _Member:
    at: int
    key: bytes
    value_at: int
    head: bytes


class _Cursor:
    """A place in the text. What may read on is a generator, which yields whenever it did."""

    def __init__(self, read: Read, n_bytes: int, at: int) -> None:
        self._read, self._n_bytes = read, n_bytes
        self._block, self._block_at = b"", at
        self._data, self._from, self._i = b"", at, 0

    @property
    def at(self) -> int:
        return self._from + self._i

    def head(self) -> bytes:
        """What stands here, as far as it is read."""
        return self._data[self._i : self._i + _HEAD_BYTES]

    def step(self) -> None:
        self._i += 1

    def go(self, at: int) -> None:
        self._data, self._from, self._i = b"", at, 0

    def space(self) -> Generator[None, None, int]:
        """Go to the next byte that is none; `_END` where all is."""
        while True:
            self._i = _matched(_SPACE, self._data, self._i)
            if self._i < len(self._data):
                return self._data[self._i]
            if not self._refill():
                return _END
            yield

    def string(self, most_bytes: int = 0) -> Generator[None, None, bytes]:
        """Go past the string that begins here; the first bytes of what stands between its quotes."""
        self._i += 1
        kept = bytearray()
        while True:
            end = _matched(_IN_STRING, self._data, self._i)
            kept += self._data[self._i : min(end, self._i + most_bytes - len(kept))]
            self._i = end
            is_half = end < len(self._data)  # unless a quote: a backslash whose letter is not read yet
            if is_half and self._data[end] == _QUOTE:
                self._i += 1
                return bytes(kept)
            if (is_half and self.at + 1 >= self._n_bytes) or not self._refill():
                raise BrokenJson(self._n_bytes, Why.CUT)
            yield

    def value(self) -> Steps:
        """Go past the value that begins here.

        Raises:
            BrokenJson: none does, or it has no end.
        """
        byte = self._data[self._i]
        if byte == _QUOTE:
            yield from self.string()
        elif byte in _CLOSING:
            yield from self._container()
        else:
            yield from self._atom()

    def _atom(self) -> Steps:
        at, kept = self.at, bytearray()
        while True:
            end = _matched(_IN_ATOM, self._data, self._i)
            kept += self._data[self._i : end]
            self._i = end
            if end < len(self._data) or len(kept) > _LONGEST_ATOM or not self._refill():
                break
            yield
        if not _ATOM.fullmatch(kept):
            raise BrokenJson(at, Why.UNEXPECTED)

    def _container(self) -> Steps:
        # What closes each container that is open: a byte a level, whatever the depth.
        open_ = bytearray((_CLOSING[self._data[self._i]],))
        self._i += 1
        while open_:
            self._i = _matched(_STRETCH, self._data, self._i)
            if self._i == len(self._data):
                if not self._refill():
                    raise BrokenJson(self._n_bytes, Why.CUT)
                yield
                continue
            byte = self._data[self._i]
            if byte == _QUOTE:  # a string that goes on behind this slice
                yield from self.string()
                continue
            if byte in _CLOSING:
                open_.append(_CLOSING[byte])
                if len(open_) > DEEPEST:
                    raise BrokenJson(self.at, Why.DEEP)
            elif open_.pop() != byte:
                raise BrokenJson(self.at, Why.UNEXPECTED)
            self._i += 1

    def _refill(self) -> bool:
        at = self.at
        if at >= self._n_bytes:
            return False
        if (
            not self._block_at <= at < self._block_at + len(self._block) - 1
        ):  # the last byte may be half an escape
            self._block = self._read(at, min(at + _BLOCK_BYTES, self._n_bytes))
            self._block_at = at
        offset = at - self._block_at
        self._data, self._from, self._i = self._block[offset : offset + _SLICE_BYTES], at, 0
        return bool(self._data)


class Container:
    """The children of an object, of an array, or of a text of values one behind the other.

    `index` finds how many there are; those found can be read by `page` meanwhile.
    """

    def __init__(self, read: Read, n_bytes: int, at: int, *, opening: int | None, is_top: bool) -> None:
        """
        Args:
            at: Behind the bracket.
            opening: The bracket; None: values one behind the other.
            is_top: Nothing may follow.
        """
        self.n_children = 0
        self.is_complete = False
        self._read, self._n_bytes = read, n_bytes
        self._is_object = opening == ord("{")
        self._closing = _END if opening is None else _CLOSING[opening]
        self._is_top = is_top
        self._starts = [at]
        self._ends = dict[int, int]()
        """Where large children end, by where they begin."""
        self._cursor = _Cursor(read, n_bytes, at)
        self._rest = self._members(self._cursor, is_first=True)

    def index(self) -> None:
        """Go through the next 4 MiB.

        Raises:
            BrokenJson, StoreError: it is no JSON; it can't be read.
        """
        until = self._cursor.at + _INDEXED_BYTES
        for member in self._rest:
            if member:
                if self.n_children and self.n_children % PAGE == 0:
                    self._starts.append(member.at)
                self.n_children += 1
            if self._cursor.at >= until:
                return
        self.is_complete = True

    def page(self, number: int) -> tuple[Child, ...]:
        """Up to 1,000 children, of those found.

        Raises:
            BrokenJson, StoreError: it is no JSON; it can't be read.
        """
        cursor = _Cursor(self._read, self._n_bytes, self._starts[number])
        members = (each for each in self._members(cursor, is_first=number == 0) if each)
        n_known = min(PAGE, self.n_children - number * PAGE)
        return tuple(self._child(each) for each in islice(members, n_known))

    def _members(self, cursor: _Cursor, *, is_first: bool) -> Generator[_Member | None, None, None]:
        here = yield from cursor.space()
        while not (is_first and here == self._closing):
            is_first = False
            at, key = cursor.at, b""
            if self._is_object:
                self._expect(cursor, here, _QUOTE)
                key = yield from cursor.string(_LONGEST_KEY)
                self._expect(cursor, (yield from cursor.space()), _COLON)
                cursor.step()
                here = yield from cursor.space()
            if here == _END:
                raise BrokenJson(cursor.at, Why.CUT)
            yield _Member(at, key, cursor.at, cursor.head())
            yield from self._pass(cursor)
            here = yield from cursor.space()
            if here == self._closing:
                break
            if self._closing != _END:
                self._expect(cursor, here, _COMMA)
                cursor.step()
                here = yield from cursor.space()
        if self._is_top and self._closing != _END:
            cursor.step()
            if (yield from cursor.space()) != _END:
                raise BrokenJson(cursor.at, Why.TRAILING)

    def _pass(self, cursor: _Cursor) -> Steps:
        at = cursor.at
        if end := self._ends.get(at):
            cursor.go(end)
            return
        yield from cursor.value()
        if cursor.at - at > _LARGE_BYTES:
            self._ends[at] = cursor.at

    def _expect(self, cursor: _Cursor, here: int, wanted: int) -> None:
        if here != wanted:
            raise BrokenJson(cursor.at, Why.CUT if here == _END else Why.UNEXPECTED)

    def _child(self, member: _Member) -> Child:
        at, head = member.value_at, member.head
        if len(head) < _HEAD_BYTES:  # it went on in another slice
            head = self._read(at, min(at + _HEAD_BYTES, self._n_bytes))
        kind = _kind_of(head[0])
        key = _decoded(member.key) if self._is_object else None
        is_empty = head[:1] in (b"{", b"[") and head[1:].lstrip(b" \t\r\n")[:1] in (b"}", b"]")
        return Child(key=key, at=at, kind=kind, preview=_preview(head, kind), is_empty=is_empty)


class JsonText:
    """
    Args:
        is_lines: Values one behind the other, as in JSON Lines.
    """

    def __init__(self, read: Read, n_bytes: int, *, is_lines: bool) -> None:
        self._read, self._n_bytes, self._is_lines = read, n_bytes, is_lines

    def top(self) -> Container:
        """What the outermost container holds; of a text that is no container: its one value.

        Raises:
            BrokenJson, StoreError: it is empty; it can't be read.
        """
        at = 3 if self._read(0, min(3, self._n_bytes)) == _BOM else 0
        cursor = _Cursor(self._read, self._n_bytes, at)
        here = _run(cursor.space())
        if here == _END and not self._is_lines:
            raise BrokenJson(cursor.at, Why.CUT)
        if self._is_lines:
            return self._container(at, None, is_top=True)
        if here in _CLOSING:
            return self._container(cursor.at + 1, here, is_top=True)
        start = cursor.at
        _run(cursor.value())
        if _run(cursor.space()) != _END:
            raise BrokenJson(cursor.at, Why.TRAILING)
        return self._container(start, None, is_top=True)

    def open(self, child: Child) -> Container:
        """What a container holds."""
        opening = ord("{") if child.kind is ValueKind.OBJECT else ord("[")
        return self._container(child.at + 1, opening, is_top=False)

    def value(self, child: Child, most_bytes: int) -> str | None:
        """A string's text, anything else as it is written; None: it is longer than `most_bytes`.

        Raises:
            BrokenJson, StoreError: it is no JSON; it can't be read.
        """
        cursor = _Cursor(self._read, self._n_bytes, child.at)
        _run(cursor.space())
        for _ in cursor.value():
            if cursor.at - child.at > most_bytes:
                return None
        raw = self._read(child.at, cursor.at)
        return _decoded(raw[1:-1]) if child.kind is ValueKind.STRING else raw.decode("utf-8", "replace")

    def _container(self, at: int, opening: int | None, *, is_top: bool) -> Container:
        return Container(self._read, self._n_bytes, at, opening=opening, is_top=is_top)


def pointer(keys: tuple[str | int, ...]) -> str:
    """Where a value stands, from the outside in (RFC 6901). Of a key that stands twice it names the last one."""
    return "".join(f"/{str(key).replace('~', '~0').replace('/', '~1')}" for key in keys)


def _run(steps: Generator[None, None, T]) -> T:
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value


def _matched(pattern: re.Pattern[bytes], data: bytes, at: int) -> int:
    found = pattern.match(data, at)
    assert found  # each may match nothing
    return found.end()


def _kind_of(byte: int) -> ValueKind:
    match chr(byte):
        case "{":
            return ValueKind.OBJECT
        case "[":
            return ValueKind.ARRAY
        case '"':
            return ValueKind.STRING
        case "t" | "f" | "n":
            return ValueKind.LITERAL
        case _:
            return ValueKind.NUMBER


def _preview(head: bytes, kind: ValueKind) -> str:
    match kind:
        case ValueKind.STRING:
            return _decoded(head[1 : _matched(_IN_STRING, head, 1)])
        case ValueKind.OBJECT | ValueKind.ARRAY:
            cursor = _Cursor(lambda start, end: head[start:end], len(head), 0)
            with suppress(BrokenJson):  # it goes on behind its head
                _run(cursor.space())
                _run(cursor.value())
                head = head[: cursor.at]
            return " ".join(head.decode("utf-8", "ignore").split())
        case _:
            return head[: _matched(_IN_ATOM, head, 0)].decode("utf-8", "replace")


def _decoded(raw: bytes) -> str:
    """What stands between quotes; halves of a surrogate pair alone are U+FFFD, as Qt has no character for them."""
    text = raw.decode("utf-8", "replace")
    try:
        text = json.loads(f'"{_HALF_ESCAPE.sub("", text)}"', strict=False)
    except ValueError:  # an escape that is none
        return text
    assert isinstance(text, str)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
