"""What the palette and the page of everything show: options that match what is typed, and messages that were found."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from app.finding.found import Found
from app.finding.terms import fold
from app.finding.wanted import Span

MOST_CHATS, MOST_OPTIONS, MOST_RECENT = 6, 5, 8
"""Rows of a kind in the palette: with something typed, and chats with nothing typed."""


class Kind(StrEnum):
    """The sections of the palette, in their order."""

    CHAT = "chat"
    COMMAND = "command"
    SETTING = "setting"
    MESSAGE = "message"
    EVERYTHING = "everything"
    """The way to the page of everything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """Something that can be chosen."""

    kind: Kind
    id: str
    title: str
    about: str = ""
    """Further words by which it is found, and what it is about."""
    hint: str = ""
    """At the right: a shortcut, a date."""
    marks: tuple[Span, ...] = ()
    """Of the title."""
    found: Found | None = None
    """Of a message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caption:
    kind: Kind


Row = Option | Caption


@dataclass(frozen=True, slots=True, kw_only=True)
class PaletteState:
    typed: str = ""
    rows: tuple[Row, ...] = ()
    is_looking: bool = False
    """Whether messages are still being looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EverythingState:
    typed: str = ""
    found: tuple[Found, ...] = ()
    has_more: bool = False
    is_looking: bool = False


class Typed:
    """Words as they were typed, and how well a title goes with them.

    A word goes with a title that has a word beginning so; less with one that holds it in the middle of a word, and
    least with one whose letters it has in their order. All words must go with the title, or with what it is about.
    """

    def __init__(self, typed: str) -> None:
        self.words = tuple(fold(typed).split())

    def score(self, option: Option) -> tuple[float, tuple[Span, ...]] | None:
        """How well, and what of the title to mark; None: not at all."""
        title, about = fold(option.title), fold(option.about)
        total = 0.0
        marks: list[Span] = []
        for word in self.words:
            if found := _in_title(word, title):
                points, spans = found
                marks.extend(spans)
            elif word in about:
                points = 1.0
            else:
                return None
            total += points
        return total - len(title) / 1_000, tuple(_merged(marks))


def _in_title(word: str, title: str) -> tuple[float, list[Span]] | None:
    at = title.find(word)
    begins = at
    while begins > 0 and title[begins - 1].isalnum():
        begins = title.find(word, begins + 1)
    if begins >= 0:
        return (4.0 if begins == 0 else 3.0), [(begins, begins + len(word))]
    if at >= 0:
        return 2.0, [(at, at + len(word))]
    return _scattered(word, title)


def _scattered(word: str, title: str) -> tuple[float, list[Span]] | None:
    """The letters of `word` in their order, from where a word begins: "stgs" for "settings"."""
    if len(word) < 3 or not word.isascii():
        return None
    spans: list[Span] = []
    at = 0
    for letter in word:
        at = title.find(letter, at)
        if at < 0 or (not spans and at and title[at - 1].isalnum()):
            return None
        spans.append((at, at + 1))
        at += 1
    is_near = spans[-1][1] - spans[0][0] <= 3 * len(word)
    return (0.5, spans) if is_near else None


def _merged(spans: Iterable[Span]) -> Iterator[Span]:
    start = end = -1
    for first, last in sorted(spans):
        if first > end:
            if end > start:
                yield start, end
            start, end = first, last
        else:
            end = max(end, last)
    if end > start:
        yield start, end


def matching(typed: str, options: Iterable[Option], most: int) -> tuple[Option, ...]:
    """The best of `options`, best first; as they come where nothing is typed."""
    words = Typed(typed)
    if not words.words:
        return tuple(option for option, _ in zip(options, range(most), strict=False))
    scored = [(found, option) for option in options if (found := words.score(option))]
    scored.sort(key=lambda pair: -pair[0][0])
    return tuple(replace(option, marks=found[1]) for found, option in scored[:most])


def palette_rows(
    typed: str, options: Sequence[Option], found: Sequence[Found], *, everything: Option
) -> tuple[Row, ...]:
    """The sections that have anything, each under its caption; what goes best with the words comes first."""
    rows: list[Row] = []
    is_typed = bool(typed.strip())
    for kind in (Kind.CHAT, Kind.COMMAND, Kind.SETTING):
        most = (MOST_CHATS if kind is Kind.CHAT else MOST_OPTIONS) if is_typed else MOST_RECENT
        if not is_typed and kind is not Kind.CHAT:
            continue
        chosen = matching(typed, (option for option in options if option.kind is kind), most)
        if chosen:
            rows += [Caption(kind=kind), *chosen]
    if found:
        rows.append(Caption(kind=Kind.MESSAGE))
        rows += [message(item) for item in found]
    return (*rows, everything) if is_typed else tuple(rows)


def message(found: Found) -> Option:
    return Option(kind=Kind.MESSAGE, id=found.entry_id, title=found.title, found=found)


def neighbour(rows: Sequence[Row], at: int, by: int) -> int:
    """The row `by` options on from row `at`, round the ends; -1: there is none."""
    places = [n for n, row in enumerate(rows) if isinstance(row, Option)]
    if not places:
        return -1
    if at not in places:
        return places[0 if by > 0 else -1]
    return places[(places.index(at) + by) % len(places)]
