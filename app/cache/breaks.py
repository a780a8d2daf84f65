"""Why less of a prompt was read from the cache than its chat's last request had: found after each answer (P5)."""

from dataclasses import dataclass

from app.cache.terms import Terms
from app.core.ids import ModelId
from app.core.records import BreakCause, CacheBreak
from app.core.requests import Prelude
from app.core.usage import Usage

_ENOUGH = 0.95
_SMALLEST_TOKENS = 2_000
"""Less is the rounding of steps, and what was said since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One accepted request, as far as it matters here."""

    model: ModelId
    prelude: Prelude
    usage: Usage
    effort: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """The first message that was not sent as it had been."""

    message: int
    """Counted from 1."""
    cause: BreakCause


def missed_tokens(before: Usage, now: Usage, terms: Terms) -> int:
    """What was read anew though the last request had held it; 0 where that is little, or nothing is ever kept.

    Counted is what both requests could share: a chat that was cut short can't read more than it has.
    """
    if not terms.exists or before.is_estimate or now.is_estimate:
        return 0
    expected = min(before.prompt_tokens, now.prompt_tokens) // terms.step_tokens * terms.step_tokens
    missed = expected - now.cached_tokens
    return missed if missed >= _SMALLEST_TOKENS and now.cached_tokens < _ENOUGH * expected else 0


def break_of(
    before: Asked, now: Asked, terms: Terms, *, changed: Changed | None, idle_s: float
) -> CacheBreak | None:
    """The break and its price; None: the cache held what it should.

    Args:
        changed: What differs in the messages; None: the old ones all stand.
        idle_s: Since the cache was last used.
    """
    missed = missed_tokens(before.usage, now.usage, terms)
    if not missed:
        return None
    cause, detail = _cause(before, now, terms, changed=changed, idle_s=idle_s)
    return CacheBreak(
        cause=cause,
        missed_tokens=missed,
        cost_usd=terms.usd(missed * (terms.write - terms.read)),
        detail=detail,
        message=changed.message if changed and cause is changed.cause else 0,
        idle_s=idle_s,
    )


def _cause(
    before: Asked, now: Asked, terms: Terms, *, changed: Changed | None, idle_s: float
) -> tuple[BreakCause, str]:
    """The first thing that differs, in the order of the prompt; then what a whole prompt can lose its cache by."""
    was, became = before.model.partition("/"), now.model.partition("/")
    if was[0] != became[0]:
        return BreakCause.PROVIDER, before.model
    if was != became:
        return BreakCause.MODEL, was[2]
    if told := _tools_changed(before.prelude, now.prelude):
        return told
    if before.prelude.system != now.prelude.system:
        return BreakCause.SYSTEM, ""
    if terms.by_effort and before.effort != now.effort:
        return BreakCause.SETTING, ""
    if changed:
        return changed.cause, ""
    if now.usage.prompt_tokens < terms.minimum_tokens:
        return BreakCause.SMALL, ""
    return (BreakCause.EXPIRED if idle_s >= terms.ttl_s else BreakCause.THEIRS), ""


def _tools_changed(before: Prelude, now: Prelude) -> tuple[BreakCause, str] | None:
    if before.tools == now.tools:
        return None
    was, became = ({tool.name: tool for tool in prelude.tools} for prelude in (before, now))
    came = [f"+{name}" for name in sorted(became.keys() - was.keys())]
    went = [f"\N{MINUS SIGN}{name}" for name in sorted(was.keys() - became.keys())]
    if came or went:
        return BreakCause.TOOLS, ", ".join(came + went)
    return BreakCause.SCHEMA, ", ".join(sorted(name for name in was if was[name] != became[name]))
