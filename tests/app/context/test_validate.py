"""The last look at a request names what its family refuses, and mends it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.context import Context
from app.context.render import ASSISTANT_OPENED
from app.context.validate import GO_ON, faults, last_look, mended
from app.core.errors import ProviderError
from app.core.ids import ModelId
from app.core.parts import (
    Blob,
    MediaPart,
    OpaquePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from app.core.requests import Message, Prelude, Request, Role, Sampling
from app.models.families import ANTHROPIC, OPENAI, UNKNOWN, Family, family_of
from tests.app.context.histories import MODEL, PRELUDE, sample

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


PICTURE = MediaPart(
    source=Blob(sha256="c" * 64, n_bytes=9, mime="image/png", name="shot.png"),
    mime="image/png",
    width_px=8,
    height_px=6,
)
DEEPSEEK, GEMINI_3 = family_of("deepseek", "deepseek-chat"), family_of("gemini", "gemini-3-pro-preview")
FAMILIES = (OPENAI, ANTHROPIC, DEEPSEEK, GEMINI_3, family_of("dashscope", "qwen-plus"), UNKNOWN)


def asking(*messages: Message, effort: str | None = None) -> Request:
    return Request(
        model=ModelId("own/m"),
        prelude=Prelude(system=""),
        messages=messages,
        sampling=Sampling(reasoning_effort=effort),
    )


def test_a_good_request_is_sent_as_it_is() -> None:
    request = asking(USER, CALLING, TOOL)

    assert mended(request, OPENAI) is request


def test_helper_requests_that_end_in_two_messages_of_the_person_become_one() -> None:
    """Case B13: a title's and a summary's request go the way of every other."""
    found = mended(asking(USER, ASSISTANT, USER, message(Role.USER, TextPart(text="Summarise."))), OPENAI)

    assert found.messages[-1] == message(Role.USER, TEXT, TextPart(text="Summarise."))


def test_a_request_of_summary_and_tool_rounds_alone_begins_with_the_persons_side() -> None:
    """Case B09."""
    found = mended(asking(ASSISTANT, CALLING, TOOL), OPENAI)

    assert found.messages[0] == message(Role.USER, TextPart(text=ASSISTANT_OPENED))
    assert faults(found, OPENAI) == ()


def test_a_request_that_ends_with_the_assistant_goes_on_from_the_persons_side() -> None:
    assert mended(asking(USER, ASSISTANT), ANTHROPIC).messages[-1] == message(Role.USER, TextPart(text=GO_ON))


def test_a_text_only_model_gets_a_sentence_with_the_reason() -> None:
    """S2."""
    found = mended(asking(message(Role.USER, TEXT, PICTURE)), DEEPSEEK)

    said = f"[image: shot.png, 8x6, vault://{'c' * 12}/shot.png] (this model takes no image)"
    assert found.messages == (message(Role.USER, TEXT, TextPart(text=said)),)
    assert mended(asking(message(Role.USER, TEXT, PICTURE)), OPENAI).messages[0].parts == (TEXT, PICTURE)


def test_a_picture_of_the_assistants_is_named_not_sent() -> None:
    found = mended(asking(USER, message(Role.ASSISTANT, PICTURE), USER), OPENAI)

    assert found.messages[1].parts == (TextPart(text=f"[image: shot.png, 8x6, vault://{'c' * 12}/shot.png]"),)


def test_a_name_that_no_provider_takes_is_written_with_what_they_take() -> None:
    odd = (replace(CALL, name="fs.read 文件"), replace(CALL, name=""))

    found = mended(asking(USER, message(Role.ASSISTANT, *odd), TOOL, TOOL), OPENAI)

    assert [part.name for part in found.messages[1].parts if isinstance(part, ToolCallPart)] == [
        "fs_read___",
        "tool",
    ]


def test_fields_that_one_family_reads_go_to_no_other_and_unknown_ones_travel() -> None:
    """Case B18: dropped only when the family changes."""
    google = '{"extra_content": {"google": {"thought_signature": "x"}}}'
    signed = message(Role.ASSISTANT, replace(CALL, provider_fields=google))
    unknown = message(Role.ASSISTANT, replace(CALL, provider_fields='{"mark": 1}'))

    assert mended(asking(USER, signed, TOOL), GEMINI_3).messages[1] == signed
    assert mended(asking(USER, signed, TOOL), OPENAI).messages[1] == message(Role.ASSISTANT, CALL)
    assert mended(asking(USER, unknown, TOOL), OPENAI).messages[1] == unknown


def test_a_call_of_another_model_carries_the_word_that_gemini_takes_for_a_signature() -> None:
    found = mended(asking(USER, message(Role.ASSISTANT, CALL, CALL), TOOL, TOOL), GEMINI_3)

    first, second = found.messages[1].parts
    assert first == replace(CALL, provider_fields=GEMINI_3.thinking.unsigned_call)
    assert second == CALL


def test_a_running_loop_that_did_not_think_goes_on_without_thinking() -> None:
    """C32: signed blocks can't be made up; one that thought is not touched (case B14)."""
    thought = message(Role.ASSISTANT, ThinkingPart(text="Hm.", signature="s"), CALL)

    assert mended(asking(USER, CALLING, TOOL, effort="low"), ANTHROPIC).sampling == Sampling()
    good = asking(USER, thought, TOOL, CALLING, TOOL, effort="low")
    assert mended(good, ANTHROPIC) is good
    plain = asking(USER, CALLING, TOOL, effort="low")
    assert mended(plain, OPENAI) is plain


_bodies = st.sampled_from(["", " ", "Hi.", "你好"])
_parts: st.SearchStrategy[Part] = st.one_of(
    st.builds(TextPart, text=_bodies),
    st.builds(ThinkingPart, text=_bodies, signature=st.none() | st.just("s")),
    st.builds(
        ToolCallPart, call_id=st.sampled_from("ab"), name=_bodies, arguments=st.sampled_from(["{}", "no"])
    ),
    st.builds(ToolResultPart, call_id=st.sampled_from("abc"), name=_bodies, text=_bodies),
    st.just(PICTURE),
    st.sampled_from(
        [
            OpaquePart(kind="odd", json='{"type": "odd"}'),
            OpaquePart(kind="tool_use", json='{"type": "tool_use", "id": "a", "name": "ls", "input": {}}'),
            OpaquePart(kind="tool_result", json='{"type": "tool_result", "tool_use_id": "a", "content": ""}'),
            OpaquePart(kind="tool_use", json='{"type": "tool_use"}'),
        ]
    ),
)
_fields = st.sampled_from(["", '{"extra_content": 1}', '{"mark": 1, "extra_content": 2}'])
_messages = st.lists(
    st.builds(
        Message,
        role=st.sampled_from(Role),
        parts=st.lists(_parts, max_size=4).map(tuple),
        provider_fields=_fields,
        sources=st.just(()),
    ),
    max_size=8,
)


@given(_messages, st.sampled_from(FAMILIES), st.sampled_from([None, "low"]))
def test_whatever_is_asked_leaves_without_a_fault(
    messages: list[Message], family: Family, effort: str | None
) -> None:
    """C31: a failing request is repaired, never sent broken; repairing twice changes nothing."""
    request = asking(*messages, effort=effort)

    found = mended(request, family)

    assert faults(found, family) in ((), ("There is no message to send.",))
    assert mended(found, family) == found


@given(_messages, _messages, st.sampled_from(FAMILIES), st.sampled_from([None, "low"]))
def test_what_was_without_a_fault_needs_no_second_look(
    messages: list[Message], more: list[Message], family: Family, effort: str | None
) -> None:
    """Q6: a turn looks at what is new."""
    fitted = mended(asking(*messages, USER), family).messages
    sound = fitted[: max(at for at, one in enumerate(fitted) if one.role is Role.USER)]
    later = asking(*sound, USER, *more, effort=effort)

    assert faults(later, family, n_sound=len(sound)) == faults(later, family)


async def test_the_last_look_goes_on_where_the_one_before_ended() -> None:
    context = Context(sample(), rev=99, model=MODEL, prelude=PRELUDE)
    request = asking(*context.messages)

    first = await last_look(request, context, OPENAI)
    looked_at = context.n_sound
    context.n_sound = len(request.messages) - 1
    empty = message(Role.USER, TextPart(text=""))
    again = await last_look(asking(empty, *request.messages[1:]), context, OPENAI)

    assert first is request
    assert 0 < looked_at == context.n_settled
    assert again.messages[0] == empty, "a fault among what was looked at before is not seen again"


async def test_another_family_looks_at_everything() -> None:
    context = Context(sample(), rev=99, model=MODEL, prelude=PRELUDE)
    await last_look(asking(*context.messages), context, OPENAI)

    found = await last_look(asking(ASSISTANT, *context.messages[1:]), context, ANTHROPIC)

    assert found.messages[0].role is Role.USER


async def test_what_cannot_be_mended_does_not_leave() -> None:
    with pytest.raises(ProviderError):
        await last_look(asking(), Context((), rev=0, model=MODEL, prelude=PRELUDE), OPENAI)
