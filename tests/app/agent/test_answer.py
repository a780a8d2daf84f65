"""The answer under way: deltas folded into parts, whatever their pieces."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.answer import Answer
from app.core.entries import Finish
from app.core.errors import ProviderError
from app.core.events import (
    Accepted,
    Finished,
    GatewayEvent,
    ReasoningArrived,
    TextArrived,
    ToolCallArrived,
    UsageReported,
)
from app.core.parts import Part, TextPart, ThinkingPart, ToolCallPart
from tests.fakes import USAGE


def folded(events: Sequence[GatewayEvent]) -> Answer:
    answer = Answer()
    for event in events:
        answer.fold(event)
    return answer


def parts(*events: GatewayEvent) -> tuple[Part, ...]:
    return folded(events).parts


_pieces = st.text("ab \n你", min_size=1, max_size=6)


@given(st.lists(_pieces, min_size=1, max_size=8))
def test_text_is_one_part_however_it_was_cut(pieces: list[str]) -> None:
    whole = "".join(pieces)

    found = parts(*(TextArrived(text=piece) for piece in pieces))

    assert found == ((TextPart(text=whole),) if whole.strip() else ())


@given(st.permutations([0, 0, 0, 1, 1, 1]))
def test_pieces_of_calls_that_run_in_parallel_are_not_mixed(order: list[int]) -> None:
    """Case B55."""
    left = {0: ["{", '"q":', "1}"], 1: ["[", "2", "]"]}

    found = parts(
        *(
            ToolCallArrived(
                index=index,
                call_id=f"c{index}" if len(left[index]) == 3 else "",
                arguments=left[index].pop(0),
            )
            for index in order
        )
    )

    calls = {part.call_id: part.arguments for part in found if isinstance(part, ToolCallPart)}
    assert calls == {"c0": '{"q":1}', "c1": "[2]"}


def test_parts_stand_in_the_order_in_which_they_began() -> None:
    found = parts(
        Accepted(),
        ReasoningArrived(text="Hm"),
        ReasoningArrived(text="m.", signature="s1"),
        TextArrived(text="I look."),
        ToolCallArrived(index=0, call_id="a", name="find", provider_fields='{"s": 1}'),
        ReasoningArrived(text="And"),
        TextArrived(text="Done."),
        UsageReported(usage=USAGE),
        Finished(finish=Finish.TOOL_CALLS, provider_fields='{"x": 1}'),
    )

    assert found == (
        ThinkingPart(text="Hmm.", signature="s1"),
        TextPart(text="I look."),
        ToolCallPart(call_id="a", name="find", arguments="{}", provider_fields='{"s": 1}'),
        ThinkingPart(text="And"),
        TextPart(text="Done."),
    )


def test_a_signature_ends_its_block_and_sealed_blocks_stand_alone() -> None:
    found = parts(
        ReasoningArrived(text="One.", signature="s1"),
        ReasoningArrived(text="Two."),
        ReasoningArrived(text="opaque", redacted=True),
        ReasoningArrived(text="Three.", signature="s3"),
    )

    assert found == (
        ThinkingPart(text="One.", signature="s1"),
        ThinkingPart(text="Two."),
        ThinkingPart(text="opaque", redacted=True),
        ThinkingPart(text="Three.", signature="s3"),
    )


def test_usage_finish_and_fields_are_kept() -> None:
    found = folded([UsageReported(usage=USAGE), Finished(finish=Finish.LENGTH, provider_fields='{"x": 1}')])

    assert (found.usage, found.finish, found.provider_fields) == (USAGE, Finish.LENGTH, '{"x": 1}')
    assert not found.has_begun


@pytest.mark.parametrize("events", [[], [TextArrived(text="")], [TextArrived(text=" \n")]])
def test_an_answer_that_says_nothing_is_told(events: list[GatewayEvent]) -> None:
    with pytest.raises(ProviderError, match="nothing"):
        folded(events).check()


def test_thinking_or_a_call_alone_is_an_answer() -> None:
    folded([ReasoningArrived(text="Hm.")]).check()
    folded([ToolCallArrived(index=0, call_id="a", name="find")]).check()


@given(st.lists(st.sampled_from(["", "call_0", "call_0_2", "call_1"]), max_size=6))
def test_calls_of_one_answer_have_an_id_each_and_keep_the_one_that_was_given_first(
    given_ids: list[str],
) -> None:
    """Case B08: results of calls side by side come in any order, and are told apart by id alone."""
    events = (ToolCallArrived(index=n, call_id=id_, name="f") for n, id_ in enumerate(given_ids))

    ids = [part.call_id for part in parts(*events) if isinstance(part, ToolCallPart)]

    assert len(set(ids)) == len(given_ids)
    if given_ids:
        assert ids[0] == given_ids[0]
    if len(set(given_ids)) == len(given_ids):
        assert ids == given_ids
