"""What the page of hooks draws: each command with what is known of it, and the form while one is edited."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from app.agent.hooks import Outcome
from app.core.errors import AppError
from app.settings import Hook, HookEvent

EVENTS: tuple[HookEvent, ...] = get_args(HookEvent)
MOST_S = 600
FormProblem = Literal["", "command", "timeout"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HookForm:
    """A hook as typed; `index` is its place in the list, None while it is new."""

    index: int | None = None
    event: HookEvent = "before_send"
    command: str = ""
    timeout_s: str = "10"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    outcome: Outcome
    took_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HooksState:
    hooks: tuple[Hook, ...] = ()
    form: HookForm | None = None
    problem: FormProblem = ""
    allowing: int | None = None
    """The hook that was switched on and waits for a yes to its command."""
    removing: int | None = None
    """The hook whose removal was asked for and waits for a yes."""
    trying: int | None = None
    """The hook that runs."""
    tried: Mapping[int, Tried] = field(default_factory=dict[int, Tried])
    """By place in the list; forgotten when the list is another one."""
    failure: AppError | None = None


def form_of(hook: Hook, index: int) -> HookForm:
    return HookForm(index=index, event=hook.event, command=hook.command, timeout_s=f"{hook.timeout_s:g}")


def problem_in(form: HookForm) -> FormProblem:
    """The first field that keeps `form` from being a hook."""
    if not form.command.strip():
        return "command"
    try:
        return "" if 0 < float(form.timeout_s) <= MOST_S else "timeout"
    except ValueError:
        return "timeout"


def with_form(hooks: tuple[Hook, ...], form: HookForm) -> tuple[Hook, ...]:
    """The list with what `form` describes, which has no problem. Another command has to be turned on anew."""
    old = hooks[form.index] if form.index is not None else None
    command = form.command.strip()
    made = Hook(
        event=form.event,
        command=command,
        timeout_s=float(form.timeout_s),
        enabled=old is not None and old.enabled and old.command == command,
    )
    if form.index is None:
        return (*hooks, made)
    return (*hooks[: form.index], made, *hooks[form.index + 1 :])
