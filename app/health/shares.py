"""How much of what a request says is new, repeats what was said, or is stale (A18); by tokens, of the texts that stand."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.core.entries import Entry, Origin
from app.core.parts import Part, ToolResultPart, body_of
from app.health.standing import CountOf

STALE_TURNS = 20
_SHINGLE = 8
_SAME = 0.9
_WORD = re.compile(r"\w+|[^\w\s]")
_NAME = re.compile(r"[\w./-]*[./_\d-][\w./-]*")
"""Paths, ids and names with a sign in them."""


class Shares(NamedTuple):
    """By tokens; None: there are none of which it would be a share."""

    new: float | None = None
    repeated: float | None = None
    stale: float | None = None


@dataclass(slots=True)
class _Sums:
    whole: float = 0.0
    new: float = 0.0
    results: float = 0.0
    repeated: float = 0.0


@dataclass(frozen=True, slots=True)
class _Said:
    turn: int
    tokens: int
    names: frozenset[int]


def shares_of(shown: Iterable[tuple[Entry, Sequence[Part]]], count: CountOf) -> Shares:
    """How much of what a request says is new, repeats and is stale.

    Half a second for 200,000 tokens, and 15 MB meanwhile: for whoever wants to see it.

    Args:
        shown: Entries of the shown branch with those of their parts that stand.
    """
    sums, n_turns = _Sums(), 0
    seen: set[int] = set()
    of_results: set[int] = set()
    last_use: dict[int, int] = {}
    said: list[_Said] = []
    for entry, parts in shown:
        n_turns += entry.origin is Origin.USER
        for part in parts:
            body = body_of(part)
            if not isinstance(body, str) or not body:
                continue
            tokens = count(part).tokens
            shingles = set(_shingles(body))
            sums.whole += tokens
            sums.new += tokens * _new_share(body, seen)
            if isinstance(part, ToolResultPart):
                sums.results += tokens
                sums.repeated += tokens * (len(shingles & of_results) >= _SAME * len(shingles) > 0)
                of_results |= shingles
            seen |= shingles
            names = frozenset(map(hash, _NAME.findall(body)))
            last_use.update(dict.fromkeys(names, n_turns))
            said.append(_Said(n_turns, tokens, names))
    stale = sum(
        item.tokens
        for item in said
        if n_turns - item.turn > STALE_TURNS and all(last_use[name] <= item.turn for name in item.names)
    )
    return Shares(
        new=sums.new / sums.whole if sums.whole else None,
        repeated=sums.repeated / sums.results if sums.results else None,
        stale=stale / sums.whole if sums.whole else None,
    )


def _new_share(body: str, seen: Collection[int]) -> float:
    """Of the characters, those in lines with a shingle that was not seen before."""
    lines = [line for line in body.splitlines() if line.strip()]
    new = sum(len(line) for line in lines if any(found not in seen for found in _shingles(line)))
    return new / sum(map(len, lines)) if lines else 0.0


def _shingles(text: str) -> Iterator[int]:
    words = _WORD.findall(text)
    if len(words) < _SHINGLE:
        if words:
            yield hash(tuple(words))
        return
    for at in range(len(words) - _SHINGLE + 1):
        yield hash(tuple(words[at : at + _SHINGLE]))
