"""The lines of a text that say most: what is rare, exact or wrong stays; what repeats and fills goes.

No model and no format is needed, so this stands behind every other filter (C25, S6).
"""

import re
from collections.abc import Collection, Sequence

_VALUE = re.compile(
    r"https?://\S+|[\w.-]*[/\\][\w./\\-]+|[\w.+-]+@[\w.-]+|\b[0-9a-f]{7,64}\b|"
    r"[$€£¥]?\d[\d.,:%/-]*\w*|\b\w+(?:[._-]\w+)+\b|\b[a-z]+[A-Z]\w*\b|\"[^\"\n]{2,60}\"|'[^'\n]{2,60}'|`[^`\n]{2,60}`"
)
_TELLING = re.compile(
    r"\b(error|errors|failed|failure|fail|fatal|panic|exception|traceback|warning|warn|assert\w*|denied|timeout|"
    r"passed|total|summary|must|never|always|only|decided|because)\b|错误|失败|警告|异常|必须|不要|禁止|决定|合计",
    re.IGNORECASE,
)
_LONGEST_LINE = 400
GAP = "⋯"


def extract(text: str, limit_chars: int, *, terms: Collection[str] = (), seen: set[str] | None = None) -> str:
    """At most about `limit_chars` of `text`: its best lines in their order, gaps marked.

    Args:
        terms: Words of the present question; lines that hold one go first.
        seen: Values that stand elsewhere in the context already; what is chosen here is added.
    """
    if len(text) <= limit_chars:
        return text
    known = seen if seen is not None else set[str]()
    lines = [_cut(line) for line in text.split("\n")]
    chosen = _chosen(lines, limit_chars, tuple(term.lower() for term in terms if term), known)
    pieces: list[str] = []
    last = -1
    for index in chosen:
        if index > last + 1:
            pieces.append(GAP)
        pieces.append(lines[index].rstrip())
        last = index
    if last < len(lines) - 1:
        pieces.append(GAP)
    return "\n".join(pieces)


def _cut(line: str) -> str:
    """Long lines keep their ends: keys stand at the beginning, totals at the end."""
    if len(line) <= _LONGEST_LINE:
        return line
    return f"{line[: _LONGEST_LINE * 2 // 3]} {GAP} {line[-_LONGEST_LINE // 3 :]}"


def _chosen(lines: Sequence[str], limit_chars: int, terms: tuple[str, ...], known: set[str]) -> list[int]:
    values = [set(_VALUE.findall(line)) for line in lines]
    scored: list[tuple[float, int]] = []
    for index, line in enumerate(lines):
        stripped = line.strip()
        if stripped:
            scored.append((_score(stripped, values[index] - known, terms, index, len(lines)), index))
    scored.sort(key=lambda pair: (-pair[0], pair[1]))
    chosen: list[int] = []
    used = 0
    taken = set(known)
    for score, index in scored:
        cost = len(lines[index]) + 2
        if score <= 0 or used + cost > limit_chars:
            continue
        if chosen and not (values[index] - taken) and not _TELLING.search(lines[index]):
            continue  # it says nothing that is not said already
        chosen.append(index)
        taken |= values[index]
        used += cost
    known |= taken
    return sorted(chosen)


def _score(line: str, values: set[str], terms: tuple[str, ...], index: int, n_lines: int) -> float:
    """Distinct values for the room they take, and a bonus for what tells, what is asked, and the ends."""
    score = len(values) / (8 + len(line) / 12)
    if _TELLING.search(line):
        score += 0.25
    lowered = line.lower()
    score += 0.5 * sum(term in lowered for term in terms)
    if index in (0, n_lines - 1):
        score += 0.3
    return score
