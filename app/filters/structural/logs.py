"""Logs: levels counted, errors with what stands around them, one of each kind with its count, first and last lines."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from app.filters.filtered import Focus, Reduction
from app.filters.selection import Lines, Rank, Selection, cut
from app.filters.structural.traces import foreign_frames
from app.filters.tells import pattern_of, summaries

_LEVEL = re.compile(
    r"\b(FATAL|CRITICAL|ERROR|ERR|SEVERE|PANIC|WARNING|WARN|NOTICE|INFO|DEBUG|TRACE|VERBOSE)\b|"
    r"[\[<(|=\"](fatal|critical|error|err|severe|panic|warning|warn|notice|info|debug|trace|verbose)\b|"
    r"\"level\": ?\"?(\d0|[a-z]+)|^([EWIFD])\d{4} \d\d:|\" ([1-5]\d\d) (?:\d+|-)|\] ([A-Z])/"
)
_STAMP = re.compile(
    r"^\W{0,3}(?:\d{4}[-/]\d\d[-/]\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d|\d{1,2}[./]\d\d[./]\d{2,4}[ T]\d\d:|"
    r"\d{10,13}\b|[IWEFD]\d{4} \d\d:|\S+ \S+ \S+ \[\d{1,2}/[A-Z][a-z]{2}/\d{4}|\[\d+\.\d+\]|\{\"(?:level|time|ts|timestamp)\")"
)
_PINO = {"10": "TRACE", "20": "DEBUG", "30": "INFO", "40": "WARN", "50": "ERROR", "60": "FATAL"}
_NAMES = {
    "ERR": "ERROR", "WARNING": "WARN", "SEVERE": "ERROR", "CRITICAL": "FATAL", "PANIC": "FATAL", "E": "ERROR",
    "W": "WARN", "I": "INFO", "F": "FATAL", "D": "DEBUG",
}  # fmt: skip
_BAD = frozenset(("ERROR", "FATAL", "5xx"))
_WARN = frozenset(("WARN", "4xx"))
_ENDS = 5
_SEEN_CHARS = 300
_CONTEXT = 2
_SHARE = 0.6
_MOST_KINDS = 60
_MOST_PATTERNS = 20_000
_MOST_TOLD = 4_000


def reduce_log(lines: Lines, focus: Focus) -> Reduction | None:
    """None: too few of its lines begin with a time or name a level."""
    if not _looks_like_log(lines.texts):
        return None
    levels = [_level(text) for text in lines.texts]
    counts = Counter(level for level in levels if level)
    bad = [index for index, level in enumerate(levels) if level in _BAD]
    warned = [index for index, level in enumerate(levels) if level in _WARN]
    if not bad:
        told = lines.having(("exception", "traceback", "panic", "fatal", "error:", "failed"))
        bad = sorted(index for index in told if levels[index] not in _WARN)
    chosen = Selection(lines=lines)
    hits = lines.having(focus.words)
    _kinds(chosen, bad, Rank.MUST)
    _kinds(chosen, warned, Rank.NEAR)
    _follow(chosen, bad, levels)
    if len(bad) <= _MOST_KINDS:
        chosen.around(bad, _CONTEXT, 1, Rank.SHOULD)
    chosen.ends(_ENDS, _ENDS, Rank.NEAR)
    chosen.keep(hits, Rank.SHOULD)
    chosen.keep(summaries(lines) if len(lines) < _MOST_TOLD else (), Rank.SHOULD)
    _kinds(chosen, _others(lines.texts, levels), Rank.MAY)
    if counts:
        told = ", ".join(f"{level} {n:,}" for level, n in sorted(counts.items(), key=lambda pair: -pair[1]))
        chosen.notes.append(f"{len(lines):,} lines: {told}")
    return Reduction(
        kind="log",
        why="A log to its levels' counts, one of each kind of error and warning, and its first and last lines.",
        write=chosen.write,
        ranges=(*lines.ranges("errors", bad), *lines.ranges("lines that match", hits)),
    )


def _looks_like_log(texts: Sequence[str]) -> bool:
    filled = [text for text in _sampled(texts) if text.strip()]
    if len(filled) < 4:
        return False
    marked = sum(bool(_STAMP.match(text) or _LEVEL.search(text, 0, 120)) for text in filled)
    return marked >= _SHARE * len(filled) or (marked >= 0.35 * len(filled) and marked >= 20)


def _sampled(texts: Sequence[str]) -> Sequence[str]:
    return [text[:_SEEN_CHARS] for text in texts[:: max(1, len(texts) // 400)]]


def _level(text: str) -> str:
    match = _LEVEL.search(text, 0, _SEEN_CHARS)
    if match is None:
        return ""
    found = str(match[match.lastindex or 0])
    if match.lastindex == 5:
        return {"4": "4xx", "5": "5xx"}.get(found[0], "2xx" if found[0] == "2" else "3xx")
    found = _PINO.get(found, found.upper())
    return _NAMES.get(found, found)


def _others(texts: Sequence[str], levels: Sequence[str]) -> Iterable[int]:
    """A spread of the ordinary lines: enough to see what kinds there are."""
    ordinary = [i for i, level in enumerate(levels) if level not in _BAD | _WARN and texts[i].strip()]
    return ordinary[:: max(1, len(ordinary) // 500)]


def _kinds(chosen: Selection, indices: Iterable[int], rank: Rank) -> None:
    """The first line of each kind, with how often it comes; the rest are of no use."""
    kinds: dict[str, list[int]] = {}
    texts = chosen.lines.texts
    found = list(indices)
    key = pattern_of if len(found) < _MOST_PATTERNS else _words_of
    for index in found:
        kinds.setdefault(key(texts[index][:_SEEN_CHARS]), []).append(index)
    for first, *more in kinds.values():
        chosen.keep((first,), rank)
        if more and rank is not Rank.MAY:
            last = chosen.lines.rows(more[-1])[0]
            chosen.shown[first] = f"{cut(texts[first].rstrip())}  [×{len(more) + 1:,}, last at line {last}]"


def _words_of(text: str) -> str:
    """A coarse, quick pattern: the plain words."""
    return " ".join(word for word in text.split() if word.isalpha())


def _follow(chosen: Selection, bad: Sequence[int], levels: Sequence[str]) -> None:
    """What belongs to an error and has no time of its own: its trace, without libraries' frames."""
    texts = chosen.lines.texts
    foreign = foreign_frames(chosen.lines) if len(texts) < 20_000 else set[int]()
    for index in bad[:_MOST_TOLD]:
        if index not in chosen.ranks:
            continue
        for below in range(index + 1, min(index + 30, len(texts))):
            if levels[below] or not texts[below].strip() or _STAMP.match(texts[below]):
                break
            if below not in foreign:
                chosen.keep((below,), Rank.NEAR)
