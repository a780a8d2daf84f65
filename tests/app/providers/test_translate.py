"""Chunks into events and messages into wire form, without a wire."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.entries import Finish
from app.core.events import (
    Finished,
    GatewayEvent,
    ReasoningArrived,
    TextArrived,
    ToolCallArrived,
    UsageReported,
)
from app.core.parts import MediaPart, OpaquePart, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from app.core.usage import Usage
from app.providers.templates import template_of
from app.providers.translate import ChunkReader, arguments_of, usage_of
from app.settings import Endpoint
from tests.app.providers.asking import asking, assistant, text_of, tool, user

CASES = json.loads((Path(__file__).parents[2] / "data" / "cases.json").read_text())


def case(name: str) -> Mapping[str, Any]:
    return next(item["input"] for item in CASES if item["id"] == name)


def delta(**fields: object) -> dict[str, Any]:
    return {"choices": [{"delta": fields}]}


def read(*chunks: Mapping[str, Any]) -> list[GatewayEvent]:
    reader = ChunkReader()
    events = [event for chunk in chunks for event in reader.read(chunk)]
    return [*events, *reader.end()]


def calls(events: list[GatewayEvent]) -> list[tuple[str, str, str]]:
    """Each call put together: id, name, arguments."""
    pieces = [event for event in events if isinstance(event, ToolCallArrived)]
    return [
        (
            "".join(piece.call_id for piece in pieces if piece.index == index),
            "".join(piece.name for piece in pieces if piece.index == index),
            "".join(piece.arguments for piece in pieces if piece.index == index),
        )
        for index in sorted({piece.index for piece in pieces})
    ]


def wire(*messages: Any, kind: str = "compatible", model: str = "m", **more: Any) -> list[dict[str, Any]]:
    template = template_of(Endpoint(id="e", kind=kind, name="E"))
    return arguments_of(asking(*messages, **more), template, model=model, blobs={})["messages"]


# ---- in


def test_two_calls_at_one_index_stay_two() -> None:
    """Case B55."""
    deltas = case("B55")["deltas"]

    events = read(*(delta(tool_calls=[piece]) for piece in deltas))

    assert calls(events) == [("a", "find", '{"q":"x"}'), ("b", "find", '{"q":"y"}')]


def test_pieces_of_two_calls_in_turn_find_their_call() -> None:
    """Case B55, its other half: `also`."""
    deltas = case("B55")["also"]

    events = read(*(delta(tool_calls=[piece]) for piece in deltas))

    assert calls(events) == [("a", "f", '{"q":1}'), ("b", "g", "{}")]


@pytest.mark.parametrize(
    ("pieces", "found"),
    [
        # the id comes late
        (
            [
                {"index": 0, "function": {"name": "f", "arguments": "{"}},
                {"index": 0, "id": "a", "function": {"arguments": "}"}},
            ],
            [("a", "f", "{}")],
        ),
        # id and name are repeated with each piece
        (
            [
                {"index": 0, "id": "a", "function": {"name": "f", "arguments": "{"}},
                {"index": 0, "id": "a", "function": {"name": "f", "arguments": "}"}},
            ],
            [("a", "f", "{}")],
        ),
        # neither ids nor indices: a new call begins where the last one is complete
        (
            [
                {"function": {"name": "f", "arguments": '{"q":1}'}},
                {"function": {"name": "f", "arguments": '{"q":2}'}},
            ],
            [("call_0", "f", '{"q":1}'), ("call_1", "f", '{"q":2}')],
        ),
        # an object where a text of JSON belongs
        (
            [{"index": 0, "id": "a", "function": {"name": "f", "arguments": {"q": 1}}}],
            [("a", "f", '{"q": 1}')],
        ),
    ],
)
def test_calls_are_told_apart_however_they_come(pieces: list[Any], found: list[tuple[str, str, str]]) -> None:
    """Case B55's kind."""
    events = read(*(delta(tool_calls=[piece]) for piece in pieces))

    assert calls(events) == found


@given(
    texts=st.lists(st.dictionaries(st.text(max_size=5), st.integers()), min_size=1, max_size=4),
    size=st.integers(min_value=1, max_value=7),
    has_ids=st.booleans(),
)
def test_calls_survive_being_cut_anywhere(texts: list[dict[str, int]], size: int, has_ids: bool) -> None:
    """Case B55: all at index 0, the id in the first piece only."""
    whole = [json.dumps(text) for text in texts]
    pieces: list[dict[str, Any]] = []
    for number, text in enumerate(whole):
        cut = [text[at : at + size] for at in range(0, len(text), size)]
        named = {"id": f"id{number}"} if has_ids else {}
        pieces.append({"index": 0, **named, "function": {"name": f"f{number}", "arguments": cut[0]}})
        pieces += [{"index": 0, "function": {"arguments": piece}} for piece in cut[1:]]

    events = read(*(delta(tool_calls=[piece]) for piece in pieces))

    assert [arguments for _, _, arguments in calls(events)] == whole


def test_usage_is_read_beside_no_choice_and_the_last_one_counts() -> None:
    """Case B56."""
    events = read(*case("B56")["chunks"])

    assert events == [
        TextArrived(text="Hi"),
        UsageReported(usage=Usage(prompt_tokens=10, completion_tokens=2)),
        Finished(finish=Finish.STOP),
    ]


def test_without_usage_none_is_reported() -> None:
    """Case B56."""
    assert read(delta(content="Hi")) == [TextArrived(text="Hi"), Finished(finish=Finish.STOP)]


def test_prompt_tokens_hold_the_cached_ones_once() -> None:
    """Case B26: Anthropic's own figures leave them out, OpenAI's hold them."""
    found = [(usage_of(item).prompt_tokens, item["want"]) for item in case("B26")["usage_cases"]]

    assert [have for have, _ in found] == [want for _, want in found]
    assert usage_of(case("B26")["usage_cases"][0]) == Usage(
        prompt_tokens=17703, completion_tokens=0, cached_tokens=17000, cache_write_tokens=700
    )


@pytest.mark.parametrize(
    ("raw", "cached"),
    [
        (
            {"prompt_tokens": 100, "prompt_cache_hit_tokens": 64, "prompt_cache_miss_tokens": 36},
            64,
        ),  # DeepSeek
        ({"prompt_tokens": 100, "cached_tokens": 50}, 50),  # Kimi
        ({"input_tokens": 100, "input_tokens_details": {"cached_tokens": 40}}, 40),  # OpenAI's Responses
        ({"prompt_tokens": 100, "prompt_tokens_details": None, "cache_read_input_tokens": None}, 0),
    ],
)
def test_cached_tokens_are_found_under_each_providers_name(raw: Mapping[str, Any], cached: int) -> None:
    """Case B26's kind."""
    assert usage_of(raw) == Usage(prompt_tokens=100, completion_tokens=0, cached_tokens=cached)


@pytest.mark.parametrize(
    "raw",
    [
        {
            "prompt_tokens": 100,
            "prompt_tokens_details": {
                "cache_write_tokens": 90,
                "cache_creation_token_details": {
                    "ephemeral_5m_input_tokens": 20,
                    "ephemeral_1h_input_tokens": 70,
                },
            },
        },
        {
            "input_tokens": 10,
            "cache_creation_input_tokens": 90,
            "cache_creation": {"ephemeral_5m_input_tokens": 20, "ephemeral_1h_input_tokens": 70},
        },
    ],
)
def test_what_was_written_for_an_hour_is_told_apart(raw: Mapping[str, Any]) -> None:
    """P6: it costs more than what is kept for five minutes."""
    assert usage_of(raw) == Usage(
        prompt_tokens=100, completion_tokens=0, cache_write_tokens=90, cache_write_1h_tokens=70
    )


def test_half_an_emoji_waits_for_its_other_half() -> None:
    """Case B76: JSON escapes cut between the two halves of a pair."""
    events = read(delta(content="a\ud83d"), delta(content="\ude00b"))

    assert text_of(events) == "a😀b"


def test_a_half_that_stays_alone_and_a_nul_are_made_visible() -> None:
    """Case B76."""
    events = read(delta(content="a\ud83d"), delta(content="b\x00"), delta(content="c\ud83d"))

    assert text_of(events) == "a\ufffdb\u2400c\ufffd"


def test_signed_thinking_is_not_touched() -> None:
    block = {"type": "thinking", "thinking": "a\x00b", "signature": "s=="}

    events = read(delta(reasoning_content="a\x00b", thinking_blocks=[block]))

    assert events[0] == ReasoningArrived(text="a\x00b", signature="s==")
    assert len(events) == 2


def test_unread_fields_of_a_message_are_kept_for_its_provider() -> None:
    events = read(
        delta(content="x", reasoning_details=[{"type": "a"}]), delta(reasoning_details=[{"type": "b"}])
    )

    assert events[-1] == Finished(
        finish=Finish.STOP, provider_fields='{"reasoning_details": [{"type": "a"}, {"type": "b"}]}'
    )


def test_a_refusal_is_text_that_ends_as_refused() -> None:
    assert read(delta(refusal="No.")) == [TextArrived(text="No."), Finished(finish=Finish.REFUSED)]


def test_a_stream_of_nothing_is_no_answer() -> None:
    reader = ChunkReader()

    events = list(reader.read({"choices": [{"delta": {"content": ""}, "finish_reason": "stop"}]}))

    assert (events, reader.is_empty) == ([], True)


# ---- out


def test_calls_with_one_id_in_two_turns_get_two_on_the_wire() -> None:
    """C31: ids repeat across turns; some providers refuse that."""
    call = ToolCallPart(call_id="c", name="f", arguments="{}")
    result = ToolResultPart(call_id="c", name="f", text="1")

    found = wire("a", assistant(call), tool(result), "b", assistant(call), tool(result))

    first, second = (item["tool_calls"][0]["id"] for item in found if "tool_calls" in item)
    assert first == "c"
    assert second != "c"
    assert [item["tool_call_id"] for item in found if item["role"] == "tool"] == [first, second]


def test_one_id_twice_in_a_message_is_paired_by_order() -> None:
    """C31: by occurrence inside one message."""
    call = ToolCallPart(call_id="c", name="f", arguments="{}")
    results = [ToolResultPart(call_id="c", name="f", text=text) for text in ("1", "2")]

    found = wire("a", assistant(call, call), tool(results[0]), tool(results[1]))

    ids = [item["id"] for item in found[1]["tool_calls"]]
    assert len(set(ids)) == 2
    assert [item["tool_call_id"] for item in found[2:]] == ids


def test_ids_that_a_family_does_not_take_are_written_anew() -> None:
    """C31: Mistral wants nine letters or digits."""
    call = ToolCallPart(call_id="toolu_01-abc", name="f", arguments="{}")
    result = ToolResultPart(call_id="toolu_01-abc", name="f", text="1")

    found = wire("a", assistant(call), tool(result), kind="mistral", model="mistral-large-latest")

    wire_id = found[1]["tool_calls"][0]["id"]
    assert len(wire_id) == 9
    assert wire_id.isalnum()
    assert found[2]["tool_call_id"] == wire_id


@pytest.mark.parametrize(
    ("written", "sent"),
    [("", "{}"), ('{"a": 1}', '{"a": 1}'), ("[1]", '{"_raw": "[1]"}'), ('{"a', '{"_raw": "{\\"a"}')],
)
def test_arguments_are_always_an_object(written: str, sent: str) -> None:
    """C32."""
    found = wire("a", assistant(ToolCallPart(call_id="c", name="f", arguments=written)))

    assert found[1]["tool_calls"][0]["function"]["arguments"] == sent


def test_unsigned_thinking_never_reaches_anthropic_and_signed_never_others() -> None:
    """S1, after a switch of models."""
    thoughts = (ThinkingPart(text="mine"), ThinkingPart(text="theirs", signature="s"))
    call = ToolCallPart(call_id="c", name="f", arguments="{}")

    at_anthropic = wire("a", assistant(*thoughts, call), kind="anthropic", model="claude-sonnet-4-5")
    at_deepseek = wire("a", assistant(*thoughts, call), kind="deepseek", model="deepseek-reasoner")

    assert at_anthropic[1]["thinking_blocks"] == [
        {"type": "thinking", "thinking": "theirs", "signature": "s"}
    ]
    assert "reasoning_content" not in at_anthropic[1]
    assert at_deepseek[1]["reasoning_content"] == "mine"


def test_openai_is_sent_no_reasoning_at_all() -> None:
    found = wire("a", assistant(ThinkingPart(text="t"), "b"), kind="openai", model="gpt-5")

    assert found[1] == {"role": "assistant", "content": "b"}


def test_texts_alone_are_one_plain_string() -> None:
    assert wire(user("a", "b"))[0] == {"role": "user", "content": "a\n\nb"}


def test_media_and_unknown_blocks_stand_in_their_order() -> None:
    parts = (
        TextPart(text="see"),
        MediaPart(source="https://example.org/x.png", mime="image/png"),
        OpaquePart(kind="odd", json='{"type": "odd"}'),
    )

    assert wire(user(*parts))[0]["content"] == [
        {"type": "text", "text": "see"},
        {"type": "image_url", "image_url": {"url": "https://example.org/x.png"}},
        {"type": "odd"},
    ]


def test_unread_fields_travel_with_their_message() -> None:
    message = assistant("b")
    kept = type(message)(role=message.role, parts=message.parts, provider_fields='{"reasoning_details": [1]}')

    assert wire("a", kept)[1] == {"role": "assistant", "content": "b", "reasoning_details": [1]}


def test_what_the_person_says_right_after_results_leaves_their_rounds_thinking_in_place() -> None:
    """Case B14: Anthropic counts such words to the running loop, and wants it to begin with its thinking."""
    call = ToolCallPart(call_id="a", name="run", arguments="{}")
    thought = ThinkingPart(text="Hm.", signature="s")
    done = tool(ToolResultPart(call_id="a", name="run", text="x"))

    sent = wire("Go", assistant(thought, call), done, "And?", kind="anthropic", model="claude-sonnet-4-5")
    later = wire(
        "Go",
        assistant(thought, call),
        done,
        assistant("7"),
        "Next",
        kind="anthropic",
        model="claude-sonnet-4-5",
    )

    assert sent[1]["thinking_blocks"] == [{"type": "thinking", "thinking": "Hm.", "signature": "s"}]
    assert "thinking_blocks" not in later[1]


@pytest.mark.parametrize(
    ("kind", "model"),
    [("deepseek", "deepseek-chat"), ("moonshot", "kimi-k2.5"), ("compatible", "mimo-v2-flash")],
)
def test_stored_reasoning_goes_back_beside_calls_and_an_empty_one_only_where_there_was_none(
    kind: str, model: str
) -> None:
    """Case B16."""
    call = ToolCallPart(call_id="a", name="run", arguments="{}")
    done = tool(ToolResultPart(call_id="a", name="run", text="x"))
    thought = assistant(ThinkingPart(text="I should call."), call)

    sent = wire("Go", thought, done, assistant(call), done, "Next", kind=kind, model=model)

    assert [message.get("reasoning_content") for message in sent] == [
        None,
        "I should call.",
        None,
        "",
        None,
        None,
    ]
