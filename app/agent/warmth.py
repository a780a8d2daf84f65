"""Keeps an open chat's prompt in its provider's cache while its person may come back, and no longer (P7, P8).

A probe is the chat's last request once more, with its marks and tools, and room for one token of an answer. Each one is
written down like any request, so what it cost and what came back is seen.
"""

import logging
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from app.agent.asides import Aside, AsidePorts, told
from app.agent.asking import request_of
from app.agent.desk import Desk
from app.agent.execution import ChatAgentExecutionCache, Execution
from app.cache.economics import most_probes
from app.cache.terms import Terms
from app.cache.warmth import probe_in_s, probes_since_answer
from app.context.budget import Stage
from app.context.conversation import Conversation
from app.context.ports import Clock
from app.context.render import RENDERER
from app.core.errors import Overloaded, ProviderError, RateLimited, StoreError, Unreachable
from app.core.ids import ChatId, EntryId, ModelId, RequestId, new_id
from app.core.records import Fact, RequestKind, RequestRecord, RequestState
from app.core.requests import Request, Role
from app.settings import Settings

log = logging.getLogger(__name__)

GONE_S = 30 * 60
"""Without a key or a click for so long, the person is not there."""
EXPECTED_S = 2 * 60
"""So soon after its last request a chat is likely to go on."""
_BUSY_S = 5.0
"""A compaction under way is looked at again so much later."""
_LOOK_S = 30.0
"""So often who waits for the next probe looks again whether it is still wanted, and what time it is: a machine that
slept meanwhile stopped no provider's clock, but our own."""
_SAME = timedelta(seconds=1)
"""Moments nearer to each other are the same plan, made at two moments."""
_PASSING = (RateLimited, Overloaded, Unreachable)
"""Failures that say nothing of the probe itself."""


class Attention:
    """What the window tells of its person: when they last did something, and where they write.

    Args:
        returned: Told when somebody is there again.
    """

    def __init__(self, clock: Clock, returned: Callable[[], None] = lambda: None) -> None:
        self._clock = clock
        self._returned = returned
        self._seen_s = clock.monotonic()
        self._is_locked = False
        self.writing_in: ChatId | None = None
        """The chat whose composer has the keyboard."""

    def seen(self) -> None:
        was_away = not self.is_present
        self._seen_s, self._is_locked = self._clock.monotonic(), False
        if was_away:
            self._returned()

    def locked(self) -> None:
        """The screen was; whatever is done in the window shows that it is no more."""
        self._is_locked = True

    @property
    def is_present(self) -> bool:
        return not self._is_locked and self._clock.monotonic() - self._seen_s < GONE_S


@dataclass(frozen=True, slots=True, kw_only=True)
class WarmthPorts:
    asides: AsidePorts
    executions: ChatAgentExecutionCache
    settings: Callable[[], Settings]
    attention: Attention
    spent_today_usd: Callable[[], Awaitable[float]]
    """On probes, of all chats."""


class KeepAlive:
    """The probes of one open chat.

    Args:
        told: Told of what was written, and of another plan.
    """

    def __init__(
        self, conversation: Conversation, desk: Desk, ports: WarmthPorts, *, told: Callable[[Fact], None]
    ) -> None:
        self.next_at: datetime | None = None
        """When the next probe is due; None: none is planned."""
        self.has_met_limit = False
        """The day's money for probes was spent when one was last wanted; what comes after it is not kept warm."""
        self._conversation = conversation
        self._desk = desk
        self._ports = ports
        self._told = told
        self._refused: set[ModelId] = set()
        """Models that did not take a probe: they are asked for no more of them (case B53)."""

    async def run(self) -> None:
        """Probe a minute before the prompt expires, until that pays no more or nobody is there; cancel it at will."""
        clock = self._ports.asides.clock
        try:
            while execution := self._ports.executions.last(self._conversation.id):
                await self._desk.follow(execution)
                in_s = self._due_in_s(execution)
                if in_s is None or not await self._may_probe(execution):
                    return
                self._plan(clock.now() + timedelta(seconds=in_s))
                if in_s:
                    await clock.sleep(min(in_s, _LOOK_S))
                elif not await self._probe(execution):
                    return
        finally:
            self._plan(None)

    def _plan(self, at: datetime | None) -> None:
        if at and self.next_at and abs(at - self.next_at) < _SAME:
            return
        if at != self.next_at:
            self.next_at = at
            self._told(Fact.REQUESTS)

    def _due_in_s(self, execution: Execution) -> float | None:
        """Until the next probe; None: there is nothing to be kept."""
        if self._desk.is_busy:
            return _BUSY_S
        terms, held = self._desk.held(execution)
        if terms.exists and self._is_expected() and not self._stands(execution, terms):
            return 0.0  # another prompt than was sent, and a message is likely to need it (P7)
        return probe_in_s(terms, held)

    def _stands(self, execution: Execution, terms: Terms) -> bool:
        """What was last sent begins what would be sent now."""
        here = self._conversation
        context, last = here.context(model=execution.model, prelude=execution.prelude), here.requests[-1]
        is_as_asked = not terms.by_effort or last.effort == (execution.sampling.reasoning_effort or "")
        is_same = last.model == execution.model and is_as_asked
        return is_same and context.holds_prefix(last.n_blocks, last.chain_tip)

    def _is_expected(self) -> bool:
        """A message is likely to come soon: after the last answer, longer while its person writes here."""
        requests, now = self._conversation.requests, self._ports.asides.clock.now()
        if not requests or requests[-1].kind is not RequestKind.ANSWER:
            return False
        is_writing = self._ports.attention.writing_in == self._conversation.id
        return (now - requests[-1].created_at).total_seconds() < (GONE_S if is_writing else EXPECTED_S)

    async def _may_probe(self, execution: Execution) -> bool:
        settings, terms = self._ports.settings(), self._desk.held(execution)[0]
        thinks = bool(execution.sampling.reasoning_effort)
        if settings.cache_mode == "off" or execution.model in self._refused:
            return False
        if (thinks and not terms.probes_thinking) or not self._ports.attention.is_present:
            return False
        fill = self._desk.fill()
        if fill is None or fill.stage in (Stage.FULL, Stage.EMERGENCY):  # room is made first: another prompt
            return False
        try:
            chat = await self._ports.asides.store.chat(self._conversation.id)
        except StoreError:  # deleted for good
            return False
        if chat.deleted_at or chat.called_by:  # a sub-agent has nobody who comes back
            return False
        if settings.cache_mode == "always":
            return await self._has_money(settings.cache_limit_usd)
        return probes_since_answer(self._conversation.requests) < most_probes(terms)

    async def _has_money(self, limit_usd: float) -> bool:
        """Tell of it where the day's limit is met, or no more."""
        has_met = await self._ports.spent_today_usd() >= limit_usd
        if has_met != self.has_met_limit:
            self.has_met_limit = has_met
            self._told(Fact.REQUESTS)
        return not has_met

    async def _probe(self, execution: Execution) -> bool:
        """Ask once; False: it was not taken, or nobody says what came of it."""
        try:
            request, record = await self._asked(execution)
        except ProviderError:
            return False
        aside = Aside(record=record, request=request, target=execution.target, facts=execution.facts)
        try:
            async with aclosing(told(aside, self._ports.asides, ended=self._ended)) as events:
                async for _ in events:
                    pass
        except ProviderError as error:  # nobody asked for it, so nobody is told; the log is
            log.info("A probe was not taken: %s", error)
            if not isinstance(error, _PASSING):
                self._refused.add(execution.model)
            return False
        return self._conversation.requests[-1].usage is not None

    def _ended(self, record: RequestRecord) -> None:
        self._conversation.requests.append(record)
        self._told(Fact.REQUESTS)

    async def _asked(self, execution: Execution) -> tuple[Request, RequestRecord]:
        """The last request as it would be sent now, and its record.

        Raises:
            ProviderError: as it stands it would be refused.
        """
        here = self._conversation
        context = here.context(model=execution.model, prelude=execution.prelude)
        roles = [message.role for message in context.messages]
        until = len(roles) - next(
            (n for n, role in enumerate(reversed(roles)) if role is not Role.ASSISTANT), 0
        )
        request = await request_of(context, execution, here.requests, cache_key=here.id, until=until)
        shape = self._desk.shape(context, execution).first(until)
        n_blocks, last = shape.blocks[-1], here.requests[-1]
        estimated = shape.tokens_until(until - 1) / shape.scale
        record = RequestRecord(
            id=RequestId(new_id("r")),
            kind=RequestKind.PROBE,
            chat_id=here.id,
            turn_id=last.turn_id,
            head=context.messages[until - 1].sources[-1],
            answer_id=EntryId(""),
            rev=context.rev,
            model=execution.model,
            prelude_hash=context.prelude_hash,
            n_blocks=n_blocks,
            chain_tip=context.chain[n_blocks - 1].hex(),
            renderer=RENDERER,
            fingerprint=execution.fingerprint,
            effort=request.sampling.reasoning_effort or "",
            estimated_tokens=round(estimated),
            projected_tokens=round(estimated * shape.scale),
            state=RequestState.SENT,
            created_at=self._ports.asides.clock.now(),
        )
        marked = replace(
            request,
            sampling=replace(request.sampling, max_tokens=1),
            breakpoints=self._desk.marks(shape, execution),
        )
        return marked, record
