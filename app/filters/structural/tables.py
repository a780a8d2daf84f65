"""CSV and TSV: header, types, row count, first and last rows, and the rows that match."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.filters.filtered import Focus, Reduction
from app.filters.selection import Lines, Rank, Selection

_DELIMITERS = (",", "\t", ";", "|")
_ENDS = 5
_N_SAMPLED = 2_000
_NUMERIC = re.compile(r"\s*[$€£¥]?\s*-?[\d,]*\.?\d+(?:[eE][+-]?\d+)?\s*%?\s*")
_DATE = re.compile(r"\s*\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ][\d:.+Z-]+)?\s*")
_MOST_COLUMNS = 400
_MOST_VALUES = 6
_LEAST_ROWS = 4


@dataclass(frozen=True, slots=True)
class _Row:
    first: int
    last: int
    cells: Sequence[str]


def reduce_table(lines: Lines, focus: Focus) -> Reduction | None:
    """None: the lines don't have the same number of cells."""
    begin = next((index for index, text in enumerate(lines.texts) if text.strip()), 0)
    delimiter = _delimiter(lines.texts[begin : begin + 40])
    if delimiter is None:
        return None
    if any('"' in text for text in lines.texts[begin : begin + 200]) or '"' in lines.joined:
        rows = list(_quoted_rows(lines, begin, delimiter))
    else:
        rows = [
            _Row(index, index, ())
            for index, text in enumerate(lines.texts[begin:], begin)
            if text and not text.isspace()
        ]
    if len(rows) < _LEAST_ROWS:
        return None
    header = _cells(lines, rows[0], delimiter)
    chosen = Selection(lines=lines)
    chosen.keep(_spread(rows[:1]), Rank.MUST)
    chosen.keep(_spread((*rows[1 : 1 + _ENDS], *rows[-_ENDS:])), Rank.SHOULD)
    hits = lines.having(focus.words)
    chosen.keep(hits, Rank.NEAR)
    chosen.notes.append(f"{len(rows) - 1:,} rows, {len(header)} columns")
    chosen.notes.extend(_columns(lines, rows, header, delimiter))
    return Reduction(
        kind="table",
        why="A table to its header, its columns' types, the first and last rows, and those that match.",
        write=lambda limit_chars: _written(chosen, limit_chars),
        ranges=lines.ranges("rows that match", hits),
    )


def _written(chosen: Selection, limit_chars: int) -> str:
    """Where there is little room the columns' values go before the rows do."""
    notes = chosen.notes
    if sum(map(len, notes)) > limit_chars // 2:
        chosen = Selection(lines=chosen.lines, ranks=chosen.ranks, notes=notes[:1])
    return chosen.write(limit_chars)


def _delimiter(sample: Sequence[str]) -> str | None:
    texts = [text for text in sample if text.strip()]
    if len(texts) < _LEAST_ROWS:
        return None
    for delimiter in _DELIMITERS:
        try:
            rows = list(csv.reader(texts, delimiter=delimiter, strict=True))
        except csv.Error:
            continue
        widths = [len(row) for row in rows]
        if widths and 2 <= widths[0] <= _MOST_COLUMNS and widths.count(widths[0]) >= 0.9 * len(widths):
            if delimiter == "," and _is_prose(texts, rows):
                continue
            return delimiter
    return None


def _is_prose(texts: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Sentences and code have commas, too, but with a blank behind each, or signs at their ends."""
    behind = [cell for row in rows for cell in row[1:]]
    is_spaced = sum(cell.startswith(" ") for cell in behind) > 0.8 * len(behind) and not texts[0].startswith(
        '"'
    )
    return is_spaced or sum(text.rstrip().endswith((";", "{", ".", ",")) for text in texts) > len(texts) // 2


def _quoted_rows(lines: Lines, begin: int, delimiter: str) -> Iterator[_Row]:
    """Cells may hold line ends, so rows are what the reader says."""
    reader = csv.reader((f"{text}\n" for text in lines.texts[begin:]), delimiter=delimiter)
    last = 0
    while True:
        try:
            row = next(reader, None)
        except csv.Error:
            return
        if row is None:
            return
        if row:
            yield _Row(begin + last, begin + reader.line_num - 1, ())
        last = reader.line_num


def _cells(lines: Lines, row: _Row, delimiter: str) -> list[str]:
    text = "\n".join(lines.texts[row.first : row.last + 1])
    try:
        return next(csv.reader([text], delimiter=delimiter), list[str]())
    except csv.Error:
        return text.split(delimiter)


def _spread(rows: Sequence[_Row]) -> Iterator[int]:
    for row in rows:
        yield from range(row.first, row.last + 1)


def _columns(lines: Lines, rows: Sequence[_Row], header: Sequence[str], delimiter: str) -> Iterator[str]:
    """What each column holds: numbers and dates with their bounds, few values named."""
    body = rows[1:]
    step = max(1, len(body) // _N_SAMPLED)
    sampled = [_cells(lines, row, delimiter) for row in body[::step]]
    about = "" if step == 1 else "~"
    for at, name in enumerate(header):
        values = [cells[at].strip() for cells in sampled if at < len(cells)]
        filled = [value for value in values if value]
        yield f"  {name.strip() or at}: {about}{_described(filled)}" + (
            f", {len(values) - len(filled)} empty" if len(filled) < len(values) else ""
        )


def _described(values: Sequence[str]) -> str:
    if not values:
        return "empty"
    distinct = dict.fromkeys(values)
    if all(_NUMERIC.fullmatch(value) for value in values):
        ordered = sorted(values, key=_number)
        return f"number {ordered[0]} … {ordered[-1]}"
    if all(_DATE.fullmatch(value) for value in values):
        # Only a year in front sorts as it reads.
        sorts = all(re.match(r"\s*\d{4}", value) for value in values)
        return f"date {min(values)} … {max(values)}" if sorts else f"date {values[0]} … {values[-1]}"
    if len(distinct) <= _MOST_VALUES < len(values) and max(map(len, distinct)) <= 30:
        return "one of " + ", ".join(distinct)
    return "text"


def _number(value: str) -> float:
    digits = re.sub(r"[^\d.eE+-]", "", value)
    try:
        return float(digits)
    except ValueError:
        return 0.0
