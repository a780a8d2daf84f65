"""JSON and JSON Lines: read row by row, so that of a long list only what is kept is ever in memory."""

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from app.filters.filtered import Focus, Range, Reduction
from app.filters.selection import GAP, Lines
from app.filters.structural.shape import (
    LEVELS,
    SCRAPS,
    Number,
    Rows,
    Value,
    is_in_a_bad_state,
    reduced,
    says_so,
    type_name,
)
from app.filters.tells import pattern_of

_DECODER = json.JSONDecoder(parse_float=Number, parse_int=Number, parse_constant=Number, strict=False)
_BLANK = re.compile(r"[ \t\n\r]*")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_WIDTH = 160
_WALKED_DEPTH = 3
_JSON_LINES_SHARE = 0.95
_N_TELLING = 40


def reduce_json(lines: Lines, focus: Focus) -> Reduction | None:
    """None: it is no JSON object or list. A text that breaks off after more than half of it still is one."""
    text = lines.joined
    at = _BLANK.match(text).end()  # pyright: ignore[reportOptionalMemberAccess]  # it matches anything
    if text[at : at + 1] not in ("{", "["):
        return None
    walk = _Walk(
        text=text, words=focus.words, named=_offsets(lines.lowered if focus.words else "", focus.words)
    )
    try:
        value, end = walk.value(at, 0)
    except (ValueError, RecursionError):
        return None
    if not walk.is_cut and text[end:].strip():
        return None
    why = "JSON to its shape: the ends of lists, the first keys, long strings cut; what is named or failed stays."

    def write(limit_chars: int) -> str:
        return _fitting(value, focus.words, limit_chars)

    return Reduction(kind="json", why=why, write=write, ranges=walk.ranges(lines))


def _offsets(lowered: str, words: Sequence[str]) -> list[int]:
    found = list[int]()
    for word in words:
        at = lowered.find(word)
        while at >= 0:
            found.append(at)
            at = lowered.find(word, at + len(word))
    return sorted(found)


@dataclass(slots=True)
class _Walk:
    """Reads the outer objects and lists by hand and each row of a list at once."""

    text: str
    words: Sequence[str]
    named: list[int]
    is_cut: bool = False
    found: list[tuple[str, int, int]] = field(default_factory=list[tuple[str, int, int]])
    """What, and its offsets."""

    def value(self, at: int, depth: int) -> tuple[Value, int]:
        """The value that begins at `at`, and where it ends.

        Raises:
            ValueError, RecursionError: there is none that could be read.
        """
        opening = self.text[at : at + 1]
        if opening == "[":
            return self._list(at + 1)
        if opening == "{" and depth < _WALKED_DEPTH:
            return self._object(at + 1, depth)
        return _DECODER.raw_decode(self.text, at)

    def _object(self, at: int, depth: int) -> tuple[Value, int]:
        found: dict[str, Value] = {}
        begun = at
        at = self._skip(at)
        if self.text[at : at + 1] == "}":
            return found, at + 1
        while not self.is_cut:
            try:
                key, colon = self._key(at)
                found[key], end = self.value(self._skip(colon + 1), depth + 1)
            except (ValueError, RecursionError):
                self._broken(begun, at)
                break
            at = self._skip(end)
            if self.text.startswith("}", at):
                return found, at + 1
            if not self.text.startswith(",", at) and not self.is_cut:
                self._broken(begun, at)
            at = self._skip(at + 1)
        return found, len(self.text)

    def _key(self, at: int) -> tuple[str, int]:
        key, end = _DECODER.raw_decode(self.text, at)
        colon = self._skip(end)
        if not isinstance(key, str) or isinstance(key, Number) or not self.text.startswith(":", colon):
            raise ValueError(key)
        return key, colon

    def _list(self, at: int) -> tuple[Value, int]:
        rows = Rows()
        begun = at
        at = self._skip(at)
        if self.text[at : at + 1] == "]":
            return [], at + 1
        while not self.is_cut:
            try:
                value, end = _DECODER.raw_decode(self.text, at)
            except (ValueError, RecursionError):
                self._broken(begun, at)
                break
            self._add(rows, value, at, end)
            at = self._skip(end)
            if self.text.startswith("]", at):
                return rows, at + 1
            if not self.text.startswith(",", at):
                self._broken(begun, at)
            at = self._skip(at + 1)
        return rows, len(self.text)

    def _add(self, rows: Rows, value: Value, first: int, end: int) -> None:
        near = bisect_left(self.named, first)
        is_named = near < len(self.named) and self.named[near] < end
        rows.add(value, is_named=is_named)
        if is_named:
            self.found.append(("rows that match", first, end))
        elif rows.chosen and rows.chosen[-1][0] == rows.n - 1:
            self.found.append(("rows that tell of failures", first, end))

    def _broken(self, begun: int, at: int) -> None:
        """A long text that ends in the middle was cut by who made it; anything else is no JSON."""
        if not self.is_cut and (at < len(self.text) // 2 or at - begun < 200 or self._goes_on(at)):
            raise ValueError(at)
        self.is_cut = True

    def _goes_on(self, at: int) -> bool:
        try:
            _DECODER.raw_decode(self.text, at)
        except json.JSONDecodeError as error:
            return error.pos < len(self.text) * 0.98 and "Unterminated" not in error.msg
        return at < len(self.text) - 2

    def _skip(self, at: int) -> int:
        return _BLANK.match(self.text, at).end()  # pyright: ignore[reportOptionalMemberAccess]  # it matches anything

    def ranges(self, lines: Lines) -> tuple[Range, ...]:
        found = list[Range]()
        for what in ("rows that tell of failures", "rows that match"):
            spans = [
                range(lines.line_at(first), lines.line_at(end) + 1)
                for name, first, end in self.found
                if name == what
            ]
            if spans and len(lines) > 1:
                found.extend(lines.ranges(what, (index for span in spans[:200] for index in span)))
        return tuple(found)


def _fitting(value: Value, words: Sequence[str], limit_chars: int) -> str:
    for level in LEVELS:
        text = dump(reduced(value, level, words))
        if len(text) <= limit_chars:
            return text
    scraps = (_compact(reduced(value, level, ())) for level in (LEVELS[-1], *SCRAPS))
    return next((text for text in scraps if len(text) <= limit_chars), _quoted(f"{GAP} {type_name(value)}"))


# ---- writing


def dump(value: Value, indent: int = 0) -> str:
    """JSON with one row a line where it is short, and nothing escaped that needn't be."""
    compact = _compact(value)
    if len(compact) + indent <= _WIDTH:
        return compact
    pad = " " * (indent + 1)
    match value:
        case dict():
            inner = [f"{pad}{_quoted(key)}: {dump(item, indent + 1)}" for key, item in value.items()]
            return "{\n" + ",\n".join(inner) + "\n" + pad[1:] + "}"
        case list():
            inner = [f"{pad}{dump(item, indent + 1)}" for item in value]
            return "[\n" + ",\n".join(inner) + "\n" + pad[1:] + "]"
        case _:
            return compact


def _compact(value: Value) -> str:
    match value:
        case Number():
            return str(value)
        case str():
            return _quoted(value)
        case None | bool():
            return json.dumps(value)
        case dict():
            return "{" + ", ".join(f"{_quoted(key)}: {_compact(item)}" for key, item in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_compact, value)) + "]"
        case _:
            return _compact([*value.first, *value.last])


def _quoted(text: str) -> str:
    """As JSON writes it; what no encoder takes stays escaped."""
    return json.dumps(text, ensure_ascii=bool(_SURROGATE.search(text)))


# ---- JSON Lines


@dataclass(slots=True)
class _Shape:
    rows: list[int] = field(default_factory=list[int])
    types: Rows = field(default_factory=Rows)


def reduce_json_lines(lines: Lines, focus: Focus) -> Reduction | None:
    """One schema a shape, three rows from either end of each, and the rows that are named or tell."""
    if not _looks_like_rows(lines):
        return None
    shapes: dict[tuple[str, ...], _Shape] = {}
    failed, telling, named, other = list[tuple[int, str]](), list[tuple[int, str]](), list[int](), list[int]()
    hits = lines.having(focus.words)
    n_rows = 0
    for index, text in enumerate(lines.texts):
        value = _row(text)
        if value is None:
            if text.strip():
                other.append(index)
            continue
        n_rows += 1
        shape = shapes.setdefault(tuple(value)[:24], _Shape())
        shape.rows.append(index)
        if len(shape.rows) <= _N_TELLING:
            shape.types.add(value)
        if index in hits:
            named.append(index)
        elif is_in_a_bad_state(value):
            failed.append((index, text))
        elif says_so(value):
            telling.append((index, text))
    if n_rows < 2 or len(other) > (n_rows + len(other)) * (1 - _JSON_LINES_SHARE):
        return None
    whole = _JsonLines(
        lines,
        shapes,
        _first_of_each(failed),
        _first_of_each(telling),
        named[:_N_TELLING],
        other[:_N_TELLING],
        focus.words,
    )
    return Reduction(
        kind="json-lines",
        why="JSON Lines to one schema a shape, the ends of each, and the rows that are named or failed.",
        write=whole.write,
        ranges=(
            *lines.ranges("rows that tell of failures", (index for index, _ in (*failed, *telling))),
            *lines.ranges("rows that match", named),
        ),
    )


def _looks_like_rows(lines: Lines) -> bool:
    firsts = [text for text in lines.texts[:40] if text.strip()][:8]
    return len(firsts) > 1 and sum(_row(text) is not None for text in firsts) >= len(firsts) * 0.75


def _row(text: str) -> dict[str, Value] | None:
    stripped = text.strip()
    if not (stripped.startswith("{") and stripped.endswith("}")):
        return None
    try:
        value: Value = _DECODER.decode(stripped)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _first_of_each(telling: Sequence[tuple[int, str]]) -> dict[int, int]:
    """The first row of each kind of failure, and how many there are."""
    groups: dict[str, list[int]] = {}
    for index, text in telling:
        groups.setdefault(pattern_of(text), []).append(index)
    return {indices[0]: len(indices) for indices in groups.values()}


@dataclass(frozen=True, slots=True)
class _JsonLines:
    lines: Lines
    shapes: dict[tuple[str, ...], _Shape]
    failed: dict[int, int]
    """What a row is goes before what it says."""
    telling: dict[int, int]
    named: Sequence[int]
    other: Sequence[int]
    words: Sequence[str]

    def write(self, limit_chars: int) -> str:
        text = ""
        for level in LEVELS:
            kept = {
                *self.other,
                *list(self.failed)[: _N_TELLING // (1 + LEVELS.index(level) // 2)],
                *list(self.telling)[: 2 * level.chosen],
            }
            kept |= set(self.named[: level.chosen])
            for shape in self.shapes.values():
                n = level.ends
                kept |= set(shape.rows[:n]) | set(shape.rows[-n:])
            text = "\n".join(self._written(sorted(kept), LEVELS.index(level)))
            if len(text) <= limit_chars:
                return text
        return text

    def _written(self, kept: Sequence[int], at_level: int) -> Iterator[str]:
        level = LEVELS[at_level]
        for keys, shape in list(self.shapes.items())[: 2 * level.keys]:
            if len(shape.rows) > 2 * level.ends:
                types = ", ".join(f"{key}: {'|'.join(shape.types.types.get(key, ('null',)))}" for key in keys)
                yield _compact(
                    {GAP: f"{len(shape.rows):,} rows of this shape", "each": types[: 4 * level.chars]}
                )
        last = -1
        for index in (*kept, len(self.lines)):
            if index - last > 1 and (hidden := index - last - 1) and any(self.lines.texts[last + 1 : index]):
                rows = self.lines.rows(last + 1)[0], self.lines.rows(index - 1)[1]
                yield _compact({GAP: f"{hidden:,} rows, lines {rows[0]}–{rows[1]}"})
            if index < len(self.lines):
                yield self._row(index, at_level)
            last = index

    def _row(self, index: int, at_level: int) -> str:
        value = _row(self.lines.texts[index])
        if value is None:
            return self.lines.texts[index]
        level = LEVELS[at_level]
        if n := self.failed.get(index) or self.telling.get(index):
            level = LEVELS[max(0, at_level - 2)]
            if n > 1:
                value = {**value, GAP: f"{n:,} rows like this"}
        return _compact(reduced(value, level, self.words))
