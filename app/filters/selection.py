"""A text as lines of its original, and a choice among them that can be written in whatever room there is."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from itertools import pairwise

from app.filters.filtered import Range, merged_ranges

GAP = "⋯"
_ROW_CHARS = 2_000
"""A longer line counts as several where originals are read (C27)."""
_LONGEST_LINE = 400
_SHORT_GAP = 12
_FRONT = 0.6

_ANSI = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])|[\x00-\x08\x0b\x0c\x0e-\x1f]"
)
_SCREEN = re.compile(r"[\x00-\x08\x0b-\x1f]")
_CURSOR_UP = re.compile(r"\x1b\[(\d*)A")
_MOST_UP = 200


class Rank(IntEnum):
    """In which order lines get room."""

    MUST = 0
    NEAR = 1
    SHOULD = 2
    MAY = 3


class Lines:
    """The lines of `text`, one for one with the original.

    Args:
        is_screen: As a terminal shows them: without colours, and what was written over is empty.
    """

    def __init__(self, text: str, *, is_screen: bool = True, before: int = 0) -> None:
        self.joined = "\n".join(_cleaned(text)) if is_screen and _SCREEN.search(text) else text
        self._before = before
        """Rows of the original before the first line."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def texts(self) -> Sequence[str]:
        return self.joined.split("\n")

    @cached_property
    def lowered(self) -> str:
        """`joined` in lower case, character for character."""
        lowered = self.joined.lower()
        if len(lowered) == len(self.joined):
            return lowered
        return "".join(low if len(low := c.lower()) == 1 else c for c in self.joined)

    @cached_property
    def starts(self) -> list[int]:
        found, at = [0], self.joined.find("\n")
        while at >= 0:
            found.append(at + 1)
            at = self.joined.find("\n", at + 1)
        return [*found, len(self.joined) + 1]

    def line_at(self, offset: int) -> int:
        """The index of the line that holds this character of `joined`."""
        return bisect_right(self.starts, offset) - 1

    def having(self, words: Iterable[str]) -> set[int]:
        """Indices of lines that hold one of the lower-case `words`; by plain search, so a long text is quick."""
        asked = tuple(words)
        return indices_holding(self.lowered, self.starts, asked) if asked else set()

    @cached_property
    def _rows(self) -> list[int] | None:
        """First row of each line where lines are long, else None: line `i` is row `i + 1`."""
        lengths = [end - start - 1 for start, end in pairwise(self.starts)]
        if max(lengths) <= _ROW_CHARS:
            return None
        found, row = list[int](), self._before + 1
        for length in lengths:
            found.append(row)
            row += n_rows(length)
        return [*found, row]

    def rows(self, index: int) -> tuple[int, int]:
        """First and last number of line `index` as originals are read; 1-based."""
        rows = self._rows
        if rows is None:
            return self._before + index + 1, self._before + index + 1
        return rows[index], rows[index + 1] - 1

    def ranges(self, what: str, indices: Iterable[int]) -> tuple[Range, ...]:
        return merged_ranges(what, [self.rows(index) for index in sorted(indices)])


def n_rows(length: int) -> int:
    """How many lines a line of so many characters counts as, where originals are read."""
    return max(1, -(-length // _ROW_CHARS))


def indices_holding(lowered: str, starts: Sequence[int], words: Iterable[str]) -> set[int]:
    """Which of the lines that begin at `starts` (and one more behind the last) hold one of the words."""
    found = set[int]()
    for word in words:
        at = lowered.find(word) if word else -1
        while at >= 0:
            line = bisect_right(starts, at) - 1
            found.add(line)
            at = lowered.find(word, starts[line + 1])
    return found


def _cleaned(text: str) -> list[str]:
    lines = text.split("\n")
    if "\r" in text:
        # What a progress bar wrote over is gone from the screen, too.
        lines = [_last_written(line) if "\r" in line else line for line in lines]
    if not _ANSI.search(text):
        return lines
    for index, line in enumerate(lines):
        if "\x1b[" in line:
            for up in _CURSOR_UP.findall(line):
                back = min(int(up[:6] or 1), _MOST_UP, index)
                lines[index - back : index] = [""] * back
    return [_ANSI.sub("", line) for line in lines]


def _last_written(line: str) -> str:
    return next((part for part in reversed(line.split("\r")) if part.strip()), "")


def cut(line: str, longest: int = _LONGEST_LINE) -> str:
    """Long lines keep their ends: keys stand at the beginning, totals at the end."""
    if len(line) <= longest:
        return line
    return f"{line[: longest * 2 // 3]} {GAP} {line[-longest // 4 :]}"


@dataclass(slots=True)
class Selection:
    """Which lines stay, in order of need; the rest are gaps that name their lines."""

    lines: Lines
    ranks: dict[int, Rank] = field(default_factory=dict[int, Rank])
    shown: dict[int, str] = field(default_factory=dict[int, str])
    """What a kept line reads as, where that is not itself; may be several lines."""
    notes: list[str] = field(default_factory=list[str])
    """Lines about the whole, written first."""

    def keep(self, indices: Iterable[int], rank: Rank) -> None:
        for index in indices:
            if 0 <= index < len(self.lines) and rank < self.ranks.get(index, len(Rank)):
                self.ranks[index] = rank

    def around(self, indices: Iterable[int], before: int, after: int, rank: Rank) -> None:
        for index in indices:
            self.keep(range(index - before, index + after + 1), rank)

    def ends(self, head: int, tail: int, rank: Rank) -> None:
        self.keep(range(head), rank)
        self.keep(range(len(self.lines) - tail, len(self.lines)), rank)

    def write(self, limit_chars: int) -> str:
        left = limit_chars - sum(len(note) + 1 for note in self.notes)
        by_rank: dict[Rank, list[int]] = {rank: [] for rank in Rank}
        for index in sorted(self.ranks):
            by_rank[self.ranks[index]].append(index)
        chosen = list[int]()
        for rank, indices in by_rank.items():
            costs = {index: len(self._text(index)) + 2 for index in indices}
            if rank is Rank.MAY:
                left -= limit_chars // 2  # what says little gets no more than half of the room
            if sum(costs.values()) > left:
                chosen.extend(_from_both_ends(indices, costs, left))
                break
            chosen.extend(indices)
            left -= sum(costs.values())
        if not chosen and by_rank[Rank.MUST]:
            first = by_rank[Rank.MUST][0]  # better a part of the first than nothing
            return "\n".join([*self.notes, cut(self._text(first), max(20, left))])
        return "\n".join([*self.notes, *self._written(sorted(chosen))])

    def _text(self, index: int) -> str:
        found = self.shown.get(index)
        return cut(self.lines.texts[index].rstrip()) if found is None else found

    def _written(self, chosen: Sequence[int]) -> Iterable[str]:
        last = -1
        for index in (*chosen, len(self.lines)):
            if index > last + 1:
                yield from self._gap(last + 1, index)
            if index < len(self.lines):
                yield self._text(index)
            last = index

    def _gap(self, first: int, end: int) -> Iterable[str]:
        texts = self.lines.texts[first:end]
        if not any(text and not text.isspace() for text in texts):
            return
        if sum(map(len, texts)) <= _SHORT_GAP and len(texts) < _SHORT_GAP:
            yield from texts  # a mark would be as long
            return
        rows = self.lines.rows(first)[0], self.lines.rows(end - 1)[1]
        yield f"{GAP} {rows[0]}–{rows[1]}" if rows[1] > rows[0] else f"{GAP} {rows[0]}"


def _from_both_ends(indices: Sequence[int], costs: Mapping[int, int], room: int) -> Iterable[int]:
    """As many as fit: three fifths of the room from the front, the rest from the back."""
    front, back = 0, len(indices)
    used = 0
    while front < back and used + costs[indices[front]] <= room * _FRONT:
        used += costs[indices[front]]
        front += 1
    while back > front and used + costs[indices[back - 1]] <= room:
        back -= 1
        used += costs[indices[back]]
    return (*indices[:front], *indices[back:])
