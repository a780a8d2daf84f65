"""When a sealed part may change, and down to where: decided once per request, with a reason for people.

A sealed part is rewritten for the first of these that holds: overflow answered · asked for · ≥ 90 % ·
≥ 70 % · cache expired and ≥ 30 % · ≥ 50 % and it pays. Else only unsent blocks are folded, and ≥ 50 % is due.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.cache.economics import pay_back
from app.context.budget import Fill, Stage
from app.context.facts import CacheFacts, Trigger
from app.core.records import Compaction

MANUAL_TARGET = 0.25
_TARGETS = {Stage.LIGHT: 0.40, Stage.FULL: 0.45, Stage.EMERGENCY: 0.45}
_STARTS = {Stage.LIGHT: 0.5, Stage.FULL: 0.7, Stage.EMERGENCY: 0.9}
COLD_FROM = 0.3
"""From here on, and down to here: what is rewritten when all is written anew costs nothing now, and less each time after."""
_GAIN = 0.10
"""Points of the window that an automatic compaction must be able to win below its start (C2)."""
_SMALL = 0.10
"""A compaction that saved less of what there was counts as one that did not help (C7)."""
_GROWN = 0.15
_SHORT = 0.05
"""Of the window, above the target of stage full: the free steps were not enough."""
_FEWEST_REQUESTS, _MOST_REQUESTS = 5, 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What is known when a request is planned."""

    fill: Fill
    cache: CacheFacts
    n_sealed: int
    """Path entries that the last accepted request held."""
    floor_tokens: int
    """What stays even with a summary: system, tools, head, tail, pins."""
    unchanged_tokens: int = 0
    """So many stand before anything that a rewrite could change: system, tools, head. As the provider counts."""
    light_tokens: int = 0
    """Of the whole request, as the provider counts, after all that stage light can shorten."""
    expected_requests: int
    """Since the last pause of 30 minutes and the last rewrite; clamped here (E)."""
    writer_tokens: int = 0
    """What a summary would cost, in uncached input tokens."""
    backed_off: float = 0.0
    """Share of the window by which an expired cache waits longer, since rewriting did not pay lately (S4)."""
    compactions: tuple[Compaction, ...] = ()
    """Of this chat, oldest first, without undone ones."""
    is_automatic: bool = True
    """Whether the person lets it compress by itself."""
    is_asked_for: bool = False
    is_idle: bool = False
    """Between turns, when a model may write a summary and nobody waits for it."""
    has_overflowed: bool = False
    """The provider refused the last request for its length."""
    target_tokens: int | None = None
    """As the person asked; None: the stage's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    trigger: Trigger
    stage: Stage
    n_sealed: int
    """What may not change; 0 when rewriting."""
    target_tokens: int
    """Of the whole request, as the provider counts; 0: nothing is folded for room."""
    why: str
    is_due: bool = False
    """A compaction waits for a cold moment, or until it pays (P9)."""

    @property
    def rewrites(self) -> bool:
        return self.target_tokens > 0


def decide(now: Situation) -> Decision:
    """The decision for the next request."""
    window = now.fill.window.tokens
    used = now.fill.projection.projected_upper_tokens
    stage = now.fill.stage
    if now.has_overflowed:
        return _rewrite(
            now, Trigger.EMERGENCY, Stage.EMERGENCY, "The provider said that the request is too long."
        )
    if now.is_asked_for:
        return _rewrite(now, Trigger.MANUAL, max(stage, Stage.FULL, key=_order), "You asked for it.")
    if not window:
        return _leave(now, "The model's window is not known.")
    if not now.is_automatic and stage is not Stage.EMERGENCY:
        return _leave(now, "Compressing by itself is switched off.")
    use = used / window
    if stage is Stage.EMERGENCY:
        return _rewrite(now, Trigger.EMERGENCY, stage, f"{_percent(use)} of the window is reached.")
    return _below_emergency(now, use)


def _below_emergency(now: Situation, use: float) -> Decision:
    window, stage = now.fill.window.tokens, now.fill.stage
    if reason := held(now, use):
        return _leave(now, reason)
    if stage is Stage.FULL:
        return _rewrite(now, Trigger.SEND, stage, f"{_percent(use)} of the window is reached.")
    if stage is Stage.LIGHT and now.is_idle and _fell_short(now):
        why = "What a send could fold by itself was not enough, so the rest is done now."
        return _rewrite(now, Trigger.SEND, Stage.FULL, why)
    if may_rewrite_cold(now.fill, now.cache, backed_off=now.backed_off):
        if stage is not Stage.LIGHT and _saves_little(now):
            return _leave(now, "What could be shortened is too little.")
        why = "The prompt cache has expired, so rewriting costs nothing more."
        return _rewrite(now, Trigger.SEND, Stage.LIGHT, why, share=COLD_FROM)
    # Dear and for nothing: a rewrite towards a target that what is left to shorten never reaches.
    target = max(_TARGETS[Stage.LIGHT] * window, now.light_tokens)
    # Without a cache each token less is one less to pay for at once, however few they are.
    is_worth_it = now.cache.terms.exists or not _saves_little(now)
    if stage is Stage.LIGHT and is_worth_it and pays(now, target=target):
        return _rewrite(now, Trigger.SEND, stage, f"{_percent(use)} of the window is reached, and it pays.")
    return _leave(now, _wait(now), is_due=stage is Stage.LIGHT)


def _saves_little(now: Situation) -> bool:
    """All that stage light could shorten is less than a tenth; each pause would take a little more of it (C7)."""
    return now.light_tokens > (1 - _SMALL) * now.fill.projection.projected_tokens


def may_rewrite_cold(fill: Fill, cache: CacheFacts, *, backed_off: float = 0.0) -> bool:
    """Whether all is written anew in any case, and there is enough of it to look for what can go (S4)."""
    used = fill.projection.projected_upper_tokens
    return cache.has_expired and used >= (COLD_FROM + backed_off) * fill.window.tokens > 0


def _wait(now: Situation) -> str:
    """Why nothing is rewritten, in words."""
    if now.fill.stage is not Stage.LIGHT:
        return "There is room enough."
    is_hot = now.cache.is_written and not now.cache.is_cold
    return "A hot cache is worth more than the room." if is_hot else "Compressing would not pay yet."


def pays(now: Situation, *, target: float) -> bool:
    """Whether a rewrite down to `target` tokens has paid for itself before half of what is expected was asked (P6)."""
    after = pay_back(
        now.cache.terms,
        before=now.fill.projection.projected_tokens,
        after=target,
        unchanged=min(now.unchanged_tokens, target),
        is_cold=now.cache.is_cold,
        writer=now.writer_tokens,
    )
    expected = min(max(now.expected_requests, _FEWEST_REQUESTS), _MOST_REQUESTS)
    return after <= expected / 2


def held(now: Situation, use: float) -> str:
    """Why no automatic compaction runs below 90 %, in words; empty: nothing holds it."""
    window = now.fill.window.tokens
    start = _STARTS.get(now.fill.stage, 0.5)
    if now.floor_tokens > (start - _GAIN) * window:
        return (
            "System text, tools and the newest messages fill so much that compressing would win too little."
        )
    if saved_little(now.compactions, use=use, window_tokens=window):
        return "The last two compressions saved little, so it waits until the chat has grown."
    return ""


def saved_little(compactions: Sequence[Compaction], *, use: float, window_tokens: int) -> bool:
    """Whether the last two did, and the chat has not grown much since (C7). Args: oldest first, none undone."""
    last = compactions[-2:]
    return (
        window_tokens > 0
        and len(last) == 2
        and all(_saved(item) < _SMALL for item in last)
        and use < last[-1].tokens_after / window_tokens + _GROWN
    )


def _fell_short(now: Situation) -> bool:
    """The last compaction was a full one that a send made: it waits for no summary, and needed one (M9, S8)."""
    window = now.fill.window.tokens
    last = now.compactions[-1] if now.compactions else None
    if last is None or last.summary or last.trigger != Trigger.SEND:
        return False
    is_full = last.tokens_before >= _STARTS[Stage.FULL] * window
    return is_full and last.tokens_after >= (_TARGETS[Stage.FULL] + _SHORT) * window


def _saved(item: Compaction) -> float:
    return 1 - item.tokens_after / item.tokens_before if item.tokens_before else 0.0


def _rewrite(
    now: Situation, trigger: Trigger, stage: Stage, why: str, *, share: float | None = None
) -> Decision:
    """Args: `share`: of the window, to be left; None: as the stage says."""
    window = now.fill.window.tokens
    if share is None:
        share = MANUAL_TARGET if trigger is Trigger.MANUAL else _TARGETS.get(stage, _TARGETS[Stage.LIGHT])
    known = window or now.fill.projection.projected_tokens
    target = now.target_tokens if now.target_tokens is not None else round(share * known)
    if trigger is Trigger.SEND:  # while the cache is cold it starts below where stage light ends
        target = min(target, round((1 - _SMALL) * now.fill.projection.projected_upper_tokens))
    return Decision(trigger=trigger, stage=stage, n_sealed=0, target_tokens=max(target, 1), why=why)


def _leave(now: Situation, why: str, *, is_due: bool = False) -> Decision:
    return Decision(
        trigger=Trigger.SEND,
        stage=now.fill.stage,
        n_sealed=now.n_sealed,
        target_tokens=0,
        why=why,
        is_due=is_due,
    )


_ORDER: Sequence[Stage] = tuple(Stage)


def _order(stage: Stage) -> int:
    return _ORDER.index(stage)


def _percent(share: float) -> str:
    return f"{share:.0%}"
