"""The context grows by what is new, and is then what it would be if it were built anew."""

from hypothesis import given

from app.context.context import Context
from app.context.render import SYSTEM_NOTED
from app.core.entries import Origin
from app.core.folds import Deletion
from app.core.parts import TextPart
from app.core.requests import Prelude, Role
from tests.app.context.histories import MODEL, NOW, PRELUDE, History, histories, path_of, sample


def contents(context: Context) -> object:
    return (
        context.items,
        context.messages,
        context.chain,
        context.tip,
        context.rev,
        context.head,
        context.prelude,
    )


@given(histories())
def test_a_context_grown_by_appending_is_the_one_built_anew(history: History) -> None:
    """Q6: nothing that stands is read, rendered or hashed again, and nobody can tell."""
    grown = history.context(history.n_old)

    for n, entry in enumerate(history.path[history.n_old :], history.n_old + 1):
        grown.append(entry)

        assert contents(grown) == contents(history.context(n))


def test_what_stood_when_a_context_was_built_is_not_rendered_again() -> None:
    """After a compaction the context is built anew, and the answer is the next entry."""
    history = path_of(
        [(Origin.USER, (TextPart(text="Go."),)), (Origin.ASSISTANT, (TextPart(text="Yes."),))] * 3
    )
    context = Context(history[:-1], rev=99, model=MODEL, prelude=PRELUDE)
    before = tuple(context.messages)

    context.append(history[-1])

    assert context.n_settled == 4
    assert all(one is other for one, other in zip(before[:4], context.messages, strict=False))
    assert context.messages[4] is not before[4]


@given(histories())
def test_there_is_a_hash_for_each_block(history: History) -> None:
    context = history.context()

    assert len(context.chain) == sum(len(message.parts) for message in context.messages)
    assert len(set(context.chain)) == len(context.chain)


@given(histories())
def test_a_request_is_a_prefix_of_every_later_one_while_entries_are_only_appended(history: History) -> None:
    """What was sent is sealed: P1, C3's base. A note is put before its message, and so only before it is sent."""
    whole = Context(history.path, rev=len(history.path), model=MODEL, prelude=PRELUDE)
    n_leading = sum(1 for _ in _leading_system(history))

    for n, entry in enumerate(history.path, 1):
        is_sent = entry.origin is Origin.USER and n > n_leading
        if is_sent and (n == len(history.path) or history.path[n].origin is not Origin.NOTE):
            earlier = Context(history.path[:n], rev=n, model=MODEL, prelude=PRELUDE)
            if earlier.messages and earlier.messages[-1].role is Role.USER:
                assert whole.holds_prefix(len(earlier.chain), earlier.tip)


def _leading_system(history: History) -> list[str]:
    found: list[str] = []
    for entry in history.path:
        if entry.origin is not Origin.SYSTEM:
            break
        found.append(entry.id)
    return found


def test_another_history_is_no_prefix() -> None:
    context = Context(sample(), rev=99, model=MODEL, prelude=PRELUDE)
    other = Context(sample(), rev=99, model=MODEL, prelude=Prelude(system="Be long."))

    assert not context.holds_prefix(len(other.chain), other.tip)
    assert not context.holds_prefix(0, context.tip)
    assert not context.holds_prefix(len(context.chain) + 1, context.tip)


def test_leading_system_entries_belong_to_the_prelude_and_later_ones_to_the_persons_side() -> None:
    """C32, case B12: one system text, first."""
    context = Context(sample(), rev=99, model=MODEL, prelude=PRELUDE)

    assert context.prelude.system == "Be brief.\n\nYou are terse."
    assert [part.text for part in context.messages[-1].parts if isinstance(part, TextPart)] == [
        SYSTEM_NOTED,
        "From now on answer only BLUE.",
        "Sky?",
    ]


def test_a_deleted_system_entry_is_not_sent() -> None:
    """M4: what is deleted is not shown to the model, wherever its words would have stood."""
    gone = Deletion(entry_id=sample()[0].id, rev=50, deleted_at=NOW)

    context = Context(sample(), (), [gone], rev=99, model=MODEL, prelude=PRELUDE)

    assert context.prelude == PRELUDE


def test_an_empty_chat_has_no_messages() -> None:
    context = Context((), rev=0, model=MODEL, prelude=PRELUDE)

    assert (context.messages, context.chain, context.head) == ([], [], None)
    assert context.tip != Context((), rev=0, model=MODEL, prelude=Prelude(system="")).tip


def test_a_result_that_is_not_of_the_last_group_is_never_sent() -> None:
    path = sample()
    context = Context(path[:6], rev=99, model=MODEL, prelude=PRELUDE)
    before = list(context.messages)
    stray = path_of(((Origin.TOOL, path[6].parts),))[0]

    context.append(stray)

    assert context.messages == before
