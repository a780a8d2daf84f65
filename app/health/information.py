"""What the texts of a context are worth: new, said before, or not spoken of any more (A18)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SHINGLE = 8
"""Tokens in a row that are looked for again."""
LOW = 0.5
_SAME = 0.9
_OLD_TURNS = 20
_TOKEN = re.compile(r"[\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af]|\w+|[^\w\s]")
_NAME = re.compile(r"[\w.-]*[/\\_.\d][\w./\\-]*\w|\b[A-Z][a-z]+[A-Z]\w*")
"""Paths, ids and names: words with a slash, a dot, a digit or a hump in them."""

_Shingles = frozenset[tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A text as the model sees it."""

    text: str
    turn: int
    """Counted from 1."""
    is_result: bool = False
    """A tool's."""
    is_pinned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Information:
    """Shares of tokens, 0 to 1; None: there is nothing to judge."""

    effective: float | None = None
    """In lines that are neither boilerplate nor said before; below `LOW` it is little."""
    repeated: float | None = None
    """Of results of tools: in those that say nearly what an earlier one did."""
    stale: float | None = None
    """Older than 20 turns, not pinned, and none of its names spoken of since."""


def information_of(said: Sequence[Said], noise: re.Pattern[str]) -> Information:
    """Linear in the texts but for results, each of which is compared with those that share a shingle with it."""
    tokens = [_TOKEN.findall(item.text) for item in said]
    n_all = sum(map(len, tokens))
    if not n_all:
        return Information()
    results = [found for item, found in zip(said, tokens, strict=True) if item.is_result]
    n_results = sum(map(len, results))
    return Information(
        effective=_n_effective(said, noise) / n_all,
        repeated=_n_repeated(results) / n_results if n_results else None,
        stale=_n_stale(said, [len(found) for found in tokens]) / n_all,
    )


def noise_of(patterns: Iterable[str]) -> re.Pattern[str]:
    """One pattern for whole lines of all of `patterns`."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


def _n_effective(said: Sequence[Said], noise: re.Pattern[str]) -> int:
    seen: set[tuple[str, ...]] = set()
    n_tokens = 0
    for item in said:
        for line in item.text.splitlines():
            found = _TOKEN.findall(line)
            shingles = _shingles(found)
            n_new = len(shingles - seen)
            seen |= shingles
            if n_new * 2 > len(shingles) and not noise.fullmatch(line):
                n_tokens += len(found)
    return n_tokens


def _n_repeated(results: Sequence[Sequence[str]]) -> int:
    holders: dict[tuple[str, ...], list[int]] = {}
    n_tokens = 0
    for at, tokens in enumerate(results):
        shingles, shared = _shingles(tokens), dict[int, int]()
        for shingle in shingles:
            for earlier in holders.get(shingle, ()):
                shared[earlier] = shared.get(earlier, 0) + 1
            holders.setdefault(shingle, []).append(at)
        if shingles and max(shared.values(), default=0) >= _SAME * len(shingles):
            n_tokens += len(tokens)
    return n_tokens


def _n_stale(said: Sequence[Said], n_tokens: Sequence[int]) -> int:
    newest = max(item.turn for item in said)
    last_named: dict[str, int] = {}
    names = [frozenset(_NAME.findall(item.text)) for item in said]
    for item, found in zip(said, names, strict=True):
        for name in found:
            last_named[name] = max(item.turn, last_named.get(name, 0))
    return sum(
        n
        for item, found, n in zip(said, names, n_tokens, strict=True)
        if newest - item.turn > _OLD_TURNS
        and not item.is_pinned
        and all(last_named[name] <= item.turn for name in found)
    )


def _shingles(tokens: Sequence[str]) -> _Shingles:
    """Of fewer tokens than one is long: themselves; of none: none."""
    if len(tokens) <= SHINGLE:
        return frozenset([tuple(tokens)]) if tokens else frozenset()
    return frozenset(tuple(tokens[at : at + SHINGLE]) for at in range(len(tokens) - SHINGLE + 1))
