"""Completions, chunks, usage, models and embeddings as OpenAI-like endpoints send them."""

from __future__ import annotations

import base64
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.simulator import Simulator, ToolCall, Turn
from tests.simulator.script import own_answer, pieces
from tests.test_simulator.client import USER, Reply, call, calling, get, openai, post, result

_KEY = {"Authorization": "Bearer sk-test"}


@given(st.text())
def test_the_pieces_of_a_text_are_the_text(words: str) -> None:
    assert "".join(pieces(words)) == words


def test_the_own_answer_depends_on_the_last_user_message_only() -> None:
    first = own_answer({"messages": [USER]})
    later = own_answer(
        {"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}, USER]}
    )
    other = own_answer({"messages": [{"role": "user", "content": "Hello!"}]})

    assert first == later
    assert first != other


async def test_a_stream_carries_the_same_answer_as_a_whole_reply(simulator: Simulator) -> None:
    whole = await openai(simulator)
    streamed = await openai(simulator, stream=True)

    message = whole.json["choices"][0]["message"]
    assert (streamed.text, streamed.headers["Content-Type"]) == (
        message["content"],
        "text/event-stream; charset=utf-8",
    )
    assert streamed.raw.endswith(b"data: [DONE]\n\n")
    assert [event["object"] for event in streamed.events] == ["chat.completion.chunk"] * len(streamed.events)


async def test_usage_comes_last_without_choices_and_only_when_asked_for(simulator: Simulator) -> None:
    silent = await openai(simulator, stream=True)
    told = await openai(simulator, stream=True, stream_options={"include_usage": True})

    usage = told.events[-1]["usage"]
    assert not any("usage" in event for event in silent.events)
    assert [event["usage"] for event in told.events[:-1]] == [None] * (len(told.events) - 1)
    assert told.events[-1]["choices"] == []
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
    assert (told.events[-2]["choices"][0]["finish_reason"], simulator.requests[-1].usage) == ("stop", usage)


async def test_a_script_makes_the_model_call_tools(simulator: Simulator) -> None:
    simulator.script.say(
        Turn(text="Look:", tool_calls=(ToolCall(name="ls", arguments='{"path": "."}', id="call_7"),))
    )

    choice = (await openai(simulator)).json["choices"][0]

    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["tool_calls"] == [call("call_7", '{"path": "."}')]


async def test_calls_are_streamed_by_index_and_several_may_share_one(simulator: Simulator) -> None:
    calls = (ToolCall(name="ls", arguments='{"a": 1}', index=0), ToolCall(name="pwd", index=0))
    simulator.script.say(Turn(tool_calls=calls))

    reply = await openai(simulator, stream=True)

    deltas = _tool_deltas(reply)
    assert {made["index"] for made in deltas} == {0}
    assert [made["function"]["name"] for made in deltas if "id" in made] == ["ls", "pwd"]
    assert "".join(made["function"]["arguments"] for made in deltas) == '{"a": 1}{}'


def _tool_deltas(reply: Reply) -> list[Any]:
    choices = [choice for event in reply.events for choice in event["choices"]]
    return [made for choice in choices for made in choice["delta"].get("tool_calls", [])]


async def test_a_script_can_be_a_function_of_the_request(simulator: Simulator) -> None:
    simulator.script.say(lambda body: Turn(text=f"You asked {body['model']}."), Turn(text="second"))

    replies = [await openai(simulator) for _ in range(3)]

    texts = [reply.json["choices"][0]["message"]["content"] for reply in replies]
    assert texts[:2] == ["You asked gpt-4o.", "second"]
    assert texts[2].startswith("## Hello")


async def test_a_refused_request_uses_up_no_script(simulator: Simulator) -> None:
    simulator.script.say(Turn(text="kept"))

    await openai(simulator, messages=[])
    reply = await openai(simulator)

    assert reply.json["choices"][0]["message"]["content"] == "kept"


async def test_an_answer_over_the_limit_is_cut_and_ends_for_length(simulator: Simulator) -> None:
    reply = (await openai(simulator, max_tokens=10)).json

    choice = reply["choices"][0]
    assert (choice["finish_reason"], reply["usage"]["completion_tokens"]) == ("length", 10)
    assert own_answer({"messages": [USER]}).text.startswith(choice["message"]["content"])


async def test_deepseek_streams_reasoning_before_the_text_and_counts_it(simulator: Simulator) -> None:
    reply = await openai(simulator, "deepseek-reasoner", stream=True, stream_options={"include_usage": True})

    deltas = [choice["delta"] for event in reply.events for choice in event["choices"]]
    reasoning = "".join(delta.get("reasoning_content", "") for delta in deltas)
    assert reasoning.startswith("The question has the mark")
    assert reply.events[-1]["usage"]["completion_tokens_details"]["reasoning_tokens"] > 5


async def test_openai_hides_reasoning_but_bills_it(simulator: Simulator) -> None:
    reply = (await openai(simulator, "gpt-5")).json

    assert "reasoning_content" not in reply["choices"][0]["message"]
    assert reply["usage"]["completion_tokens_details"]["reasoning_tokens"] > 5


async def test_deepseek_forgets_reasoning_without_calls_when_the_user_writes_again(
    simulator: Simulator,
) -> None:
    long = "thought " * 100
    plain = [USER, {"role": "assistant", "content": "a", "reasoning_content": long}, USER]
    with_call = [USER, calling(call(), reasoning_content=long), result(), USER]

    sizes = list[int]()
    for messages in (plain, with_call):
        await openai(simulator, "deepseek-reasoner", messages=messages)
        sizes.append(simulator.requests[-1].prompt_tokens)

    assert sizes[0] < 50
    assert sizes[1] > 100


async def test_models_are_listed_in_the_shape_of_who_asks(simulator: Simulator) -> None:
    openai_list = (await get(simulator, "/v1/models", _KEY)).json
    anthropic_list = (
        await get(simulator, "/v1/models", {"x-api-key": "k", "anthropic-version": "2023-06-01"})
    ).json
    nobody = await get(simulator, "/v1/models")

    assert {"id": "gpt-4o", "object": "model", "created": 1735689600, "owned_by": "openai"} in openai_list[
        "data"
    ]
    assert {model["type"] for model in anthropic_list["data"]} == {"model"}
    assert anthropic_list["first_id"] == anthropic_list["data"][0]["id"]
    assert nobody.status == 401


async def _vectors(sim: Simulator, *texts: str) -> list[list[float]]:
    reply = await post(sim, "/v1/embeddings", {"model": "text-embedding-3-small", "input": list(texts)}, _KEY)
    return [entry["embedding"] for entry in reply.json["data"]]


async def test_embeddings_of_similar_texts_are_near(simulator: Simulator) -> None:
    question, near, far = await _vectors(
        simulator,
        "the gear ratio of the pump",
        "pump gear ratios, table 8-4",
        "an invoice for the month of May",
    )

    def product(one: list[float], other: list[float]) -> float:
        return sum(a * b for a, b in zip(one, other, strict=True))

    assert len(question) == 256
    assert product(question, question) == pytest.approx(1.0)
    assert product(question, near) > product(question, far) + 0.2


async def test_embeddings_can_be_packed(simulator: Simulator) -> None:
    body = {"model": "e", "input": "世界", "encoding_format": "base64"}

    packed = (await post(simulator, "/v1/embeddings", body, _KEY)).json["data"][0]["embedding"]

    plain = (await _vectors(simulator, "世界"))[0]
    assert struct.unpack("<256f", base64.b64decode(packed)) == pytest.approx(plain)


@pytest.mark.parametrize("given_input", ["", [], ["a", ""], "word " * 9000])
async def test_embeddings_refuse_the_empty_and_the_too_long(
    simulator: Simulator, given_input: object
) -> None:
    reply = await post(simulator, "/v1/embeddings", {"model": "e", "input": given_input}, _KEY)

    assert (reply.status, reply.json["error"]["type"]) == (400, "invalid_request_error")
