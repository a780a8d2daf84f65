"""What a filter is told and what it hands back; nothing here knows where a text comes from or goes to."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Count = Callable[[str], int]
"""Tokens of a text, exact or estimated: the caller's."""

_WORD = re.compile(r"[A-Za-z_][\w./-]{2,}|[\u3400-\u9fff]{2,}|\d{3,}")
_N_WORDS = 16
_N_RANGES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """What is known of where a text comes from; a hint only, the text itself decides (C22)."""

    tool: str = ""
    command: str = ""
    path: str = ""
    mime: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Focus:
    """What the present question is about: keys, rows and lines that hold it stay."""

    terms: tuple[str, ...] = ()
    topic: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """Lower case, without doubles; those of the topic after the terms."""
        found = dict.fromkeys(term.lower() for term in self.terms if len(term) > 1)
        found |= dict.fromkeys(word.lower() for word in _WORD.findall(self.topic))
        return tuple(found)[:_N_WORDS]


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """Lines of the original, 1-based, both inclusive, ready to be asked for (C24)."""

    what: str
    first: int
    last: int

    def __str__(self) -> str:
        where = f"{self.first:,}–{self.last:,}" if self.last > self.first else f"{self.first:,}"
        return f"{self.what} at lines {where}" if self.last > self.first else f"{self.what} at line {where}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filtered:
    text: str
    kind: str
    """Which filter it was: a rule's name or a format; `whole`: nothing was left out; `guard`: its ends (C24)."""
    why: str
    """One sentence for a person."""
    ranges: tuple[Range, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reduction:
    """A text that was understood: it can be written in as many characters as there are."""

    kind: str
    why: str
    write: Callable[[int], str]
    """The text in at most about so many characters; what must stay goes first."""
    ranges: tuple[Range, ...] = ()


def merged_ranges(what: str, numbers: Sequence[tuple[int, int]], *, near: int = 3) -> tuple[Range, ...]:
    """Ranges of rising (first, last) pairs, those at most `near` lines apart made one; the longest ones."""
    found: list[tuple[int, int]] = []
    for first, last in numbers:
        if found and first - found[-1][1] <= near:
            found[-1] = found[-1][0], max(last, found[-1][1])
        else:
            found.append((first, last))
    longest = sorted(found, key=lambda pair: (pair[0] - pair[1], pair[0]))[:_N_RANGES]
    return tuple(Range(what=what, first=first, last=last) for first, last in sorted(longest))
