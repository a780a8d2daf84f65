"""What rewriting a cached prompt costs and what it saves (P6), in tokens' worth of input; `Terms.usd` makes it money."""

import math

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
    if each <= 0:
        return math.inf
    cost = writer + rewrite_cost(terms, before=before, after=after, unchanged=unchanged, is_cold=is_cold)
    return max(0.0, cost / each)


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
