"""How full the window is: what the next request will have, which stage that is, and what it is made of (C2, C3, C5).

Pure: counts come in (`counting.py`, `sums.py`), figures go out.
"""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from app.core.ids import ModelId
from app.core.records import RequestRecord
from app.models.families import Family
from app.models.window import Window

LARGEST_ROOM_TOKENS = 8192
_CALIBRATED_BY = 5
"""Requests that the ratio is taken from."""
_LARGEST_RATIO = 3.0
_NEW_PART_ALLOWANCE = 1.1
"""On top, for what came after the base: one message strays further from the ratio than a whole chat does.
Measured on 30 conversations: without it 1 % of the upper figures said 1.2 % too little, with it 0.4 %."""


class Stage(StrEnum):
    """What runs by itself; by the share of the window that `projected_upper_tokens` has (C2)."""

    INACTIVE = "inactive"
    WATCH = "watch"
    LIGHT = "light"
    FULL = "full"
    EMERGENCY = "emergency"


STARTS = {Stage.EMERGENCY: 0.9, Stage.FULL: 0.7, Stage.LIGHT: 0.5, Stage.WATCH: 0.4}
"""Shares of the window from which each holds, the highest first."""


class Health(StrEnum):
    """What the ring shows; by the share that `projected_tokens` has."""

    UNKNOWN = "unknown"
    """The window is not known: the ring is hollow."""
    HEALTHY = "healthy"
    WARNING = "warning"
    CRITICAL = "critical"


class Category(StrEnum):
    SYSTEM = "system"
    TOOLS = "tools"
    NOTES = "notes"
    """Ledger, summary, notes."""
    DOCUMENTS = "documents"
    MEMORY = "memory"
    TOOL_RESULTS = "tool_results"
    YOU = "you"
    ASSISTANT = "assistant"
    REASONING = "reasoning"
    MEDIA = "media"
    DRAFT = "draft"


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    tokens: int
    is_exact: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """Input tokens of the next request, never the room for its answer (C3)."""

    estimated_tokens: int
    """Our own count of it: what the provider's figure will be held against."""
    projected_tokens: int
    """The likeliest figure: ring and Lens."""
    projected_upper_tokens: int
    """At least as much: stages. Only saying too little kills a request."""
    ratio: float
    has_base: bool
    """It stands on what the provider reported of a request that is a prefix of this one."""

    @property
    def scale(self) -> float:
        """Of the provider's tokens to ours."""
        return self.projected_tokens / max(self.estimated_tokens, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """How full the window is, as panel, ring and stages see it."""

    projection: Projection
    window: Window
    room_tokens: int
    stage: Stage
    health: Health
    composition: tuple[tuple[Category, int], ...]
    """In the order of `Category`, without what there is none of; adds up to `projection.projected_tokens`."""

    @property
    def use(self) -> float | None:
        """Share of the window; may pass 1. None: the window is not known."""
        return self.projection.projected_tokens / self.window.tokens if self.window.tokens else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """How fast a chat grows (C5)."""

    tokens_per_turn: float
    acceleration: float
    """Its change from turn to turn."""
    turns_left: int | None
    """Until the window is full, without compaction; None: it does not grow, or the window is not known."""


# ---- the projection


def base_of(
    requests: Sequence[RequestRecord], model: ModelId, holds_prefix: Callable[[int, str], bool]
) -> RequestRecord | None:
    """The newest request of `model` with reported usage that is a prefix of the next one.

    Args:
        requests: Oldest first.
        holds_prefix: As `Context.holds_prefix`.
    """
    return next(
        (
            item
            for item in reversed(requests)
            if _is_reported(item, model) and holds_prefix(item.n_blocks, item.chain_tip)
        ),
        None,
    )


def ratio_of(requests: Sequence[RequestRecord], model: ModelId, prior: float) -> float:
    """Reported tokens ÷ our count, the median of the last 5 requests of `model`; `prior` before any."""
    found: list[float] = []
    for item in reversed(requests):
        if item.usage and _is_reported(item, model) and item.estimated_tokens > 0:
            found.append(item.usage.prompt_tokens / item.estimated_tokens)
            if len(found) == _CALIBRATED_BY:
                break
    return statistics.median(found) if found else prior


def project(
    *,
    estimated_tokens: int,
    base: RequestRecord | None,
    base_estimated_tokens: int,
    ratio: float,
    draft_tokens: int = 0,
) -> Projection:
    """What the next request will have.

    Args:
        estimated_tokens: Our count of the whole request, without the draft.
        base: As `base_of`.
        base_estimated_tokens: Our count, by today's counts, of that request.
        draft_tokens: Our count of what stands in the composer.
    """
    estimated_tokens += draft_tokens
    likely = min(max(ratio, 0.5), _LARGEST_RATIO)
    upper = max(likely, 1.0)
    reported = base.usage.prompt_tokens if base and base.usage else 0
    if reported:
        upper = min(upper * _NEW_PART_ALLOWANCE, _LARGEST_RATIO)
    rest = estimated_tokens - base_estimated_tokens if reported else estimated_tokens
    projected = max(0, reported + round(likely * rest))
    return Projection(
        estimated_tokens=estimated_tokens,
        projected_tokens=projected,
        projected_upper_tokens=max(projected, reported + round(upper * rest)),
        ratio=likely,
        has_base=reported > 0,
    )


def _is_reported(item: RequestRecord, model: ModelId) -> bool:
    return (
        item.model == model
        and item.usage is not None
        and not item.usage.is_estimate
        and item.usage.prompt_tokens > 0
    )


# ---- stage, health, composition


def room_for_answer(window_tokens: int, max_output_tokens: int | None) -> int:
    """Tokens kept free for the answer; N/8 of a small window, 8,192 at most."""
    return min(max_output_tokens or LARGEST_ROOM_TOKENS, LARGEST_ROOM_TOKENS, window_tokens // 8)


def fill_of(
    projection: Projection,
    window: Window,
    family: Family,
    *,
    max_output_tokens: int | None,
    weights: Mapping[Category, int],
) -> Fill:
    """Args: `weights`: our count of each category."""
    room = room_for_answer(window.tokens, max_output_tokens)
    return Fill(
        projection=projection,
        window=window,
        room_tokens=room,
        stage=stage_of(projection.projected_upper_tokens, window.tokens, room if family.shares_window else 0),
        health=health_of(projection.projected_tokens, window.tokens),
        composition=apportioned(weights, projection.projected_tokens),
    )


def stage_of(projected_upper_tokens: int, window_tokens: int, shared_room_tokens: int) -> Stage:
    """Args: `shared_room_tokens`: the answer's room where it shares the window with the prompt, else 0."""
    if not window_tokens:
        return Stage.INACTIVE
    if projected_upper_tokens + shared_room_tokens > window_tokens:
        return Stage.EMERGENCY
    use = projected_upper_tokens / window_tokens
    return next((stage for stage, start in STARTS.items() if use >= start), Stage.INACTIVE)


def health_of(projected_tokens: int, window_tokens: int) -> Health:
    if not window_tokens:
        return Health.UNKNOWN
    use = projected_tokens / window_tokens
    return Health.CRITICAL if use >= 0.9 else Health.WARNING if use >= 0.75 else Health.HEALTHY


def apportioned(weights: Mapping[Category, int], total: int) -> tuple[tuple[Category, int], ...]:
    """`total` shared out by `weights` in whole tokens (largest remainder), so that the rows add up to it."""
    whole = sum(weights.values())
    if whole == 0 or total <= 0:
        return ((Category.SYSTEM, total),) if total > 0 else ()
    shares = {name: divmod(weight * total, whole) for name, weight in weights.items()}
    missing = total - sum(share for share, _ in shares.values())
    by_remainder = sorted(shares, key=lambda name: shares[name][1], reverse=True)
    extra = set(by_remainder[:missing])
    rows = ((name, shares[name][0] + (name in extra)) for name in Category if name in shares)
    return tuple((name, tokens) for name, tokens in rows if tokens)


# ---- growth


def growth_of(
    requests: Sequence[RequestRecord], model: ModelId, projected_tokens: int, window_tokens: int
) -> Growth:
    """Growth over the last turns of `model`; a turn in which the context shrank was compacted and doesn't count."""
    by_turn = {
        item.turn_id: item.usage.prompt_tokens
        for item in requests
        if item.usage and _is_reported(item, model)
    }
    sizes = list(by_turn.values())[-_CALIBRATED_BY - 1 :]
    steps = [after - before for before, after in pairwise(sizes) if after >= before]
    per_turn = statistics.fmean(steps) if steps else 0.0
    changes = [after - before for before, after in pairwise(steps)]
    left = (
        max(0, int((window_tokens - projected_tokens) / per_turn)) if per_turn > 0 and window_tokens else None
    )
    return Growth(
        tokens_per_turn=per_turn,
        acceleration=statistics.fmean(changes) if changes else 0.0,
        turns_left=left,
    )


def is_surge(
    grown_tokens: int, *, window_tokens: int, room_left_tokens: int, is_file_read: bool = False
) -> bool:
    """Whether one step, after its results were filtered, grew the context beyond what is usual (C5)."""
    if is_file_read and grown_tokens <= 0.25 * window_tokens:
        return False
    return grown_tokens > max(10_000, 0.1 * window_tokens) or grown_tokens > room_left_tokens
