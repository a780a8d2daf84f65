"""Sub-agents: each a chat of its own with the whole pipeline, known only to the call that made it (A14).

One that works can be watched and ended alone; of those that worked, what is stored says how they ended and what they
cost, so that a card shows the same after a restart.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from pydantic import JsonValue

from app.agent.calling import Called
from app.agent.session import ChatSession, Listener
from app.agent.tools.tool import Handover, Reply
from app.context.ports import Clock, Store
from app.core.approvals import Wish
from app.core.entries import Chat, Origin
from app.core.events import (
    CallFinished,
    CallStarted,
    PersonAsked,
    SubAgentBegan,
    TurnCompleted,
    TurnEvent,
    TurnFailed,
    TurnStopped,
)
from app.core.ids import ChatId, EntryId, new_id
from app.core.records import RequestRecord, RequestState
from app.settings import Settings
from app.tasks import TaskScope

AT_ONCE = 4
"""So many sub-agents of one program work at the same time; the others wait."""
MOST_REQUESTS = 50
"""Of one sub-agent; it has no person to ask whether to go on."""
NOT_FOR_THEM = ("delegate", "task_board", "ask_user")

Ask = Callable[[Wish], Awaitable[Reply]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgentPorts:
    store: Store
    clock: Clock
    settings: Callable[[ChatId], Awaitable[Settings]]
    session: Callable[[ChatId], Awaitable[ChatSession]]
    """Opens a chat."""
    on_error: Callable[[BaseException], None]
    """Told of bugs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgent:
    """What is stored of one."""

    chat_id: ChatId
    answer_id: EntryId
    """The answer whose call made it."""
    index: int
    """Of the call among the answer's."""
    title: str
    tokens: int = 0
    """Read and written, over all of its requests."""
    cost_usd: float | None = None
    """None: no price is known."""
    has_failed: bool = False
    """The last thing that happened to it was an error."""


@dataclass(slots=True)
class _Working:
    session: ChatSession
    scope: TaskScope


class SubAgents:
    def __init__(self, ports: SubAgentPorts) -> None:
        self._ports = ports
        self._room = asyncio.Semaphore(AT_ONCE)
        self._working: dict[ChatId, _Working] = {}

    async def follow(self, called: Called, index: int, title: str, brief: str, ask: Ask) -> Handover:
        """Have a new agent follow `brief`; cancelled, it stops at once. What it wants to do is asked through `ask`."""
        session = await self._begin(called, index, title)
        chat_id, faults, ends = session.conversation.id, list[BaseException](), list[TurnEvent]()
        async with TaskScope(faults.append) as scope:
            self._working[chat_id] = _Working(session, scope)
            called.tell(
                SubAgentBegan(turn=called.turn, answer_id=called.answer.id, index=index, chat_id=chat_id)
            )
            try:
                scope.start("work", self._work(session, brief, ask, ends))
                await scope.wait("work")
            finally:
                del self._working[chat_id]
        if faults:
            raise faults[0]
        path = tuple(session.conversation.path)
        texts = (entry.text for entry in reversed(path) if entry.origin is Origin.ASSISTANT)
        failed = (event.error.message for event in ends if isinstance(event, TurnFailed))
        return Handover(
            text="\n\n".join((*filter(None, (next(filter(None, texts), ""),)), *failed)),
            path=path,
            is_whole=any(isinstance(event, TurnCompleted) for event in ends),
            is_stopped=not ends or any(isinstance(event, TurnStopped) for event in ends),
        )

    def stop(self, chat_id: ChatId) -> None:
        """End this one; its call is told so, and the turn that made it goes on."""
        if working := self._working.get(chat_id):
            working.scope.cancel("work")

    def watch(self, chat_id: ChatId, listener: Listener) -> Callable[[], None] | None:
        """Hear of one that works, or waits to begin. Returns: stop hearing; None: it does neither."""
        working = self._working.get(chat_id)
        return working.session.watch(listener) if working else None

    async def of(self, answers: Iterable[EntryId]) -> tuple[SubAgent, ...]:
        """Those that calls of these answers made, in the order in which they were."""
        store = self._ports.store
        return tuple(
            [_stored(chat, await store.requests(chat.id)) for chat in await store.called_by(answers)]
        )

    async def _work(self, session: ChatSession, brief: str, ask: Ask, ends: list[TurnEvent]) -> None:
        def heard(event: TurnEvent) -> None:
            if isinstance(event, TurnCompleted | TurnFailed | TurnStopped):
                ends.append(event)

        async with self._room, self._passing_on(session, ask):
            unwatch = session.watch(heard)
            try:
                await session.send(brief)
                await session.settled()
            finally:
                session.stop()
                await session.settled()
                unwatch()

    async def _begin(self, called: Called, index: int, title: str) -> ChatSession:
        """A chat of its own, with the settings of the one that calls, and not all of its tools."""
        store, now, parent = self._ports.store, self._ports.clock.now(), called.conversation.id
        chat = Chat(
            id=ChatId(new_id("c")),
            title=title[:200],
            is_title_manual=True,
            created_at=now,
            updated_at=now,
            rev=0,
            head=None,
            model=called.execution.model,
            called_by=called.answer.id,
            call_index=index,
        )
        await store.create_chat(chat)
        off: list[JsonValue] = [*sorted({*(await self._ports.settings(parent)).tools_off, *NOT_FOR_THEM})]
        own = {**await store.chat_settings(parent), "tools_off": off, "most_requests": MOST_REQUESTS}
        for name, value in own.items():
            await store.save_chat_setting(chat.id, name, value)
        return await self._ports.session(chat.id)

    @asynccontextmanager
    async def _passing_on(self, session: ChatSession, ask: Ask) -> AsyncGenerator[None]:
        """Ask the person of the parent chat whatever this one asks; what they answer in its own chat holds, too."""
        title = session.conversation.chat.title
        async with TaskScope(self._ports.on_error) as scope:

            async def pass_on(asked: PersonAsked) -> None:
                reply = await ask(replace(asked.wish, on_behalf=title))
                session.reply(asked.answer_id, asked.index, reply)

            def heard(event: TurnEvent) -> None:
                if isinstance(event, PersonAsked):
                    scope.start(f"{event.answer_id} {event.index}", pass_on(event))
                elif isinstance(event, CallStarted | CallFinished):
                    scope.cancel(f"{event.answer_id} {event.index}")

            unwatch = session.watch(heard)
            try:
                yield
            finally:
                unwatch()


def _stored(chat: Chat, requests: Sequence[RequestRecord]) -> SubAgent:
    assert chat.called_by
    usages = [item.usage for item in requests if item.usage]
    prices = [item.cost_usd for item in requests if item.cost_usd is not None]
    return SubAgent(
        chat_id=chat.id,
        answer_id=chat.called_by,
        index=chat.call_index,
        title=chat.title,
        tokens=sum(usage.prompt_tokens + usage.completion_tokens for usage in usages),
        cost_usd=sum(prices) if prices else None,
        has_failed=bool(requests) and requests[-1].state is RequestState.FAILED,
    )
