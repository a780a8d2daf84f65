"""What may be folded: never the head, the tail, pins, put-backs, the open request or what was sent (M5, C9, C10)."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from app.context.cover import Cover, cover_of
from app.context.facts import Intent, Trigger, TurnFacts
from app.context.proposal import Proposal
from app.core.entries import Entry, Origin
from app.core.folds import Fold, FoldKind
from app.core.ids import CompactionId
from app.core.ledger import LedgerItem, LedgerKind
from app.core.parts import TextPart, ToolCallPart, ToolResultPart
from app.models.families import OPENAI
from tests.app.context.histories import History, Said, histories, path_of
from tests.app.context.steps.compressing import Turn, proposal, tokens

WORDS = "some words that take about a dozen tokens when they are counted " * 4
NO_TAIL = Turn(target=10, window=10)
"""A tail of nothing but the newest item."""


def user(text: str = WORDS) -> Said:
    return Origin.USER, (TextPart(text=text),)


def assistant() -> Said:
    return Origin.ASSISTANT, (TextPart(text=WORDS),)


def calling(n: int = 0) -> tuple[Said, Said]:
    call = ToolCallPart(call_id="c", name="run", arguments=f'{{"path": "src/{n}.py"}}')
    return (
        (Origin.ASSISTANT, (call,)),
        (Origin.TOOL, (ToolResultPart(call_id="c", name="run", text=WORDS),)),
    )


def chat(*said: Said) -> tuple[Entry, ...]:
    return path_of(said)


def cover(path: Sequence[Entry], turn: Turn = NO_TAIL) -> Cover:
    return cover_of(proposal(path), turn.facts(path))


def ranks(path: Sequence[Entry], facts: TurnFacts) -> list[int | None]:
    context = proposal(path)
    found = cover_of(context, facts)
    return [found.rank(at) for at in range(len(context.items))]


def test_the_first_thing_that_the_person_said_stays_by_origin() -> None:
    """C33: a note before it is no anchor, and stays for its own reason."""
    path = chat((Origin.NOTE, (TextPart(text="user: hello"),)), assistant(), user(), *calling(), assistant())

    assert {0, 2} <= cover(path).kept


def test_system_entries_and_what_is_folded_already_stay() -> None:
    path = chat(user(), (Origin.SYSTEM, (TextPart(text="Be brief."),)), assistant(), user(), assistant())
    fold = Fold(
        rev=9,
        compaction_id=CompactionId("k"),
        kind=FoldKind.SUMMARISED,
        first=path[2].id,
        last=path[2].id,
        replacement=(TextPart(text="short"),),
        anchor=path[4].id,
    )
    context = Proposal.of(path, (fold,), (), rev=9)

    assert {1, 2} <= cover_of(context, NO_TAIL.facts(path)).kept


def test_pins_stay_even_in_an_emergency_and_put_backs_only_until_one() -> None:
    """M12."""
    path = chat(user(), assistant(), assistant(), *calling(), user(), assistant())
    pinned, back = frozenset({path[1].id}), frozenset({path[4].id})
    calm = replace(NO_TAIL, pins=pinned, put_back=back)
    urgent = replace(calm, trigger=Trigger.EMERGENCY)

    assert {1, 3} <= cover(path, calm).kept
    assert 1 in cover(path, urgent).kept
    assert 3 not in cover(path, urgent).kept


def test_what_was_sent_stays() -> None:
    path = chat(user(), *calling(), *calling(), user(), assistant())

    assert ranks(path, replace(NO_TAIL, n_sealed=3).facts(path))[1] is None
    assert ranks(path, replace(NO_TAIL, n_sealed=1).facts(path))[1] is not None


def test_a_group_that_was_sent_in_part_stays() -> None:
    path = chat(user(), *calling(), *calling(), user(), assistant())

    assert ranks(path, replace(NO_TAIL, n_sealed=2).facts(path))[1] is None


def test_of_the_running_loop_the_question_the_last_round_and_open_ones_stay() -> None:
    """M5; the last round also where a note stands behind it."""
    open_round = (Origin.ASSISTANT, calling()[0][1])
    note = (Origin.NOTE, (TextPart(text="It is Monday."),))
    path = chat(user(), assistant(), user(), *calling(), open_round, *calling(), note)
    turn = replace(NO_TAIL, answering=path[2].id)

    found = ranks(path, turn.facts(path))

    assert found == [None, 0, None, 1, None, None, None]


def test_the_tail_is_a_fifth_of_the_window_and_no_more_than_half_of_the_target() -> None:
    """Trap: keeping by the number of messages."""
    path = chat(user(), *(assistant() for _ in range(40)))
    each = tokens(path[1].parts[0]) + OPENAI.message_tokens
    wide = Turn(target=40 * each, window=50 * each, trigger=Trigger.SEND)

    assert cover(path, wide).tail == 41 - 10
    assert cover(path, replace(wide, target=10 * each)).tail == 41 - 5
    assert cover(path, replace(wide, target=20 * each, trigger=Trigger.MANUAL)).tail == 41 - 5


def test_the_tail_never_cuts_a_call_from_its_results() -> None:
    path = chat(user(), assistant(), *calling())
    result = tokens(path[3].parts[0])

    found = cover(path, Turn(target=8 * result, window=6 * result, trigger=Trigger.SEND))

    assert found.tail == 2


def test_the_last_words_of_the_person_stay_two_in_any_case_and_three_where_they_fit() -> None:
    path = chat(user(), *(item for _ in range(5) for item in (user(), assistant())))
    own = [at for at, entry in enumerate(path) if entry.origin is Origin.USER]

    assert set(own[-2:]) <= cover(path).kept
    assert own[-3] not in cover(path).kept
    assert set(own[-3:]) <= cover(path, Turn(target=10, window=10_000)).kept


def test_what_the_intent_names_and_failing_calls_go_last_and_the_newest_calls_late() -> None:
    path = chat(user(), *(item for n in range(8) for item in calling(n)), user())
    facts = replace(NO_TAIL.facts(path), intent=Intent(files=("src/0.py",), failed_calls=(path[4].id,)))

    assert ranks(path, facts) == [None, 2, 2, 0, 1, 1, 1, 1, 1, None]


def test_what_a_ledger_line_cites_is_important_until_the_line_is_superseded() -> None:
    path = chat(user(), assistant(), assistant(), user(), assistant())
    line = LedgerItem(
        id="l", kind=LedgerKind.DECISION, text="We use A.", entry_id=path[1].id, rev=2, superseded_rev=None
    )
    facts = NO_TAIL.facts(path)

    assert ranks(path, replace(facts, ledger=(line,)))[1:3] == [1, 0]
    assert ranks(path, replace(facts, ledger=(replace(line, superseded_rev=4),)))[1:3] == [0, 0]


@given(history=histories(), target=st.integers(1, 400), window=st.integers(0, 4_000))
def test_whatever_was_said_the_newest_item_the_first_words_and_notes_stay(
    history: History, target: int, window: int
) -> None:
    context = Proposal.of(history.path, history.folds, history.deletions, rev=history.context().rev)
    found = cover_of(context, Turn(target=target, window=window).facts(history.path))

    for at, item in enumerate(context.items):
        origin = item.entries[0].origin
        if at == len(context.items) - 1 or origin in (Origin.NOTE, Origin.SYSTEM):
            assert found.rank(at) is None


def test_what_was_put_back_goes_last_in_an_emergency() -> None:
    """M12."""
    path = chat(user(), assistant(), *calling(), assistant(), user(), assistant(), user())
    back = frozenset({path[1].id})
    turn = replace(NO_TAIL, trigger=Trigger.EMERGENCY, put_back=back)

    found = cover(path, turn)

    assert found.rank(1) == 2
    assert found.rank(3) == 0
