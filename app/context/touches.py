"""Which files the chat's tools read and wrote, read off the calls that were answered."""

import json
import re
from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from app.context.facts import FileTouch
from app.context.transcript import groups
from app.core.entries import Entry
from app.core.parts import ToolCallPart

_WRITES = re.compile(
    r"write|edit|create|patch|replace|insert|append|save|update|delete|remove|rename|move", re.IGNORECASE
)
_READS = re.compile(r"read|view|open|cat\b|show", re.IGNORECASE)
_PATH_KEYS = ("path", "file_path", "filepath", "filename", "file", "target_file")


def file_touches(path: Sequence[Entry]) -> tuple[FileTouch, ...]:
    """In the order of the calls; a call whose result is an error touched nothing."""
    return tuple(touch for group in groups(tuple(path)) if group[0].calls for touch in _touched(group))


def is_file_tool(name: str) -> bool:
    """Whether a tool of this name reads or writes files."""
    return bool(_WRITES.search(name) or _READS.search(name))


def _touched(group: tuple[Entry, ...]) -> Iterator[FileTouch]:
    failed = {part.call_id for entry in group[1:] for part in entry.results if part.is_error}
    for call in group[0].calls:
        is_write = bool(_WRITES.search(call.name))
        if call.call_id in failed or not (is_write or _READS.search(call.name)):
            continue
        for file in _paths_in(call):
            yield FileTouch(path=file, entry_id=group[0].id, is_write=is_write)


def _paths_in(call: ToolCallPart) -> tuple[str, ...]:
    if not isinstance(call.arguments, str):
        return ()
    try:
        arguments: JsonValue = json.loads(call.arguments)
    except ValueError:
        return ()
    if not isinstance(arguments, dict):
        return ()
    several = arguments.get("paths")
    if isinstance(several, list):
        names = (value for value in several if isinstance(value, str) and not value.startswith("vault:"))
        return tuple(filter(None, names))
    found = (arguments.get(key) for key in _PATH_KEYS)
    return tuple(value for value in found if isinstance(value, str) and value)[:1]
