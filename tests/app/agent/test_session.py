"""An open chat: its queue, its draft, its versions, and whoever watches it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import pytest

from app.context.ports import NewEntry
from app.core.entries import Entry, Origin
from app.core.errors import AppError, StoreError
from app.core.events import (
    Accepted,
    ReasoningArrived,
    ReasoningDelta,
    RequestSent,
    TextArrived,
    TextDelta,
    TurnCompleted,
    TurnEvent,
    TurnFailed,
    TurnStarted,
    TurnStopped,
)
from app.core.ids import ChatId, EntryId, ModelId
from app.core.parts import TextPart
from app.core.records import Draft, Fact
from app.settings import Paths
from app.store.store import Store
from tests.app.agent.opening import CHAT, Opened, opened
from tests.fakes import answer, until


class FullStore(Store):
    """Refuses to save drafts or entries when it is told to."""

    is_full = False

    async def save_draft(self, chat_id: ChatId, draft: Draft) -> None:
        self._check()
        await super().save_draft(chat_id, draft)

    async def append(
        self, chat_id: ChatId, entries: Sequence[NewEntry], *, draft: Draft | None = None
    ) -> tuple[Entry, ...]:
        self._check()
        return await super().append(chat_id, entries, draft=draft)

    def _check(self) -> None:
        if self.is_full:
            raise StoreError("The disk is full.")


@pytest.fixture
async def store(paths: Paths) -> AsyncIterator[FullStore]:
    found = FullStore(paths)
    await found.prepare()
    yield found
    await found.aclose()


async def answering(chat: Opened, text: str = "First.") -> asyncio.Event:
    """A turn in the middle of its answer. Returns: what lets it end."""
    go_on = asyncio.Event()
    chat.gateway.say((Accepted(), TextArrived(text="Yes"), go_on, *answer(".")[1:]))
    before = len(chat.ends)
    await chat.session.send(text)
    await until(lambda: len(chat.gateway.requests) > before and chat.gateway.n_open == 1)
    await chat.hears(TextDelta)
    return go_on


# ---- the queue


async def test_what_is_said_while_an_answer_runs_goes_out_after_it_in_order(chat: Opened) -> None:
    go_on = await answering(chat)
    await chat.session.send("Second.")
    await chat.session.send("Third.")
    assert (await chat.store.draft(CHAT)).queue == ("Second.", "Third.")

    go_on.set()
    await chat.end(3)

    assert chat.said == [
        "user: First.",
        "assistant: Yes.",
        "user: Second.",
        "assistant: Fine.",
        "user: Third.",
        "assistant: Fine.",
    ]
    assert (await chat.store.draft(CHAT), chat.session.draft) == (Draft(), Draft())


async def test_the_queue_waits_after_stop_and_goes_on_when_asked(chat: Opened) -> None:
    await answering(chat)
    await chat.session.send("Second.")
    chat.session.stop()
    await chat.end()
    await asyncio.sleep(0.02)
    assert (chat.session.draft.queue, chat.session.is_running) == (("Second.",), False)

    await chat.session.resume_queue()
    await chat.end()

    assert chat.said == ["user: First.", "assistant: Yes", "user: Second.", "assistant: Fine."]
    assert (await chat.store.draft(CHAT)).queue == ()


async def test_the_queue_waits_after_an_error(chat: Opened) -> None:
    hold = asyncio.Event()
    chat.gateway.say((hold, AppError("No.")))
    await chat.session.send("First.")
    await until(lambda: chat.gateway.n_open == 1)
    await chat.session.send("Second.")

    hold.set()
    await chat.end()
    await asyncio.sleep(0.02)

    assert isinstance(chat.ends[-1], TurnFailed)
    assert (await chat.store.draft(CHAT)).queue == ("Second.",)


async def test_a_queued_message_is_in_the_queue_or_in_the_chat_at_every_moment(
    chat: Opened, store: FullStore
) -> None:
    """Q17: taken from the queue and said in one transaction."""
    await answering(chat)
    await chat.session.send("Second.")
    chat.session.stop()
    await chat.end()

    store.is_full = True
    with pytest.raises(StoreError):
        await chat.session.resume_queue()
    store.is_full = False

    assert chat.session.draft.queue == (await store.draft(CHAT)).queue == ("Second.",)
    assert chat.said == ["user: First.", "assistant: Yes"]


async def test_a_message_that_could_not_be_queued_is_the_callers_alone(
    chat: Opened, store: FullStore
) -> None:
    """Else it would be sent twice: from the queue, and by the person whose composer still holds it."""
    go_on = await answering(chat)

    store.is_full = True
    with pytest.raises(StoreError):
        await chat.session.send("Second.")
    store.is_full = False
    go_on.set()
    await chat.end()

    assert chat.session.draft == Draft()
    assert chat.said == ["user: First.", "assistant: Yes."]


async def test_two_messages_at_once_follow_each_other(chat: Opened) -> None:
    """No two follow the same entry, and neither cancels the other's answer."""
    await asyncio.gather(chat.session.send("One."), chat.session.send("Two."))
    await chat.end(2)

    assert chat.said == ["user: One.", "assistant: Fine.", "user: Two.", "assistant: Fine."]
    assert [type(end) for end in chat.ends] == [TurnCompleted, TurnCompleted]


async def test_a_send_that_is_cancelled_while_it_is_stored_is_stored_here_too(chat: Opened) -> None:
    """A view that closes cancels its tasks; the next message must not become another version of this one."""
    sending = asyncio.get_running_loop().create_task(chat.session.send("One."))
    await asyncio.sleep(0)
    sending.cancel()
    await asyncio.wait([sending])

    assert await chat.stored() == tuple(chat.session.conversation.path)


async def test_a_blank_message_is_none(chat: Opened) -> None:
    await chat.session.send(" \n")

    assert (chat.said, chat.session.is_running) == ([], False)


async def test_a_message_that_was_not_stored_starts_nothing(chat: Opened, store: FullStore) -> None:
    store.is_full = True

    with pytest.raises(StoreError):
        await chat.session.send("Hello.")

    store.is_full = False
    assert (chat.said, chat.session.is_running, chat.gateway.requests) == ([], False, [])


# ---- drafts


async def test_what_is_being_typed_survives_the_queue_and_an_edit(chat: Opened) -> None:
    """Only sending it takes it away."""
    go_on = await answering(chat)
    await chat.session.send("Second.")
    await chat.session.save_draft(replace(chat.session.draft, text="Third, half"))

    go_on.set()
    await chat.end(2)
    await chat.session.edit(chat.last(Origin.USER), "Second, better.")
    await chat.end(3)

    assert chat.session.draft == await chat.store.draft(CHAT) == Draft(text="Third, half")


async def test_what_is_typed_while_a_message_is_stored_is_kept(chat: Opened) -> None:
    await chat.session.save_draft(Draft(text="First."))
    sending = asyncio.get_running_loop().create_task(chat.session.send("First."))
    await until(lambda: not chat.session.draft.text)

    await chat.session.save_draft(replace(chat.session.draft, text="Sec"))
    await sending
    await chat.end()

    assert chat.session.draft == await chat.store.draft(CHAT) == Draft(text="Sec")


async def test_draft_and_queue_are_there_after_a_restart(chat: Opened, store: FullStore) -> None:
    await answering(chat)
    await chat.session.send("Queued.")
    await chat.session.save_draft(replace(chat.session.draft, text="Half a thou"))
    await chat.session.aclose()

    again = await opened(store)

    assert again.session.draft == Draft(text="Half a thou", queue=("Queued.",))


async def test_sending_empties_the_draft_in_the_same_transaction(chat: Opened) -> None:
    await chat.session.save_draft(Draft(text="Hello."))

    await chat.session.send("Hello.")

    assert await chat.store.draft(CHAT) == Draft()
    await chat.end()


async def test_text_that_no_provider_could_carry_is_cleaned_where_it_enters(chat: Opened) -> None:
    """Case B76."""
    await chat.ask("half \ud83d and \x00")

    assert chat.model_saw() == ["user: half \ufffd and \u2400"]


# ---- versions (case B81)


async def test_an_edit_is_a_sibling_and_the_request_holds_its_path_only(chat: Opened) -> None:
    await chat.ask("One.")
    await chat.ask("Two.")

    await chat.session.edit(chat.last(Origin.USER), "Two, better.")
    await chat.end()

    assert chat.said == ["user: One.", "assistant: Fine.", "user: Two, better.", "assistant: Fine."]
    assert chat.model_saw() == ["user: One.", "assistant: Fine.", "user: Two, better."]
    assert len(await chat.stored()) == 6


async def test_the_first_message_can_be_edited(chat: Opened) -> None:
    await chat.ask("One.")

    await chat.session.edit(chat.last(Origin.USER), "Another one.")
    await chat.end()

    assert chat.model_saw() == ["user: Another one."]
    assert chat.said == ["user: Another one.", "assistant: Fine."]


async def test_an_edit_that_says_nothing_changes_nothing(chat: Opened) -> None:
    await chat.ask("One.")

    await chat.session.edit(chat.last(Origin.USER), "  ")

    assert (len(await chat.stored()), chat.session.is_running) == (2, False)


async def test_an_edit_that_was_not_stored_leaves_the_branch_as_it_is(chat: Opened, store: FullStore) -> None:
    await chat.ask("One.")
    store.is_full = True

    with pytest.raises(StoreError):
        await chat.session.edit(chat.last(Origin.USER), "Two.")

    store.is_full = False
    assert chat.said == ["user: One.", "assistant: Fine."]


async def test_a_retry_is_a_sibling_of_the_answer_and_stays_on_its_branch(chat: Opened) -> None:
    """Case B81: regenerated where it is shown, whatever else the tree holds."""
    await chat.ask("One.")
    first_answer = chat.last()
    await chat.session.edit(chat.last(Origin.USER), "Another one.")
    await chat.end()
    await chat.session.show_version(chat.session.conversation.path[0].id, -1)
    assert chat.said == ["user: One.", "assistant: Fine."]

    chat.gateway.say(answer("Better."))
    await chat.session.retry(chat.last())
    await chat.end()

    assert chat.said == ["user: One.", "assistant: Better."]
    assert chat.model_saw() == ["user: One."]
    versions = chat.session.conversation.transcript.siblings(first_answer)
    assert versions == (first_answer, chat.last())
    assert (await chat.store.chat(CHAT)).head == chat.last()


async def test_a_retry_with_another_model_is_of_that_model(chat: Opened) -> None:
    await chat.ask("One.")

    await chat.session.retry(chat.last(), ModelId("here/n"))
    await chat.end()
    await chat.ask("Two.")

    assert [target.model for target in chat.gateway.targets] == ["here/m", "here/n", "here/m"]
    assert [record.model for record in await chat.records()] == ["here/m", "here/n", "here/m"]


async def test_a_branch_is_shown_as_it_was_last_seen_after_a_restart_too(chat: Opened) -> None:
    """The newest answer of a message that has two, although the other was shown before."""
    await chat.ask("One.")
    chat.gateway.say(answer("Better."))
    await chat.session.retry(chat.last())
    await chat.end()
    one = chat.last(Origin.USER)
    await chat.session.edit(one, "Another one.")
    await chat.end()

    again = await opened(chat.store)
    for found in (chat, again):
        await found.session.show_version(found.last(Origin.USER), -1)

    assert chat.said == again.said == ["user: One.", "assistant: Better."]


async def test_versions_go_round(chat: Opened) -> None:
    await chat.ask("One.")
    await chat.session.retry(chat.last())
    await chat.end()
    newest = chat.last()

    shown: list[EntryId] = []
    for _ in range(2):
        await chat.session.show_version(chat.last(), 1)
        shown.append(chat.last())

    assert shown[1] == newest != shown[0]


async def test_an_edit_waits_for_the_running_answer_and_other_messages_do_not_wait_for_it(
    chat: Opened,
) -> None:
    go_on = await answering(chat)
    editing = asyncio.get_running_loop().create_task(chat.session.edit(chat.last(Origin.USER), "Edited."))
    await asyncio.sleep(0.01)
    await chat.session.send("Queued.")

    go_on.set()
    await editing
    await until(lambda: len(chat.ends) == 3)

    assert chat.session.draft.queue == ()
    assert len([entry for entry in await chat.stored() if entry.origin is Origin.USER]) == 3


# ---- watching


async def test_a_late_watcher_sees_what_an_early_one_sees(chat: Opened) -> None:
    go_on = asyncio.Event()
    thought = (ReasoningArrived(text="Hm"), ReasoningArrived(text="m."))
    words = (TextArrived(text="Yes"), TextArrived(text=", "))
    chat.gateway.say((Accepted(), *thought, *words, go_on, *answer("done.")[1:]))
    await chat.session.send("Go.")
    await chat.hears(TextDelta)
    late: list[TurnEvent] = []

    stop_watching = chat.session.watch(late.append)
    told_at_once = list(late)
    go_on.set()
    await chat.end()
    stop_watching()
    await chat.ask("And now?")

    started = next(event for event in chat.events if isinstance(event, TurnStarted))
    sent = next(event for event in chat.events if isinstance(event, RequestSent))
    turn = started.turn
    assert told_at_once == [
        started,
        sent,
        ReasoningDelta(turn=turn, text="Hmm."),
        TextDelta(turn=turn, text="Yes, "),
    ]
    assert late[4:] == [event for event in chat.events if event.turn == turn][6:]


async def test_a_watcher_of_a_quiet_chat_is_told_nothing(chat: Opened) -> None:
    await chat.ask("One.")
    late: list[TurnEvent] = []

    chat.session.watch(late.append)

    assert late == []


async def test_screens_hear_that_an_answer_is_there(chat: Opened) -> None:
    await chat.ask("One.")
    await until(lambda: any(change.facts == frozenset({Fact.CHATS}) for change in chat.changes))

    facts = frozenset({Fact.CHATS, Fact.ENTRIES, Fact.REQUESTS})
    assert facts in [change.facts for change in chat.changes]
    stored = await chat.store.chat(CHAT)
    assert (stored.prompt_tokens > 0, stored.window_tokens) == (True, 100_000)


async def test_an_answer_knows_the_request_that_it_came_from(chat: Opened) -> None:
    await chat.ask("One.")

    record = chat.session.record_of(chat.last())

    assert record == (await chat.records())[0]
    assert chat.session.record_of(chat.last(Origin.USER)) is None


async def test_any_number_of_chats_answer_at_once_and_closing_one_stops_its_own(chat: Opened) -> None:
    go_on = await answering(chat)
    other = await opened(chat.store)
    other.gateway.say((Accepted(), TextArrived(text="Half"), asyncio.Event()))
    await other.session.send("Second window.")
    await other.hears(TextDelta)

    await other.session.aclose()
    go_on.set()
    end = await chat.end()

    assert isinstance(end, TurnCompleted)
    assert isinstance(other.ends[-1], TurnStopped)


async def test_how_full_the_window_is_grows_with_the_draft(chat: Opened) -> None:
    """C3: the composer's words are part of the next request."""
    assert chat.session.fill() is None
    await chat.session.look()

    bare, with_draft = chat.session.fill(), chat.session.fill("word " * 100)

    assert bare
    assert with_draft
    assert with_draft.projection.projected_tokens > bare.projection.projected_tokens + 80
    assert TextPart(text="word") not in chat.session.conversation.path
