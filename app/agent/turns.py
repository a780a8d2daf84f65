"""One turn: the person's message made durable, the request written ahead, its answer streamed and kept.

Nothing that happens on the way loses a word: an error, Stop or the end of the program keep what had
arrived (M7, M8), and what got a token is never sent again by itself.
"""

import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace

from pydantic import JsonValue

from app.agent.asking import request_of
from app.agent.calling import Called, Carried, Tools
from app.agent.desk import Desk
from app.agent.execution import Execution
from app.agent.hooks import cut, hear, note
from app.agent.ports import Gateway
from app.agent.rates import Rates, admission
from app.agent.running import Running
from app.agent.tools.skills import skills_note
from app.context.budget import Projection
from app.context.context import Context
from app.context.conversation import Conversation
from app.context.ports import Clock, Store
from app.context.render import RENDERER
from app.core.entries import Chat, Entry, Origin
from app.core.errors import AppError, ContextTooLong, Overloaded, ProviderError, RateLimited, StoreError
from app.core.events import (
    Accepted,
    AlertRaised,
    AnswerKept,
    ModelChanged,
    Pause,
    ReasoningArrived,
    ReasoningDelta,
    RequestQueued,
    RequestSent,
    RetryScheduled,
    RoomMade,
    TextArrived,
    TextDelta,
    TurnCompleted,
    TurnEvent,
    TurnFailed,
    TurnPaused,
    TurnStarted,
)
from app.core.ids import EntryId, ModelId, RequestId, TurnId, new_id
from app.core.records import RequestKind, RequestRecord, RequestState
from app.health.metrics import at_once, slow_start, too_long
from app.settings import HookEvent
from app.tasks import uncancelled

ATTEMPTS = 3
"""A request that failed before its first token goes out at most so often (A1)."""
_LONGEST_WAIT_S = 60.0
"""A provider that asks for more is told to the person instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPorts:
    store: Store
    gateway: Gateway
    clock: Clock
    execution: Callable[[Chat, ModelId | None], Awaitable[Execution]]
    """What a chat's next turn runs on; a model that is given goes before the chat's and the default one."""
    tools: Tools | None = None
    rates: Rates | None = None


class Turn:
    """One turn of one conversation; `run` it once.

    Args:
        tell: Told of what happens while tools are at work.
    """

    def __init__(
        self,
        conversation: Conversation,
        desk: Desk,
        ports: TurnPorts,
        *,
        tell: Callable[[TurnEvent], None] = lambda event: None,
    ) -> None:
        self.id = TurnId(new_id("t"))
        self.execution: Execution | None = None
        self._running: Running | None = None
        self._called: Entry | None = None  # the last answer that called for tools
        self._is_carried_out = True
        self._is_open = False
        self._conversation = conversation
        self._desk = desk
        self._overflow: ContextTooLong | None = None
        self._fallbacks: list[ModelId] | None = None
        """Models that were not asked yet; None until the first one's execution names them."""
        self._ports = ports
        self._tell = tell
        self._n_requests = 0

    @property
    def answer(self) -> Entry | None:
        """What was kept of the answer, however the turn ended."""
        return self._running.kept if self._running else self._called

    @property
    def _has_begun(self) -> bool:
        return self._running is not None and self._running.answer.has_begun

    async def run(self, user: Entry, model: ModelId | None = None) -> AsyncGenerator[TurnEvent, None]:
        """Answer `user`, on the shown branch, while tools are called for.

        Where the branch goes on after `user` already, so does the turn. Ends with completed, failed, paused; or
        is cancelled.
        """
        here = self._conversation
        yield TurnStarted(chat_id=here.id, turn=self.id, user=user, head=here.chat.head)
        asked = model
        while True:
            ended: TurnCompleted | TurnFailed | TurnPaused | None = None
            async with aclosing(self._tries(user, asked)) as events:
                async for event in events:
                    if isinstance(event, TurnCompleted | TurnFailed | TurnPaused):
                        ended = event
                    else:
                        yield event
            assert ended
            if isinstance(ended, TurnFailed):
                asked = self._fallback(ended.error)
                if asked is None:
                    yield ended
                    return
                yield ModelChanged(turn=self.id, model=asked, error=ended.error)
                self.execution = None
            elif isinstance(ended, TurnCompleted) and self._takes(ended.answer):
                self._called, self._running, self._is_carried_out = ended.answer, None, False
                yield AnswerKept(turn=self.id, answer=ended.answer)
            else:
                yield ended
                return

    def _takes(self, answer: Entry) -> bool:
        return self._ports.tools is not None and self._ports.tools.takes(answer)

    async def _carry_out(self, execution: Execution) -> Pause | None:
        """Have the calls of the last answer done, once. Returns: why the turn waits for the person then."""
        if self._called is None or self._ports.tools is None or self._is_carried_out:
            return None
        called = Called(
            turn=self.id,
            answer=self._called,
            conversation=self._conversation,
            execution=execution,
            tell=self._tell,
        )
        carried = await self._ports.tools.carry_out(called)
        self._is_carried_out = True
        if carried is Carried.AGAIN:
            self._n_requests -= 1
        if carried is Carried.IN_CIRCLES:
            return Pause.LOOP
        return Pause.REQUESTS if self._n_requests >= execution.most_requests else None

    def _fallback(self, error: AppError) -> ModelId | None:
        """Who is asked instead, after a failure that is the model's or its provider's (A6); each one once."""
        is_theirs = isinstance(error, ProviderError) and not isinstance(error, ContextTooLong)
        return self._fallbacks.pop(0) if self._fallbacks and is_theirs and not self._has_begun else None

    async def _tries(self, user: Entry, model: ModelId | None) -> AsyncGenerator[TurnEvent, None]:
        """Ask one model, again where that may help. Ends with one of completed, failed."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                execution = await self._executed(model)
                await self._open(execution, user)
                if pause := await self._carry_out(execution):
                    yield TurnPaused(turn=self.id, why=pause, answer=self.answer)
                    return
                made = await self._desk.make_room(execution, user.id, overflow=self._overflow)
                if made:
                    yield RoomMade(turn=self.id, compaction=made)
                    told = {"tokens_before": made.tokens_before, "tokens_after": made.tokens_after}
                    await self._hear(execution, "after_compaction", {**told, "reason": made.reason})
                async with aclosing(self._noting(execution)) as events:
                    async for event in events:
                        yield event
            except AppError as error:
                self._overflow = error if isinstance(error, ContextTooLong) else None
                wait_s = None if self._has_begun or attempt == ATTEMPTS else _wait_s(error, attempt)
                if wait_s is None:
                    yield TurnFailed(turn=self.id, error=error, answer=self.answer)
                    return
                if wait_s:
                    yield RetryScheduled(
                        turn=self.id, attempt=attempt + 1, of=ATTEMPTS, in_s=wait_s, error=error
                    )
                    await self._ports.clock.sleep(wait_s)
            else:
                self._n_requests += 1
                assert self.answer
                if not self._takes(self.answer):
                    await self._hear(execution, "after_answer", {"text": cut(self.answer.text)})
                yield TurnCompleted(turn=self.id, answer=self.answer)
                return

    async def _open(self, execution: Execution, user: Entry) -> None:
        """Have a chat's first message told of the skills that there are, and hooks of every one, once (A20, A16)."""
        here = self._conversation
        is_first = all(entry.origin is not Origin.USER or entry.id == user.id for entry in here.path)
        if here.chat.head != user.id or self._is_open:
            return
        self._is_open = True
        if execution.skills and is_first:
            await note(here, self._ports.store, [skills_note(execution.skills)], is_whole=True)
        await self._hear(execution, "before_send", {"text": cut(user.text)})

    async def _hear(self, execution: Execution, event: HookEvent, told: Mapping[str, JsonValue]) -> None:
        """Run the person's hooks of an event; what they say is part of the next request."""
        here = self._conversation
        heard = await hear(execution.hooks, event, here.id, told, cwd=execution.folder)
        for failed in heard.told(self.id):
            self._tell(failed)
        await note(here, self._ports.store, heard.texts)

    async def _executed(self, model: ModelId | None) -> Execution:
        """One snapshot of the settings for the whole turn."""
        if self.execution is None:
            self.execution = await self._ports.execution(self._conversation.chat, model)
            if self._fallbacks is None:
                self._fallbacks = list(self.execution.fallbacks)
        return self.execution

    async def _noting(self, execution: Execution) -> AsyncGenerator[TurnEvent, None]:
        """One request, and what of it is worth a word (A18)."""
        answers = [item for item in self._conversation.requests if item.kind is RequestKind.ANSWER]
        try:
            async with aclosing(self._attempt(execution)) as events:
                async for event in events:
                    yield event
                    if isinstance(event, RequestSent) and self._running:
                        before, record = answers[-1] if answers else None, self._running.record
                        for alert in at_once(record, before, window_tokens=execution.window.tokens):
                            yield AlertRaised(turn=self.id, alert=alert)
        except ContextTooLong:
            if self._running:
                yield AlertRaised(turn=self.id, alert=too_long(self._running.record))
            raise
        if self._running:
            for alert in slow_start((*answers, self._running.record)):
                yield AlertRaised(turn=self.id, alert=alert)

    async def _attempt(
        self, execution: Execution
    ) -> AsyncGenerator[RequestQueued | RequestSent | TextDelta | ReasoningDelta, None]:
        """One request, written ahead and followed to its end."""
        here = self._conversation
        context = here.context(model=execution.model, prelude=execution.prelude)
        request = await request_of(context, execution, here.requests, cache_key=here.id)
        projection = await self._desk.measure(context, execution)
        if len(request.messages) == len(context.messages):  # as it was measured: nothing had to be mended
            shape = self._desk.shape(context, execution)
            request = replace(request, breakpoints=self._desk.marks(shape, execution))
        tokens = projection.projected_tokens
        async with aclosing(admission(self._ports, here, execution, tokens)) as waits:
            async for wait_s in waits:
                yield RequestQueued(turn=self.id, in_s=wait_s)
        effort = request.sampling.reasoning_effort or ""
        record = self._record(context, execution, projection, effort=effort)
        self._running = running = Running(
            record,
            execution,
            here,
            store=self._ports.store,
            clock=self._ports.clock,
        )
        try:
            await running.begin(context)
            yield RequestSent(
                turn=self.id,
                answer_id=record.answer_id,
                projected_tokens=record.projected_tokens,
                is_waiting=not self._ports.gateway.is_ready_for(execution.target),
            )
            async with aclosing(self._ports.gateway.stream(request, execution.target)) as events:
                async for event in events:
                    await running.take(event)
                    match event:
                        case Accepted(rates=rates) if self._ports.rates:
                            self._ports.rates.learn(execution.target.endpoint.id, rates)
                        case TextArrived(text=text):
                            yield TextDelta(turn=self.id, text=text)
                        case ReasoningArrived(text=text) if not event.redacted:
                            yield ReasoningDelta(turn=self.id, text=text)
                        case _:
                            pass
            running.answer.check()
        except AppError as error:
            with suppress(StoreError):  # what can't be stored now is put right at the next start
                await uncancelled(running.end(RequestState.FAILED, error=error))
            raise
        except BaseException:  # the person's Stop, the end of the program, or a bug: what came is kept
            await uncancelled(running.end(RequestState.STOPPED))
            raise
        await uncancelled(running.end(RequestState.FINISHED))
        await self._desk.judge(execution)

    def _record(
        self, context: Context, execution: Execution, projection: Projection, *, effort: str
    ) -> RequestRecord:
        return RequestRecord(
            id=RequestId(new_id("r")),
            chat_id=self._conversation.id,
            turn_id=self.id,
            head=self._conversation.path[-1].id,
            answer_id=EntryId(new_id("e")),
            rev=context.rev,
            model=execution.model,
            prelude_hash=context.prelude_hash,
            n_blocks=len(context.chain),
            chain_tip=context.tip,
            renderer=RENDERER,
            fingerprint=execution.fingerprint,
            estimated_tokens=projection.estimated_tokens,
            projected_tokens=projection.projected_tokens,
            state=RequestState.PREPARED,
            created_at=self._ports.clock.now(),
            effort=effort,
        )


def _wait_s(error: AppError, attempt: int) -> float | None:
    """Seconds until the same request may go out again by itself; None: it may not.

    As long as the provider asks, else 1, 2, 4 …, jittered so that many clients don't come back at once.
    """
    if isinstance(error, ContextTooLong):
        return 0.0  # not the same request: room is made first
    if not isinstance(error, ProviderError) or not error.can_retry:
        return None
    asked_s = error.retry_after_s if isinstance(error, RateLimited | Overloaded) else None
    if asked_s is not None:
        return asked_s if asked_s <= _LONGEST_WAIT_S else None
    return 2.0 ** (attempt - 1) * random.uniform(0.8, 1.2)
