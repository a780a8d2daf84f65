"""How a line looks by its kind: the cells of a table, the colour of a log's line, where what is sought stands."""

import csv
import re
from collections.abc import Iterator, Sequence

from app.vault.kinds import delimiter_of

_LOOKED_AT = 300
_MOST_CHARS, _FEWEST_CHARS, _GAP_CHARS = 40, 3, 2
_LEVELS = (
    (
        re.compile(r"\b(?:ERROR|FATAL|CRITICAL|SEVERE|FAILED|FAIL|PANIC|Traceback|Exception)\b"),
        "critical_text",
    ),
    (re.compile(r"\bWARN(?:ING)?\b"), "warning_text"),
    (re.compile(r"\b(?:DEBUG|TRACE|VERBOSE)\b"), "muted_text"),
    (re.compile(r"\b(?:PASSED|PASS|SUCCESS|BUILD SUCCESSFUL)\b"), "healthy_text"),
)


def log_color(line: str) -> str:
    """Name of the colour that its level has; empty: as any text."""
    head = line[:_LOOKED_AT]
    return next((color for level, color in _LEVELS if level.search(head)), "")


def spans_of(line: str, wanted: str) -> Iterator[tuple[int, int]]:
    """Where `wanted` stands in a line, whatever its case."""
    low, sought = line.lower(), wanted.lower()
    if len(low) != len(line):  # a letter whose small one is two
        low, sought = line, wanted
    at = low.find(sought)
    while at >= 0 and sought:
        yield at, at + len(sought)
        at = low.find(sought, at + len(sought))


class Cells:
    """The columns of a table, by its first lines."""

    def __init__(self, head: Sequence[str]) -> None:
        lines = list(head[:40])
        self._delimiter = delimiter_of(lines) or max(",\t;", key=lines[0].count)
        rows = [self._parted(line) for line in head]
        n_columns = max(map(len, rows))
        self._widths = [
            min(_MOST_CHARS, max(_FEWEST_CHARS, *(len(row[n]) for row in rows if n < len(row)))) + _GAP_CHARS
            for n in range(n_columns)
        ]

    def width_px(self, char_px: float) -> float:
        return sum(self._widths) * char_px

    def of(self, line: str, char_px: float) -> Iterator[tuple[str, float]]:
        """Each cell with its width; more than the first lines have are as wide as the widest."""
        for n, text in enumerate(self._parted(line)):
            n_chars = self._widths[n] if n < len(self._widths) else _MOST_CHARS
            yield text, n_chars * char_px

    def _parted(self, line: str) -> list[str]:
        try:
            return next(csv.reader([line], delimiter=self._delimiter), [""])
        except csv.Error:  # a cell that goes on in the next line
            return line.split(self._delimiter)
