"""Whose request goes first where a provider takes only so many a minute: the person's, then their helpers', then ours (A19).

A token bucket per limit that the provider told of; until it has told of one nothing waits.
"""

import asyncio
import itertools
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Protocol

from app.agent.execution import Execution
from app.context.conversation import Conversation
from app.context.ports import Clock
from app.core.entries import Chat
from app.core.events import Rate
from app.core.records import RequestRecord
from app.health.metrics import surges


class Rank(IntEnum):
    """The lower goes first; of one rank who came first."""

    PERSON = 0
    SUB_AGENT = 1
    SURGING = 2
    """A chat that grew fast, again and again."""
    BACKGROUND = 3
    """Titles, summaries, probes."""


LONGEST_WAIT_S = 60.0
"""Of a limit that is back only later, by the day, the provider's own refusal tells more than a wait."""
SURGES = 3
SURGE_WITHIN = timedelta(minutes=10)


def rank_of(chat: Chat, requests: Sequence[RequestRecord], now: datetime) -> Rank:
    """The rank of a chat's next answer."""
    if n_surges(requests, now) >= SURGES:
        return Rank.SURGING
    return Rank.SUB_AGENT if chat.called_by else Rank.PERSON


def n_surges(requests: Sequence[RequestRecord], now: datetime) -> int:
    """How often a request was so much longer than the one before it, lately (C5)."""
    recent = list(itertools.takewhile(lambda item: now - item.created_at <= SURGE_WITHIN, reversed(requests)))
    before = requests[: len(requests) - len(recent)][-1:]
    return surges((*before, *reversed(recent)))


@dataclass(slots=True, kw_only=True)
class Bucket:
    """So much may be used at once, and comes back evenly over `period_s`."""

    most: int
    period_s: float
    left: float
    at_s: float

    def _now(self, now_s: float) -> float:
        return min(self.most, self.left + max(0.0, now_s - self.at_s) * self.most / self.period_s)

    def wait_s(self, amount: int, now_s: float) -> float:
        """Until `amount` may be taken; what is more than ever fits waits for a full bucket."""
        missing = min(amount, self.most) - self._now(now_s)
        return max(0.0, missing * self.period_s / self.most)

    def take(self, amount: int, now_s: float) -> None:
        self.left, self.at_s = self._now(now_s) - min(amount, self.most), now_s

    def learn(self, rate: Rate, now_s: float) -> None:
        """What the provider says goes before what we counted, unless requests are under way that it has not seen."""
        left = min(self._now(now_s), float(rate.left)) if rate.most == self.most else float(rate.left)
        self.most, self.period_s, self.left, self.at_s = rate.most, rate.period_s, left, now_s


@dataclass(slots=True, kw_only=True)
class _Place:
    buckets: dict[str, Bucket] = field(default_factory=dict[str, Bucket])
    waiting: "list[Ticket]" = field(default_factory=lambda: list[Ticket]())
    changed: asyncio.Event = field(default_factory=asyncio.Event)


class Rates:
    """The queues of all providers, by the id of their endpoint."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._places: dict[str, _Place] = {}
        self._n = itertools.count()

    def learn(self, endpoint: str, rates: Sequence[Rate]) -> None:
        """Take over what an answer of the provider said of its limits."""
        place, now_s = self._place(endpoint), self._clock.monotonic()
        for rate in rates:
            bucket = place.buckets.get(rate.of)
            if bucket is None:
                place.buckets[rate.of] = Bucket(
                    most=rate.most, period_s=rate.period_s, left=rate.left, at_s=now_s
                )
            else:
                bucket.learn(rate, now_s)

    @asynccontextmanager
    async def queued(self, endpoint: str, tokens: int, rank: Rank) -> AsyncGenerator["Ticket", None]:
        """Stand in the queue of a provider, to be `admitted`; left in any case at the end."""
        ticket = Ticket(self._place(endpoint), self._clock, (rank, next(self._n)), tokens)
        ticket.place.waiting.append(ticket)
        try:
            yield ticket
        finally:
            ticket.leave()

    def _place(self, endpoint: str) -> _Place:
        return self._places.setdefault(endpoint, _Place())


class Ticket:
    """A request's place in a queue."""

    def __init__(self, place: _Place, clock: Clock, order: tuple[Rank, int], tokens: int) -> None:
        self.place = place
        self.order = order
        self._clock = clock
        self._tokens = tokens

    @property
    def wait_s(self) -> float:
        """So long at least until it may go, with all that are before it; 0: it may go now."""
        ahead = [item for item in self.place.waiting if item.order <= self.order]
        amounts = {"requests": len(ahead), "tokens": sum(item._tokens for item in ahead)}  # noqa: SLF001  # its own kind
        return self._wait(amounts)

    def _wait(self, amounts: dict[str, int]) -> float:
        now_s, buckets = self._clock.monotonic(), self.place.buckets
        waits = (bucket.wait_s(amounts[of], now_s) for of, bucket in buckets.items())
        return max((wait_s for wait_s in waits if wait_s <= LONGEST_WAIT_S), default=0.0)

    async def admitted(self) -> None:
        """Wait for its turn; what it will use is taken then."""
        own = {"requests": 1, "tokens": self._tokens}
        while True:
            if any(item.order < self.order for item in self.place.waiting):
                await self.place.changed.wait()
            elif wait_s := self._wait(own):
                await self._clock.sleep(wait_s)
            else:
                break
        now_s = self._clock.monotonic()
        for of, bucket in self.place.buckets.items():
            bucket.take(own[of], now_s)
        self.leave()

    def leave(self) -> None:
        """Twice changes nothing."""
        if self in self.place.waiting:
            self.place.waiting.remove(self)
            self.place.changed.set()
            self.place.changed = asyncio.Event()


class _Ports(Protocol):
    @property
    def rates(self) -> Rates | None: ...
    @property
    def clock(self) -> Clock: ...


async def admission(
    ports: _Ports, conversation: Conversation, execution: Execution, tokens: int
) -> AsyncGenerator[float, None]:
    """Wait until a chat's next request may leave. Yields: how long that takes at least, where it does."""
    if ports.rates is None:
        return
    rank = rank_of(conversation.chat, conversation.requests, ports.clock.now())
    async with ports.rates.queued(execution.target.endpoint.id, tokens, rank) as ticket:
        if wait_s := ticket.wait_s:
            yield wait_s
        await ticket.admitted()
