"""What OpenAI refuses, is refused with its status, words, parameter and code (C31, C32, Q19)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.simulator import Simulator
from tests.test_simulator.client import MARK, USER, call, calling, openai, post, result, text

_NOTHING: list[Any] = []
_NO_CALLS: dict[str, Any] = {"role": "assistant", "content": "x", "tool_calls": _NOTHING}
_OPENAI_ROLES = "'system', 'assistant', 'user', 'function', 'tool', and 'developer'"


@pytest.mark.parametrize(
    ("body", "message", "param", "code"),
    [
        (
            {"messages": None},
            "Missing required parameter: 'messages'.",
            "messages",
            "missing_required_parameter",
        ),
        (
            {"messages": _NOTHING},
            "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
            "messages",
            "empty_array",
        ),
        (
            {"messages": [{"role": "human", "content": "x"}]},
            f"Invalid value: 'human'. Supported values are: {_OPENAI_ROLES}.",
            "messages[0].role",
            "invalid_value",
        ),
        (
            {"messages": [{"role": "user", "content": None}]},
            "Invalid value for 'content': expected a string, got null.",
            "messages.[0].content",
            None,
        ),
        (
            {"messages": [USER, result()]},
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
            "messages.[1].role",
            None,
        ),
        (
            {"messages": [USER, calling(call()), USER]},
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            "'tool_call_id'. The following tool_call_ids did not have response messages: call_1",
            "messages.[2].role",
            None,
        ),
        (
            {"messages": [USER, calling(call(), call("call_2")), result()]},
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            "'tool_call_id'. The following tool_call_ids did not have response messages: call_2",
            "messages.[3].role",
            None,
        ),
        (
            {"messages": [USER, calling(call()), result("call_9")]},
            "Invalid parameter: 'tool_call_id' of 'call_9' not found in 'tool_calls' of previous message.",
            "messages.[2].tool_call_id",
            None,
        ),
        (
            {"messages": [USER, _NO_CALLS]},
            "Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1, but got an empty "
            "array instead.",
            "messages[1].tool_calls",
            "empty_array",
        ),
        (
            {"messages": [USER, calling(call("c" * 41)), result("c" * 41)]},
            "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but "
            "got a string with length 41 instead.",
            "messages[1].tool_calls[0].id",
            "string_above_max_length",
        ),
        (
            {
                "messages": [
                    USER,
                    calling({"id": "c", "function": {"name": "ls", "arguments": {"a": 1}}}),
                    result("c"),
                ]
            },
            "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, but got an object "
            "instead.",
            "messages[1].tool_calls[0].function.arguments",
            "invalid_type",
        ),
        (
            {"messages": [USER, calling(call(name="a b")), result()]},
            "Invalid 'messages[1].tool_calls[0].function.name': string does not match pattern. Expected a string that "
            "matches the pattern '^[a-zA-Z0-9_-]+$'.",
            "messages[1].tool_calls[0].function.name",
            "invalid_value",
        ),
        (
            {"messages": [{"role": "user", "content": [text("x", **MARK)]}]},
            "Unknown parameter: 'messages[0].content[0].cache_control'.",
            "messages[0].content[0].cache_control",
            "unknown_parameter",
        ),
        ({"thinking": "on"}, "Unknown parameter: 'thinking'.", "thinking", "unknown_parameter"),
        (
            {"max_tokens": 0},
            "Invalid 'max_tokens': integer below minimum value. Expected a value >= 1, but got 0 instead.",
            "max_tokens",
            "integer_below_min_value",
        ),
        (
            {"max_tokens": 16_385},
            "max_tokens is too large: 16385. This model supports at most 16384 completion tokens, whereas you provided "
            "16385.",
            "max_tokens",
            "invalid_value",
        ),
        (
            {"prompt_cache_key": "k" * 65},
            "Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64, but got a string "
            "with length 65 instead.",
            "prompt_cache_key",
            "string_above_max_length",
        ),
        (
            {"stream_options": {"include_usage": True}},
            "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
            "stream_options",
            None,
        ),
        (
            {"model": "gpt-5", "max_tokens": 5},
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            "max_tokens",
            "unsupported_parameter",
        ),
        (
            {"model": "gpt-5", "temperature": 0.2},
            "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is "
            "supported.",
            "temperature",
            "unsupported_value",
        ),
    ],
)
async def test_openai_refuses_in_its_own_words(
    simulator: Simulator, body: dict[str, Any], message: str, param: str | None, code: str | None
) -> None:
    reply = await openai(simulator, **body)

    error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    assert (reply.status, reply.json) == (400, {"error": error})
    assert (simulator.requests[-1].verdict, simulator.requests[-1].refusal) == ("refused", message)


async def test_a_prompt_over_the_window_is_refused_with_both_figures() -> None:
    async with Simulator(windows={"gpt-4o": 100}) as sim:
        reply = await openai(sim, messages=[{"role": "user", "content": "word " * 200}])

        used = sim.requests[-1].prompt_tokens
    assert used > 200
    assert reply.json["error"] == {
        "message": f"This model's maximum context length is 100 tokens. However, your messages resulted in {used} "
        "tokens. Please reduce the length of the messages.",
        "type": "invalid_request_error",
        "param": "messages",
        "code": "context_length_exceeded",
    }


async def test_the_answer_s_room_counts_into_a_shared_window() -> None:
    async with Simulator(windows={"gpt-4o": 1000, "gpt-5": 1000}) as sim:
        shared = await openai(sim, max_tokens=999)
        apart = await openai(sim, "gpt-5", max_completion_tokens=999)

    assert (shared.status, shared.json["error"]["code"]) == (400, "context_length_exceeded")
    assert "(6 in the messages, 999 in the completion)" in shared.json["error"]["message"]
    assert apart.status == 200


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({}, 401, None),
        ({"Authorization": "Bearer sk-invalid-0000000"}, 401, "invalid_api_key"),
    ],
)
async def test_a_missing_or_wrong_key_is_refused_without_repeating_it(
    simulator: Simulator, headers: dict[str, str], status: int, code: str | None
) -> None:
    body = {"model": "gpt-4o", "messages": [USER]}

    reply = await post(simulator, "/v1/chat/completions", body, headers)

    assert (reply.status, reply.json["error"]["code"]) == (status, code)
    assert b"sk-invalid-0000000" not in reply.raw


async def test_only_given_keys_are_valid_when_keys_are_given() -> None:
    async with Simulator(keys=frozenset({"sk-other"})) as sim:
        reply = await openai(sim)

    assert reply.status == 401


async def test_an_unknown_model_and_one_of_the_other_form_do_not_exist(simulator: Simulator) -> None:
    unknown = await openai(simulator, "mystery-1")
    elsewhere = await openai(simulator, "claude-sonnet-4-5")

    words = "The model `mystery-1` does not exist or you do not have access to it."
    assert (unknown.status, unknown.json["error"]["message"]) == (404, words)
    assert (elsewhere.status, elsewhere.json["error"]["code"]) == (404, "model_not_found")


async def test_a_body_that_is_no_json_is_refused(simulator: Simulator) -> None:
    reply = await post(simulator, "/v1/chat/completions", b'{"model": ', {"Authorization": "Bearer sk-1"})

    assert (reply.status, simulator.requests[-1].raw) == (400, b'{"model": ')


async def test_arguments_that_are_no_object_pass_at_openai_and_leave_a_remark(simulator: Simulator) -> None:
    reply = await openai(simulator, messages=[USER, calling(call(arguments="[1]")), result(), USER])

    assert reply.status == 200
    assert simulator.requests[-1].remark == "messages[1].tool_calls[0].function.arguments is no JSON object"
