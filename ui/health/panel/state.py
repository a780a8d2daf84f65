"""What the panel draws: one frozen value."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from app.health.log import HealthFacts
from ui.health.cache_card import CacheState
from ui.health.state import HEALTH_OF, Health, RingState

COMPRESS_FROM = 0.3
"""Share of the window from which Compress is shown (U4)."""

CardId = Literal["compaction", "pruning", "cache"]
CARDS: tuple[CardId, ...] = ("compaction", "pruning", "cache")


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelState:
    """`facts` and `cache` None: nothing is known yet; `now` None: nobody has looked."""

    ring: RingState = field(default_factory=RingState)
    facts: HealthFacts | None = None
    cache: CacheState | None = None
    now: datetime | None = None
    is_busy: bool = False
    """A compression is under way, or an answer: nothing can be undone now."""

    def health(self, card: CardId) -> Health:
        """The word on a card's badge."""
        if card == "cache":
            return HEALTH_OF[self.cache.card.health(self.cache.now)] if self.cache else "inactive"
        if self.facts is None:
            return "inactive"
        found = self.facts.compaction if card == "compaction" else self.facts.pruning
        return HEALTH_OF[found.health]

    @property
    def hit_rate(self) -> float | None:
        return self.cache.card.hit_rate if self.cache else None

    @property
    def offers_compress(self) -> bool:
        return self.ring.use is None or self.ring.use >= COMPRESS_FROM
