"""What a model's provider keeps of a prompt, for how long and at which price: family table and registry in one value."""

from dataclasses import dataclass

from app.models.families import CacheKind, Family, cache_minimum
from app.models.registry import ModelFacts

_READ = 0.1
_MARKED_WRITE, _MARKED_LONG_WRITE = 1.25, 2.0
"""Anthropic's and Qwen's, for models whose prices nobody has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Prices are shares of what a token costs that is read for the first time."""

    kind: CacheKind = CacheKind.NONE
    minimum_tokens: int = 0
    """A shorter prompt is never kept."""
    step_tokens: int = 1
    """Only whole steps are read."""
    ttl_s: int = 0
    """It is forgotten so long after its last use."""
    long_ttl_s: int = 0
    """The longer life that can be asked for; 0: there is none."""
    read: float = 1.0
    """1: nobody keeps it, so each request reads all of it for the first time."""
    write: float = 1.0
    long_write: float = 1.0
    input_usd: float | None = None
    """Of one token that is read for the first time; None: not known."""
    output: float = 4.0
    """Of one token that the model writes."""
    probes_thinking: bool = True
    """A probe is legal while the model thinks: without a budget, which `max_tokens` would have to exceed (P7)."""
    by_effort: bool = False
    """What was kept with one effort of reasoning is not found with another."""

    @property
    def exists(self) -> bool:
        return self.kind is not CacheKind.NONE

    def usd(self, shares: float) -> float | None:
        """Money for so many tokens' worth of input; None where no price is known."""
        return None if self.input_usd is None else shares * self.input_usd


NO_CACHE = Terms()


def terms_of(family: Family, name: str, facts: ModelFacts, *, prompt_tokens: int = 0) -> Terms:
    """Args: `prompt_tokens`: of the prompt in question, since long ones may have other prices."""
    cache, prices = family.cache, facts.prices_at(prompt_tokens)
    is_marked = cache.kind is CacheKind.MARKERS

    def share(price: float | None, unknown: float) -> float:
        return price / prices.input_usd if price is not None and prices.input_usd else unknown

    output = share(prices.output_usd, NO_CACHE.output)
    if cache.kind is CacheKind.NONE:
        return Terms(input_usd=prices.input_usd, output=output)
    write = share(prices.cache_write_usd, _MARKED_WRITE if is_marked else 1.0)
    return Terms(
        kind=cache.kind,
        minimum_tokens=cache_minimum(family, name, facts),
        step_tokens=cache.step_tokens,
        ttl_s=cache.ttls_s[0],
        long_ttl_s=cache.ttls_s[1] if len(cache.ttls_s) > 1 else 0,
        read=share(prices.cached_usd, _READ),
        write=write
        if is_marked
        else max(write, 1.0),  # 0: for the writing alone; it is read for the first time
        long_write=share(prices.cache_write_1h_usd, _MARKED_LONG_WRITE if is_marked else 1.0),
        input_usd=prices.input_usd,
        output=output,
        probes_thinking=not family.thinking.has_budget,
        by_effort=cache.by_effort,
    )
