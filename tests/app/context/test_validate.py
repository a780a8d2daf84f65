"""The last look at a request names what every provider refuses."""

from dataclasses import replace

import pytest

from app.context.validate import faults
from app.core.ids import ModelId
from app.core.parts import Blob, Part, TextPart, ToolCallPart, ToolResultPart
from app.core.requests import Message, Prelude, Request, Role

TEXT = TextPart(text="Hi.")
CALL = ToolCallPart(call_id="a", name="run", arguments="{}")
RESULT = ToolResultPart(call_id="a", name="run", text="done")


def message(role: Role, *parts: Part) -> Message:
    return Message(role=role, parts=parts)


def of(*messages: Message) -> tuple[str, ...]:
    return faults(Request(model=ModelId("own/m"), prelude=Prelude(system=""), messages=messages))


USER, ASSISTANT, TOOL = message(Role.USER, TEXT), message(Role.ASSISTANT, TEXT), message(Role.TOOL, RESULT)
CALLING = message(Role.ASSISTANT, TEXT, CALL)


@pytest.mark.parametrize(
    "messages",
    [
        (USER,),
        (USER, ASSISTANT, USER),
        (USER, CALLING, TOOL),
        (USER, message(Role.ASSISTANT, CALL, CALL), TOOL, TOOL, USER),
        (message(Role.USER, TextPart(text=Blob(sha256="a", n_bytes=9, mime="text/plain", name="n"))),),
    ],
)
def test_a_good_request_has_no_fault(messages: tuple[Message, ...]) -> None:
    assert of(*messages) == ()


@pytest.mark.parametrize(
    ("messages", "sentence"),
    [
        ((), "There is no message to send."),
        ((ASSISTANT, USER), "The first message is not the user's."),
        ((USER, ASSISTANT), "The last message is the assistant's."),
        ((USER, USER), "Messages 0 and 1 are both of the user."),
        ((USER, TOOL), "Message 1 holds a result without its call."),
        ((USER, CALLING, TOOL, TOOL), "Message 3 holds a result without its call."),
        ((USER, CALLING, USER), "Before message 2, 1 call(s) have no result."),
        ((USER, message(Role.ASSISTANT, CALL, CALL), TOOL), "At the end, 1 call(s) have no result."),
        ((USER, CALLING, TOOL, USER, TOOL), "Message 4 holds a result without its call."),
        ((message(Role.USER),), "Message 0 is empty."),
        ((message(Role.USER, TextPart(text=" \n")),), "Message 0 holds an empty text."),
        ((message(Role.USER, CALL, TEXT),), "Message 0 of the user holds a ToolCallPart."),
        ((USER, CALLING, message(Role.TOOL, RESULT, TEXT)), "Message 2 of the tool holds a TextPart."),
    ],
)
def test_a_fault_is_told_in_a_sentence(messages: tuple[Message, ...], sentence: str) -> None:
    assert sentence in of(*messages)


def test_ids_that_repeat_in_a_later_round_are_no_fault() -> None:
    """C31."""
    assert of(USER, CALLING, TOOL, replace(CALLING), TOOL) == ()
