"""The prompt cache of a chat as one value: whether it is warm, what it spared and cost, and what broke it last (U5)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.cache.economics import saved_by_cache
from app.cache.terms import Terms
from app.cache.warmth import Holding, Warmth
from app.context.budget import Health
from app.core.records import BreakCause, CacheBreak, RequestKind, RequestRecord, RequestState
from app.core.usage import Usage
from app.models.families import CacheKind

TermsOf = Callable[[RequestRecord], Terms | None]
"""Of the model that a request went to, at its length; None: nobody knows that model any more."""

_ENDED = (RequestState.FINISHED, RequestState.STOPPED, RequestState.UNKNOWN)
"""States of requests that are paid for; one that failed is not, one under way has no price yet."""
_OURS = {BreakCause.SYSTEM, BreakCause.TOOLS, BreakCause.SCHEMA, BreakCause.COMPACTION, BreakCause.SETTING}
_MANY, _RECENT_TURNS = 2, 5
_LOW_RATE, _LAST_PART = 0.5, 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """A sum of money, and of how many requests it holds no price: those are unknown, not free."""

    usd: float = 0.0
    n_priced: int = 0
    n_unpriced: int = 0

    @property
    def is_unknown(self) -> bool:
        """No price of it is known."""
        return self.n_unpriced > 0 and not self.n_priced


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """What requests cost, and what they would have cost more without a cache."""

    saved: Amount = Amount()
    """Negative where only writing to the cache was paid for."""
    spent: Amount = Amount()
    """On requests of every kind, probes and summaries included."""
    probes: Amount = Amount()
    """Part of `spent`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldBreak:
    """A break, and in which turn of the chat it came, counted from 1."""

    found: CacheBreak
    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheCard:
    """As of `at`; what passes with time is asked for with the present moment."""

    at: datetime
    held: Holding
    kind: CacheKind = CacheKind.NONE
    family: str = ""
    mode: str = ""
    """How it is kept warm: `Settings.cache_mode`."""
    is_own_mode: bool = False
    """The person chose it; else it is ours."""
    minimum_tokens: int = 0
    """A shorter prompt is never kept."""
    ttl_s: int = 0
    next_probe_at: datetime | None = None
    has_met_limit: bool = False
    """No probe is planned because the day's money for them is spent."""
    n_calls: int = 0
    """Answers whose usage was reported."""
    input_tokens: int = 0
    """Of them."""
    cached_tokens: int = 0
    """Part of it, read from the cache."""
    seen: Usage | None = None
    """What the last of them reported."""
    hit_rate: float | None = None
    """Read from the cache ÷ read at all, by answers; None: nothing was reported."""
    warm_rate: float | None = None
    """The same without each model's first answer, whose prompt no cache could hold; None: there is no other."""
    turn: Period = Period()
    """The last one."""
    chat: Period = Period()
    day: Period = Period()
    """Of all chats."""
    last_break: ToldBreak | None = None
    n_recent_breaks: int = 0
    """Of our own making, in the last five turns."""

    def left_s(self, now: datetime) -> float:
        """Until what is warm expires; 0: it is not warm any more."""
        if self.held.warmth is not Warmth.WARM:
            return 0.0
        return max(0.0, self.held.left_s - (now - self.at).total_seconds())

    def warmth(self, now: datetime) -> Warmth:
        has_expired = self.held.warmth is Warmth.WARM and not self.left_s(now)
        return Warmth.COLD if has_expired else self.held.warmth

    def health(self, now: datetime) -> Health:
        """UNKNOWN where there is nothing to judge: no cache at this model, or no answer but a model's first."""
        if self.held.warmth is Warmth.NONE or self.n_calls < _MANY or self.warm_rate is None:
            return Health.UNKNOWN
        if self.n_recent_breaks >= _MANY:
            return Health.CRITICAL
        is_ending = 0 < self.left_s(now) <= _LAST_PART * self.ttl_s
        is_low = self.has_low_rate and self.excused_rate is None
        return Health.WARNING if is_ending or is_low else Health.HEALTHY

    @property
    def has_low_rate(self) -> bool:
        return self.hit_rate is not None and self.hit_rate < _LOW_RATE

    @property
    def excused_rate(self) -> float | None:
        """The rate without first answers, where those alone make the hit rate low; told beside it, since no one warns."""
        return self.warm_rate if self.has_low_rate and (self.warm_rate or 0.0) >= _LOW_RATE else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How the prompt is kept in the cache, and whose choice that is."""

    family: str = ""
    mode: str = ""
    is_own: bool = False
    has_met_limit: bool = False


def cache_card(
    requests: Sequence[RequestRecord],
    *,
    paid: Sequence[RequestRecord],
    today: Sequence[RequestRecord],
    terms: Terms,
    held: Holding,
    terms_of: TermsOf,
    at: datetime,
    next_probe_at: datetime | None,
    policy: Policy | None = None,
) -> CacheCard:
    """
    Args:
        requests: Those that sent the chat itself, oldest first.
        paid: All that it made, with those for summaries and titles, and of its sub-agents.
        today: Of all chats since `day_began`.
        terms, held: What the model of the next request offers, and what its provider holds.
    """
    answers = [item for item in requests if item.kind is RequestKind.ANSWER]
    reported = [(item.model, usage) for item in answers if (usage := item.usage) and not usage.is_estimate]
    first = {model: n for n, (model, _) in reversed(list(enumerate(reported)))}
    turns = {turn: n for n, turn in enumerate(dict.fromkeys(item.turn_id for item in answers), start=1)}
    broken = [(item.cache_break, turns[item.turn_id]) for item in answers if item.cache_break]
    newest = answers[-1].turn_id if answers else None
    policy = policy or Policy()
    return CacheCard(
        at=at,
        held=held,
        kind=terms.kind,
        family=policy.family,
        mode=policy.mode,
        is_own_mode=policy.is_own,
        has_met_limit=policy.has_met_limit,
        minimum_tokens=terms.minimum_tokens,
        ttl_s=terms.ttl_s,
        next_probe_at=next_probe_at,
        n_calls=len(reported),
        input_tokens=sum(usage.prompt_tokens for _, usage in reported),
        cached_tokens=sum(usage.cached_tokens for _, usage in reported),
        seen=reported[-1][1] if reported else None,
        hit_rate=_rate(usage for _, usage in reported),
        warm_rate=_rate(usage for n, (model, usage) in enumerate(reported) if n != first[model]),
        turn=_period([item for item in requests if item.turn_id == newest], terms_of),
        chat=_period(paid, terms_of),
        day=_period(today, terms_of),
        last_break=ToldBreak(found=broken[-1][0], turn=broken[-1][1]) if broken else None,
        n_recent_breaks=sum(
            found.cause in _OURS and turn > len(turns) - _RECENT_TURNS for found, turn in broken
        ),
    )


def day_began(now: datetime) -> datetime:
    """Midnight where the person is."""
    return now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)


def _rate(usages: Iterable[Usage]) -> float | None:
    found = list(usages)
    n_read = sum(usage.prompt_tokens for usage in found)
    return sum(usage.cached_tokens for usage in found) / n_read if n_read else None


def _period(requests: Sequence[RequestRecord], terms_of: TermsOf) -> Period:
    paid = [item for item in requests if item.state in _ENDED]
    return Period(
        saved=_sum(_saved_usd(item, terms_of) for item in paid if item.kind is not RequestKind.PROBE),
        spent=_sum(item.cost_usd for item in paid),
        probes=_sum(item.cost_usd for item in paid if item.kind is RequestKind.PROBE),
    )


def _saved_usd(record: RequestRecord, terms_of: TermsOf) -> float | None:
    """None: its price is not known. What neither read nor wrote saved nothing, whatever its price."""
    usage = record.usage
    if usage is None or usage.is_estimate or not (usage.cached_tokens or usage.cache_write_tokens):
        return 0.0
    terms = terms_of(record)
    return terms.usd(saved_by_cache(terms, usage)) if terms else None


def _sum(prices: Iterable[float | None]) -> Amount:
    found = list(prices)
    known = [price for price in found if price is not None]
    return Amount(usd=sum(known), n_priced=len(known), n_unpriced=len(found) - len(known))
