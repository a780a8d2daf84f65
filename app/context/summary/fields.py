"""The fourteen fields of a summary: one schema for prompt, parser, editor and rendering (C11, C12).

The limits hold in code: whatever a model sends is cut to them, and nothing it sends is refused for its form.
"""

import json
import re
from collections.abc import Callable
from typing import Annotated, NamedTuple, assert_never, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError

_LINE_CHARS, _TASK_CHARS = 400, 800
_MOST_TRIES = 20
"""Braces that an answer may open before its JSON."""
WHY = " | "
"""Between the two halves of a decision or a fix."""
_SEPARATORS = re.compile(r"(?: \|)+ ")
"""One or several of them in a row."""


def _line(limit_chars: int) -> Callable[[object], str]:
    def flat(value: object) -> str:
        match value:
            case None:
                return ""
            case str():
                return " ".join(value.split())[:limit_chars].rstrip()
            case dict() | list():
                return flat(_said(cast("object", value)))
            case _:
                return str(value)

    return flat


def _said(value: object) -> str:
    """What a nested value that should have been a text says."""
    if isinstance(value, dict):
        return ", ".join(_said(item) for item in cast("dict[str, object]", value).values())
    if isinstance(value, list):
        return ", ".join(_said(item) for item in cast("list[object]", value))
    return str(value)


def _listed(value: object) -> list[object]:
    match value:
        case None | "":
            return []
        case str():
            return [line.strip("-*• \t") for line in value.splitlines()]
        case list() | tuple():
            return [item for item in cast("list[object]", value) if item not in (None, "", {})]
        case _:
            return [value]


def _first(n: int) -> Callable[[tuple[str, ...]], tuple[str, ...]]:
    return lambda items: tuple(dict.fromkeys(item for item in items if item))[:n]


def _last(n: int) -> Callable[[tuple[str, ...]], tuple[str, ...]]:
    return lambda items: tuple(dict.fromkeys(item for item in items if item))[-n:]


def _half(value: object) -> str:
    return _SEPARATORS.sub("; ", _line(_LINE_CHARS)(value)).strip("| ")


Line = Annotated[str, BeforeValidator(_line(_LINE_CHARS))]
_Half = Annotated[str, BeforeValidator(_half)]


def _pair(first: str, second: str) -> Callable[[object], object]:
    """A pair that a model wrote as one text is its first half."""
    return lambda value: {first: value, second: ""} if isinstance(value, str) else value


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Decision(_Frozen):
    what: _Half
    why: _Half = ""


class Fix(_Frozen):
    error: _Half
    fix: _Half = ""


def _pairs(n: int) -> Callable[[tuple[_Frozen, ...]], tuple[_Frozen, ...]]:
    return lambda items: tuple(dict.fromkeys(item for item in items if any(dict(item).values())))[:n]


Decisions = Annotated[
    tuple[Annotated[Decision, BeforeValidator(_pair("what", "why"))], ...],
    BeforeValidator(_listed),
    AfterValidator(_pairs(8)),
]
Fixes = Annotated[
    tuple[Annotated[Fix, BeforeValidator(_pair("error", "fix"))], ...],
    BeforeValidator(_listed),
    AfterValidator(_pairs(8)),
]
Upto3 = Annotated[tuple[Line, ...], BeforeValidator(_listed), AfterValidator(_first(3))]
Upto5 = Annotated[tuple[Line, ...], BeforeValidator(_listed), AfterValidator(_first(5))]
Newest10 = Annotated[tuple[Line, ...], BeforeValidator(_listed), AfterValidator(_last(10))]
Files = Annotated[tuple[Line, ...], BeforeValidator(_listed), AfterValidator(_first(60))]


class Summary(_Frozen):
    """Lines without line ends; lists in the order things happened."""

    user_goal: Line = ""
    active_task: Annotated[str, BeforeValidator(_line(_TASK_CHARS))] = ""
    constraints_and_preferences: Upto5 = ()
    key_decisions: Decisions = ()
    completed_actions: Newest10 = ()
    active_state: Line = ""
    key_findings: Upto5 = ()
    errors_and_fixes: Fixes = ()
    resolved_questions: Upto5 = ()
    pending_user_asks: Upto5 = ()
    files_modified: Files = ()
    last_action: Line = ""
    blocked_items: Upto3 = ()
    next_steps: Upto5 = ()

    @property
    def open_items(self) -> tuple[str, ...]:
        return (*self.pending_user_asks, *self.blocked_items, *self.next_steps)

    @property
    def is_empty(self) -> bool:
        return self == Summary()


class KeptSummary(Summary):
    """The fourteen fields and what code sets beside them; `Compaction.summary` is its JSON."""

    history: str = ""
    """The vault address of the folded run, and those of large texts in it."""
    is_offline: bool = False
    """Made by rule; a model's may replace it later (C18)."""
    dropped: tuple[str, ...] = ()
    """Former open items that are neither open nor known as done (C14)."""


def with_fields(kept: KeptSummary, fields: Summary) -> KeptSummary:
    """What the person made of it; no rule and no model may replace that (C18)."""
    own = {name: getattr(fields, name) for name in Summary.model_fields}
    return KeptSummary.model_validate({**dict(kept), **own, "is_offline": False})


class FieldChange(NamedTuple):
    """How one field differs between two summaries, in lines; what both have is in neither."""

    field: str
    gone: tuple[str, ...]
    new: tuple[str, ...]


def changes(old: Summary, new: Summary) -> tuple[FieldChange, ...]:
    """By field, in the fields' order; where only the order of lines differs nothing is told."""
    found: list[FieldChange] = []
    for name in Summary.model_fields:
        before, after = said_in(old, name), said_in(new, name)
        gone = tuple(line for line in before if line not in after)
        added = tuple(line for line in after if line not in before)
        if gone or added:
            found.append(FieldChange(name, gone, added))
    return tuple(found)


def said_in(summary: Summary, name: str) -> tuple[str, ...]:
    """One field as lines; the halves of a pair in one line."""
    value: object = getattr(summary, name)
    if isinstance(value, str):
        return (value,) if value else ()
    lines: list[str] = []
    for item in cast("tuple[str | Decision | Fix, ...]", value):
        match item:
            case Decision(what=first, why=second) | Fix(error=first, fix=second):
                lines.append(f"{first}{WHY}{second}" if second else first)
            case str():
                lines.append(item)
            case _:
                assert_never(item)
    return tuple(lines)


def parse(text: str) -> Summary | None:
    """The summary in a model's answer, inside prose or fences; None: it holds none (C21).

    A JSON object that was cut off, has none of the fields, or says nothing in them is none.
    """
    decoder = json.JSONDecoder()
    at = text.find("{")
    for _ in range(_MOST_TRIES):
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        found = _summary(cast("object", value))
        if found:
            return found
        at = text.find("{", end)
    return None


def _summary(value: object) -> Summary | None:
    if not isinstance(value, dict):
        return None
    fields = cast("dict[str, object]", value)
    if len(fields.keys() & Summary.model_fields.keys()) < 3:
        return None
    try:
        found = Summary.model_validate(fields)
    except ValidationError:
        return None
    return None if found.is_empty else found
