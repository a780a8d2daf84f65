"""Sub-agents against the simulator: side by side, each to be ended alone, paid for by the chat that called them (A14)."""

import asyncio
import json
from pathlib import Path

import pytest

from app.agent.subagents import AT_ONCE, NOT_FOR_THEM
from app.agent.tools.tool import Reply
from app.bootstrap.application import Application
from app.core.approvals import Consent
from app.core.events import PersonAsked, SubAgentBegan, TurnCompleted
from app.core.parts import ToolResultPart
from tests.e2e.conftest import MODELS, Talk
from tests.e2e.test_agent import at_work, call
from tests.fakes import until
from tests.simulator import Simulator, Turn
from tests.simulator.script import last_user_text
from tests.simulator.wire import Body, mapping, mappings, string

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("form", ["openai", "anthropic"])
async def test_of_two_side_by_side_one_is_stopped_and_the_other_hands_over(
    application: Application, simulator: Simulator, tmp_path: Path, form: str
) -> None:
    """A14: the stopped one's call is told so, the turn goes on, and both are paid for by the chat."""
    chat, player = await at_work(application, simulator, tmp_path, MODELS[form])

    def play(body: Body) -> Turn:
        question = last_user_text(body)
        if question.startswith("Wait"):
            return Turn(tool_calls=(call("shell", command="sleep 60"),))
        if question.startswith("Look"):
            has_looked = "list_files" in json.dumps(mappings(body.get("messages"))[1:])
            looking = Turn(tool_calls=(call("list_files"),))
            return (
                Turn(text="Done: looked. Pending: none. Risks: none. Files: none.") if has_looked else looking
            )
        if "Have both done" in question and "sub-task" not in json.dumps(body.get("messages")):
            both = (call("delegate", task="Wait: sub-task one"), call("delegate", task="Look: sub-task two"))
            return Turn(tool_calls=both)
        return player(body)

    simulator.script.otherwise = play
    await chat.session.send("Have both done.")
    await until(lambda: sum(isinstance(event, SubAgentBegan) for event in chat.events) == 2, within_s=20)
    began = {event.index: event.chat_id for event in chat.events if isinstance(event, SubAgentBegan)}
    slow = await application.session(began[0])
    await until(lambda: bool(slow.conversation.path) and bool(slow.conversation.path[-1].calls), within_s=20)

    application.sub_agents.stop(began[0])
    end = await chat.end()

    assert isinstance(end, TurnCompleted), end
    path = chat.session.conversation.path
    results = {part.call_id: part for entry in path for part in entry.results}
    calls = next(entry.calls for entry in path if entry.calls)
    stopped, whole = (results[each.call_id] for each in calls)
    assert "the person stopped it" in _text(stopped)
    assert stopped.is_error
    assert "Done: looked." in _text(whole)
    assert not whole.is_error
    agents = await application.sub_agents.of([entry.id for entry in path if entry.calls])
    assert [agent.title for agent in agents] == ["Wait: sub-task one", "Look: sub-task two"]
    card = await chat.session.cache_card()
    assert card
    own = await application.store.requests(chat.id)
    theirs = sum(agent.cost_usd or 0.0 for agent in agents)
    assert all(agent.tokens > 0 for agent in agents)
    assert theirs > 0 or form == "openai"  # a compatible endpoint has no prices
    assert card.chat.spent.usd == pytest.approx(sum(item.cost_usd or 0.0 for item in own) + theirs)
    assert all(
        application.sub_agents.watch(chat_id, chat.events.append) is None for chat_id in began.values()
    )
    assert [item.verdict for item in simulator.chats if item.verdict != "answered"] == []


def _text(part: ToolResultPart) -> str:
    assert isinstance(part.text, str)
    return part.text


async def test_no_more_work_at_once_than_there_is_room_for_and_each_asks_on_its_own_behalf(
    application: Application, simulator: Simulator, tmp_path: Path
) -> None:
    """A14: the others wait; none can have sub-agents of its own, and the person is told whose wish it is."""
    chat, player = await at_work(application, simulator, tmp_path, MODELS["openai"])
    await application.store.save_chat_setting(chat.id, "access", {"write": "allow"})  # its shell asks
    n = AT_ONCE + 1
    offered: list[set[str]] = []

    def play(body: Body) -> Turn:
        question = last_user_text(body)
        if question.startswith("Task"):
            offered.append(
                {string(mapping(item.get("function")).get("name")) for item in mappings(body.get("tools"))}
            )
            has_asked = len(mappings(body.get("messages"))) > 2
            return Turn(text="Done.") if has_asked else Turn(tool_calls=(call("shell", command="make it"),))
        if "Have them done" in question and "Task 0" not in json.dumps(body.get("messages")):
            return Turn(tool_calls=tuple(call("delegate", task=f"Task {at}") for at in range(n)))
        return player(body)

    simulator.script.otherwise = play
    await chat.session.send("Have them done.")
    asked = await _asked(chat, 1)
    await until(lambda: len(offered) >= AT_ONCE, within_s=20)
    await asyncio.sleep(0.3)  # whoever else would begin has begun
    n_first = len(offered)
    answered = 0
    while answered < n:
        asked = await _asked(chat, answered + 1)
        chat.session.reply(asked[answered].answer_id, asked[answered].index, Reply(consent=Consent.REFUSED))
        answered += 1
    end = await chat.end()

    assert isinstance(end, TurnCompleted), end
    assert n_first == AT_ONCE
    assert not any(names & set(NOT_FOR_THEM) for names in offered)
    assert {event.wish.on_behalf for event in asked} == {f"Task {at}" for at in range(n)}


async def _asked(chat: Talk, least: int) -> list[PersonAsked]:
    def found() -> list[PersonAsked]:
        return [event for event in chat.events if isinstance(event, PersonAsked)]

    await until(lambda: len(found()) >= least, within_s=20)
    return found()
