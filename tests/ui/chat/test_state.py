"""What a chat shows follows from the events of its turn, whatever their order (style.md 7)."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from app.core.entries import Origin
from app.core.errors import AppError
from app.core.events import (
    ReasoningDelta,
    RequestSent,
    RetryScheduled,
    TextDelta,
    TurnCompleted,
    TurnEvent,
    TurnFailed,
    TurnStarted,
    TurnStopped,
)
from app.core.ids import ChatId, EntryId, TurnId
from ui.chat.live import Phase
from ui.chat.samples import entry
from ui.chat.state import ChatState, passed, reduce

T = TurnId("t")
ASKED = entry("asked", Origin.USER, "Why?")
ANSWER = replace(entry("answer", Origin.ASSISTANT, "Because."), parent_id=ASKED.id)
STARTED = TurnStarted(chat_id=ChatId("c"), turn=T, user=ASKED)
SENT = RequestSent(turn=T, answer_id=ANSWER.id, projected_tokens=3)
RETRY = RetryScheduled(turn=T, attempt=2, of=3, in_s=1, error=AppError("Busy."))


def told(*events: TurnEvent, state: ChatState = ChatState()) -> ChatState:  # noqa: B008  # a frozen value
    for event in events:
        state = reduce(state, event)
    return state


def events_of(turn: TurnId) -> st.SearchStrategy[TurnEvent]:
    return st.one_of(
        st.builds(TextDelta, turn=st.just(turn), text=st.text(max_size=5)),
        st.builds(ReasoningDelta, turn=st.just(turn), text=st.text(max_size=5)),
        st.just(replace(SENT, turn=turn)),
        st.just(replace(RETRY, turn=turn)),
    )


ends = st.sampled_from(
    (
        TurnCompleted(turn=T, answer=ANSWER),
        TurnFailed(turn=T, error=AppError("No."), answer=None),
        TurnFailed(turn=T, error=AppError("No."), answer=ANSWER),
        TurnStopped(turn=T, answer=None),
        TurnStopped(turn=T, answer=ANSWER),
    )
)


@given(st.lists(events_of(T)), st.lists(events_of(TurnId("late"))))
def test_late_words_of_another_turn_change_nothing(own: list[TurnEvent], late: list[TurnEvent]) -> None:
    state = told(STARTED, *own)

    assert told(*late, TurnStopped(turn=TurnId("late"), answer=ANSWER), state=state) is state


@given(st.lists(events_of(T)), ends)
def test_whatever_came_before_the_end_leaves_nothing_under_way(own: list[TurnEvent], end: TurnEvent) -> None:
    state = told(STARTED, *own, end)

    assert state.live is None
    assert state.path[0] == ASKED
    assert len(set(state.path)) == len(state.path)


@given(st.lists(events_of(T)))
def test_the_text_is_what_came_since_the_request_left(own: list[TurnEvent]) -> None:
    live = told(STARTED, *own).live

    since = own[max((at for at, event in enumerate(own) if isinstance(event, RequestSent)), default=0) :]
    assert live
    assert live.text == "".join(event.text for event in since if isinstance(event, TextDelta))
    assert live.reasoning == "".join(event.text for event in since if isinstance(event, ReasoningDelta))


@given(st.lists(events_of(T)), st.lists(events_of(T)))
def test_a_late_watcher_sees_the_same(first: list[TurnEvent], rest: list[TurnEvent]) -> None:
    """The session tells a running turn from its beginning; the branch is there already."""
    early = told(STARTED, *first, *rest)

    late = told(STARTED, *first, *rest, state=ChatState(path=(ASKED,)))

    assert late == early


def test_a_retry_shows_the_branch_up_to_its_message() -> None:
    before = ChatState(path=(ASKED, ANSWER, entry("more", Origin.USER, "And?")), failure=AppError("No."))

    state = told(STARTED, state=before)

    assert (state.path, state.failure) == ((ASKED,), None)


def test_an_edited_message_takes_the_place_of_the_old_one() -> None:
    edited = replace(entry("edited", Origin.USER, "How?"), parent_id=ANSWER.id)
    before = ChatState(
        path=(ASKED, ANSWER, entry("more", Origin.USER, "And?"), entry("x", Origin.ASSISTANT, "x"))
    )

    state = told(replace(STARTED, user=edited), state=before)

    assert state.path == (ASKED, ANSWER, edited)


def test_each_phase_counts_its_own_seconds() -> None:
    waiting = passed(told(STARTED, SENT), 7)

    thinking = told(ReasoningDelta(turn=T, text="Hm"), state=waiting)
    still = told(ReasoningDelta(turn=T, text="m"), state=passed(thinking, 2))

    found = [(state.live.phase, state.live.phase_s) for state in (waiting, thinking, still) if state.live]
    assert found == [(Phase.WAITING, 7), (Phase.THINKING, 0), (Phase.THINKING, 2)]


def test_a_chat_is_empty_until_something_was_said_or_waits() -> None:
    states = (ChatState(title="Named"), told(STARTED), ChatState(queue=("Next",)), ChatState(path=(ASKED,)))

    assert [state.is_empty for state in states] == [True, False, False, False]
    assert EntryId(ASKED.id) in {item.id for item in told(STARTED).path}
