"""What a text says, in units: lines, sentences, JSON leaves, each with its rare values and about what it costs.

Rare and exact is what can't be said again from memory: ids, hashes, paths, dates, money, names. A unit is never
a value without its key. No model and no format is needed, so this stands behind every summary too (C18, C25).
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from math import fsum, log2
from sys import intern

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


class Sayings:
    """What texts say, found once: files that are read again, and what tools repeat, are most of a long session."""

    def __init__(self) -> None:
        self.units = _Units()
        """Of each text that was asked for, as `units_of`."""
        self.words = _Words()
        """Of each text or unit, as `words_of`; equal words are one object."""
        self.shapes = _Shapes()

    def keep(self, texts: Collection[str]) -> None:
        """Forget all but these; whoever holds what was found before has it still."""
        units, words = _Units(), _Words()
        for text in texts:
            if text in self.units:
                units[text] = self.units[text]
        for text in chain(texts, *units.values()):
            if text in self.words:
                words[text] = self.words[text]
        self.units, self.words, self.shapes = units, words, _Shapes()


class _Units(dict[str, tuple[str, ...]]):
    def __missing__(self, text: str) -> tuple[str, ...]:
        found = self[text] = tuple(units_of(text))
        return found


class _Words(dict[str, tuple[str, ...]]):
    def __missing__(self, text: str) -> tuple[str, ...]:
        found = self[text] = tuple(map(intern, words_of(text)))
        return found


class _Shapes(dict[str, float]):
    def __missing__(self, word: str) -> float:
        found = self[word] = _shape(word)
        return found


def weights(
    counts: Mapping[str, int], used_again: Collection[str] = (), shapes: Mapping[str, float] | None = None
) -> dict[str, float]:
    """How much each word of a transcript says, by its looks and by how rarely it occurs.

    Args:
        counts: How often each occurs.
        used_again: Those that a tool was called with; worth twice where they came from elsewhere.
        shapes: Of words, by their looks, as `Sayings` has them.
    """
    shape = (_Shapes() if shapes is None else shapes).__getitem__
    found = {word: shape(word) if n == 1 else shape(word) / n**_COMMON for word, n in counts.items()}
    for word in used_again:
        if counts.get(word, 0) > 1:
            found[word] *= 2
    return found


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
    has_han = not text.isascii() and _HAN.search(text)
    for line in map(str.rstrip, text.split("\n")):
        if len(line) <= _LONG_HAN_LINE or (len(line) <= _LONG_LINE and not (has_han and _HAN.search(line))):
            if line:
                found.append(line)
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


_JSON_WORDS = {None: "null", True: "true", False: "false"}


def _scalar(value: JsonValue) -> str:
    if value is None or isinstance(value, bool):
        return _JSON_WORDS[value]
    return value if isinstance(value, str) else repr(value)


def ranked(
    units: Sequence[str],
    shares: Sequence[float],
    words: Mapping[str, Collection[str]],
    weight: Mapping[str, float],
    *,
    covered: Collection[str] = (),
    terms: Collection[str] = (),
) -> Iterator[int]:
    """Indices of `units`, the one that says most for its tokens first; each value counts once.

    Lazily greedy: units wait in buckets by worth, and sink to a lower one when what they say was said meanwhile.
    Equal ones come newest first. A text that stands in many places is looked at once.

    Args:
        shares: What each unit's worth is taken times: more for the newer, less for those that take many tokens.
        words: Of each text among `units`.
        weight: Of each word.
    """
    told = _TELLING.union(terms)
    rare = {word: worth for word, worth in weight.items() if worth >= _LEAST}
    known = set(rare).intersection(covered)
    for word in known:
        rare[word] *= _COVERED
    said_by = frozenset(rare).intersection
    worth_of = rare.__getitem__
    lines: dict[str, _Line] = {}
    worths: dict[str, float] = {}
    for text in dict.fromkeys(units):
        said = words[text]
        factor = 1.0 if told.isdisjoint(said) else _TELLING_FACTOR
        these = tuple(said_by(said))
        lines[text] = these, factor
        worths[text] = factor * fsum(map(worth_of, these))  # the order of a set is another one in each run
    buckets: list[list[int]] = [[] for _ in range(_BUCKETS)]
    for at, (text, share) in enumerate(zip(units, shares, strict=True)):
        buckets[_bucket(worths[text] * share)].append(at)
    for level in range(_BUCKETS - 1, -1, -1):
        for at in reversed(buckets[level]):
            these, factor = lines[units[at]]
            if not known.isdisjoint(these):
                now = _bucket(factor * fsum(map(worth_of, these)) * shares[at])
                if now < level:
                    buckets[now].append(at)
                    continue
            for word in these:
                if word not in known:
                    known.add(word)
                    rare[word] *= _COVERED
            yield at


_Line = tuple[tuple[str, ...], float]
"""The words of a text that are worth something, and what their worth is taken times."""


def _bucket(worth: float) -> int:
    if worth <= _LOWEST:
        return 0
    return int(40 + 8 * log2(worth)) if worth < _HIGHEST else _BUCKETS - 1


_LOWEST, _HIGHEST = 2**-5, 2 ** ((_BUCKETS - 41) / 8)
"""Where the first bucket ends and the last one begins."""
