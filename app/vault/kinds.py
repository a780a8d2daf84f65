"""What kind of thing an original is, told by its type, its name and its first lines."""

import json
import re
from enum import StrEnum

PEEK_BYTES = 64 * 1024
"""So much of its beginning tells."""
_LEVEL = re.compile(r"\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL|PASSED|FAILED)\b")
_STAMP = re.compile(r"^\W{0,2}(?:\d{4}-\d\d-\d\d[ T]|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:)")
_LOOKED_AT = 40
_ENDINGS = {
    "json": "json",
    "jsonl": "json_lines",
    "ndjson": "json_lines",
    "csv": "table",
    "tsv": "table",
    "log": "log",
}


class Kind(StrEnum):
    TEXT = "text"
    LOG = "log"
    JSON = "json"
    JSON_LINES = "json_lines"
    TABLE = "table"
    IMAGE = "image"
    BINARY = "binary"


def kind_of(mime: str, name: str, beginning: str = "") -> Kind:
    """
    Args:
        beginning: Its first lines; empty: not read yet.
    """
    if mime.startswith("image/"):
        return Kind.IMAGE
    if not mime.startswith("text/") and mime != "application/json":
        return Kind.BINARY
    if found := _ENDINGS.get(name.rpartition(".")[2].lower()):
        return Kind(found)
    lines = [line for line in beginning.splitlines()[:_LOOKED_AT] if line.strip()]
    if beginning.lstrip()[:1] in ("{", "["):
        if len(lines) > 1 and all(map(_is_json, lines[:3])):
            return Kind.JSON_LINES
        if mime == "application/json" or _begins_json(beginning):
            return Kind.JSON
    if delimiter_of(lines):
        return Kind.TABLE
    told = sum(1 for line in lines if _LEVEL.search(line) or _STAMP.match(line))
    return Kind.LOG if lines and told * 3 >= len(lines) else Kind.TEXT


def delimiter_of(lines: list[str]) -> str:
    """What parts the cells of each line, where all have as many; empty: they are no table."""
    for delimiter in ("\t", ",", ";"):
        n_cells = {line.count(delimiter) for line in lines if '"' not in line}
        least = 1 if delimiter == "\t" else 2  # one comma a line has many a list of errors, too
        if len(lines) > 2 and len(n_cells) == 1 and min(n_cells) >= least:
            return delimiter
    return ""


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def _begins_json(beginning: str) -> bool:
    """A key or a value follows the first brace, so that `[12:00:01] started` is none."""
    return bool(
        re.match(r"""\s*(?:\{\s*(?:"|\}|$)|\[\s*(?:[\[{"\]]|-?\d+\s*[,\]]|null|true|false|$))""", beginning)
    )
