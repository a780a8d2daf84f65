"""What a person looks for: words and phrases, as they are found in the index and marked in a text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from app.finding.terms import LONGEST_WORD, WORD_BEGINS, fold, is_word, runs_of

Span = tuple[int, int]
"""From and to, in signs of a text."""

_TYPED = re.compile(r'["“”]([^"“”]+)["“”]?|(\S+)')
_ELLIPSIS = "…"
_BEFORE, _AFTER = 48, 160
"""Signs of a snippet on both sides of where it begins to be about what was looked for."""
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One term of the index that must be there."""

    text: str
    is_begun: bool
    """Whether it may be the beginning of a longer word: the person may still be typing."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Words as they were typed, folded; what stands in quotes is one of them, spaces and all.

    Each must be in a text, in any order.
    """

    words: tuple[str, ...]
    is_anywhere: bool = False
    """Whether they may begin in the middle of a word of the text."""

    @classmethod
    def of(cls, typed: str) -> "Wanted":
        found = (fold((phrase or word).strip()) for phrase, word in _TYPED.findall(typed))
        return cls(words=tuple(dict.fromkeys(filter(None, found))))

    @classmethod
    def literally(cls, typed: str) -> "Wanted":
        """All of it, as it stands there, wherever that is."""
        return cls(words=(fold(typed),) if typed.strip() else (), is_anywhere=True)

    def terms(self) -> tuple[tuple[Term, ...], ...]:
        """What the index must hold for each word; empty where it knows nothing of one, as of "->"."""
        return tuple(tuple(_terms(word)) for word in self.words)

    def is_in(self, folded: str) -> bool:
        return all(pattern.search(folded) for pattern in self._patterns)

    def counts(self, folded: str) -> tuple[int, ...]:
        """How often each word is in a folded text."""
        return tuple(len(pattern.findall(folded)) for pattern in self._patterns)

    def spans(self, folded: str) -> list[Span]:
        """Where any of the words is in a folded text, in order; where two begin together, the longer one."""
        return [found.span() for found in self._any.finditer(folded)] if self.words else []

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(self._pattern(word)) for word in self.words)

    @cached_property
    def _any(self) -> re.Pattern[str]:
        longest_first = sorted(self.words, key=len, reverse=True)
        return re.compile("|".join(map(self._pattern, longest_first)))

    def _pattern(self, word: str) -> str:
        spaced = r"\s+".join(map(re.escape, word.split()))
        return spaced if self.is_anywhere or not is_word(word[0]) else WORD_BEGINS + spaced


def _terms(word: str) -> Iterator[Term]:
    runs = tuple(runs_of(word))
    for run, is_unspaced in runs:
        if not is_unspaced:
            is_begun = word.endswith(run) and run is runs[-1][0] and len(run) > 1
            yield Term(text=run[:LONGEST_WORD], is_begun=is_begun)
        elif len(run) == 1:
            yield Term(text=run, is_begun=False)
        else:
            yield from (Term(text=run[at : at + 2], is_begun=False) for at in range(len(run) - 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """A line of a text, and where in it the words are."""

    text: str
    marks: tuple[Span, ...] = ()


def snippet_of(text: str, folded: str, wanted: Wanted) -> Snippet:
    """The line of `text` around where most of the words stand together."""
    spans = wanted.spans(folded)
    at = max(spans, key=lambda span: _crowd(span, spans, folded))[0] if spans else 0
    start, end = max(0, at - _BEFORE), min(len(text), at + _AFTER)
    if start and (space := _SPACE.search(text, start, at)):
        start = space.end()
    line = _SPACE.sub(" ", text[start:end]).strip()
    line = f"{_ELLIPSIS if start else ''}{line}{_ELLIPSIS if end < len(text) else ''}"
    return Snippet(text=line, marks=tuple(wanted.spans(fold(line))))


def _crowd(span: Span, spans: list[Span], folded: str) -> int:
    """How many different words begin within a snippet that begins here."""
    return len({folded[start:end] for start, end in spans if span[0] <= start < span[0] + _AFTER})
