"""S0: what the present question is about, read off the person's own words and the tools' error flags."""

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from app.context.facts import Intent
from app.context.gleaned import Called, Gleaned, Prefix
from app.core.entries import Entry, Origin
from app.core.parts import ToolCallPart

_MOST_FILES = _MOST_MODULES = 8
_MOST_FAILED = 12
_GOAL_CHARS = 240
_LOOKED_AT = 4
"""User entries, the newest among them the question itself."""
_PATH = re.compile(
    r"(?<![\w/.:@-])(?:[\w.@~-]+/)*[\w@~-][\w.@~-]*\.[A-Za-z][A-Za-z0-9]{0,9}(?![\w/])|(?:[\w.@~-]+/){1,}[\w.@~-]+"
)
_URL = re.compile(r"\w+://\S+")
_ENDING = re.compile(r"[\w@~-]{2,}\.[A-Za-z][A-Za-z0-9]{0,9}$")
_SHORTEST_NAME = 4
_DOTTED = re.compile(r"(?<![\w./-])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?![\w/])")


def intent_of(
    path: Sequence[Entry], *, query: str = "", topic: str = "", gleaned: Gleaned | None = None
) -> Intent:
    """The intent at the end of `path`.

    Args:
        query: What is about to be said, if it is not stored yet.
        topic: The focus that the person typed.
        gleaned: Calls and results that it has seen are not looked at again.
    """
    newest_first = (entry for entry in reversed(path) if entry.origin is Origin.USER)
    own = [entry.text for entry in islice(newest_first, _LOOKED_AT)]
    asked = [_URL.sub(" ", text) for text in (topic, query, *own) if text]
    called = _called(path, gleaned)
    known = called.files
    stems = {name.rsplit("/", 1)[-1].rsplit(".", 1)[0] for name in known}
    modules = _distinct(
        match
        for text in asked
        for match in _DOTTED.findall(text)
        if match not in known and match.rsplit(".", 1)[-1] in stems
    )
    found = _distinct(match for text in asked for match in _PATH.findall(text))
    files = tuple(name for name in found if name in known or (name not in modules and _is_file(name)))
    goal = topic or query or next(iter(own), "")
    return Intent(
        files=files[:_MOST_FILES],
        modules=modules[:_MOST_MODULES],
        failed_calls=called.failed,
        goal=" ".join(goal.split())[:_GOAL_CHARS],
        topic=topic,
    )


def _is_file(name: str) -> bool:
    """Not "e.g.", "and/or", "3/4" or a date, which look like paths."""
    return bool(_ENDING.search(name) or name.count("/") > 1) and any(map(str.isalpha, name))


def names(intent: Intent, text: str) -> bool:
    """Whether `text` is about something that the intent names."""
    return (
        any(file in text or _plain(file) in text for file in intent.files)
        or any(module in text for module in intent.modules)
        or bool(intent.topic and intent.topic in text)
    )


def _plain(file: str) -> str:
    """The file's own name where it says enough; else the whole path again."""
    name = file.rsplit("/", 1)[-1]
    return name if "." in name and len(name) >= _SHORTEST_NAME else file


def _called(path: Sequence[Entry], gleaned: Gleaned | None) -> Called:
    """The files that calls name, and the results with an error."""
    held = gleaned.called if gleaned else None
    n, before = (held.n, held.found) if held and held.begins(path) else (0, Called())
    new = path[n:]
    files = {
        match
        for entry in new
        for part in entry.parts
        if isinstance(part, ToolCallPart) and isinstance(part.arguments, str)
        for match in _PATH.findall(part.arguments[:2_000])
    }
    failed = [entry.id for entry in new if any(part.is_error for part in entry.results)]
    found = Called(
        files=before.files | files if files else before.files,
        failed=(*before.failed, *failed)[-_MOST_FAILED:],
    )
    if gleaned and path:
        gleaned.called = Prefix(len(path), path[-1].id, found)
    return found


def _distinct(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item.strip(".,;:") for item in found))
