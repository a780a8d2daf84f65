"""The pieces of a text that say most: what is rare, exact or wrong stays; what repeats and fills goes.

No model and no format is needed, so this stands behind every other filter (C25, S6). A piece is a line, or a
sentence of a line that is long; all passes are linear, 100 KB take some milliseconds.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from app.filters.selection import GAP, cut, indices_holding

_VALUE = re.compile(
    r"https?://\S+|[\w.+-]+@[\w.-]+|[$€£¥]?\d[\w.,:%/-]*|\b\w+(?:[._/\\-]\w+)+\b|\b[a-z]+[A-Z]\w*\b|[“「『《][^”」』》\n]{2,60}"
)
_TELLING = (
    "error", "fail", "fatal", "panic", "exception", "traceback", "warn", "assert", "denied", "timeout", "timed out",
    "passed", "total", "summary", "must", "never", "always", "only", "decided", "because", "not found", "cannot",
    "错误", "失败", "警告", "异常", "必须", "不要", "禁止", "决定", "合计",
)  # fmt: skip
_EDGES = ".,;:!?()[]{}<>\"'`*|=·"
_LONG_LINE = 400
_SENTENCE_END = re.compile(r"(?<=[.!?;。！？；])\s*(?=\S)")
_MOST_WORD = 200


class _Piece(NamedTuple):
    text: str
    line: int


def extract(text: str, limit_chars: int, *, terms: Collection[str] = (), seen: set[str] | None = None) -> str:
    """At most about `limit_chars` of `text`: its best pieces in their order, gaps marked.

    Args:
        terms: Words of the present question; pieces that hold one go first.
        seen: Values that stand elsewhere in the context already; what is chosen here is added.
    """
    if len(text) <= limit_chars:
        return text
    known = seen if seen is not None else set[str]()
    pieces = list(_pieces(text))
    return _joined(pieces, _chosen(pieces, limit_chars, terms, known))


def _pieces(text: str) -> Iterator[_Piece]:
    for number, line in enumerate(text.split("\n")):
        stripped = line.rstrip()
        if len(stripped) <= _LONG_LINE:
            yield _Piece(stripped, number)
            continue
        parts = _SENTENCE_END.split(stripped) if "\t" not in stripped else [stripped]
        for part in parts:
            yield _Piece(cut(part), number)


def _joined(pieces: Sequence[_Piece], chosen: Sequence[int]) -> str:
    said = list[str]()
    last = -1
    for index in (*chosen, len(pieces)):
        is_gap = any(piece.text.strip() for piece in pieces[last + 1 : index])
        if index == len(pieces):
            said.append(f"\n{GAP}" if is_gap else "")
        elif last >= 0 and not is_gap and pieces[index].line == pieces[last].line:
            said.append(f" {pieces[index].text}")
        else:
            said.append(f"\n{GAP}\n{pieces[index].text}" if is_gap else f"\n{pieces[index].text}")
        last = index
    return "".join(said).removeprefix("\n")


def _chosen(pieces: Sequence[_Piece], limit_chars: int, terms: Collection[str], known: set[str]) -> list[int]:
    values = [_values(piece.text) for piece in pieces]
    lowered = "\n".join(piece.text for piece in pieces).lower()
    starts = _starts(lowered)
    telling = indices_holding(lowered, starts, _TELLING)
    asked = [indices_holding(lowered, starts, (term.lower(),)) for term in terms if term.strip()]
    scored: list[tuple[float, int]] = []
    for index, piece in enumerate(pieces):
        stripped = piece.text.strip()
        if not stripped:
            continue
        # Distinct values for the room they take, and a bonus for what tells, what is asked, and the ends.
        score = len(values[index] - known) / (8 + len(stripped) / 12)
        score += 0.25 * (index in telling) + 0.5 * sum(index in hits for hits in asked)
        score += 0.3 * (index in (0, len(pieces) - 1))
        scored.append((-score, index))
    scored.sort()
    return _picked(pieces, scored, values, telling, limit_chars, known)


def _picked(
    pieces: Sequence[_Piece],
    scored: Sequence[tuple[float, int]],
    values: Sequence[set[str]],
    telling: set[int],
    limit_chars: int,
    known: set[str],
) -> list[int]:
    chosen, said = list[int](), set[str]()
    used = 0
    taken = set(known)
    for score, index in scored:
        cost = len(pieces[index].text) + 3
        if score >= 0 or used + cost > limit_chars:
            continue
        if (
            chosen
            and not (values[index] - taken)
            and (index not in telling or pieces[index].text.strip() in said)
        ):
            continue  # it says nothing that is not said already
        chosen.append(index)
        said.add(pieces[index].text.strip())
        taken |= values[index]
        used += cost
    known |= taken
    return sorted(chosen)


def _starts(joined: str) -> list[int]:
    found, at = [0], 0
    for line in joined.split("\n"):
        at += len(line) + 1
        found.append(at)
    return found


def _values(text: str) -> set[str]:
    """Words that are no plain words: with a digit, a sign or a capital inside."""
    if not text.isascii():
        return set(_VALUE.findall(text))
    found = set[str]()
    for word in text.split():
        if word.isalpha() and (word.islower() or word.istitle() or word.isupper()):
            continue
        bare = word.strip(_EDGES)
        if (
            len(bare) > 1
            and not (bare.isalpha() and (bare.islower() or bare.istitle()))
            and len(bare) <= _MOST_WORD
        ):
            found.add(bare)
    return found
