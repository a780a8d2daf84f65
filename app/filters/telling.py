"""What a text says, in units: lines, sentences, JSON leaves, each with its rare values and about what it costs.

Rare and exact is what can't be said again from memory: ids, hashes, paths, dates, money, names. A unit is never
a value without its key. No model and no format is needed, so this stands behind every summary too (C18, C25).
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice
from math import log2
from typing import NamedTuple

from pydantic import JsonValue

GAP = "…"
_LONG_LINE, _LONG_HAN_LINE = 180, 40
_ROW_CHARS = 140
_WORD = re.compile(r"(?:[$€£¥](?:\d{1,3},)*)?\w(?:[\w.:/@%&?~+#-]*\w)?%?")
_HAN_WORD = re.compile(
    r"《[^》\n]{1,30}》|“[^”\n]{1,40}”|[^\W\u3400-\u9fff](?:[\w.:/$€£¥%@#+-]*[^\W\u3400-\u9fff])?[\u3400-\u9fff]?|[\u3400-\u9fff]+"
)
_NUMBERED = re.compile(r"\s*\d+(?:\t|→|:(?: {2}|\t))")
"""A listing's line number is rare, and says nothing."""
_HAN = re.compile(r"[\u3400-\u9fff]")
_SEGMENT = re.compile(
    r"\s*(?:.{1,160}?(?:[.!?](?=\s)|[。！？；](?!”))|.{80,160}?(?:[,;:)}\]，](?=\s)|[，、])|.{1,160}(?=\s|$)|.{1,160})"
)
_TELLING_WORDS = (
    "error errors fail failed fails failure fatal panic exception traceback warn warning warnings denied timeout passed "
    "total must never always only decided agreed because instead don't"
)
_TELLING = frozenset(
    f"{_TELLING_WORDS} {_TELLING_WORDS.upper()} {_TELLING_WORDS.title()} 错误 失败 警告 异常 必须 不要 禁止 决定 合计 不得 只能 "
    "务必 确认 Error: ERROR: Traceback".split()
)
_TELLING_FACTOR = 1.25
_COMMON = 1.5
"""How fast a word says less, the more often it occurs."""
_COVERED = 0.1
"""What a value counts that stands in the context already."""
_LEAST = 0.02
"""What a word must be worth to be looked at."""
_BUCKETS = 80
SLICE, WORDS = 150, 1_000
"""So many units, or words by themselves, take about 1 ms."""


class Unit(NamedTuple):
    """A line or less, with its words; of plain values only, which the garbage collector needn't follow."""

    text: str
    words: tuple[str, ...]
    owner: int
    """Which of the caller's texts it is from."""
    factor: float
    """Times its worth."""
    tokens: float
    """About, with the end of its line."""


def weights(counts: Mapping[str, int], used_again: Collection[str] = ()) -> Iterator[dict[str, float]]:
    """How much each word of a transcript says, by its looks and by how rarely it occurs; in slices.

    Args:
        counts: How often each occurs.
        used_again: Those that a tool was called with; worth twice where they came from elsewhere.
    """
    words = iter(counts.items())
    while some := tuple(islice(words, WORDS)):
        yield {
            word: _shape(word) / n**_COMMON * (2 if n > 1 and word in used_again else 1) for word, n in some
        }


def _shape(word: str) -> float:
    """How exact a word is by its looks."""
    n = len(word)
    if word.isascii():
        if word.isalpha():
            if n < 3:
                return 0.05
            if word.islower():
                return 0.4
            if word[1:].islower() or word.isupper():
                return 0.9
            return 1.5
        if word.isdigit():
            return 0.5 if n < 3 else 1.0 if n < 4 else 1.6
        if "/" in word or "." in word or word[0] == "$" or word[-1] == "%":
            return 2.5
        if any(character.isdigit() for character in word):
            return 1.8
        return 1.5 if "_" in word or "-" in word else 0.8
    if word[0] in "《“":
        return 3.0
    return 0.35 if _HAN.match(word) else 1.2


def words_of(text: str) -> list[str]:
    """The words of a text as they are counted; Chinese as pairs, and as what stands between its quotes."""
    if numbered := _NUMBERED.match(text):
        text = text[numbered.end() :]
    if text.isascii() or not _HAN.search(text):
        return _WORD.findall(text)
    found: list[str] = []
    for word in _HAN_WORD.findall(text):
        if _HAN.match(word):
            found.extend(word[i : i + 2] for i in range(len(word) - 1)) if len(word) > 2 else found.append(
                word
            )
        else:
            found.append(word)
    return found


def units_of(text: str) -> list[str]:
    """`text` cut into what can be kept or left: JSON by leaf or small row, else by line, long lines by sentence."""
    if text[:1] in "{[" or text[:40].lstrip()[:1] in ("{", "["):
        try:
            value: JsonValue = json.loads(text)
        except (ValueError, RecursionError):
            pass
        else:
            if isinstance(value, dict | list):
                return list(_leaves(value, ""))
    found: list[str] = []
    for line in text.split("\n"):
        if len(line) <= (_LONG_LINE if line.isascii() or not _HAN.search(line) else _LONG_HAN_LINE):
            if line and not line.isspace():
                found.append(line.rstrip())
        else:
            found.extend(piece.strip() for piece in _SEGMENT.findall(line) if piece.strip())
    return found


def _leaves(value: JsonValue, key: str) -> Iterator[str]:
    match value:
        case dict() if value:
            yield from _rows(value, key)
            for name, item in value.items():
                if not _is_short(item):
                    yield from _leaves(item, name)
        case list() if value:
            line = f"{key}: {', '.join(map(_scalar, value))}" if all(map(_is_short, value)) else ""
            if line and len(line) <= _ROW_CHARS:
                yield line
                return
            for item in value:
                yield from _leaves(item, key)
        case str() if not _is_short(value):
            for at, piece in enumerate(units_of(value)):
                yield piece if at else f"{key}: {piece}"
        case _:
            yield f"{key}: {_scalar(value)}"


def _rows(value: dict[str, JsonValue], key: str) -> Iterator[str]:
    """What an object says of itself stays together, as far as it fits a line: a price without its name is no fact."""
    line = f"{key}: " if key else ""
    start = len(line)
    for name, item in value.items():
        if not _is_short(item):
            continue
        field = f"{name}: {_scalar(item)}"
        if len(line) > start and len(line) + len(field) > _ROW_CHARS:
            yield line
            line, start = "", 0
        line = f"{line}, {field}" if len(line) > start else f"{line}{field}"
    if len(line) > start:
        yield line


def _is_short(value: JsonValue) -> bool:
    """Whether a value fits into a row."""
    if isinstance(value, str):
        return len(value) <= _ROW_CHARS and "\n" not in value
    return not (isinstance(value, dict | list) and value)


def _scalar(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def ranked(
    units: Sequence[Unit],
    weight: Mapping[str, float],
    *,
    covered: Collection[str] = (),
    terms: Collection[str] = (),
) -> Iterator[list[int]]:
    """Indices of `units` in slices, the one that says most for its tokens first; each value counts once.

    Lazily greedy: units wait in buckets by worth, and sink to a lower one when what they say was said meanwhile.
    Equal ones come newest first. Empty slices come while the units are looked at.

    Args:
        weight: Of every word of the units.
    """
    known = set(covered)
    told = _TELLING.union(terms)
    weigh = weight.__getitem__
    rare = frozenset(word for word, worth in weight.items() if worth >= _LEAST)
    values: list[tuple[str, ...]] = []
    factors: list[float] = []
    buckets: list[list[int]] = [[] for _ in range(_BUCKETS)]
    for at, unit in enumerate(units):
        words = tuple(rare.intersection(unit.words))
        factor = unit.factor / unit.tokens * (1.0 if told.isdisjoint(unit.words) else _TELLING_FACTOR)
        values.append(words)
        factors.append(factor)
        buckets[_bucket(words, factor, weigh, known)].append(at)
        if not at % SLICE:
            yield []
    found: list[int] = []
    for level in range(_BUCKETS - 1, -1, -1):
        for at in reversed(buckets[level]):
            words = values[at]
            if not known.isdisjoint(words):
                now = _bucket(words, factors[at], weigh, known)
                if now < level:
                    buckets[now].append(at)
                    continue
            known.update(words)
            found.append(at)
            if len(found) == SLICE:
                yield found
                found = []
    yield found


def _bucket(words: tuple[str, ...], factor: float, weight: Callable[[str], float], known: set[str]) -> int:
    if not words:
        return 0
    score = sum(map(weight, words))
    if not known.isdisjoint(words):
        score -= (1 - _COVERED) * sum(map(weight, known.intersection(words)))
    worth = factor * score
    return max(0, min(_BUCKETS - 1, int(40 + 8 * log2(worth)))) if worth > 0 else 0
