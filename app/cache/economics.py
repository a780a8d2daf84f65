"""What rewriting a cached prompt costs and what it saves (P6), in tokens' worth of input; `Terms.usd` makes it money."""

import math
from dataclasses import dataclass

from app.cache.terms import Terms
from app.core.usage import Usage


def rewrite_cost(
    terms: Terms, *, before: float, after: float, unchanged: float = 0.0, is_cold: bool = False
) -> float:
    """What the next request costs more if its prompt is rewritten from `before` to `after` tokens; may be negative.

    Args:
        unchanged: Tokens before the first changed block, which are read from the cache in any case.
        is_cold: Nothing is in the cache: all is written, rewritten or not.
    """
    kept = 0.0 if is_cold else unchanged
    return (
        kept * terms.read + (after - kept) * terms.write - before * (terms.write if is_cold else terms.read)
    )


def saved_each(terms: Terms, *, before: float, after: float) -> float:
    """What each request after that costs less."""
    return (before - after) * terms.read


def pay_back(
    terms: Terms,
    *,
    before: float,
    after: float,
    unchanged: float = 0.0,
    is_cold: bool = False,
    writer: float = 0.0,
) -> float:
    """After how many requests a rewrite has saved what it cost; infinite: never.

    Args:
        writer: What the summary's writer takes.
    """
    each = saved_each(terms, before=before, after=after)
    cost = writer + rewrite_cost(terms, before=before, after=after, unchanged=unchanged, is_cold=is_cold)
    return max(0.0, cost / each) if each > 0 else math.inf


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriting:
    """What one rewrite costs and saves, before anybody decides on it (C35)."""

    cost_tokens: float
    """What the next request costs more, and the summary; negative where it costs less at once. In tokens of input."""
    saved_tokens: float
    """What each request after it costs less."""
    pay_back: float
    """Requests until it has paid for itself; infinite: never."""
    cost_usd: float | None = None
    """None: no price is known."""
    saved_usd: float | None = None


def rewriting(
    terms: Terms, *, before: float, after: float, unchanged: float, is_cold: bool, writer: float = 0.0
) -> Rewriting:
    """See `rewrite_cost` and `pay_back`."""
    cost = writer + rewrite_cost(terms, before=before, after=after, unchanged=unchanged, is_cold=is_cold)
    saved = saved_each(terms, before=before, after=after)
    return Rewriting(
        cost_tokens=cost,
        saved_tokens=saved,
        pay_back=max(0.0, cost / saved) if saved > 0 else math.inf,
        cost_usd=terms.usd(cost),
        saved_usd=terms.usd(saved),
    )


def saved_by_cache(terms: Terms, usage: Usage) -> float:
    """What one request cost less than without a cache; negative where only writing was paid for."""
    written_more = usage.cache_write_tokens * (terms.write - 1)
    written_more += usage.cache_write_1h_tokens * (terms.long_write - terms.write)
    return usage.cached_tokens * (1 - terms.read) - written_more


def probe_cost(terms: Terms, prompt_tokens: int) -> float:
    return prompt_tokens * terms.read


def most_probes(terms: Terms) -> int:
    """So many probes cost what one cold write does; no more are worth it (P8). 11 of Anthropic's."""
    return int((terms.write - terms.read) / terms.read) if 0 < terms.read < terms.write else 0
