"""Nested values made small: depth, keys, list ends and strings by level; what is named or tells stays."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from app.filters.selection import GAP
from app.filters.tells import is_failure

Value: TypeAlias = "bool | str | list[Value] | dict[str, Value] | Rows | None"
"""As JSON has it; numbers are `Number`, so that no digit changes."""


class Number(str):
    """A numeral as it was written."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    depth: int
    keys: int
    ends: int
    chars: int
    chosen: int
    """At most so many rows that are named or tell, beside the ends."""


LEVELS = (
    Level(depth=4, keys=12, ends=3, chars=400, chosen=20),
    Level(depth=4, keys=12, ends=2, chars=200, chosen=12),
    Level(depth=3, keys=10, ends=2, chars=120, chosen=8),
    Level(depth=3, keys=8, ends=1, chars=80, chosen=4),
    Level(depth=2, keys=8, ends=1, chars=60, chosen=2),
    Level(depth=1, keys=6, ends=1, chars=40, chosen=1),
)
SCRAPS = (
    Level(depth=1, keys=3, ends=1, chars=24, chosen=0),
    Level(depth=1, keys=1, ends=1, chars=16, chosen=0),
    Level(depth=0, keys=0, ends=1, chars=16, chosen=0),
)
"""Where there is room for next to nothing."""
_FEW_ROWS = 6
_N_KEYS = 8
"""So many of the keys left out are named."""
_N_LEADING = 200
_STATE_KEYS = (
    "status",
    "state",
    "level",
    "severity",
    "outcome",
    "result",
    "action",
    "conclusion",
    "phase",
    "type",
)
_WRONG_KEYS = ("error", "errors", "err", "failure", "failures", "exception", "stderr")
_WORD_KEYS = ("message", "msg", "output", "reason", "text", "detail")
_TELLING_KEYS = frozenset(
    (
        *_STATE_KEYS,
        *_WRONG_KEYS,
        *_WORD_KEYS,
        "name",
        "title",
        "id",
        "summary",
        "total",
        "count",
        "stats",
        "number",
    )
)
_BAD_STATES = frozenset(
    ("error", "errored", "fail", "failed", "failure", "failing", "fatal", "critical", "high", "crashed", "unhealthy",
     "firing", "timed_out", "timeout", "denied", "warn", "warning", "50", "60", "status_code_error", "panic")
)  # fmt: skip


@dataclass(slots=True)
class Rows:
    """What is remembered of a list of any length, filled row by row."""

    n: int = 0
    first: list[Value] = field(default_factory=list[Value])
    last: deque[Value] = field(default_factory=lambda: deque[Value](maxlen=_FEW_ROWS))
    chosen: list[tuple[int, Value]] = field(default_factory=list[tuple[int, Value]])
    types: dict[str, dict[str, None]] = field(default_factory=dict[str, dict[str, None]])
    """Key to its types; the key "" is the row itself."""

    def add(self, value: Value, *, is_named: bool = False) -> None:
        index = self.n
        self.n += 1
        if index < _FEW_ROWS:
            self.first.append(value)
        else:
            self.last.append(value)
        if len(self.chosen) < LEVELS[0].chosen and (is_named or tells(value)):
            self.chosen.append((index, value))
        if index < _N_LEADING or index % 97 == 0:
            self._learn(value)

    def _learn(self, value: Value) -> None:
        if not isinstance(value, dict):
            self.types.setdefault("", {})[type_name(value)] = None
            return
        for key, item in value.items():
            if key in self.types or len(self.types) < 4 * LEVELS[0].keys:
                self.types.setdefault(key, {})[type_name(item)] = None

    def ends(self, n: int, n_chosen: int) -> tuple[list[Value], list[Value], list[Value]]:
        """The first and last `n` rows and the chosen ones between."""
        if self.n <= 2 * n:
            return [*self.first, *self.last], [], []
        tail = [*self.first, *self.last][-n:]
        between = [value for index, value in self.chosen if n <= index < self.n - n]
        return self.first[:n], between[:n_chosen], tail


def rows_of(values: Iterable[Value], words: Sequence[str] = ()) -> Rows:
    rows = Rows()
    for value in values:
        rows.add(value, is_named=bool(words) and names(value, words))
    return rows


def type_name(value: Value) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "bool"
        case Number():
            return "number"
        case str():
            return "string"
        case dict():
            return "object"
        case _:
            return "list"


def tells(value: Value, depth: int = 1) -> bool:
    """Whether a row says that something went wrong: by its state, its error, or its own words."""
    return is_in_a_bad_state(value, depth) or says_so(value)


def says_so(value: Value) -> bool:
    """Whether its own words tell of a failure."""
    return isinstance(value, dict) and any(
        isinstance(item, str) and key.lower() in _WORD_KEYS and is_failure(item[:400])
        for key, item in value.items()
    )


def is_in_a_bad_state(value: Value, depth: int = 1) -> bool:
    if not isinstance(value, dict):
        return False
    for key, item in value.items():
        name = key.lower()
        if isinstance(item, str) and name in _STATE_KEYS and item.lower() in _BAD_STATES:
            return True
        if name in _WRONG_KEYS and item not in (None, "", False, "0") and item not in ([], {}):
            return True
        if depth and isinstance(item, dict) and is_in_a_bad_state(item, depth - 1):
            return True
    return False


def names(value: Value, words: Sequence[str], depth: int = 3) -> bool:
    """Whether a key or a string of it holds one of the lower-case words."""
    match value:
        case str():
            return any(word in value[:2_000].lower() for word in words)
        case dict() if depth:
            return any(names(key, words) or names(item, words, depth - 1) for key, item in value.items())
        case list() if depth:
            return any(names(item, words, depth - 1) for item in value)
        case _:
            return False


def reduced(value: Value, level: Level, words: Sequence[str], depth: int = 0) -> Value:
    """`value` within the level's bounds; the marks are strings, so that it stays what it is."""
    match value:
        case Number() | None | bool():
            return value
        case str():
            return _short(value, level.chars)
        case dict():
            return _object(value, level, words, depth)
        case _:
            rows = value if isinstance(value, Rows) else rows_of(value, words)
            return _list(rows, level, words, depth)


def _short(text: str, longest: int) -> str:
    """Ends of a long string, and how much is missing; what was cut once is not cut again."""
    if len(text) <= longest + 40:
        return text
    head, tail = text[: longest * 2 // 3], text[-(longest // 4) :]
    return f"{head} {GAP}{len(text) - len(head) - len(tail):,} chars{GAP} {tail}"


def _object(value: Mapping[str, Value], level: Level, words: Sequence[str], depth: int) -> Value:
    if depth >= level.depth and value:
        return f"{{{GAP} {_keys(list(value))}}}"
    named = {key for key in value if words and any(word in key.lower() for word in words)}
    kept: set[str] = set(value)
    if len(value) > level.keys:
        order = sorted(enumerate(value), key=lambda pair: (_weight(pair[1], pair[1] in named), pair[0]))
        kept = {key for _, key in order[: level.keys]}
    whole = level is LEVELS[0]
    found: dict[str, Value] = {}
    for key, item in value.items():
        if key in kept:
            next_depth = 0 if whole and key in named else depth + 1
            found[key] = reduced(item, level, words, next_depth)
    if left := [key for key in value if key not in kept]:
        found[GAP] = f"{len(left)} more keys: {_keys(left)}"
    return found


def _weight(key: str, is_named: bool) -> int:  # noqa: FBT001  # two facts about one key
    lowered = key.lower()
    if is_named:
        return 0
    if lowered in _TELLING_KEYS:
        return 1
    return 3 if lowered.endswith(("url", "_links", "node_id", "gravatar_id")) else 2


def _keys(keys: Sequence[str]) -> str:
    shown = ", ".join(_short(key, 40) for key in keys[:_N_KEYS])
    return f"{shown}, {GAP}" if len(keys) > _N_KEYS else shown


def _list(rows: Rows, level: Level, words: Sequence[str], depth: int) -> Value:
    if depth >= level.depth and rows.n:
        return f"[{GAP} {rows.n:,} rows]"
    ends = level.ends if rows.n > _FEW_ROWS or level is not LEVELS[0] else _FEW_ROWS
    first, between, last = rows.ends(ends, level.chosen)
    made = [reduced(item, level, words, depth + 1) for item in first]
    if not last:
        return made
    if (left := rows.n - len(first) - len(between) - len(last)) > 0:
        made.append(_mark(rows, left, level))
    made.extend(reduced(item, level, words, depth + 1) for item in (*between, *last))
    return made


def _mark(rows: Rows, left: int, level: Level) -> Value:
    mark: dict[str, Value] = {GAP: f"{left:,} of {rows.n:,} rows left out"}
    if set(rows.types) != {""}:
        shown = list(rows.types.items())[: 2 * level.keys]
        mark["each"] = ", ".join(f"{_short(key, 40)}: {'|'.join(types)}" for key, types in shown)
    return mark
