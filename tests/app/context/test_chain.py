"""The hash chain: each block counts, each place counts, and nothing else does."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.chain import extend_chain, prelude_hash, start_of_chain
from app.core.ids import EntryId, ModelId
from app.core.parts import Blob, Part, TextPart, ThinkingPart, ToolCallPart
from app.core.requests import Message, Prelude, Role, ToolSpec
from tests import strategies

messages = st.lists(
    st.builds(
        Message,
        role=st.sampled_from(Role),
        parts=strategies.tuples_of(strategies.parts, max_size=3),
        provider_fields=st.sampled_from(["", '{"a": 1}']),
        sources=strategies.tuples_of(strategies.entry_ids, max_size=2),
    ),
    max_size=5,
)
START = start_of_chain(ModelId("own/model"), "p")


@given(messages, messages)
def test_a_chain_goes_on_where_it_ended(first: list[Message], rest: list[Message]) -> None:
    whole = list(extend_chain(START, first + rest))

    begun = list(extend_chain(START, first))

    assert begun + list(extend_chain(begun[-1] if begun else START, rest)) == whole


@given(messages)
def test_where_a_message_was_read_from_changes_no_hash(said: list[Message]) -> None:
    """Sources are for the Lens and never leave the program."""
    moved = [replace(message, sources=(EntryId("elsewhere"),)) for message in said]

    assert list(extend_chain(START, moved)) == list(extend_chain(START, said))


BASE = Message(role=Role.USER, parts=(TextPart(text="a"), TextPart(text="b")))


@pytest.mark.parametrize(
    "other",
    [
        replace(BASE, role=Role.ASSISTANT),
        replace(BASE, parts=(TextPart(text="b"), TextPart(text="a"))),
        replace(BASE, parts=(TextPart(text="ab"),)),
        replace(BASE, parts=(ThinkingPart(text="a"), TextPart(text="b"))),
        replace(BASE, provider_fields='{"a": 1}'),
    ],
)
def test_any_other_message_ends_in_another_hash(other: Message) -> None:
    assert list(extend_chain(START, [other]))[-1] != list(extend_chain(START, [BASE]))[-1]


def test_two_messages_are_not_one_of_two_parts() -> None:
    apart = [replace(BASE, parts=(part,)) for part in BASE.parts]

    assert list(extend_chain(START, apart))[-1] != list(extend_chain(START, [BASE]))[-1]


def test_an_original_in_the_vault_counts_by_its_content_not_by_its_name() -> None:
    def tip(name: str, sha256: str) -> bytes:
        blob = Blob(sha256=sha256, n_bytes=3, mime="text/plain", name=name)
        part: Part = ToolCallPart(call_id="a", name="run", arguments=blob)
        return list(extend_chain(START, [Message(role=Role.ASSISTANT, parts=(part,))]))[-1]

    assert tip("one.txt", "aa") == tip("two.txt", "aa")
    assert tip("one.txt", "aa") != tip("one.txt", "bb")


def test_model_and_prelude_are_the_chains_beginning() -> None:
    tool = ToolSpec(name="n", description="d", schema="{}")
    preludes = [
        Prelude(system=""),
        Prelude(system="s"),
        Prelude(system="s", tools=(tool,)),
        Prelude(system="s", tools=(replace(tool, schema='{"a": 1}'),)),
        Prelude(system="s", tools=(tool, tool)),
    ]

    starts = {
        start_of_chain(ModelId(model), prelude_hash(prelude))
        for model in ("a/m", "b/m")
        for prelude in preludes
    }

    assert len(starts) == 2 * len(preludes)
