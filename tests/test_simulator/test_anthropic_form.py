"""Messages, events and counts as Anthropic sends them."""

from __future__ import annotations

import json

from tests.simulator import Simulator, ToolCall, Turn
from tests.test_simulator.client import USER, anthropic, assistant, post, text, tool_result, tool_use, user

_THINKING = {"type": "enabled", "budget_tokens": 1024}


async def test_a_stream_is_framed_in_named_events(simulator: Simulator) -> None:
    simulator.script.say(Turn(text="Hi."))

    reply = await anthropic(simulator, stream=True)

    names = [
        line.removeprefix("event: ") for line in reply.raw.decode().splitlines() if line.startswith("event: ")
    ]
    assert names == [
        "message_start", "content_block_start", "ping", "content_block_delta", "content_block_stop", "message_delta",
        "message_stop",
    ]  # fmt: skip
    assert [event["type"] for event in reply.events] == names
    assert reply.text == "Hi."


async def test_thinking_text_and_calls_come_in_this_order_with_a_signature(simulator: Simulator) -> None:
    simulator.script.say(
        Turn(
            reasoning="Hm.",
            text="So.",
            tool_calls=(ToolCall(name="ls", arguments='{"path": "a"}', id="toolu_1"),),
        ),
    )

    reply = await anthropic(simulator, stream=True, thinking=_THINKING)

    started = [
        event["content_block"]["type"] for event in reply.events if event["type"] == "content_block_start"
    ]
    deltas = [event["delta"] for event in reply.events if event["type"] == "content_block_delta"]
    arguments = "".join(delta.get("partial_json", "") for delta in deltas)
    assert started == ["thinking", "text", "tool_use"]
    assert [len(delta["signature"]) for delta in deltas if "signature" in delta] == [64]
    assert json.loads(arguments) == {"path": "a"}
    assert reply.events[-2]["delta"] == {"stop_reason": "tool_use", "stop_sequence": None}


async def test_no_thinking_is_shown_unless_it_is_asked_for(simulator: Simulator) -> None:
    plain = await anthropic(simulator)
    adaptive = await anthropic(simulator, "claude-opus-4-7", thinking={"type": "adaptive"})

    assert [block["type"] for block in plain.json["content"]] == ["text"]
    assert [block["type"] for block in adaptive.json["content"]] == ["thinking", "text"]


async def test_counting_agrees_with_the_bill(simulator: Simulator) -> None:
    body = {
        "model": "claude-sonnet-4-5",
        "system": "Be brief.",
        "tools": [{"name": "ls", "description": "List files", "input_schema": {"type": "object"}}],
        "messages": [USER, assistant(tool_use()), user(tool_result(content=[text("a.txt")]))],
    }
    headers = {"x-api-key": "k", "anthropic-version": "2023-06-01"}

    counted = (await post(simulator, "/v1/messages/count_tokens", body, headers)).json
    billed = (await post(simulator, "/v1/messages", {**body, "max_tokens": 5}, headers)).json

    assert counted == {"input_tokens": billed["usage"]["input_tokens"]}
    assert counted["input_tokens"] > 340, "Anthropic's own text about tools is billed too"


async def test_thinking_of_earlier_turns_leaves_the_prompt_except_for_newer_models(
    simulator: Simulator,
) -> None:
    simulator.script.say(Turn(reasoning="thought " * 200, text="Done."))
    said = (await anthropic(simulator, thinking=_THINKING)).json["content"]
    messages = [USER, assistant(*said), USER]

    sizes = dict[str, int]()
    for model in ("claude-sonnet-4-5", "claude-opus-4-5"):
        await anthropic(simulator, model, messages=messages)
        sizes[model] = simulator.requests[-1].prompt_tokens

    assert sizes["claude-sonnet-4-5"] < 50
    assert sizes["claude-opus-4-5"] > 200


async def test_images_have_the_price_of_their_size(simulator: Simulator) -> None:
    source = {"type": "url", "url": "https://example.org/a.png"}

    await anthropic(simulator, messages=[user({"type": "image", "source": source})])

    assert 1590 <= simulator.requests[-1].prompt_tokens <= 1610
