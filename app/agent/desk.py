"""The figures of an open chat: how full its window is, how it stands with its model, and room when that is due."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from app.agent.asking import request_of
from app.agent.commission import Commission, Prefix
from app.agent.execution import ChatAgentExecutionCache, Execution
from app.agent.judging import judge
from app.agent.outlook import Outlook, fresh_usd
from app.cache.breakpoints import Shape, breakpoints, long_life_pays
from app.cache.terms import Terms
from app.cache.warmth import Holding, Warmth, holding
from app.context.breaker import BreakerState
from app.context.budget import Count, Fill, Projection, Stage, base_of
from app.context.context import Context
from app.context.conversation import Conversation
from app.context.counting import Counter, must_count_first, parts_of, prelude_parts
from app.context.cover import Cover
from app.context.engine import Engine, Standing, Wish
from app.context.facts import Trigger, TurnFacts, cache_facts
from app.context.measure import Meter
from app.context.plan import Decision
from app.context.ports import Clock, Store, Writer
from app.context.proposal import Proposal
from app.context.step import Report
from app.core.errors import ContextTooLong, StoreError
from app.core.ids import EntryId, ModelId
from app.core.parts import Part
from app.core.records import Compaction, Fact, RequestKind, RequestRecord
from app.core.requests import Breakpoint
from app.models.families import CacheKind

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskPorts:
    store: Store
    clock: Clock
    executions: ChatAgentExecutionCache
    compresses: Callable[[], bool]
    """Whether the person lets it compress by itself."""
    writer: Callable[[Commission], Awaitable[Writer | None]]
    """Who may write a summary; None: nobody can (C17)."""
    breakers: Callable[[], Mapping[ModelId, BreakerState]]
    """Of models whose breaker is not closed (C20)."""


_SURELY_FOLDED = 500
"""Messages of which some can be folded whatever they are: a plan of 10,000 takes seconds and 60 MB, to look ahead."""
_PAUSES_OF = 200
"""Requests whose pauses tell how a chat is used."""


class Desk:
    """Counts, measures and compacts one open chat.

    Args:
        counted: Told of what became known or was written.
        report: Told the name of each step while room is made.
    """

    def __init__(
        self,
        conversation: Conversation,
        counter: Counter,
        engine: Engine,
        ports: DeskPorts,
        *,
        counted: Callable[[Fact], None],
        report: Report,
    ) -> None:
        self._conversation = conversation
        self._counter = counter
        self._meter = Meter(counter)
        self._engine = engine
        self._ports = ports
        self._counted = counted
        self._report = report
        self._fill: Fill | None = None

    def fill(self, draft: str = "", pasted_tokens: int = 0) -> Fill | None:
        """How full the window is with the next request: the last figure while much is still to be measured.

        None until `look` has measured the chat.
        """
        execution = self._ports.executions.last(self._conversation.id)
        if execution and self._is_near(execution):
            self._fill = self._measured(execution, draft, pasted_tokens)
        return self._fill

    def _is_near(self, execution: Execution) -> bool:
        """Whether a figure takes no time."""
        if not self._conversation.is_quick(model=execution.model, prelude=execution.prelude):
            return False
        return self._meter.is_near(self._context(execution), execution.family)

    async def look(self) -> Execution:
        """Find out what the next turn runs on, and measure with what was counted before; then `count`."""
        execution = await self._ports.executions.of(self._conversation.chat)
        await self._counter.load(self._conversation.path, execution.family)
        await self.follow(execution)
        return execution

    async def follow(self, execution: Execution) -> None:
        """Have the context and its figures, so that neither takes time."""
        await self._conversation.build(model=execution.model, prelude=execution.prelude)
        await self._meter.follow(self._context(execution), execution.family)

    def _context(self, execution: Execution) -> Context:
        return self._conversation.context(model=execution.model, prelude=execution.prelude)

    def measured(self, execution: Execution) -> Fill:
        """How full the window is without a draft; after `follow` it takes no time."""
        return self._measured(execution)

    def count_of(self, execution: Execution) -> Callable[[Part], Count]:
        """Counts a part as the chat's model reads it."""
        return lambda part: self._counter.count(part, execution.family)

    async def cover(self, standing: Standing) -> tuple[Proposal, TurnFacts, Cover]:
        """What may be folded, if room were wanted now."""
        return await self._engine.cover(standing)

    def _measured(self, execution: Execution, draft: str = "", pasted_tokens: int = 0) -> Fill:
        return self._fill_of(self._meter, self._context(execution), execution, draft, pasted_tokens)

    def _fill_of(
        self, meter: Meter, context: Context, execution: Execution, draft: str, pasted_tokens: int
    ) -> Fill:
        return meter.fill(
            context,
            self._conversation.requests,
            execution.family,
            window=execution.window,
            max_output_tokens=execution.facts.max_output_tokens,
            draft=draft,
            pasted_tokens=pasted_tokens,
        )

    async def measure(self, context: Context, execution: Execution) -> Projection:
        """The projection of a request about to leave; long or near the limit, it is counted exactly first."""
        await self._meter.follow(context, execution.family)
        fill = self._measured(execution)
        uncounted = self._meter.uncounted_tokens(context, execution.family)
        if must_count_first(uncounted, fill.projection.projected_upper_tokens, execution.window.tokens):
            new = chain(
                prelude_parts(context.prelude), parts_of(self._meter.uncounted(context, execution.family))
            )
            await self._counter.count_parts(new, execution.family)
            await self.follow(execution)
            self._counted(Fact.REQUESTS)
            fill = self._measured(execution)
        return fill.projection

    def shape(self, context: Context, execution: Execution) -> Shape:
        """The next request in figures; it was measured before."""
        sealed_by = base_of(self._conversation.requests, execution.model, context.holds_prefix)
        return self._meter.shape(
            context, execution.family, self._measured(execution).projection, sealed_by=sealed_by
        )

    def marks(self, shape: Shape, execution: Execution) -> tuple[Breakpoint, ...]:
        """Up to where a provider that wants to be told shall keep a request (S12, P3)."""
        recent = self._conversation.requests[-_PAUSES_OF:]
        moments = [item.created_at for item in recent if item.model == execution.model]
        pauses = [
            (after - before).total_seconds()
            for before, after in pairwise([*moments, self._ports.clock.now()])
        ]
        terms = execution.terms(round(shape.tokens_until(len(shape.tokens) - 1)))
        return breakpoints(shape, terms, keeps_long=long_life_pays(terms, pauses))

    def held(self, execution: Execution) -> tuple[Terms, Holding]:
        """What the model's provider offers to keep, and what it likely holds of the next request."""
        context = self._context(execution)
        last = base_of(self._conversation.requests, execution.model, context.holds_prefix)
        terms = execution.terms(last.usage.prompt_tokens if last and last.usage else 0)
        return terms, self._holding(terms, last, execution)

    def _holding(self, terms: Terms, last: RequestRecord | None, execution: Execution) -> Holding:
        effort = execution.sampling.reasoning_effort or ""
        return holding(terms, last, self._ports.clock.now(), effort=effort)

    async def judge(self, execution: Execution) -> None:
        """Note why less of the last request was read from the cache than should have been (P5)."""
        try:
            await judge(self._conversation, execution, self._ports.store)
        except StoreError as error:  # the answer is kept, and that is what counts
            log.info("Why the cache broke is not known: %s", error)

    @property
    def is_busy(self) -> bool:
        """A compaction is under way, after which another prompt will be sent."""
        return self._engine.is_busy

    async def standing(self, execution: Execution) -> Standing:
        """How the chat stands with its model, everything counted."""
        await self.follow(execution)
        context = self._context(execution)
        await self.measure(context, execution)
        return self._standing(context, execution, self._measured(execution))

    def _standing(self, context: Context, execution: Execution, fill: Fill) -> Standing:
        family, prelude = execution.family, context.prelude
        fixed = self._counter.system_tokens(prelude, family) + self._counter.tool_tokens(prelude, family)
        sealed_by = base_of(self._conversation.requests, execution.model, context.holds_prefix)
        terms = execution.terms(fill.projection.projected_tokens)
        return Standing(
            family=family,
            model=execution.model,
            fill=fill,
            fixed_tokens=fixed,
            tokens=self._counter.looked_up(family),
            cache=cache_facts(terms, self._holding(terms, sealed_by, execution)),
            sealed_by=sealed_by,
            is_automatic=self._ports.compresses(),
            server_chars=execution.server_chars,
        )

    @property
    def answered_by(self) -> ModelId | None:
        """The model that had the last message; None: nobody of ours."""
        newest_first = reversed(self._conversation.requests)
        answers = (item for item in newest_first if item.kind is RequestKind.ANSWER and item.was_accepted)
        return next((item.model for item in answers), None)

    @property
    def model(self) -> ModelId | None:
        """Whom the next message goes to, as of the last look."""
        execution = self._ports.executions.last(self._conversation.id)
        return execution.model if execution else None

    async def outlook(self, model: ModelId | None = None, draft: str = "", pasted_tokens: int = 0) -> Outlook:
        """What the next message meets at `model`, or at the chat's own; the same figures as the ring's (C3).

        Raises:
            NoModel: it is not set up.
        """
        here = self._conversation
        execution = await self._ports.executions.would(here.chat, model)
        family = execution.family
        last = self._ports.executions.last(here.id)
        if last and (last.model, last.prelude) == (execution.model, execution.prelude):
            await self.follow(execution)
            context, meter = self._context(execution), self._meter  # what is held, not all of it once more
        else:
            context = await here.context_at(model=execution.model, prelude=execution.prelude)
            meter = Meter(self._counter)
        if not self._counter.has_loaded(family):
            await self._counter.load(here.path, family)
        await self._counter.count_new(context, family)
        await meter.follow(context, family)
        fill = self._fill_of(meter, context, execution, draft, pasted_tokens)
        standing = self._standing(context, execution, fill)
        wish = Wish()
        decision = await self._engine.decision(standing, wish)
        tokens, n_messages = fill.projection.projected_tokens, len(context.messages)
        after = wanted = await self._after(standing, wish, decision, n_messages=n_messages)
        if waits := after is None and decision.is_due:
            wish = Wish(is_asked_for=True)
            asked = await self._engine.decision(standing, wish)
            wanted = await self._after(standing, wish, asked, n_messages=n_messages)
        return Outlook(
            model=execution.model,
            answered_by=self.answered_by,
            fill=fill,
            compresses=after is not None,
            folds_tokens=0 if wanted is None else tokens - wanted,
            waits=waits and wanted is not None,
            warm_s=self.held(execution)[1].left_s,
            writes_cache=standing.cache.is_cold,
            prompt_usd=fresh_usd(execution.facts, family, tokens if after is None else after),
        )

    async def _after(
        self, standing: Standing, wish: Wish, decision: Decision, *, n_messages: int
    ) -> int | None:
        """About how many tokens a due compaction would leave; None: none is due, or there is nothing to fold."""
        tokens = standing.fill.projection.projected_tokens
        if not decision.rewrites:
            return None
        if n_messages > _SURELY_FOLDED:
            return min(tokens, decision.target_tokens)
        made = await self._engine.planned(standing, wish, decision)
        if not made.is_smaller or not made.proposal.proposed:
            return None
        return round(tokens * made.tokens_after / max(made.tokens_before, 1))

    async def read_ahead(self) -> None:
        """Look at what the next compaction will look at, where one is near; nothing before `look`."""
        execution = self._ports.executions.last(self._conversation.id)
        if execution and self._is_near(execution):
            stage = self._measured(execution).stage
            await self._engine.read_ahead(stage, self._context(execution).items)

    async def make_room(
        self, execution: Execution, answering: EntryId, *, overflow: ContextTooLong | None
    ) -> Compaction | None:
        """Compact before the request leaves, if that is due (C28 L5), or the provider refused its length (L4).

        Raises:
            ContextTooLong: refused, and nothing more can be folded.
        """
        standing = await self.standing(execution)
        wish = Wish(
            answering=answering,
            has_overflowed=overflow is not None,
            target_tokens=_overflow_target(overflow, standing),
        )
        decision = await self._engine.decision(standing, wish)
        made = None
        if decision.rewrites or self._engine.unsent_results(standing, wish):
            # Below 90 % a send waits for no model (M9).
            writer = await self._writer_at(standing, execution) if decision.stage is Stage.EMERGENCY else None
            made = await self._engine.compact(standing, wish, decision, writer=writer, report=self._report)
        if made:
            await self._take_up(made, execution)
        elif overflow:
            raise overflow
        return made

    async def _take_up(self, made: Compaction, execution: Execution) -> None:
        """Have the context as a compaction left it, and what it wrote counted meanwhile: it is measured once."""
        folds = (fold for fold in self._conversation.folds if fold.compaction_id == made.id)
        wrote = [part for fold in folds for part in fold.replacement]
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._conversation.build(model=execution.model, prelude=execution.prelude))
            tasks.create_task(self._counter.count_parts(wrote, execution.family))
        await self.follow(execution)
        self._counted(Fact.FOLDS)

    async def idle(self, execution: Execution) -> Compaction | None:
        """Between turns: compact what is due, at once or when the prompt cache has expired (M9, P9).

        Cancelled when something is said; what is not clean by then is left, and so is a plan that no longer fits.
        Another model ends it: what that one needs is told before the next message, and done with it (A6).
        """
        while self._ports.executions.last(self._conversation.id) is execution:
            standing = await self.standing(execution)
            _, held = self.held(execution)
            wish = Wish(is_idle=True)
            decision = await self._engine.decision(standing, wish)
            if decision.rewrites and standing.is_automatic:
                is_full = decision.stage in (Stage.FULL, Stage.EMERGENCY)
                writer = await self._writer_at(standing, execution) if is_full else None
                decision = replace(decision, trigger=Trigger.IDLE)
                made = await self._engine.compact(standing, wish, decision, writer=writer, tries=1)
                if made:
                    await self._take_up(made, execution)
                return made
            if not decision.is_due or not held.left_s:
                return None
            await self._ports.clock.sleep(held.left_s)
        return None

    async def writer(self, text_tokens: int) -> Writer | None:
        """Who may write a summary of so many tokens now."""
        execution = await self._ports.executions.of(self._conversation.chat)
        return await self._commissioned(await self.standing(execution), execution, text_tokens)

    @property
    def breakers(self) -> Mapping[ModelId, BreakerState]:
        """Models that are left alone for a while, since they failed at writing (C20)."""
        return self._ports.breakers()

    async def _writer_at(self, standing: Standing, execution: Execution) -> Writer | None:
        tokens = standing.fill.projection.projected_tokens
        return await self._commissioned(standing, execution, tokens)

    async def _commissioned(
        self, standing: Standing, execution: Execution, text_tokens: int
    ) -> Writer | None:
        return await self._ports.writer(
            Commission(
                chat_id=self._conversation.id,
                execution=execution,
                text_tokens=text_tokens,
                prefix=await self._prefix(standing, execution),
            )
        )

    async def _prefix(self, standing: Standing, execution: Execution) -> Prefix | None:
        """The next request as it stands, where its beginning lies in the provider's cache at a known price."""
        terms, held = self.held(execution)
        usage = standing.sealed_by.usage if standing.sealed_by else None
        cached_usd = terms.usd(terms.read)
        if held.warmth is not Warmth.WARM or usage is None or cached_usd is None:
            return None
        kept = usage.prompt_tokens  # what caches by itself says only what it read
        if terms.kind is CacheKind.MARKERS:
            kept = usage.cached_tokens + usage.cache_write_tokens
        context = self._context(execution)
        return Prefix(
            request=replace(
                await request_of(
                    context, execution, self._conversation.requests, cache_key=self._conversation.id
                ),
                breakpoints=self.marks(self.shape(context, execution), execution),
            ),
            tokens=standing.fill.projection.projected_tokens,
            cached_tokens=kept,
            cached_usd=cached_usd,
        )

    async def count(self, execution: Execution) -> None:
        await self._conversation.build(model=execution.model, prelude=execution.prelude)
        await self._counter.count_new(self._context(execution), execution.family)
        await self._meter.follow(self._context(execution), execution.family)
        self._counted(Fact.REQUESTS)


def _overflow_target(overflow: ContextTooLong | None, standing: Standing) -> int | None:
    """After a refusal: well below what the provider said it takes, or below what it just refused."""
    if overflow is None:
        return None
    refused = standing.fill.projection.projected_upper_tokens
    return round(0.6 * min(overflow.limit_tokens or refused, standing.fill.window.tokens or refused, refused))
