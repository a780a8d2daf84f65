"""What the card of a sub-agent says: how far it is, what it does now, what it took, and the ways to it (A14, U13)."""

import json
from collections.abc import Iterable, Mapping
from typing import cast

from PySide6.QtCore import QLocale, QObject

from app.core.entries import Entry
from app.core.parts import ToolCallPart, ToolResultPart
from ui.chat.live import Phase
from ui.chat.state import Agent
from ui.chat.words import ChatWords
from ui.kit.figures import compact, money
from ui.kit.items import Action, AgentCard, AgentsItem, WorkState
from ui.kit.links import visible

DELEGATE = "delegate"
"""The tool whose calls make them."""
OPEN, STOP = "agent_open", "agent_stop"
"""Before a slash and the id of a sub-agent's chat, in the ids of actions."""
_TITLE_CHARS = 200


def delegates(entry: Entry) -> bool:
    return any(call.name == DELEGATE for call in entry.calls)


def cards_of(
    entry: Entry, agents: Iterable[Agent], results: Mapping[int, ToolResultPart], *, is_running: bool
) -> AgentsItem:
    """A card for each call of `entry` that made one, or will.

    Args:
        agents: Those that calls of it made, oldest first; of two of one call the newer one is shown.
        results: What calls of it gave, by index.
        is_running: The turn is under way.
    """
    words, made = AgentWords(), {agent.stored.index: agent for agent in agents}
    return AgentsItem(
        cards=tuple(
            words.card(call, made.get(index), results.get(index), is_running=is_running)
            for index, call in enumerate(entry.calls)
            if call.name == DELEGATE
        )
    )


class AgentWords(QObject):
    """A `QObject` so that its sentences are found for translation."""

    def card(
        self, call: ToolCallPart, agent: Agent | None, result: ToolResultPart | None, *, is_running: bool
    ) -> AgentCard:
        state = self._state(agent, result, is_running=is_running)
        actions: list[Action] = []
        if agent:
            chat_id = agent.stored.chat_id
            actions.append(Action(id=f"{OPEN}/{chat_id}", label=self.tr("Open"), icon="external"))
            if state in ("waiting", "running", "asking"):
                actions.append(Action(id=f"{STOP}/{chat_id}", label=self.tr("Stop"), icon="stop"))
        title = agent.stored.title if agent else _task(call)
        return AgentCard(
            title=visible(" ".join(title.split())),
            state=state,
            text=self._doing(state, agent),
            figures=self._figures(agent) if agent else "",
            actions=tuple(actions),
        )

    def _state(self, agent: Agent | None, result: ToolResultPart | None, *, is_running: bool) -> WorkState:
        if result is None and agent and agent.live:
            return "asking" if agent.live.phase is Phase.ASKING else "running"
        if result is None and is_running:
            return "running" if agent and agent.stored.tokens else "waiting"
        if result is None:
            return "stopped"
        if not result.is_error:
            return "done"
        return "failed" if agent is None or agent.stored.has_failed else "stopped"

    def _doing(self, state: WorkState, agent: Agent | None) -> str:
        told = {
            "waiting": self.tr("Waits until there is room"),
            "asking": self.tr("Waits for you"),
            "done": self.tr("Done"),
            "failed": self.tr("Failed"),
            "stopped": self.tr("Ended before it was done"),
        }
        if state != "running" or agent is None or agent.live is None:
            return told.get(state, "")
        if agent.call:
            return visible(ChatWords().call(*agent.call))
        if agent.live.phase is Phase.WRITING:
            return self.tr("Writes its answer")
        return ChatWords().status(agent.live, "")

    def _figures(self, agent: Agent) -> str:
        locale, stored = QLocale(), agent.stored
        tokens = self.tr("{n} tokens").format(n=compact(stored.tokens, locale)) if stored.tokens else ""
        return " · ".join(filter(None, (tokens, money(stored.cost_usd, locale) if stored.cost_usd else "")))


def _task(call: ToolCallPart) -> str:
    """Of a call that has made none yet."""
    try:
        found = cast("object", json.loads(call.arguments)) if isinstance(call.arguments, str) else None
    except ValueError:
        found = None
    task = cast("dict[str, object]", found).get("task") if isinstance(found, dict) else None
    return task[:_TITLE_CHARS] if isinstance(task, str) else call.name
