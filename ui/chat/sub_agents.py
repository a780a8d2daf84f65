"""The sub-agents of a chat as its cards show them: what is stored, and what those at work do at this moment (A14, U13)."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from app.agent.session import Listener
from app.agent.subagents import SubAgent
from app.core.entries import Origin
from app.core.events import (
    AnswerKept,
    CallFinished,
    SubAgentBegan,
    TurnCompleted,
    TurnEvent,
    TurnFailed,
    TurnStopped,
)
from app.core.ids import ChatId, EntryId
from app.tasks import TaskScope
from ui.chat.live import Live
from ui.chat.state import Agent, ChatState, reduce

_TELLING = SubAgentBegan | CallFinished | AnswerKept | TurnCompleted | TurnFailed | TurnStopped


class SubAgentsPort(Protocol):
    """See `app.agent.subagents.SubAgents`."""

    def of(self, answers: Iterable[EntryId]) -> Awaitable[tuple[SubAgent, ...]]: ...

    def watch(self, chat_id: ChatId, listener: Listener) -> Callable[[], None] | None: ...

    def stop(self, chat_id: ChatId) -> None: ...


class SubAgents(QObject):
    """
    Args:
        answers: Those shown answers that called for any.

    Signals:
        told(): `agents` are others.
    """

    told = Signal()

    def __init__(
        self,
        port: SubAgentsPort,
        tasks: TaskScope,
        *,
        answers: Callable[[], Iterable[EntryId]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.agents: tuple[Agent, ...] = ()
        self._port, self._tasks, self._answers = port, tasks, answers
        self._stored: tuple[SubAgent, ...] = ()
        self._unwatch: dict[ChatId, Callable[[], None]] = {}
        self._states: dict[ChatId, ChatState] = {}
        """Of those that are watched."""

    def stop(self, chat_id: ChatId) -> None:
        self._port.stop(chat_id)

    def hear(self, event: TurnEvent) -> None:
        """Something happened in the chat, or in a sub-agent's: what is stored of them may be more."""
        if isinstance(event, _TELLING) and (self._stored or isinstance(event, SubAgentBegan)):
            self._tasks.start("sub-agents", self.read())

    async def read(self) -> None:
        answers = tuple(self._answers())
        self._stored = await self._port.of(answers) if answers else ()
        for agent in self._stored:
            if agent.chat_id not in self._unwatch:
                unwatch = self._port.watch(agent.chat_id, partial(self._hear, agent.chat_id))
                if unwatch:
                    self._unwatch[agent.chat_id] = unwatch
        self._tell()

    def leave(self) -> None:
        """Hear of none any more."""
        for unwatch in self._unwatch.values():
            unwatch()
        self._unwatch.clear()

    def _hear(self, chat_id: ChatId, event: TurnEvent) -> None:
        self._states[chat_id] = reduce(self._states.get(chat_id, ChatState()), event)
        self._tell()
        self.hear(event)

    def _tell(self) -> None:
        agents = tuple(map(self._agent, self._stored))
        if agents != self.agents:
            self.agents = agents
            self.told.emit()

    def _agent(self, stored: SubAgent) -> Agent:
        state = self._states.get(stored.chat_id, ChatState())
        return Agent(
            stored=stored,
            live=_outline(state.live) if state.live else None,
            call=_call(state),
        )


def _outline(live: Live) -> Live:
    """What it does, without its words and seconds: another value only when it does something else."""
    calls = tuple(replace(call, output="", ran_s=0) for call in live.calls)
    return replace(live, text=live.text[:1], reasoning=live.reasoning[:1], calls=calls, phase_s=0)


def _call(state: ChatState) -> tuple[str, str] | None:
    """Name and arguments of the first call that is carried out."""
    calls = state.live.calls if state.live else ()
    answer = next((entry for entry in reversed(state.path) if entry.origin is Origin.ASSISTANT), None)
    if not calls or answer is None or calls[0].index >= len(answer.calls):
        return None
    call = answer.calls[calls[0].index]
    return call.name, call.arguments if isinstance(call.arguments, str) else ""
