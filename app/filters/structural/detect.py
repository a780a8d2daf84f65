"""Which format a text has: each reader tries it, the strictest first (C22: by parsing, never by a name alone)."""

from collections.abc import Callable

from app.filters.filtered import Focus, Reduction
from app.filters.selection import Lines
from app.filters.structural.code import reduce_code
from app.filters.structural.columns import reduce_columns
from app.filters.structural.diffs import reduce_diff
from app.filters.structural.html_text import reduce_html
from app.filters.structural.json_text import reduce_json, reduce_json_lines
from app.filters.structural.logs import reduce_log
from app.filters.structural.markdown import reduce_markdown
from app.filters.structural.tables import reduce_table
from app.filters.structural.traces import reduce_trace
from app.filters.structural.xml_text import reduce_xml
from app.filters.structural.yaml_text import reduce_yaml

Reader = Callable[[Lines, Focus], Reduction | None]

EXACT: tuple[Reader, ...] = (reduce_json, reduce_json_lines, reduce_html, reduce_xml)
"""Formats that leave no doubt, so they go before any command's rule: what prints JSON is JSON."""
LIKELY: tuple[Reader, ...] = (
    reduce_diff,
    reduce_columns,
    reduce_trace,
    reduce_log,
    reduce_yaml,
    reduce_markdown,
    reduce_table,
    reduce_code,
)


def read_as(readers: tuple[Reader, ...], lines: Lines, focus: Focus) -> Reduction | None:
    """What the first reader that recognises the text makes of it."""
    return next((found for reader in readers if (found := reader(lines, focus))), None)
