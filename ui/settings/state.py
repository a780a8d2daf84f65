"""What the settings pages draw: the settings, what can be undone, and what was not taken."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, cast, get_args

from pydantic import JsonValue, ValidationError

from app.settings import Settings

PageId = Literal[
    "providers",
    "models",
    "chat",
    "prompts",
    "context",
    "cache",
    "tools",
    "hooks",
    "mcp",
    "appearance",
    "language",
    "shortcuts",
    "privacy",
    "usage",
    "data",
    "trash",
    "about",
]
PAGES: tuple[PageId, ...] = get_args(PageId)

FIELDS: Mapping[PageId, tuple[str, ...]] = {
    "models": ("model", "lite_model", "fallback_models", "model_overrides"),
    "chat": (
        "enter_sends",
        "write_titles",
        "prompt_mode",
        "reasoning_effort",
        "max_tokens",
        "temperature",
        "instructions",
    ),
    "context": ("compresses",),
    "cache": ("cache_mode", "cache_limit_usd"),
    "tools": (
        "uses_tools",
        "web_tools",
        "search_engine",
        "search_url",
        "most_requests",
        "access",
        "allowed_always",
        "input_folders",
        "output_folders",
        "shell_network",
        "tools_off",
    ),
    "appearance": ("theme", "zoom_percent", "reduce_motion", "notifies"),
    "language": ("language", "prompt_language"),
    "shortcuts": ("shortcuts",),
    "privacy": ("confirmed_hosts",),
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
    history: tuple[Mapping[str, JsonValue], ...] = ()
    """What was changed since the settings were opened, oldest first: of each change its fields as they were before."""
    problem: Problem | None = None

    @property
    def undo(self) -> Mapping[str, JsonValue]:
        """Fields that can be undone, with their value before the last change."""
        return {name: value for change in self.history for name, value in change.items()}


def value_of(settings: Settings, field: str) -> JsonValue:
    return cast("JsonValue", settings.model_dump(mode="json")[field])


def with_saved(state: SettingsState, settings: Settings, before: Mapping[str, JsonValue]) -> SettingsState:
    """The fields of `before` were set: those that differ now can be undone, and what was refused of them is past."""
    changed = {name: value for name, value in before.items() if value != value_of(settings, name)}
    is_mended = state.problem is not None and state.problem.field in before
    return SettingsState(
        settings=settings,
        history=(*state.history, changed) if changed else state.history,
        problem=None if is_mended else state.problem,
    )


def with_undone(state: SettingsState, settings: Settings, fields: Iterable[str]) -> SettingsState:
    """The last change of each of `fields` is taken back."""
    left = set(fields)
    history: list[Mapping[str, JsonValue]] = []
    for change in reversed(state.history):
        kept = {name: value for name, value in change.items() if name not in left}
        left -= change.keys()
        history += [kept] if kept else []
    return replace(state, settings=settings, history=tuple(reversed(history)), problem=None)


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
