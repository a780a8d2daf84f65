"""A request under way: its answer check-pointed every second, and ended once (M7, M8)."""

from dataclasses import replace

from app.agent.answer import Answer
from app.agent.execution import Execution
from app.context.context import Context
from app.context.conversation import Conversation
from app.context.ports import Clock, NewEntry, Outcome, Store
from app.core.entries import Entry, Finish, Origin
from app.core.errors import AppError
from app.core.events import Accepted, GatewayEvent
from app.core.records import Partial, RequestRecord, RequestState
from app.models.registry import cost_usd
from app.tasks import TaskScope

CHECKPOINT_S = 1.0
_KEPT_AS = {RequestState.STOPPED: Finish.STOPPED, RequestState.FAILED: Finish.FAILED}


class Running:
    """One request of a turn and its answer so far."""

    def __init__(
        self,
        record: RequestRecord,
        execution: Execution,
        conversation: Conversation,
        *,
        store: Store,
        clock: Clock,
    ) -> None:
        self.answer = Answer()
        self.kept: Entry | None = None
        """The answer's entry, once it ended."""
        self._execution = execution
        self.record = record
        """As it was written ahead; at its end, how it ended."""
        self._conversation = conversation
        self._store = store
        self._clock = clock
        self._scope = TaskScope()
        self._began_s = clock.monotonic()
        self._first_token_s: float | None = None
        self._is_saved = True

    async def begin(self, context: Context) -> None:
        await self._store.begin_request(self.record, context.prelude, self._partial())
        await self._store.mark_request(self.record.id, Outcome(state=RequestState.SENT))
        self._scope.start("checkpoint", self._checkpoints())

    async def take(self, event: GatewayEvent) -> None:
        if isinstance(event, Accepted):
            await self._store.mark_request(self.record.id, Outcome(state=RequestState.ACCEPTED))
            return
        self.answer.fold(event)
        if self.answer.has_begun:
            self._is_saved = False
            if self._first_token_s is None:
                self._first_token_s = self._clock.monotonic() - self._began_s

    async def end(self, state: RequestState, *, error: AppError | None = None) -> None:
        """Store how it ended and, if anything came, the answer as an entry; both at once."""
        await self._scope.aclose()
        usage = self.answer.usage
        outcome = Outcome(
            state=state,
            usage=usage,
            cost_usd=cost_usd(self._execution.facts, usage) if usage else None,
            time_to_first_token_s=self._first_token_s,
            duration_s=self._clock.monotonic() - self._began_s,
            error=error.code if error else "",
        )
        parts = self.answer.parts
        finish = self.answer.finish or Finish.STOP
        kept = NewEntry(
            id=self.record.answer_id,
            parent_id=self.record.head,
            origin=Origin.ASSISTANT,
            parts=parts,
            model=self.record.model,
            finish=_KEPT_AS.get(state, finish),
            usage=usage,
            provider_fields=self.answer.provider_fields,
        )
        self.kept = await self._store.end_request(
            self._conversation.id, self.record.id, outcome, kept if parts else None
        )
        self.record = replace(
            self.record,
            state=state,
            usage=usage,
            cost_usd=outcome.cost_usd,
            time_to_first_token_s=outcome.time_to_first_token_s,
            duration_s=outcome.duration_s,
            error=outcome.error,
        )
        self._conversation.requests.append(self.record)
        if self.kept:
            self._conversation.add(self.kept)

    async def _checkpoints(self) -> None:
        while True:
            await self._clock.sleep(CHECKPOINT_S)
            if not self._is_saved:
                self._is_saved = True
                await self._store.save_partial(self._partial())

    def _partial(self) -> Partial:
        return Partial(
            turn_id=self.record.turn_id,
            chat_id=self.record.chat_id,
            request_id=self.record.id,
            parent_id=self.record.head,
            entry_id=self.record.answer_id,
            model=self.record.model,
            parts=self.answer.parts,
            updated_at=self._clock.now(),
        )
