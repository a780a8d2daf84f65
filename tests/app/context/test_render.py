"""A reading as messages: the roles and the order that every provider takes (S10, C12, C31, C32)."""

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

from hypothesis import given

from app.context.context import Context
from app.context.pairing import NO_RESULT
from app.context.render import (
    ASSISTANT_OPENED,
    NO_OUTPUT,
    NO_TEXT,
    RENDERER,
    RESULT_MEDIA,
    SYSTEM_NOTED,
)
from app.context.validate import faults
from app.core.entries import Entry, Origin
from app.core.parts import Blob, MediaPart, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from app.core.requests import Message, Request, Role, Sampling
from tests.app.context.histories import MODEL, PRELUDE, History, Said, histories, path_of, sample

TIP_OF_SAMPLE = "a1d3e1defd4cee17e660a676fe6e680a8ca7b39aa87b9007d2d4a0b591a1e856"


def messages_of(*said: Said) -> list[Message]:
    return Context(path_of(said), rev=99, model=MODEL, prelude=PRELUDE).messages


def text(said: str) -> tuple[TextPart, ...]:
    return (TextPart(text=said),)


def result(call_id: str, said: str) -> ToolResultPart:
    return ToolResultPart(call_id=call_id, name="run", text=said)


def calls(*ids: str) -> tuple[ToolCallPart, ...]:
    return tuple(ToolCallPart(call_id=call_id, name="run", arguments="{}") for call_id in ids)


@given(histories())
def test_no_provider_refuses_what_ends_with_the_person(history: History) -> None:
    """Q13 in small: whatever was said, folded or deleted before."""
    context = history.context()

    request = Request(
        model=MODEL, prelude=context.prelude, messages=tuple(context.messages), sampling=Sampling()
    )

    assert faults(request) == ()


@given(histories())
def test_the_first_message_is_the_persons_and_no_two_of_a_side_stand_together(history: History) -> None:
    messages = history.context().messages

    assert messages[0].role is Role.USER
    assert all(one.role is not other.role or one.role is Role.TOOL for one, other in pairwise(messages))


@given(histories())
def test_every_call_is_answered_right_after_its_message_in_call_order(history: History) -> None:
    messages = history.context().messages

    for at, message in enumerate(messages):
        asked = [part.call_id for part in message.parts if isinstance(part, ToolCallPart)]
        after = messages[at + 1 : at + 1 + len(asked)]
        answered = [part.call_id for item in after for part in item.parts if isinstance(part, ToolResultPart)]
        assert answered == asked


@given(histories())
def test_every_entry_that_is_shown_is_the_source_of_a_message(history: History) -> None:
    """For the Lens; only what says nothing, and results without a call, have none."""
    context = history.context()

    sources = {source for message in context.messages for source in message.sources}

    said = {entry.id for item in context.items for entry in item.entries if _speaks(entry)}
    leading = {entry.id for entry in history.path if entry.origin is Origin.SYSTEM}
    assert sources <= {entry.id for entry in history.path}
    assert {entry_id for entry_id in said if entry_id in _shown(context)} - leading <= sources


def _shown(context: Context) -> set[str]:
    return {item.entries[0].id for item in context.items if not hasattr(item, "fold")}


def _speaks(entry: Entry) -> bool:
    return entry.origin is not Origin.TOOL and any(
        not isinstance(part, TextPart | ThinkingPart)
        or (isinstance(part, TextPart) and str(part.text).strip())
        for part in entry.parts
    )


def test_an_assistant_that_speaks_first_is_announced() -> None:
    """C32."""
    messages = messages_of((Origin.ASSISTANT, text("Welcome.")), (Origin.USER, text("Hi.")))

    assert [message.role for message in messages] == [Role.USER, Role.ASSISTANT, Role.USER]
    assert messages[0].parts == text(ASSISTANT_OPENED)


def test_notes_stand_before_the_persons_words_in_the_order_they_were_made() -> None:
    """C12: ours before theirs, in one message."""
    messages = messages_of(
        (Origin.USER, text("Sky?")), (Origin.NOTE, text("Friday.")), (Origin.NOTE, text("Rain."))
    )

    assert [message.parts for message in messages] == [text("Friday.") + text("Rain.") + text("Sky?")]


def test_messages_of_one_side_become_one() -> None:
    messages = messages_of(
        (Origin.USER, text("One.")),
        (Origin.USER, text("Two.")),
        (Origin.ASSISTANT, text(" ")),
        (Origin.USER, text("Three.")),
    )

    assert [message.parts for message in messages] == [text("One.") + text("Two.") + text("Three.")]


def test_results_are_sent_in_call_order_whatever_the_order_they_came_in() -> None:
    """C31, M2: ids repeat, so pairing is done inside the group and by occurrence."""
    messages = messages_of(
        (Origin.USER, text("Go.")),
        (Origin.ASSISTANT, calls("a", "b", "a")),
        (Origin.TOOL, (result("b", "of b"),)),
        (Origin.TOOL, (result("a", "first a"),)),
        (Origin.TOOL, (result("a", "second a"),)),
    )

    assert [part for message in messages[2:] for part in message.parts] == [
        result("a", "first a"),
        result("b", "of b"),
        result("a", "second a"),
    ]


def test_a_call_without_a_result_is_answered_with_an_error_and_a_result_without_a_call_is_left_out() -> None:
    messages = messages_of(
        (Origin.USER, text("Go.")),
        (Origin.ASSISTANT, calls("a")),
        (Origin.TOOL, (result("z", "lost"),)),
        (Origin.USER, text("And?")),
    )

    missing = ToolResultPart(call_id="a", name="run", text=NO_RESULT, is_error=True)
    assert [message.parts for message in messages] == [text("Go."), calls("a"), (missing,), text("And?")]


def test_an_answer_of_nothing_but_reasoning_is_not_sent_and_a_silent_tool_says_so() -> None:
    """Case B11, C32: no empty content, in all three places."""
    messages = messages_of(
        (Origin.USER, text("Think.")),
        (Origin.ASSISTANT, (ThinkingPart(text="long thought"),)),
        (Origin.USER, text("mkdir")),
        (Origin.ASSISTANT, calls("m")),
        (Origin.TOOL, (result("m", " "),)),
        (Origin.USER, text("   ") + text("ok")),
    )

    assert [message.parts for message in messages] == [
        text("Think.") + text("mkdir"),
        calls("m"),
        (result("m", NO_OUTPUT),),
        text("ok"),
    ]


def test_media_of_tools_stand_on_the_persons_side_after_all_results() -> None:
    """Few providers take them in a result, and none takes something between results."""
    picture = MediaPart(source=Blob(sha256="a" * 64, n_bytes=9, mime="image/png", name="p"), mime="image/png")
    messages = messages_of(
        (Origin.USER, text("Look.")),
        (Origin.ASSISTANT, calls("a", "b")),
        (Origin.TOOL, (result("a", ""), picture)),
        (Origin.TOOL, (result("b", "of b"),)),
        (Origin.USER, text("And?")),
    )

    assert [message.parts for message in messages[2:]] == [
        (result("a", NO_TEXT),),
        (result("b", "of b"),),
        (*text(RESULT_MEDIA), picture, *text("And?")),
    ]


def test_a_leading_system_text_that_lies_in_the_vault_is_sent_on_the_persons_side() -> None:
    """It is not at hand when the prelude is made."""
    long = TextPart(text=Blob(sha256="b" * 64, n_bytes=99_999, mime="text/plain", name="rules.txt"))
    context = Context(
        path_of(((Origin.SYSTEM, (*text("Be kind."), long)), (Origin.USER, text("Hi.")))),
        rev=9,
        model=MODEL,
        prelude=PRELUDE,
    )

    assert context.prelude.system == "Be brief.\n\nBe kind."
    assert [message.parts for message in context.messages] == [(*text(SYSTEM_NOTED), long, *text("Hi."))]


def test_a_tag_that_is_written_about_is_text() -> None:
    """Case B19."""
    about = text("What does <think> do? e.g. `<think>plan</think>`")

    assert messages_of((Origin.USER, about))[0].parts == about


def test_the_same_path_gives_the_same_bytes_in_another_process() -> None:
    """C8, M7: today, after a restart and in the next version; other bytes need another RENDERER."""
    code = (
        "from tests.app.context.histories import *;"
        "print(Context(sample(), rev=99, model=MODEL, prelude=PRELUDE).tip)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
    )

    here = Context(sample(), rev=99, model=MODEL, prelude=PRELUDE).tip

    assert (RENDERER, here) == (2, TIP_OF_SAMPLE)
    assert run.stdout.strip() == here
