"""Sub-agents: each a chat of its own with the whole pipeline, known only to the call that made it (A14)."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from pydantic import JsonValue

from app.agent.calling import Called
from app.agent.session import ChatSession
from app.agent.tools.tool import Handover, Reply
from app.context.ports import Clock, Store
from app.core.approvals import Wish
from app.core.entries import Chat, Origin
from app.core.events import PersonAsked, TurnCompleted, TurnEvent, TurnFailed
from app.core.ids import ChatId, new_id
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


class SubAgents:
    def __init__(self, ports: SubAgentPorts) -> None:
        self._ports = ports
        self._room = asyncio.Semaphore(AT_ONCE)

    async def follow(self, called: Called, index: int, title: str, brief: str, ask: Ask) -> Handover:
        """Have a new agent follow `brief`; cancelled, it stops at once. What it wants to do is asked through `ask`."""
        async with self._room:
            session = await self._begin(called, index, title)
            async with self._passing_on(session, ask):
                ends: list[TurnEvent] = []
                unwatch = session.watch(ends.append)
                try:
                    await session.send(brief)
                    await session.settled()
                finally:
                    unwatch()
                    session.stop()
                    await session.settled()
        path = tuple(session.conversation.path)
        texts = (entry.text for entry in reversed(path) if entry.origin is Origin.ASSISTANT)
        failed = (event.error.message for event in ends if isinstance(event, TurnFailed))
        return Handover(
            text="\n\n".join((*filter(None, (next(filter(None, texts), ""),)), *failed)),
            path=path,
            is_whole=any(isinstance(event, TurnCompleted) for event in ends),
        )

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
        """Ask the person of the parent chat whatever this one asks."""
        async with TaskScope(self._ports.on_error) as scope:

            async def pass_on(asked: PersonAsked) -> None:
                reply = await ask(asked.wish)
                session.reply(asked.answer_id, asked.index, reply)

            def heard(event: TurnEvent) -> None:
                if isinstance(event, PersonAsked):
                    scope.start(f"{event.answer_id} {event.index}", pass_on(event))

            unwatch = session.watch(heard)
            try:
                yield
            finally:
                unwatch()
