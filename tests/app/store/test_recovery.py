"""Tests of what a start makes of what the last run left (M8)."""

from app.context.ports import Outcome
from app.core.entries import Entry, Finish, Origin
from app.core.ids import EntryId
from app.core.parts import TextPart, ToolCallPart, ToolResultPart
from app.core.records import RequestState, ToolRun, ToolRunState
from app.store.store import Store
from tests.app.store.making import (
    CHAT,
    PRELUDE,
    a_partial,
    a_request,
    a_talk,
    an_answer_under_way,
    called,
    resulted,
    said,
)


async def _answered_with_calls(store: Store, *call_ids: str) -> tuple[Entry, ...]:
    """An answer `c` with calls, stored as a turn stores it."""
    await a_talk(store, 1)
    record = a_request("q", "e0")
    await store.begin_request(record, PRELUDE, a_partial(record))
    outcome = Outcome(state=RequestState.FINISHED)
    entry = await store.end_request(CHAT, record.id, outcome, called("c", "e0", *call_ids))
    assert entry is not None
    return (entry,)


async def _results(store: Store) -> list[tuple[str, bool, str]]:
    entries = await store.tail(CHAT, 99)
    return [
        (part.call_id, part.is_error, part.text if isinstance(part.text, str) else "")
        for entry in entries
        for part in entry.results
    ]


async def test_a_running_answer_becomes_an_interrupted_entry(store: Store) -> None:
    await a_talk(store, 1)
    await an_answer_under_way(store, TextPart(text="half a"))

    touched = await store.recover()

    answer = (await store.tail(CHAT, 9))[-1]
    assert touched == (CHAT,)
    assert (answer.id, answer.parts, answer.finish) == (
        "answer of request",
        (TextPart(text="half a"),),
        Finish.INTERRUPTED,
    )
    assert [record.state for record in await store.requests(CHAT)] == [RequestState.UNKNOWN]


async def test_an_answer_of_which_nothing_had_come_leaves_no_entry(store: Store) -> None:
    await a_talk(store, 1)
    await an_answer_under_way(store)

    touched = await store.recover()

    assert touched == (CHAT,)
    assert [entry.id for entry in await store.tail(CHAT, 9)] == ["e0"]


async def test_recovering_twice_changes_nothing(store: Store) -> None:
    await a_talk(store, 1)
    call = ToolCallPart(call_id="1", name="run", arguments='{"half')
    await an_answer_under_way(store, TextPart(text="I will"), call)

    await store.recover()
    once = await store.load(CHAT)

    assert await store.recover() == ()
    assert await store.load(CHAT) == once
    assert [entry.origin for entry in once.entries] == [Origin.USER, Origin.ASSISTANT, Origin.TOOL]


async def test_calls_without_a_result_are_answered_by_how_far_they_got(store: Store) -> None:
    await _answered_with_calls(store, "1", "2", "3", "4")
    for index, state in enumerate((ToolRunState.APPROVED, ToolRunState.STARTED, ToolRunState.FINISHED)):
        await store.save_tool_run(ToolRun(entry_id=EntryId("c"), call_index=index + 1, state=state))

    await store.recover()

    not_started, may_have_run = "This call was not started", "it may have run"
    found = await _results(store)
    assert [(call_id, is_error) for call_id, is_error, _ in found] == [(str(i), True) for i in range(1, 5)]
    assert not_started in found[0][2]
    assert not_started in found[1][2]
    assert may_have_run in found[2][2]
    assert may_have_run in found[3][2]


async def test_only_the_calls_that_lack_a_result_get_one(store: Store) -> None:
    """C31: of two calls under one id the first result answers the first."""
    await _answered_with_calls(store, "same", "same", "other")
    await store.append(CHAT, [resulted("r", "c", "same", "mine")])

    await store.recover()

    assert [(call_id, is_error) for call_id, is_error, _ in await _results(store)] == [
        ("same", False),
        ("same", True),
        ("other", True),
    ]


async def test_a_chat_that_went_on_is_left_alone(store: Store) -> None:
    await _answered_with_calls(store, "1")
    await store.append(CHAT, [resulted("r", "c", "1"), said("e1", "r")])

    assert await store.recover() == ()
    assert (await store.chat(CHAT)).head == "e1"


async def test_a_call_that_the_chat_went_on_without_gets_no_late_result(store: Store) -> None:
    """It would stand beside the answer as a branch of its own."""
    await _answered_with_calls(store, "1")
    await store.append(CHAT, [said("e1", "c")])

    assert await store.recover() == ()
    assert [entry.id for entry in (await store.load(CHAT)).entries] == ["e0", "c", "e1"]


async def test_an_imported_call_without_a_result_stays_as_it_was(store: Store) -> None:
    """What was imported is exported unchanged; the request is repaired, not the transcript."""
    await a_talk(store, 1)
    await store.append(CHAT, [called("c", "e0", "1")])

    assert await store.recover() == ()
    assert [entry.id for entry in await store.tail(CHAT, 9)] == ["e0", "c"]


async def test_results_are_added_beside_another_branch_without_moving_the_head(store: Store) -> None:
    await _answered_with_calls(store, "1")
    await store.append(CHAT, [said("edited")])

    await store.recover()

    assert (await store.chat(CHAT)).head == "edited"
    assert [part for entry in (await store.load(CHAT)).entries for part in entry.results] == [
        ToolResultPart(
            call_id="1",
            name="run",
            text="This call was not started: the program ended before it.",
            is_error=True,
        )
    ]
