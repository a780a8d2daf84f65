"""DeepSeek, Gemini and Qwen refuse other things than OpenAI, in other words and shapes (S1, C32)."""

from __future__ import annotations

import pytest

from tests.simulator import Simulator, ToolCall, Turn
from tests.test_simulator.client import MARK, USER, call, calling, openai, result, text


@pytest.mark.parametrize(
    ("model", "messages", "status", "words"),
    [
        ("deepseek-chat", [], 400, "Empty input messages"),
        (
            "deepseek-chat",
            [USER, result()],
            400,
            "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
        ),
        (
            "deepseek-chat",
            [USER, calling(call()), USER],
            400,
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            "'tool_call_id'. (insufficient tool messages following tool_calls message)",
        ),
        (
            "deepseek-chat",
            [
                {
                    "role": "user",
                    "content": [{"type": "image_url", "image_url": {"url": "https://e.org/a.png"}}],
                }
            ],
            400,
            "Failed to deserialize the JSON body into the target type: messages[0]: unknown variant `image_url`, "
            "expected `text`",
        ),
        (
            "deepseek-reasoner",
            [USER, calling(call()), result()],
            400,
            "Missing `reasoning_content` field in the assistant message at message index 1. For more information, "
            "please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls",
        ),
        (
            "deepseek-v4-flash",
            [USER, calling(call()), result(), {"role": "assistant", "content": "done"}, USER],
            400,
            "The `reasoning_content` in the thinking mode must be passed back to the API.",
        ),
        (
            "qwen-plus",
            [USER, result()],
            400,
            '<400> InternalError.Algo.InvalidParameter: messages with role "tool" must be a response to a preceeding '
            'message with "tool_calls".',
        ),
        (
            "qwen-plus",
            [USER, calling(call(arguments="[1]")), result()],
            400,
            '<400> InternalError.Algo.InvalidParameter: The "function.arguments" parameter of the code model must be '
            "in JSON format.",
        ),
        (
            "qwen-plus",
            [{"role": "system", "content": "x"}],
            400,
            "<400> InternalError.Algo.InvalidParameter: The input messages do not contain elements with the role of "
            "user",
        ),
        (
            "qwen-plus",
            [{"role": "user", "content": [text("a", **MARK)] * 5}],
            400,
            "<400> InternalError.Algo.InvalidParameter: A maximum of 4 cache_control markers may be provided. Found 5.",
        ),
    ],
)
async def test_deepseek_and_qwen_refuse_in_their_own_words(
    simulator: Simulator, model: str, messages: list[object], status: int, words: str
) -> None:
    reply = await openai(simulator, model, messages=messages)

    assert (reply.status, reply.json["error"]["message"]) == (status, words)


@pytest.mark.parametrize(
    ("model", "messages"),
    [
        ("deepseek-reasoner", [USER, calling(call(), reasoning_content=""), result()]),
        (
            "deepseek-reasoner",
            [USER, calling(call()), result(), {"role": "assistant", "content": "done"}, USER],
        ),
        ("deepseek-v4-flash", [USER, calling(call(), reasoning_content="I look."), result()]),
        ("deepseek-chat", [USER, calling(call()), result()]),
    ],
)
async def test_deepseek_wants_reasoning_only_where_it_says_so(
    simulator: Simulator, model: str, messages: list[object]
) -> None:
    """An empty one counts as given; the older model forgets it with the next user message."""
    assert (await openai(simulator, model, messages=messages)).status == 200


async def test_deepseek_s_thinking_can_be_switched_off(simulator: Simulator) -> None:
    messages = [USER, calling(call()), result()]

    reply = await openai(simulator, "deepseek-v4-flash", messages=messages, thinking={"type": "disabled"})

    assert reply.status == 200
    assert "reasoning_content" not in reply.json["choices"][0]["message"]


async def test_windows_are_told_in_each_family_s_words() -> None:
    windows = {"deepseek-chat": 100, "qwen-plus": 100, "gemini-2.5-flash": 100}
    async with Simulator(windows=windows) as sim:
        long = [{"role": "user", "content": "word " * 200}]
        deepseek = (await openai(sim, "deepseek-chat", messages=long, max_tokens=8)).json["error"]
        qwen = (await openai(sim, "qwen-plus", messages=long)).json["error"]
        gemini = (await openai(sim, "gemini-2.5-flash", messages=long)).json

        used = sim.requests[-1].prompt_tokens
    assert deepseek["message"] == (
        f"This model's maximum context length is 100 tokens. However, you requested {used + 8} tokens ({used} in the "
        "messages, 8 in the completion). Please reduce the length of the messages or completion."
    )
    assert (
        qwen["message"]
        == "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 100]"
    )
    words = f"The input token count ({used}) exceeds the maximum number of tokens allowed (100)."
    assert gemini == [{"error": {"code": 400, "message": words, "status": "INVALID_ARGUMENT"}}]


async def test_gemini_s_signature_comes_back_with_the_first_call_of_each_step(simulator: Simulator) -> None:
    simulator.script.say(Turn(tool_calls=(ToolCall(name="ls", arguments='{"a": 1}'), ToolCall(name="pwd"))))
    said = (await openai(simulator, "gemini-3-pro-preview")).json["choices"][0]["message"]
    results = [result(made["id"]) for made in said["tool_calls"]]
    bare = [
        {key: value for key, value in made.items() if key != "extra_content"} for made in said["tool_calls"]
    ]
    forged = [{**made, "extra_content": {"google": {"thought_signature": "AAAA"}}} for made in bare]

    faithful = await openai(simulator, "gemini-3-pro-preview", messages=[USER, said, *results])
    lost = await openai(
        simulator, "gemini-3-pro-preview", messages=[USER, {**said, "tool_calls": bare}, *results]
    )
    wrong = await openai(
        simulator, "gemini-3-pro-preview", messages=[USER, {**said, "tool_calls": forged}, *results]
    )
    past = await openai(
        simulator, "gemini-3-pro-preview", messages=[USER, {**said, "tool_calls": bare}, *results, USER]
    )
    older = await openai(
        simulator, "gemini-2.5-flash", messages=[USER, {**said, "tool_calls": bare}, *results]
    )

    assert ["extra_content" in made for made in said["tool_calls"]] == [True, False]
    assert [reply.status for reply in (faithful, lost, wrong, past, older)] == [200, 400, 400, 200, 200]
    assert lost.json[0]["error"]["message"].startswith(
        "Function call is missing a thought_signature in functionCall"
    )


async def test_gemini_counts_results_against_calls(simulator: Simulator) -> None:
    missing = await openai(simulator, "gemini-2.5-flash", messages=[USER, calling(call()), USER])
    orphan = await openai(simulator, "gemini-2.5-flash", messages=[USER, result()])

    assert "number of function response parts is equal" in missing.json[0]["error"]["message"]
    assert "comes immediately after a function call turn" in orphan.json[0]["error"]["message"]
