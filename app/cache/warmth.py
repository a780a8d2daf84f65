"""Whether a provider still holds a chat's prompt, and when a probe would keep it there (S4, P7, P8)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import takewhile

from app.cache.terms import Terms
from app.core.records import RequestKind, RequestRecord
from app.models.families import CacheKind

IDLE_S = 240
MARGIN_S = 60


class Warmth(StrEnum):
    NONE = "none"
    """This model offers no cache: nothing to keep, and nothing wrong."""
    UNKNOWN = "unknown"
    """No request of this model has held this prompt: an import, a switch, a first message."""
    SMALL = "small"
    """Below what the model keeps at all, or reported as neither read nor written (case B46)."""
    WARM = "warm"
    """Likely: within its time since the last use, and reported as kept where that was reported."""
    COLD = "cold"
    """Expired."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """What the provider likely holds of the next request."""

    warmth: Warmth = Warmth.NONE
    tokens: int = 0
    """Of the last request that was taken, as reported."""
    left_s: float = 0.0
    """Until it expires."""


def holding(terms: Terms, last: RequestRecord | None, now: datetime, *, effort: str = "") -> Holding:
    """
    Args:
        last: The newest request of this model whose prompt begins the next one; a probe counts.
        effort: Of reasoning, as the next request will ask for it.
    """
    if not terms.exists:
        return Holding()
    if last is None or last.usage is None or not last.was_accepted:
        return Holding(warmth=Warmth.UNKNOWN)
    if terms.by_effort and last.effort != effort:
        return Holding(warmth=Warmth.UNKNOWN)
    tokens = last.usage.prompt_tokens
    was_kept = terms.kind is CacheKind.AUTOMATIC or last.usage.cached_tokens + last.usage.cache_write_tokens
    if tokens < terms.minimum_tokens or not was_kept:
        return Holding(warmth=Warmth.SMALL, tokens=tokens)
    left_s = max(0.0, terms.ttl_s - (now - last.created_at).total_seconds())
    return Holding(warmth=Warmth.WARM if left_s else Warmth.COLD, tokens=tokens, left_s=left_s)


def probe_in_s(terms: Terms, held: Holding) -> float | None:
    """Until the next probe keeps a warm prompt warm: a minute before it expires, and not while somebody may be typing.

    None: there is nothing that a probe would keep.
    """
    if held.warmth is not Warmth.WARM:
        return None
    idle_s = terms.ttl_s - held.left_s
    return max(0.0, max(terms.ttl_s - MARGIN_S, IDLE_S) - idle_s)


def probes_since_answer(requests: Sequence[RequestRecord]) -> int:
    """Args: `requests`: of one chat, oldest first."""
    return sum(1 for _ in takewhile(lambda item: item.kind is RequestKind.PROBE, reversed(requests)))
