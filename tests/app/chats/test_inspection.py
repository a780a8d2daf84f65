import json
from pathlib import Path

import pytest
from pydantic import JsonValue

from app.chats.inspection import Inspection, inspect
from app.context.budget import Stage
from app.models.families import family_of
from app.models.window import Window
from tests.app.chats.reading import CONVERSATIONS, imported

_FAMILY = family_of("openai", "gpt-4o")


def _inspected(value: JsonValue | bytes, window_tokens: int = 0) -> Inspection:
    window = Window(tokens=window_tokens)
    return inspect(imported(value), family=_FAMILY, window=window, count=lambda text: len(text.split()))


def _call(name: str, call_id: str = "c", arguments: str = "{}") -> JsonValue:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def test_every_word_is_counted_once_in_its_category() -> None:
    found = _inspected(
        {
            "tools": [
                {"type": "function", "function": {"name": "ls", "description": "List all", "parameters": {}}}
            ],
            "messages": [
                {"role": "system", "content": "Be brief"},
                {"role": "user", "content": "What is here ?"},
                {
                    "role": "assistant",
                    "content": None,
                    "reasoning_content": "I look",
                    "tool_calls": [_call("ls")],
                },
                {"role": "tool", "tool_call_id": "c", "content": "a b c d e"},
                {"role": "assistant", "content": "Five files"},
            ],
        }
    )

    assert found.tokens == {
        "system": 2,
        "tools": 4,
        "you": 4,
        "assistant": 4,
        "tool_results": 5,
        "reasoning": 2,
        "media": 0,
        "total": 21,
    }
    assert (found.n_messages, found.n_turns, found.faults) == (5, 1, ())


def test_the_projection_is_what_a_request_would_hold() -> None:
    """Reasoning of a finished turn is not sent again; each message costs a little by itself (C3)."""
    messages: list[JsonValue] = [
        {"role": "user", "content": "one two three"},
        {"role": "assistant", "content": "four", "reasoning_content": "a b c d e f g"},
        {"role": "user", "content": "five"},
    ]

    found = _inspected(messages, window_tokens=100)

    assert found.projected_tokens == 5 + 3 * _FAMILY.message_tokens
    assert found.use == pytest.approx(0.17)
    assert found.window_tokens == 100


@pytest.mark.parametrize(
    ("window_tokens", "stage"),
    [(0, Stage.INACTIVE), (300, Stage.INACTIVE), (240, Stage.WATCH), (190, Stage.LIGHT), (140, Stage.FULL), (105, Stage.EMERGENCY)],
)  # fmt: skip
def test_the_stage_follows_the_share_of_the_window(window_tokens: int, stage: Stage) -> None:
    """C2: 40, 50, 70 and 90 % of the window."""
    found = _inspected([{"role": "user", "content": "word " * 96}], window_tokens)

    assert found.stage is stage


def test_what_a_provider_would_refuse_is_told_with_the_number_of_its_message() -> None:
    found = _inspected(
        [
            {"role": "assistant", "content": "I begin"},
            {"role": "user", "content": " "},
            "no message",
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [_call("ls", "a"), _call("rm", "b", "{bad")],
            },
            {"role": "tool", "tool_call_id": "a", "content": ""},
            {"role": "tool", "tool_call_id": "a", "content": "again"},
            {"role": "user", "content": "x"},
            {"role": "user", "content": "y"},
            {"role": "system", "content": "in the middle"},
        ]
    )

    assert found.faults == (
        "Message 3 is not a message and was left out.",
        "Message 6 is a result without its call.",
        "Message 4: the call of 'rm' has no result.",
        "Message 2 is empty.",
        "Message 4: the arguments of 'rm' are not valid JSON.",
        "The user speaks twice in a row at 1 place(s), first at message 8.",
        "The first message that is not the system's, message 1, is not the user's.",
        "Message 9 is the system's, in the middle of the conversation.",
    )


def test_a_call_at_the_very_end_without_a_result_is_told() -> None:
    found = _inspected([{"role": "user", "content": "x"}, {"role": "assistant", "tool_calls": [_call("ls")]}])

    assert found.faults == ("Message 2: the call of 'ls' has no result.",)


@pytest.mark.parametrize("path", CONVERSATIONS, ids=lambda path: path.stem)
def test_real_conversations_hold_their_pairs(path: Path) -> None:
    """Each file was checked for pairing when it was made, and says how many arguments are no JSON."""
    held = json.loads(path.read_text())

    found = _inspected(path.read_bytes())

    assert not [fault for fault in found.faults if "without its call" in fault or "has no result" in fault]
    n_invalid = len([fault for fault in found.faults if "not valid JSON" in fault])
    assert n_invalid == held["stats"].get("invalid_json_arguments", 0)
    assert found.n_turns == sum(message["role"] == "user" for message in held["messages"])
