"""Tables of columns as ps, kubectl and dpkg print them: header, counts of states, rows that are unwell, the ends."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from app.filters.filtered import Focus, Reduction
from app.filters.selection import GAP, Lines, Rank, Selection
from app.filters.tells import failures, summaries

_HEADER_WORD = re.compile(r"[%A-Z][A-Z%()_/-]*(?: [A-Z]{2,})*|[A-Z][A-Z-]+\([a-z]+\)")
_CELLS = re.compile(r" {2,}|\t+")
_READY = re.compile(r"(?:^|\s)(\d+)/(\d+)(?:\s|$)")
_UNWELL = re.compile(
    r"\b(?:CrashLoopBackOff|ImagePullBackOff|ErrImage\w*|Error|Failed|Evicted|Pending|OOMKilled|Unknown|NotReady|"
    r"Terminating|Init:\S+|ContainerCreating|Exited|Dead|failed|not-found|masked|degraded|unhealthy|Lost|<defunct>|"
    r"SchedulingDisabled|ContainerStatusUnknown|CreateContainerConfigError)\b"
)
_ENDS = 4
_MOST_STATES = 8
_RARE = 0.06
_TOPS = 3
_LONGEST_CELL = 80
_LEAST_ROWS = 5
_MOST_MAY = 500
_MOST_COUNTED = 20_000


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    start: int
    end: int | None

    def of(self, text: str) -> str:
        return text[self.start : self.end].strip()


def reduce_columns(lines: Lines, focus: Focus) -> Reduction | None:
    """None: there is no line of capital headings with rows below it."""
    found = _header(lines.texts)
    if found is None:
        return None
    head, columns = found
    rows = [index for index in range(head + 1, len(lines)) if _is_row(lines.texts[index], columns)]
    if len(rows) < _LEAST_ROWS or len(rows) < 0.6 * sum(
        bool(text.strip()) for text in lines.texts[head + 1 :]
    ):
        return None
    chosen = Selection(lines=lines)
    unwell = {index for index in rows if _is_unwell(lines.texts[index])}
    hits = lines.having(focus.words)
    chosen.keep((*range(head), head), Rank.MUST)
    chosen.keep(unwell, Rank.MUST)
    others = set(range(head, len(lines))) - set(rows)
    chosen.keep(others, Rank.NEAR)
    chosen.keep((failures(lines) | summaries(lines)) & others, Rank.MUST)
    chosen.keep(hits, Rank.NEAR)
    chosen.keep((*rows[:_ENDS], *rows[-_ENDS:]), Rank.SHOULD)
    chosen.keep(rows[:_MOST_MAY], Rank.MAY)
    counted = rows[:: max(1, len(rows) // _MOST_COUNTED)]
    notes = [f"{len(rows):,} rows" + (f", of {len(counted):,} of them" if len(counted) < len(rows) else "")]
    for column in columns:
        cells = {index: column.of(lines.texts[index]) for index in counted}
        notes.extend(_counted(chosen, column, cells))
        _top(chosen, column, cells)
    chosen.notes.append("; ".join(notes))
    for index in {head, *rows} & chosen.ranks.keys():
        chosen.shown[index] = _narrow(lines.texts[index])
    return Reduction(
        kind="columns",
        why="A table to its header, the counts of its states, the rows that are unwell, and its ends.",
        write=chosen.write,
        ranges=(*lines.ranges("rows that are unwell", unwell), *lines.ranges("rows that match", hits)),
    )


def _header(texts: Sequence[str]) -> tuple[int, tuple[_Column, ...]] | None:
    for index, text in enumerate(texts[:12]):
        if text.startswith("||/ "):  # dpkg
            names = list(re.finditer(r"\|\|/|[A-Z]\w*", text))
        else:
            words = text.split()
            if len(words) < 3 or sum(bool(_HEADER_WORD.fullmatch(word)) for word in words) < len(words) * 0.8:
                continue
            names = list(re.finditer(r"\S+(?: [A-Z]+)*", text))
        if len(names) >= 3 or len(text.split()) >= 3:
            starts = [0, *(match.start() for match in names[1:])]
            ends = [*starts[1:], None]
            return index, tuple(
                _Column(match[0], start, end) for match, start, end in zip(names, starts, ends, strict=True)
            )
    return None


def _is_row(text: str, columns: Sequence[_Column]) -> bool:
    return (
        len(text.split()) >= min(3, len(columns))
        and len(text) > columns[-1].start * 0.5
        and not text.startswith("+++-")
    )


def _is_unwell(text: str) -> bool:
    if _UNWELL.search(text) and "Completed" not in text:
        return True
    ready = _READY.search(text[:300])
    return ready is not None and ready[1] != ready[2] and not re.search(r"Completed|Succeeded", text)


def _counted(chosen: Selection, column: _Column, cells: dict[int, str]) -> list[str]:
    """How often each value comes where there are few; a rare one's rows stay."""
    counts = Counter(cells.values())
    if not 1 < len(counts) <= _MOST_STATES or len(cells) < 3 * len(counts) or max(map(len, counts)) > 40:
        return []
    rare = {value for value, n in counts.items() if n <= max(1, _RARE * len(cells))}
    chosen.keep((index for index, value in cells.items() if value in rare), Rank.NEAR)
    told = ", ".join(f"{value or '(empty)'} {n}" for value, n in counts.most_common())
    return [f"{column.name}: {told}"]


def _top(chosen: Selection, column: _Column, cells: dict[int, str]) -> None:
    """The rows that take most, where a column measures something."""
    if not re.search(r"%|CPU|MEM|SIZE|RESTARTS|USE", column.name):
        return
    amounts = {index: _amount(value) for index, value in cells.items()}
    ordered = sorted(amounts, key=lambda index: (-amounts[index], index))
    chosen.keep((index for index in ordered[:_TOPS] if amounts[index] > 0), Rank.NEAR)


_SCALE = {"m": 1e-3, "k": 1e3, "Ki": 1024, "M": 1e6, "Mi": 1024**2, "G": 1e9, "Gi": 1024**3, "%": 1.0}


def _amount(value: str) -> float:
    match = re.match(r"(\d{1,15}(?:\.\d{1,9})?)([A-Za-z%]{0,2})", value)
    return float(match[1]) * _SCALE.get(match[2], 1.0) if match else 0.0


def _narrow(text: str) -> str:
    """Columns by two blanks, and cells nobody reads to the end cut."""
    cells = [
        cell if len(cell) <= _LONGEST_CELL else f"{cell[:_LONGEST_CELL]}{GAP}"
        for cell in _CELLS.split(text.strip())
    ]
    return "  ".join(cells)
