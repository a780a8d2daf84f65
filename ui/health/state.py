"""What the ring and its popover draw: one frozen value, the projection of the next request."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Health = Literal["inactive", "healthy", "warning", "critical"]
HEALTHS: tuple[Health, ...] = ("inactive", "healthy", "warning", "critical")

BANDS: Mapping[str, str] = {
    "system": "band_system",
    "tools": "inactive",
    "summary": "band_summary",
    "documents": "band_documents",
    "memory": "band_memory",
    "results": "band_tools",
    "you": "band_you",
    "assistant": "band_assistant",
    "reasoning": "band_reasoning",
    "media": "band_media",
    "draft": "band_draft",
}
"""Categories (U5) in their fixed order, each with the name of its colour."""


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
    composition: tuple[tuple[str, int], ...] = ()

    @property
    def free_tokens(self) -> int | None:
        return None if self.window_tokens is None else max(0, self.window_tokens - self.used_tokens)


def in_order(composition: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
    """`composition` in the fixed order of categories, without those that hold nothing."""
    order = tuple(BANDS)
    return tuple(sorted((item for item in composition if item[1] > 0), key=lambda item: order.index(item[0])))
