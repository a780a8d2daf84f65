"""Thinking that its provider ties to what stood before it, through everything that rewrites a chat (S1, P2, case B15)."""

import pytest

from app.core.records import RequestRecord
from tests.app.agent.test_room import folding_of
from tests.app.agent.warming import (  # pyright: ignore[reportPrivateUsage]
    PROSE,
    Warm,
    _simulator,
    gateway,
    replace_settings,
    simulator,
    store,
    warm,
)
from tests.simulator import Turn
from tests.simulator.wire import mappings

__all__ = ["_simulator", "gateway", "simulator", "store", "warm"]
pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def bound(warm: Warm) -> Warm:
    """With a model that ties its thinking; nobody probes."""
    thinking = {"model": "e/claude-opus-5-5", "reasoning_effort": "low", "cache_mode": "off"}
    warm.chat.settings.append(replace_settings(warm, **thinking))
    return warm


async def think(chat: Warm, name: str) -> RequestRecord:
    """A question whose answer begins with a thought; a refusal fails the test."""
    chat.simulator.script.say(Turn(reasoning=name, text=f"Said after {name}. {PROSE}"))
    return await chat.ask(f"What about {name}?")


def thoughts(chat: Warm) -> list[object]:
    """Those that went back with the last request."""
    messages = mappings(chat.simulator.requests[-1].body["messages"])
    blocks = [block for message in messages for block in mappings(message["content"])]
    return [block["thinking"] for block in blocks if block["type"] == "thinking"]


async def test_thinking_goes_back_while_nothing_before_it_changes(bound: Warm) -> None:
    await think(bound, "one")
    before = await think(bound, "two")

    after = await think(bound, "three")

    assert thoughts(bound) == ["one", "two"]
    assert before.usage
    assert after.usage
    assert after.usage.cached_tokens == before.usage.prompt_tokens


async def test_under_another_system_text_only_what_was_thought_since_goes_back(bound: Warm) -> None:
    """A refusal would stand here: the provider checks system, tools and messages before each block."""
    await think(bound, "one")
    bound.chat.settings.append(replace_settings(bound, instructions="Answer in verse."))
    await think(bound, "two")
    left_out = thoughts(bound)

    await think(bound, "three")

    assert left_out == []
    assert thoughts(bound) == ["two"]


async def test_a_compression_and_its_undo_are_taken(bound: Warm) -> None:
    for name in ("one", "two", "three", "four"):
        await think(bound, name)
    folding = folding_of(bound.chat)
    made = await folding.compress(target_tokens=12_000)
    await think(bound, "five")
    compressed = thoughts(bound)
    await think(bound, "six")
    after = thoughts(bound)
    await folding.undo(made.id)

    await think(bound, "seven")

    assert compressed == []
    assert after == ["five"]
    assert thoughts(bound) == ["one", "two", "three", "four"]


async def test_what_was_edited_takes_along_only_what_came_after_it(bound: Warm) -> None:
    await think(bound, "one")
    await think(bound, "two")
    second = bound.chat.session.conversation.path[2]

    bound.simulator.script.say(Turn(reasoning="three", text="Said otherwise."))
    await bound.chat.session.edit(second.id, "Something else.")
    await bound.chat.end()
    await bound.rest()
    edited = thoughts(bound)
    await think(bound, "four")

    assert edited == ["one"]
    assert thoughts(bound) == ["one", "three"]
