"""What Anthropic refuses, is refused with its status, type and words (C31, C32, P3, S1)."""

from __future__ import annotations

import base64
import struct
from typing import Any

import pytest

from tests.simulator import Simulator, ToolCall, Turn
from tests.test_simulator.client import (
    HOUR_MARK,
    MARK,
    USER,
    anthropic,
    assistant,
    post,
    text,
    tool_result,
    tool_use,
    user,
)

_THINKING = {"thinking": {"type": "enabled", "budget_tokens": 1024}}
_OPUS = {"model": "claude-opus-4-7"}


def _png(width: int, height: int) -> dict[str, object]:
    data = base64.b64encode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height)).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"max_tokens": None}, "max_tokens: Field required"),
        ({"messages": []}, "messages: at least one message is required"),
        ({"n": 1}, "n: Extra inputs are not permitted"),
        (
            {"max_tokens": 64_001},
            "max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens for claude-sonnet-4-5",
        ),
        (
            {"messages": [{"role": "system", "content": "x"}]},
            'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" '
            "as an input message role.",
        ),
        (
            {"messages": [{"role": "tool", "content": "x"}]},
            "messages.0.role: Input should be 'user' or 'assistant'",
        ),
        ({"messages": [assistant(text("x")), USER]}, 'messages: first message must use the "user" role'),
        (
            {"messages": [USER, {"role": "assistant", "content": "x", "reasoning_content": "y"}, USER]},
            "messages.1.reasoning_content: Extra inputs are not permitted",
        ),
        (
            {"messages": [USER, {"role": "assistant", "content": ""}, USER]},
            "messages.1: all messages must have non-empty content except for the optional final assistant message",
        ),
        ({"messages": [user(text(""))]}, "messages: text content blocks must be non-empty"),
        ({"messages": [user(text(" \n"))]}, "messages: text content blocks must contain non-whitespace text"),
        ({"system": [text("")]}, "system: text content blocks must be non-empty"),
        (
            {"messages": [USER, assistant(tool_use()), USER]},
            "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each "
            "`tool_use` block must have a corresponding `tool_result` block in the next message.",
        ),
        (
            {"messages": [USER, assistant(tool_use()), user(text("first"), tool_result())]},
            "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each "
            "`tool_use` block must have a corresponding `tool_result` block in the next message.",
        ),
        (
            {"messages": [USER, assistant(tool_use())]},
            "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each "
            "`tool_use` block must have a corresponding `tool_result` block in the next message.",
        ),
        (
            {"messages": [user(tool_result("toolu_9"))]},
            "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_9. Each `tool_result` "
            "block must have a corresponding `tool_use` block in the previous message.",
        ),
        (
            {"messages": [USER, assistant(tool_use()), user(tool_result(), tool_result())]},
            "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with "
            "id: toolu_1",
        ),
        (
            {"messages": [USER, assistant(tool_use(), tool_use()), user(tool_result())]},
            "messages.1.content.1: `tool_use` ids must be unique",
        ),
        (
            {
                "messages": [
                    *[USER, assistant(tool_use()), user(tool_result())],
                    *[assistant(text("x")), USER, assistant(tool_use()), user(tool_result())],
                ]
            },
            "messages.5.content.0: `tool_use` ids must be unique",
        ),
        (
            {"messages": [USER, assistant(tool_use("a.b")), user(tool_result("a.b"))]},
            "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
        ),
        (
            {"messages": [USER, assistant(tool_use(input="{}")), user(tool_result())]},
            "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
        ),
        (
            {"messages": [user(tool_use())]},
            "messages.0: `tool_use` blocks can only be in `assistant` messages",
        ),
        (
            {
                "messages": [
                    USER,
                    assistant(text("so ")),
                ]
            },
            "messages: final assistant content cannot end with trailing whitespace",
        ),
        (
            {"messages": [USER, assistant(text("so"))], **_OPUS},
            "This model does not support assistant message prefill. The conversation must end with a user message.",
        ),
        (
            {"system": [text("a", **MARK)] * 2, "messages": [user(*[text("b", **MARK)] * 3)]},
            "A maximum of 4 blocks with cache_control may be provided. Found 5.",
        ),
        (
            {"system": [text("a", **MARK), text("b", **HOUR_MARK)]},
            "system.1.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control "
            "block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
        ),
        (
            {"tools": [{"name": "ls", "input_schema": {"type": "object"}}] * 2},
            "tools: Tool names must be unique.",
        ),
        ({"tools": [{"name": "ls"}]}, "tools.0.custom.input_schema: Field required"),
        (
            {"thinking": {"type": "enabled", "budget_tokens": 1000}},
            "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
        ),
        (
            {**_THINKING, "max_tokens": 1024},
            "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at "
            "https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size",
        ),
        (
            {**_THINKING, "tool_choice": {"type": "any"}},
            "Thinking may not be enabled when tool_choice forces tool use.",
        ),
        (
            {**_THINKING, **_OPUS},
            '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and '
            '"output_config.effort" to control thinking behavior.',
        ),
        (
            {"messages": [user(*[_png(1, 1)] * 101)]},
            "Too much media: 0 document pages + 101 images > 100",
        ),
        (
            {"messages": [user(_png(8001, 1))]},
            "messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed "
            "size: 8000 pixels",
        ),
        (
            {"messages": [user(*[_png(2001, 1)] * 21)]},
            "messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed "
            "size for many-image requests: 2000 pixels",
        ),
    ],
)
async def test_anthropic_refuses_in_its_own_words(
    simulator: Simulator, body: dict[str, Any], words: str
) -> None:
    reply = await anthropic(simulator, **body)

    error = {"type": "invalid_request_error", "message": words}
    assert (reply.status, reply.json) == (
        400,
        {"type": "error", "error": error, "request_id": "req_simulator"},
    )


async def test_an_empty_text_block_can_not_be_marked(simulator: Simulator) -> None:
    """The empty block itself is refused first in messages; inside a tool's result only the marker is."""
    inner = text("", **MARK)
    messages = [USER, assistant(tool_use()), user(tool_result(content=[inner]))]

    reply = await anthropic(simulator, messages=messages)

    words = "messages.2.content.0.content.0: cache_control cannot be set for empty text blocks"
    assert reply.json["error"]["message"] == words


async def _said_with_thinking(sim: Simulator) -> list[Any]:
    sim.script.say(Turn(reasoning="I should look.", text="Looking.", tool_calls=(ToolCall(name="ls"),)))
    return (await anthropic(sim, **_THINKING)).json["content"]


async def _go_on(sim: Simulator, *blocks: object, identity: str) -> tuple[int, str]:
    messages = [USER, assistant(*blocks), user(tool_result(identity))]
    reply = await anthropic(sim, messages=messages, **_THINKING)
    return reply.status, reply.json.get("error", {}).get("message", "")


async def test_thinking_is_taken_back_byte_for_byte_only(simulator: Simulator) -> None:
    thinking, words, use = await _said_with_thinking(simulator)

    faithful = await _go_on(simulator, thinking, words, use, identity=use["id"])
    trimmed = await _go_on(simulator, {**thinking, "thinking": "I should look"}, use, identity=use["id"])
    stripped = await _go_on(simulator, {"type": "thinking", "thinking": "x"}, use, identity=use["id"])
    marked = await _go_on(simulator, {**thinking, **MARK}, words, use, identity=use["id"])

    assert faithful == (200, "")
    assert trimmed == (400, "messages.1.content.0: Invalid `signature` in `thinking` block")
    assert stripped == (400, "messages.1.content.0.thinking.signature: Field required")
    assert marked == (400, "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted")


async def test_with_thinking_the_running_tool_loop_starts_with_it(simulator: Simulator) -> None:
    thinking, _, use = await _said_with_thinking(simulator)

    lost = await _go_on(simulator, use, identity=use["id"])
    doubled = await _go_on(simulator, thinking, thinking, use, identity=use["id"])

    assert lost[0] == 400
    assert lost[1].startswith(
        "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`"
    )
    assert doubled == (
        400,
        "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be "
        "modified. These blocks must remain as they were in the original response.",
    )


async def test_later_rounds_and_finished_turns_need_no_thinking(simulator: Simulator) -> None:
    thinking, _, use = await _said_with_thinking(simulator)
    rounds = [
        USER,
        assistant(thinking, use),
        user(tool_result(use["id"])),
        assistant(tool_use()),
        user(tool_result()),
    ]
    finished = [USER, assistant(tool_use()), user(tool_result()), assistant(text("done")), USER]

    within = await anthropic(simulator, messages=rounds, **_THINKING)
    after = await anthropic(simulator, messages=finished, **_THINKING)

    assert (within.status, after.status) == (200, 200)


async def test_redacted_thinking_is_known_again_and_forgeries_are_not(simulator: Simulator) -> None:
    simulator.script.say(Turn(reasoning="secret", redacted=True, tool_calls=(ToolCall(name="ls"),)))
    sealed, use = (await anthropic(simulator, **_THINKING)).json["content"]

    faithful = await _go_on(simulator, sealed, use, identity=use["id"])
    forged = await _go_on(simulator, {**sealed, "data": "AAAA.BBBB"}, use, identity=use["id"])

    assert (sealed["type"], faithful[0], forged[0]) == ("redacted_thinking", 200, 400)


async def test_a_prompt_over_the_window_is_too_long() -> None:
    windows = {"claude-sonnet-4-5": 100, "claude-sonnet-4-20250514": 1000}
    async with Simulator(windows=windows) as sim:
        long = [{"role": "user", "content": "word " * 200}]
        over = (await anthropic(sim, messages=long)).json["error"]["message"]
        used = sim.requests[-1].prompt_tokens
        together = (await anthropic(sim, "claude-sonnet-4-20250514", max_tokens=999)).json["error"]["message"]
        newer = await anthropic(sim, max_tokens=999, messages=[{"role": "user", "content": "word " * 60}])

    assert over == f"prompt is too long: {used} tokens > 100 maximum"
    assert together == (
        "input length and `max_tokens` exceed context limit: 6 + 999 > 1000, decrease input length or `max_tokens` and "
        "try again"
    )
    assert newer.json["stop_reason"] == "model_context_window_exceeded"


async def test_nothing_is_generated_for_max_tokens_zero_and_streams_of_it_are_refused(
    simulator: Simulator,
) -> None:
    """The documented way to warm a cache (P7)."""
    warm = await anthropic(simulator, max_tokens=0)
    streamed = await anthropic(simulator, max_tokens=0, stream=True)

    assert (warm.json["content"], warm.json["stop_reason"], warm.json["usage"]["output_tokens"]) == (
        [],
        "max_tokens",
        0,
    )
    assert streamed.status == 400


@pytest.mark.parametrize(
    ("headers", "status", "kind", "words"),
    [
        ({"anthropic-version": "2023-06-01"}, 401, "authentication_error", "x-api-key header is required"),
        (
            {"x-api-key": "invalid", "anthropic-version": "1"},
            401,
            "authentication_error",
            "invalid x-api-key",
        ),
        ({"x-api-key": "k"}, 400, "invalid_request_error", "anthropic-version: header is required"),
    ],
)
async def test_anthropic_looks_at_the_headers_first(
    simulator: Simulator, headers: dict[str, str], status: int, kind: str, words: str
) -> None:
    body = {"model": "claude-sonnet-4-5", "max_tokens": 5, "messages": [USER]}

    reply = await post(simulator, "/v1/messages", body, headers)

    assert (reply.status, reply.json["error"]) == (status, {"type": kind, "message": words})


async def test_an_unknown_model_is_not_found(simulator: Simulator) -> None:
    reply = await anthropic(simulator, "gpt-4o")

    assert (reply.status, reply.json["error"]) == (
        404,
        {"type": "not_found_error", "message": "model: gpt-4o"},
    )


_ADAPTS = {"thinking": {"type": "adaptive"}}
_BOUND = "bound to a different conversation"


async def _thought(simulator: Simulator, messages: list[object], text: str, **more: object) -> object:
    simulator.script.say(Turn(reasoning=text, text="Done."))
    reply = await anthropic(simulator, "claude-opus-5-5", messages=messages, **_ADAPTS, **more)
    return assistant(*reply.json["content"])


async def test_the_newest_models_refuse_thinking_whose_prefix_changed(simulator: Simulator) -> None:
    """https://platform.claude.com/docs/en/build-with-claude/preserved-thinking"""
    first = await _thought(simulator, [USER], "one")
    second = await _thought(simulator, [USER, first, USER], "two")
    whole = [USER, first, USER, second, USER]
    bare = assistant(text("Done."))

    async def words(messages: list[object], **more: object) -> str:
        reply = await anthropic(simulator, "claude-opus-5-5", messages=messages, **_ADAPTS, **more)
        return "" if reply.status == 200 else str(reply.json["error"]["message"])

    assert await words(whole) == ""
    assert await words([user({**text("Hello"), **MARK}), *whole[1:]]) == "", "marks don't count"
    assert await words([USER, bare, USER, second, USER]) == "", "the oldest may go"
    assert await words([USER, first, USER, bare, USER]) == "", "and the newest"
    assert _BOUND in await words(whole, system="Be brief.")
    assert _BOUND in await words([user(text("Hullo")), *whole[1:]])
    third = await _thought(simulator, whole, "three")
    gap = [USER, first, USER, bare, USER, third, USER]
    assert _BOUND in await words(gap), "none may be missing between two"
