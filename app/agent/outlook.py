"""What the next message would meet at a model: how full its window is, whether room is made first, what that costs (A6)."""

from dataclasses import dataclass

from app.context.budget import Fill
from app.core.ids import ModelId
from app.core.usage import Usage
from app.models.families import CacheKind, Family
from app.models.registry import ModelFacts, cost_usd


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    model: ModelId
    answered_by: ModelId | None
    """Who had the last message; None: nobody of ours, as after an import."""
    fill: Fill
    """Of the next request there, what stands in the composer included."""
    compresses: bool
    """Room is made before that request leaves."""
    folds_tokens: int = 0
    """About so many go: before that request leaves, or, where the compaction waits, as soon as the person wants it."""
    waits: bool = False
    """A compaction is due, and put off until it pays or the prompt cache has expired (P9)."""
    warm_s: float = 0.0
    """The prompt cache expires so much later, and another plan may hold then; 0: it holds nothing."""
    writes_cache: bool
    """The provider's cache holds nothing of it, or no more."""
    prompt_usd: float | None
    """What reading it costs where no cache has it, about; None: prices are not known."""

    @property
    def is_switch(self) -> bool:
        return self.model != self.answered_by


def fresh_usd(facts: ModelFacts, family: Family, prompt_tokens: int) -> float | None:
    """The price of a prompt that no cache holds, and that is written into one where the family says so."""
    written = prompt_tokens if family.cache.kind is CacheKind.MARKERS else 0
    return cost_usd(
        facts, Usage(prompt_tokens=prompt_tokens, completion_tokens=0, cache_write_tokens=written)
    )
