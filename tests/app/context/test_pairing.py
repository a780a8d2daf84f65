"""Calls and results find each other by id and occurrence, in whatever form they came (C31)."""

import json
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from app.context.pairing import loop_start, missing_result, pair, paired
from app.core.parts import MediaPart, OpaquePart, Part, TextPart, ToolCallPart, ToolResultPart
from app.core.requests import Message, Role

TEXT = TextPart(text="Hi.")


def call(call_id: str, name: str = "run") -> ToolCallPart:
    return ToolCallPart(call_id=call_id, name=name, arguments="{}")


def result(call_id: str, text: str = "done") -> ToolResultPart:
    return ToolResultPart(call_id=call_id, name="run", text=text)


def _said(role: Role) -> Callable[..., Message]:
    def message(*parts: Part) -> Message:
        return Message(role=role, parts=parts)

    return message


user, assistant, tool = _said(Role.USER), _said(Role.ASSISTANT), _said(Role.TOOL)


def native(**fields: object) -> OpaquePart:
    return OpaquePart(kind=str(fields["type"]), json=json.dumps(fields))


def test_a_result_that_a_person_s_message_holds_alone_becomes_a_tool_s() -> None:
    """As Anthropic's form has it: found by chance among generated requests."""
    found = list(paired([user(TEXT), assistant(call("a")), user(result("a"))]))

    assert found[-1] == tool(result("a"))


def test_two_calls_with_one_id_get_a_result_each_in_order() -> None:
    """Case B08."""
    calls = (call("dup", "f"), call("dup", "g"))

    found = list(paired((user(TEXT), assistant(*calls), tool(result("dup", "A")), tool(result("dup", "B")))))

    assert found[2:] == [tool(result("dup", "A")), tool(result("dup", "B"))]
    assert pair(calls, [result("dup"), result("dup"), result("dup")]) == (0, 1)


def test_ids_that_come_again_in_a_later_round_belong_to_that_round() -> None:
    """Case B03: whatever was folded away before, the second pair keeps its own result."""
    first = (assistant(call("s:0")), tool(result("s:0", "A")))
    second = (assistant(call("s:0")), tool(result("s:0", "B")))

    assert list(paired((user(TEXT), *first, *second))) == [user(TEXT), *first, *second]
    assert list(paired((user(TEXT), *second, user(TEXT)))) == [user(TEXT), *second, user(TEXT)]


def test_results_stand_in_call_order_whatever_the_order_they_came_in() -> None:
    found = paired((user(TEXT), assistant(call("a"), call("b")), tool(result("b")), tool(result("a"))))

    assert list(found)[2:] == [tool(result("a")), tool(result("b"))]


def test_a_call_without_a_result_gets_an_error_and_a_result_without_a_call_goes() -> None:
    messages = (user(TEXT), tool(result("z")), assistant(call("a")), user(TEXT))

    found = list(paired(messages))

    assert found == [user(TEXT), user(), assistant(call("a")), tool(missing_result(call("a"))), user(TEXT)]


def test_text_beside_a_native_result_stays_when_its_call_is_gone() -> None:
    """Case B05: the block goes, the person's words stay."""
    mixed = user(native(type="tool_result", tool_use_id="t1", content="a b c"), TEXT)

    assert list(paired((user(TEXT), mixed))) == [user(TEXT), user(TEXT)]


def test_native_blocks_are_paired_as_calls_and_results() -> None:
    asked = assistant(TEXT, native(type="tool_use", id="t1", name="ls", input={"path": "."}))
    content = [{"type": "text", "text": "a b c"}, {"type": "image"}]
    mixed = user(native(type="tool_result", tool_use_id="t1", content=content, is_error=True), TEXT)

    found = list(paired((user(TEXT), asked, mixed)))

    assert found == [
        user(TEXT),
        assistant(TEXT, ToolCallPart(call_id="t1", name="ls", arguments='{"path": "."}')),
        tool(ToolResultPart(call_id="t1", name="", text="a b c\n\n[image]", is_error=True)),
        user(TEXT),
    ]


def test_media_beside_a_result_come_after_all_results() -> None:
    picture = MediaPart(source="https://example.org/a.png", mime="image/png")
    round_ = (assistant(call("a"), call("b")), tool(result("a"), picture), tool(result("b")))

    found = list(paired((user(TEXT), *round_)))

    assert found[2:] == [tool(result("a")), tool(result("b")), user(picture)]


def test_the_running_loop_goes_on_behind_what_is_said_directly_after_results() -> None:
    """Providers count such words to the round, and want the thinking that began it (S1, case B14)."""
    old = (user(TEXT), assistant(TEXT))
    running = (user(TEXT), assistant(call("a")), tool(result("a")))

    assert loop_start((*old, *running)) == 3
    assert loop_start((*old, *running, user(TEXT))) == 3
    assert loop_start((*old, *running, assistant(TEXT), user(TEXT))) == 7
    assert loop_start(()) == 0


_parts: st.SearchStrategy[Part] = st.one_of(
    st.sampled_from(["a", "b"]).map(call), st.sampled_from(["a", "b", "c"]).map(result), st.just(TEXT)
)
_messages = st.lists(
    st.builds(
        Message,
        role=st.sampled_from(Role),
        parts=st.lists(_parts, max_size=4).map(tuple),
        sources=st.just(()),
    ),
    max_size=8,
)


@given(_messages)
def test_pairing_twice_changes_nothing_and_every_call_is_answered(messages: list[Message]) -> None:
    once = list(paired(messages))

    assert list(paired(once)) == once
    for at, message in enumerate(once):
        asked = [part.call_id for part in message.parts if isinstance(part, ToolCallPart)]
        after = once[at + 1 : at + 1 + len(asked)]
        assert [
            part.call_id for one in after for part in one.parts if isinstance(part, ToolResultPart)
        ] == asked
        assert message.role is Role.ASSISTANT or not asked
