import json

from hypothesis import given
from hypothesis import strategies as st

from app.core.entries import Finish
from app.core.events import (
    Accepted,
    Finished,
    GatewayEvent,
    ReasoningArrived,
    TextArrived,
    ToolCallArrived,
    UsageReported,
)
from app.core.usage import Usage
from app.providers.errors import Fault
from app.providers.pipe_form import Call, fault_from_row, fault_to_row, from_row, merged, to_row

count = st.integers(min_value=0, max_value=2**40)
events = st.lists(
    st.one_of(
        st.just(Accepted()),
        st.builds(TextArrived, text=st.text()),
        st.builds(ReasoningArrived, text=st.text(), signature=st.none() | st.text(), redacted=st.booleans()),
        st.builds(
            ToolCallArrived,
            index=st.integers(min_value=0, max_value=2),
            call_id=st.text(),
            name=st.text(),
            arguments=st.text(),
            provider_fields=st.text(),
        ),
        st.builds(
            UsageReported,
            usage=st.builds(
                Usage,
                prompt_tokens=count,
                completion_tokens=count,
                cached_tokens=count,
                cache_write_tokens=count,
                cache_write_1h_tokens=count,
                reasoning_tokens=count,
            ),
        ),
        st.builds(Finished, finish=st.sampled_from(Finish), provider_fields=st.text()),
    )
)


def plain_text(items: list[GatewayEvent], kind: type[TextArrived] | type[ReasoningArrived]) -> str:
    return "".join(item.text for item in items if isinstance(item, kind))


@given(events)
def test_every_event_comes_out_of_the_pipe_as_it_went_in(items: list[GatewayEvent]) -> None:
    rows = json.loads(json.dumps([to_row(item) for item in items]))

    assert [from_row(row) for row in rows] == items


@given(events)
def test_joining_pieces_loses_no_character_and_no_other_event(items: list[GatewayEvent]) -> None:
    joined = merged(items)

    for kind in (TextArrived, ReasoningArrived):
        assert plain_text(joined, kind) == plain_text(items, kind)
    pieces = (TextArrived, ReasoningArrived, ToolCallArrived)
    assert [item for item in joined if not isinstance(item, pieces)] == [
        item for item in items if not isinstance(item, pieces)
    ]
    assert merged(joined) == joined


def test_a_signature_is_never_joined_with_the_text_of_another_block() -> None:
    items: list[GatewayEvent] = [
        ReasoningArrived(text="a"),
        ReasoningArrived(signature="s"),
        ReasoningArrived(text="b"),
    ]

    assert merged(items) == items


def test_pieces_of_a_call_become_one() -> None:
    items: list[GatewayEvent] = [
        ToolCallArrived(index=0, call_id="a", name="f"),
        ToolCallArrived(index=0, arguments="{"),
        ToolCallArrived(index=0, arguments="}"),
        ToolCallArrived(index=1, call_id="b"),
    ]

    assert merged(items) == [ToolCallArrived(index=0, call_id="a", name="f", arguments="{}"), items[3]]


def test_a_fault_comes_out_as_it_went_in() -> None:
    fault = Fault(code="rate_limited", detail="slow down", facts={"status": 429, "retry_after_s": 1.5})

    assert fault_from_row(json.loads(json.dumps(fault_to_row(fault)))) == fault


def test_a_call_comes_out_as_it_went_in() -> None:
    call = Call(
        arguments={"model": "openai/m", "messages": [{"role": "user", "content": "汉\ud83d"}], "n": 1},
        base_url="http://x/v1",
        key="k",
        headers={"a": "b"},
        proxy="direct",
        ca_file="",
        connect_s=1.0,
        read_s=2.0,
    )

    assert Call.from_bytes(call.to_bytes()) == call
