"""Originals read in pieces: ranges of lines and what a pattern finds, never more than a call may bring (C27).

Lines are 1-based and both ends of a range count. A line over 2,000 characters counts as several, so that a
file of one endless line can be read as well.
"""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

import regex

from app.vault.address import Address

LONGEST_LINE = 2_000
MOST_LINES = 400
MOST_TOKENS = 4_000
_CONTEXT_LINES = 2
_LINE_S = 0.05
_SEARCH_S = 1.0
"""A pattern that takes longer on one line, or on all, is looked for letter by letter."""
_MOST_MATCHES = 50
"""Of one line."""
_RANGE = re.compile(
    r"\s*(?:(?P<first>\d+)\s*:\s*(?P<last>\d+)?|:?-(?P<newest>\d+)\s*:?|:(?P<until>\d+)|(?P<one>\d+))\s*"
)

Count = Callable[[str], int]
"""Tokens of a text, exact or estimated: the caller's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one call brings."""

    text: str
    first: int
    """Number of the first line shown; 0: none is."""
    last: int
    n_lines: int
    """Of the whole original."""
    n_found: int | None = None
    """Lines that the pattern matched, shown or not; None: none was asked for."""
    hint: str = ""
    """How to read on, or what was wrong with the question; empty: all that was asked for is here."""

    def __str__(self) -> str:
        return "\n".join(filter(None, (self.text, self.hint)))


def numbered_lines(text: str) -> list[str]:
    """`text` as the lines that are counted here; joined with what ends them they are the text."""
    found: list[str] = []
    for line in text.split("\n"):
        pieces = range(0, max(len(line), 1), LONGEST_LINE)
        found.extend(line[at : at + LONGEST_LINE] for at in pieces)
    return found


def read_range(
    text: str,
    line_range: str = "",
    *,
    count: Count,
    most_lines: int = MOST_LINES,
    most_tokens: int = MOST_TOKENS,
) -> Reading:
    """Lines of `text`: "100:200", "100:", "-50:" (the last fifty), ":20", "7"; all from the first where empty."""
    lines = numbered_lines(text)
    wanted = _bounds(line_range, len(lines))
    if wanted is None:
        hint = (
            f"[{line_range!r} is no range of lines; write 100:200, 100: or -50:. There are {len(lines):,}.]"
        )
        return Reading(text="", first=0, last=0, n_lines=len(lines), hint=hint)
    first, last = wanted
    shown = _fitting(lines[first - 1 : last], count, most_lines, most_tokens)
    end = first + len(shown) - 1
    body = "\n".join(shown)
    hint = ""
    if end < last:
        hint = f'[lines {first:,}–{end:,} of {len(lines):,}; read on with line_range "{end + 1}:{last}"]'
    return Reading(text=body, first=first, last=end, n_lines=len(lines), hint=hint)


def read_pattern(text: str, pattern: str, line_range: str = "", *, count: Count) -> Reading:
    """Lines of `text` in which `pattern` is found, each with its number and two lines around it.

    Of more than a call may bring, those with the rarest of what it found come first, so that an alternation of
    the words of a question leads to the answer (Q12). Case never matters. A pattern that is none, or takes too
    long, is looked for letter by letter.
    """
    lines = numbered_lines(text)
    bounds = _bounds(line_range, len(lines)) or (1, 0)
    found = _matches(lines, range(bounds[0], bounds[1] + 1), pattern)
    n_lines_with = Counter(match for matches in found.values() for match in matches)
    scores = {number: sum(1 / n_lines_with[match] for match in found[number]) for number in found}
    ranked = sorted(scores, key=lambda number: (-scores[number], number))
    return _shown_hits(lines, ranked, count)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Where a question is best asked."""

    address: Address
    line_range: str
    pattern: str
    """The words by which it was found: `read_pattern` with it brings the same lines."""


def lines_shown(shown: str, line_range: str, pattern: str, *, n_lines: int) -> tuple[tuple[int, int], ...]:
    """First and last of each stretch of lines that a reading brought, by its text and what was asked for.

    Args:
        shown: `str(reading)`.
        n_lines: Of the whole original.
    """
    if pattern:
        numbers = [int(found[1]) for found in _NUMBERED.finditer(shown)]
        starts = [at for at, n in enumerate(numbers) if not at or n != numbers[at - 1] + 1]
        ends = [*(at - 1 for at in starts[1:]), len(numbers) - 1]
        return tuple((numbers[start], numbers[end]) for start, end in zip(starts, ends, strict=False))
    if cut := _CUT.search(shown[-_HINT_CHARS:]):
        first, last = (int(number.replace(",", "")) for number in cut.groups())
        return ((first, last),)
    bounds = _bounds(line_range, n_lines)
    return (bounds,) if bounds else ()


_NUMBERED = re.compile(r"^(\d+): ", re.MULTILINE)
_CUT = re.compile(r"\[lines ([\d,]+)–([\d,]+) of ")
_HINT_CHARS = 200


def search_originals(
    question: str, originals: Iterable[tuple[Address, str]], *, count: Count
) -> Found | None:
    """The original, and the lines of it, that share most with a question; None: none shares a word."""
    words = question_words(question)
    texts = [(where, text, text.lower()) for where, text in originals] if words else []
    n_texts_with = Counter(word for _, _, lower in texts for word in words if word in lower)
    best = max(
        texts, key=lambda item: sum(1 / n_texts_with[word] for word in words if word in item[2]), default=None
    )
    if best is None or not n_texts_with:
        return None
    where, text, _ = best
    pattern = "|".join(map(regex.escape, words))
    reading = read_pattern(text, pattern, count=count)
    return Found(address=where, line_range=f"{reading.first}:{reading.last}", pattern=pattern)


def question_words(question: str) -> tuple[str, ...]:
    """The words by which an answer is looked for, in lower case; Chinese as pairs of characters."""
    found = dict.fromkeys(word.lower() for word in _WORDS.findall(question) if word.lower() not in _SMALL)
    for run in _HAN.findall(question):
        found |= dict.fromkeys(run[at : at + 2] for at in range(max(len(run) - 1, 1)))
    return tuple(found)


_HAN = re.compile(r"[\u3400-\u9fff]+")
_WORDS = re.compile(r"[^\W\u3400-\u9fff](?:[\w./:@#%+-]*[^\W\u3400-\u9fff])?")
_SMALL = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be by did do does for from had has have how i in is it of on or our that the their "
        "this to was we were what when where which who why will with you your",
    )
)


def _bounds(line_range: str, n_lines: int) -> tuple[int, int] | None:
    """First and last line, within what there is; None where it is no range or nothing lies in it."""
    if not line_range.strip():
        return 1, n_lines
    found = _RANGE.fullmatch(line_range)
    if not found:
        return None
    if found["newest"]:
        first, last = n_lines - int(found["newest"]) + 1, n_lines
    elif found["one"]:
        first = last = int(found["one"])
    elif found["until"]:
        first, last = 1, int(found["until"])
    else:
        first, last = int(found["first"]), int(found["last"] or n_lines)
    first, last = max(first, 1), min(last, n_lines)
    return (first, last) if first <= last else None


def _fitting(lines: Sequence[str], count: Count, most_lines: int, most_tokens: int) -> Sequence[str]:
    """As many of the first lines as a call may bring, one in any case."""
    shown = lines[:most_lines]
    while len(shown) > 1 and (n_tokens := count("\n".join(shown))) > most_tokens:
        shown = shown[: max(1, min(len(shown) - 1, len(shown) * most_tokens // n_tokens))]
    return shown


def _matches(lines: Sequence[str], numbers: range, pattern: str) -> dict[int, set[str]]:
    """What the pattern found, in lower case, by line number."""
    ends_at_s = time.perf_counter() + _SEARCH_S
    found: dict[int, set[str]] = {}
    try:
        compiled = regex.compile(pattern, regex.IGNORECASE)
        for number in numbers:
            left_s = max(1e-6, min(_LINE_S, ends_at_s - time.perf_counter()))
            matches = compiled.finditer(lines[number - 1], timeout=left_s)
            if texts := {match[0].lower() for match in islice(matches, _MOST_MATCHES)}:
                found[number] = texts
    except (regex.error, TimeoutError):
        plain = pattern.lower()
        return {number: {plain} for number in numbers if plain in lines[number - 1].lower()}
    return found


def _shown_hits(lines: Sequence[str], ranked: Sequence[int], count: Count) -> Reading:
    """Lines around `ranked`, the first of these first as long as there is room; shown in their own order."""
    if not ranked:
        hint = f"[nothing found in {len(lines):,} lines]"
        return Reading(text="", first=0, last=0, n_lines=len(lines), n_found=0, hint=hint)
    chosen: set[int] = set()
    n_tokens = n_shown = 0
    for hit in ranked:
        around = range(max(1, hit - _CONTEXT_LINES), min(len(lines), hit + _CONTEXT_LINES) + 1)
        new = [number for number in around if number not in chosen]
        cost = count("\n".join(f"{number}: {lines[number - 1]}" for number in new)) + 2 if new else 0
        if chosen and (n_tokens + cost > MOST_TOKENS or len(chosen) + len(new) > MOST_LINES):
            break
        chosen.update(new)
        n_tokens += cost
        n_shown += 1
    numbers = sorted(chosen)
    pieces: list[str] = []
    for before, number in zip((numbers[0], *numbers), numbers, strict=False):
        if number > before + 1:
            pieces.append("…")
        pieces.append(f"{number}: {lines[number - 1]}")
    left = len(ranked) - n_shown
    hint = (
        f"[{left:,} more of {len(ranked):,} lines match; narrow the pattern or give a line_range]"
        if left
        else ""
    )
    return Reading(
        text="\n".join(pieces),
        first=numbers[0],
        last=numbers[-1],
        n_lines=len(lines),
        n_found=len(ranked),
        hint=hint,
    )
