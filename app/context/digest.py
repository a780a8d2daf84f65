"""What a run of entries says, cut down to its most telling lines: excerpts, stubs and the offline summary's core.

The person's words count most, then what can't be said again from memory (`app/filters/telling.py`). The same items
and the same room give the same text (C8); nothing here asks a model.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from app.context.reading import Item, Shown
from app.core.entries import Entry, Origin
from app.core.parts import (
    Blob,
    Part,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    body_of,
)
from app.filters.telling import GAP, Sayings, ranked, weights

_USER_FACTOR = 2.0
_WORDS_FACTOR = 1.1
_OLDEST_FACTOR = 0.85
_NEWEST_FACTOR = 1.15
_LINE_TOKENS = 1.0
_BRIEF_CHARS = 60
_ATTEMPTS = 8
_NEAR = 0.02


@dataclass(slots=True)
class Passage:
    """A part's text with its units: `units[first:last]` of the reading it is in."""

    item: int
    entry: Entry
    index: int
    part: Part
    tokens: int
    owner: int
    """Its place among the passages."""
    first: int
    last: int


class Telling:
    """The units of a reading, the most telling first.

    Args:
        said: What is known already of texts; what is found is added.
    """

    def __init__(self, said: Sayings | None = None) -> None:
        self.passages: list[Passage] = []
        self.units: list[str] = []
        self.tokens: list[float] = []
        """About, of each unit, with the end of its line."""
        self._shares: list[float] = []
        self._owners: list[int] = []
        self._said = said or Sayings()
        self._spoken: list[str] = []
        self._covered: set[str] = set()
        self._asked: set[str] = set()

    def cover(self, part: Part) -> None:
        """Take in a part that stays as it is: what it says needn't be said again."""
        if body := text_of(part):
            words = self._said.words[body]
            self._spoken += words
            self._covered.update(words)
            if isinstance(part, ToolCallPart):
                self._asked.update(words)

    def add(self, item: int, entry: Entry, index: int, part: Part, *, tokens: int, factor: float) -> Passage:
        """Take in a part that may be cut, which has so many tokens."""
        body = text_of(part)
        first = len(self.units)
        owner = len(self.passages)
        share = tokens / max(len(body), 1)
        if entry.origin is Origin.USER:
            factor *= _USER_FACTOR
        elif isinstance(part, TextPart):
            factor *= _WORDS_FACTOR
        units = self._said.units[body]
        costs = [len(text) * share + _LINE_TOKENS for text in units]
        self.units += units
        self.tokens += costs
        self._shares += [factor / cost for cost in costs]
        self._owners += [owner] * len(units)
        n_spoken = len(self._spoken)
        self._spoken += chain.from_iterable(map(self._said.words.__getitem__, units))
        if isinstance(part, ToolCallPart):
            self._asked.update(self._spoken[n_spoken:])
        passage = Passage(
            item=item,
            entry=entry,
            index=index,
            part=part,
            tokens=tokens,
            owner=owner,
            first=first,
            last=len(self.units),
        )
        self.passages.append(passage)
        return passage

    def ranked(self, terms: Collection[str]) -> Iterator[int]:
        """Indices of the units."""
        weight = weights(Counter(self._spoken), self._asked, self._said.shapes)
        return ranked(self.units, self._shares, self._said.words, weight, covered=self._covered, terms=terms)

    def best(self, order: Iterable[int], room: float) -> "Choice":
        """The first of `order` that fit into about `room` tokens."""
        kept = bytearray(len(self.units))
        tokens = [0.0] * len(self.passages)
        for at in order:
            room -= self.tokens[at]
            if room < 0:
                break
            kept[at] = 1
            tokens[self._owners[at]] += self.tokens[at]
        return Choice(self.units, kept, tokens)


def text_of(part: Part) -> str:
    """What may be cut of a part; empty for reasoning, media and what lies in the vault."""
    if isinstance(part, _TEXTS):
        body = body_of(part)
        return "" if isinstance(body, Blob) else body
    return ""


_TEXTS = (TextPart, ToolCallPart, ToolResultPart)


class Choice:
    """The units kept, and how they read."""

    def __init__(self, units: Sequence[str], kept: bytearray, tokens: Sequence[float]) -> None:
        self._units = units
        self._kept = kept
        self._tokens = tokens

    def tokens(self, passages: Sequence[Passage]) -> float:
        """About so many tokens of these, which follow each other, are kept."""
        return sum(self._tokens[passages[0].owner : passages[-1].owner + 1]) if passages else 0

    def mark(self, first: int, last: int) -> bytes:
        """The same for two choices that keep the same of these units."""
        return bytes(self._kept[first:last])

    def lines(self, passage: Passage) -> list[str]:
        return [self._units[at] for at in range(passage.first, passage.last) if self._kept[at]]

    def excerpt(self, passage: Passage) -> str:
        """The kept lines of one part, a gap marked where others stood."""
        pieces: list[str] = []
        last = passage.first - 1
        for at in range(passage.first, passage.last):
            if self._kept[at]:
                if at > last + 1:
                    pieces.append(GAP)
                pieces.append(self._units[at])
                last = at
        if last < passage.last - 1:
            pieces.append(GAP)
        return "\n".join(pieces)

    def story(self, passages: Iterable[Passage]) -> list[str]:
        """The kept lines of many parts, each with who said it; parts that nothing is kept of are left out."""
        found: list[str] = []
        calls: dict[str, Passage] = {}
        told = ""
        for passage in passages:
            part = passage.part
            if isinstance(part, ToolCallPart):
                calls[part.call_id] = passage
            lines = self.lines(passage)
            if not lines:
                continue
            match part:
                case ToolCallPart():
                    found.append(f"→ {part.name} {', '.join(line.strip() for line in lines)}")
                    told = part.call_id
                    continue
                case ToolResultPart():
                    call = calls.get(part.call_id)
                    head = "←" if told == part.call_id or call is None else f"← {self._named(call)}:"
                case _:
                    head = "User:" if passage.entry.origin is Origin.USER else "Assistant:"
            found.append(f"{head} {lines[0].lstrip()}")
            found.extend(line.strip() for line in lines[1:])
            told = ""
        return found

    def _named(self, call: Passage) -> str:
        part = call.part
        name = part.name if isinstance(part, ToolCallPart) else ""
        if call.last == call.first:
            return name
        return f"{name} {self._units[call.first][:_BRIEF_CHARS]}"


def digest(
    items: Sequence[Item],
    limit_tokens: int,
    *,
    tokens: Callable[[Part], int],
    terms: Collection[str] = (),
    covered: Iterable[Part] = (),
) -> str:
    """The most telling lines of `items` in at most `limit_tokens`, each with who said it; empty where there is no room.

    Reads what was said, whatever folds show of it now.

    Args:
        tokens: Our count of a part; exact for parts that were counted before.
        terms: Words of the present question.
        covered: Parts that stay in the context beside it, so that they needn't be told again.
    """
    telling = Telling()
    for part in covered:
        telling.cover(part)
    for at, item in enumerate(items):
        age = age_factor(at, len(items))
        for entry, index, part in _said(item):
            telling.add(at, entry, index, part, tokens=tokens(part), factor=age)
    order = list(telling.ranked(terms))

    def at_most(room: float) -> str:
        return "\n".join(telling.best(order, room).story(telling.passages))

    best, low, room, high = "", 0.0, float(limit_tokens), 2.0 * limit_tokens
    for _ in range(_ATTEMPTS):
        text = at_most(room)
        used = tokens(TextPart(text=text)) if text else 0
        if used <= limit_tokens:
            best, low = text, room
            if used >= (1 - _NEAR) * limit_tokens:
                break
        else:
            high = room
        room = between(low, high, room * (1 - _NEAR / 3) * limit_tokens / max(used, 1))
    return best


def between(low: float, high: float, guess: float) -> float:
    return guess if low < guess < high else (low + high) / 2


def age_factor(at: int, n: int) -> float:
    """Old goes before new."""
    return _OLDEST_FACTOR + (_NEWEST_FACTOR - _OLDEST_FACTOR) * at / max(n, 1)


def _said(item: Item) -> Iterator[tuple[Entry, int, Part]]:
    for at, entry in enumerate(item.entries):
        if entry.origin in (Origin.SYSTEM, Origin.NOTE):
            continue
        for index, part in enumerate(entry.parts):
            if isinstance(body_of(part), Blob) and isinstance(item, Shown) and index in item.folds[at]:
                shown = item.folds[at][index].replacement  # of what lies in the vault, its filtered text
                yield from ((entry, index, other) for other in shown)
            else:
                yield entry, index, part
