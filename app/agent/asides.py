"""Requests beside a chat's own turns, for its summaries, titles and probes: written down before they leave, and with what they cost.

What can't be written down is asked for all the same: a full disk keeps no summary from being made.
"""

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace

from app.agent.ports import Gateway, Target
from app.agent.rates import Rank, Rates
from app.context.chain import prelude_hash
from app.context.ports import Clock, Outcome, Store
from app.context.render import RENDERER
from app.core.errors import AppError, StoreError
from app.core.events import Accepted, GatewayEvent, UsageReported
from app.core.ids import ChatId, EntryId, RequestId, TurnId, new_id
from app.core.parts import TextPart
from app.core.records import RequestKind, RequestRecord, RequestState
from app.core.requests import Request
from app.core.usage import Usage
from app.models.registry import ModelFacts, cost_usd
from app.tasks import uncancelled

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class AsidePorts:
    store: Store
    gateway: Gateway
    clock: Clock
    rates: Rates | None = None
    """None: nothing ever waits for a provider's limits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """What is asked, and of whom."""

    record: RequestRecord
    request: Request
    target: Target
    facts: ModelFacts
    """Of the target's model, for its prices."""

    @property
    def tokens(self) -> int:
        """About so many: what waits for limits need not know better."""
        texts = (
            part.text
            for message in self.request.messages
            for part in message.parts
            if isinstance(part, TextPart)
        )
        return sum(len(text) for text in texts if isinstance(text, str)) // 4


async def told(
    aside: Aside, ports: AsidePorts, *, ended: Callable[[RequestRecord], None] = lambda record: None
) -> AsyncGenerator[GatewayEvent, None]:
    """As `Gateway.stream`.

    Args:
        ended: Told the record as it is in the end, however it ended.
    """
    record = aside.record
    began_s = ports.clock.monotonic()
    usage: Usage | None = None

    async def end(state: RequestState, code: str = "") -> None:
        outcome = Outcome(
            state=state,
            usage=usage,
            cost_usd=cost_usd(aside.facts, usage) if usage else None,
            duration_s=ports.clock.monotonic() - began_s,
            error=code,
        )
        await _if_possible(ports.store.mark_request(record.id, outcome))
        ended(
            replace(
                record,
                state=state,
                usage=usage,
                cost_usd=outcome.cost_usd,
                duration_s=outcome.duration_s,
                error=code,
            )
        )

    if ports.rates:
        async with ports.rates.queued(aside.target.endpoint.id, aside.tokens, Rank.BACKGROUND) as ticket:
            await ticket.admitted()
    await _if_possible(ports.store.begin_request(record, aside.request.prelude))
    try:
        async with aclosing(ports.gateway.stream(aside.request, aside.target)) as events:
            async for event in events:
                if isinstance(event, UsageReported):
                    usage = event.usage
                elif isinstance(event, Accepted) and ports.rates:
                    ports.rates.learn(aside.target.endpoint.id, event.rates)
                yield event
    except AppError as error:
        await uncancelled(end(RequestState.FAILED, error.code))
        raise
    except BaseException:  # the person's Stop, or whoever asked heard enough
        await uncancelled(end(RequestState.STOPPED))
        raise
    await uncancelled(end(RequestState.FINISHED))


def record_beside(kind: RequestKind, chat_id: ChatId, request: Request, clock: Clock) -> RequestRecord:
    """Of what is no reading of the chat, so that nothing of it can be rebuilt; its figures are what counts."""
    return RequestRecord(
        id=RequestId(new_id("r")),
        kind=kind,
        chat_id=chat_id,
        turn_id=TurnId(""),
        head=EntryId(""),
        answer_id=EntryId(""),
        rev=0,
        model=request.model,
        prelude_hash=prelude_hash(request.prelude),
        n_blocks=0,
        chain_tip="",
        renderer=RENDERER,
        fingerprint="",
        estimated_tokens=0,
        projected_tokens=0,
        state=RequestState.SENT,
        created_at=clock.now(),
    )


async def _if_possible(written: Awaitable[None]) -> None:
    try:
        await written
    except StoreError as error:
        log.info("A request beside a chat was not written down: %s", error)
