"""What the settings pages draw: the settings, what can be undone, and what was not taken."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, cast

from pydantic import JsonValue, ValidationError

from app.settings import Settings

PageId = Literal[
    "providers", "models", "tools", "hooks", "mcp", "cache", "appearance", "data", "trash", "about"
]
PAGES: tuple[PageId, ...] = (
    "providers",
    "models",
    "tools",
    "hooks",
    "mcp",
    "cache",
    "appearance",
    "data",
    "trash",
    "about",
)

FIELDS: Mapping[PageId, tuple[str, ...]] = {
    "models": ("model", "fallback_models", "model_overrides"),
    "tools": (
        "uses_tools",
        "web_tools",
        "most_requests",
        "access",
        "allowed_always",
        "input_folders",
        "output_folders",
        "shell_network",
        "tools_off",
    ),
    "cache": ("cache_mode", "cache_limit_usd"),
    "appearance": ("theme", "zoom_percent", "language", "reduce_motion", "enter_sends"),
}
"""The fields that "reset this page" takes back; a page that isn't here has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A value that was not taken: what pydantic calls it, and the bound that it broke, if any."""

    field: str
    kind: str
    limit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsState:
    settings: Settings
    undo: Mapping[str, JsonValue] = field(default_factory=dict[str, "JsonValue"])
    """Fields changed since the settings were opened, with their value before the last change."""
    problem: Problem | None = None


def value_of(settings: Settings, field: str) -> JsonValue:
    return cast("JsonValue", settings.model_dump(mode="json")[field])


def with_saved(state: SettingsState, settings: Settings, before: Mapping[str, JsonValue]) -> SettingsState:
    """The fields of `before` were set: those that differ now can be undone, and what was refused of them is past."""
    changed = {name: value for name, value in before.items() if value != value_of(settings, name)}
    is_mended = state.problem is not None and state.problem.field in before
    return SettingsState(
        settings=settings,
        undo={**state.undo, **changed},
        problem=None if is_mended else state.problem,
    )


def with_undone(state: SettingsState, settings: Settings, field: str) -> SettingsState:
    undo = {name: value for name, value in state.undo.items() if name != field}
    return replace(state, settings=settings, undo=undo, problem=None)


def with_problem(state: SettingsState, error: ValidationError, field: str) -> SettingsState:
    return replace(state, problem=problem_of(error, field))


def problem_of(error: ValidationError, field: str = "") -> Problem:
    """The first thing that `error` names; `field` stands for its place if given."""
    first = error.errors()[0]
    context = first.get("ctx", {})
    limit = next(
        (str(context[name]).removesuffix(".0") for name in ("ge", "le", "gt", "lt") if name in context), ""
    )
    return Problem(field=field or str(first["loc"][0]), kind=first["type"], limit=limit)


def off_default(settings: Settings, page: PageId) -> tuple[str, ...]:
    """Fields of `page` that differ from what they are in a new installation."""
    fresh = Settings()
    return tuple(name for name in FIELDS.get(page, ()) if value_of(settings, name) != value_of(fresh, name))
