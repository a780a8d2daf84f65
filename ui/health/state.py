"""What the ring and its popover draw: one frozen value, the projection of the next request."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from app.context.budget import Category, Fill, health_of
from app.context.budget import Health as Measured
from ui.kit.figures import percent

Health = Literal["inactive", "healthy", "warning", "critical"]
HEALTHS: tuple[Health, ...] = ("inactive", "healthy", "warning", "critical")


@dataclass(frozen=True, slots=True, kw_only=True)
class RingState:
    """How full the window is.

    `use` is projection ÷ window, the draft included, and may exceed 1; None: the window is unknown.
    `ghost` is the draft's share of the window. `text` stands in the middle of the large ring.
    `composition` holds tokens by category and adds up to `used_tokens`. `turns_left` None: not known.
    """

    use: float | None = None
    ghost: float = 0.0
    health: Health = "inactive"
    is_estimate: bool = True
    text: str = ""
    used_tokens: int = 0
    window_tokens: int | None = None
    turns_left: int | None = None
    composition: tuple[tuple[Category, int], ...] = ()

    @property
    def free_tokens(self) -> int | None:
        return None if self.window_tokens is None else max(0, self.window_tokens - self.used_tokens)


def ring_state(fill: Fill | None, turns_left: int | None = None) -> RingState:
    """What the ring shows of `fill`; None: the model is not known yet."""
    if fill is None:
        return RingState()
    window = fill.window.tokens
    draft = dict(fill.composition).get(Category.DRAFT, 0)
    return RingState(
        use=fill.use,
        ghost=draft / window if window else 0.0,
        health=HEALTH_OF[fill.health],
        is_estimate=not fill.projection.has_base,
        text="" if fill.use is None else f"{percent(fill.use)}%",
        used_tokens=fill.projection.projected_tokens,
        window_tokens=window or None,
        turns_left=turns_left,
        composition=fill.composition,
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
