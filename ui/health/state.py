"""What the ring and its popover draw: one frozen value, the projection of the next request."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from app.context.budget import Category, Fill, Growth, health_of
from app.context.budget import Health as Measured
from app.models.window import WindowSource
from ui.kit.figures import window_share

Health = Literal["inactive", "healthy", "warning", "critical"]
HEALTHS: tuple[Health, ...] = ("inactive", "healthy", "warning", "critical")


@dataclass(frozen=True, slots=True, kw_only=True)
class RingState:
    """How full the window is.

    `use` is projection ÷ window, the draft included, and may exceed 1; None: the window is unknown.
    `ghost` is the draft's share of the window. `text` stands in the middle of the large ring.
    `composition` holds tokens by category and adds up to `used_tokens`. `turns_left` None: not known.
    `growth_tokens` is what a turn adds; 0: nothing that is known. `last_tokens` is what the provider said that the last
    request had, exactly; None: it has said nothing yet. `source` says who knows the window.
    """

    use: float | None = None
    ghost: float = 0.0
    health: Health = "inactive"
    is_estimate: bool = True
    text: str = ""
    used_tokens: int = 0
    window_tokens: int | None = None
    turns_left: int | None = None
    growth_tokens: int = 0
    last_tokens: int | None = None
    source: WindowSource = WindowSource.UNKNOWN
    composition: tuple[tuple[Category, int], ...] = ()

    @property
    def free_tokens(self) -> int | None:
        return None if self.window_tokens is None else max(0, self.window_tokens - self.used_tokens)


def ring_state(
    fill: Fill | None, growth: Growth | None = None, *, last_tokens: int | None = None
) -> RingState:
    """What the ring shows of `fill`; None: the model is not known yet."""
    if fill is None:
        return RingState(last_tokens=last_tokens)
    window = fill.window.tokens
    draft = dict(fill.composition).get(Category.DRAFT, 0)
    return RingState(
        use=fill.use,
        ghost=draft / window if window else 0.0,
        health=HEALTH_OF[fill.health],
        is_estimate=not fill.projection.has_base,
        text="" if fill.use is None else f"{window_share(fill.use)}%",
        used_tokens=fill.projection.projected_tokens,
        window_tokens=window or None,
        turns_left=growth.turns_left if growth else None,
        growth_tokens=max(0, round(growth.tokens_per_turn)) if growth else 0,
        last_tokens=last_tokens,
        source=fill.window.source,
        composition=fill.composition,
    )


def with_arriving(state: RingState, tokens: int) -> RingState:
    """With what of the running answer has arrived, about; it is replayed in the next request."""
    used = state.used_tokens + tokens
    held = dict(state.composition)
    use = used / state.window_tokens if state.window_tokens else None
    return replace(
        state,
        use=use,
        health=HEALTH_OF[health_of(used, state.window_tokens or 0)],
        is_estimate=True,
        text="" if use is None else f"{window_share(use)}%",
        used_tokens=used,
        composition=tuple((held | {Category.ASSISTANT: held.get(Category.ASSISTANT, 0) + tokens}).items()),
    )


def dot_state(use: float | None) -> RingState:
    """The little that a list knows of a chat."""
    health = Measured.UNKNOWN if use is None else health_of(round(use * _FINE), _FINE)
    return RingState(use=use, health=HEALTH_OF[health])


_FINE = 1_000_000
HEALTH_OF: Mapping[Measured, Health] = {
    Measured.UNKNOWN: "inactive",
    Measured.HEALTHY: "healthy",
    Measured.WARNING: "warning",
    Measured.CRITICAL: "critical",
}
