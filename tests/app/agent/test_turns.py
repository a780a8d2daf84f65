"""One turn: durable first, written ahead, streamed, kept; retried before the first token and never after (M7, M8)."""

import asyncio
from typing import cast

import pytest

from app.agent.turns import ATTEMPTS
from app.context.context import Context
from app.context.ports import NewEntry
from app.core.entries import Finish, Origin
from app.core.errors import (
    AppError,
    ContextTooLong,
    Overloaded,
    ProviderError,
    RateLimited,
    Unreachable,
)
from app.core.events import (
    Accepted,
    ReasoningArrived,
    RequestSent,
    RetryScheduled,
    TextArrived,
    TextDelta,
    ToolCallArrived,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
)
from app.core.parts import TextPart
from app.core.records import RequestState
from app.settings import Paths
from app.store.store import Store
from tests.app.agent.opening import CHAT, Opened, opened
from tests.app.agent.watching import WatchedStore, store
from tests.app.store.making import sql
from tests.fakes import USAGE, answer, until

__all__ = ["store"]


async def test_a_turn_is_told_from_its_beginning_to_its_end(chat: Opened) -> None:
    chat.gateway.say(answer("Good ", "morning."))

    end = await chat.ask("Hello.")

    assert [type(event) for event in chat.events] == [
        TurnStarted,
        RequestSent,
        TextDelta,
        TextDelta,
        TurnCompleted,
    ]
    assert isinstance(end, TurnCompleted)
    assert (end.answer.parts, end.answer.finish) == ((TextPart(text="Good morning."),), Finish.STOP)
    assert (await chat.stored())[-1] == end.answer
    assert chat.said == ["user: Hello.", "assistant: Good morning."]


async def test_the_message_is_durable_before_anything_else_and_the_request_before_it_leaves(
    chat: Opened, store: WatchedStore
) -> None:
    """One turn 1 and 5, M7: append, then prepared → sent → accepted → finished."""
    seen: list[list[str]] = []
    chat.session.watch(lambda event: seen.append([type(event).__name__, *store.writes]))

    await chat.ask("Hello.")

    assert seen[0] == ["TurnStarted", "append"]
    assert seen[1] == ["RequestSent", "append", "prepared", "sent"]
    assert store.writes == ["append", "prepared", "sent", "accepted", "finished"]


async def test_a_record_says_what_was_asked_what_came_and_what_it_cost(chat: Opened) -> None:
    """M7: a past request is its prelude + read(head, rev), checked against the tip."""
    await chat.ask("One.")
    await chat.ask("Two.")

    first, second = await chat.records()

    assert first.state is second.state is RequestState.FINISHED
    assert (second.usage, second.cost_usd) == (USAGE, pytest.approx(0.014))
    assert second.projected_tokens > first.projected_tokens > 0
    contents = await chat.store.load(CHAT)
    for record in (first, second):
        path = chat.session.conversation.transcript.path(record.head)
        prelude = await chat.store.prelude(record.prelude_hash)
        again = Context(path, contents.folds, rev=record.rev, model=record.model, prelude=prelude)
        assert (again.tip, len(again.chain)) == (record.chain_tip, record.n_blocks)
    assert list(await chat.records()) == chat.session.conversation.requests


async def test_the_answer_is_kept_every_second_while_it_comes(chat: Opened, paths: Paths) -> None:
    """M8."""
    more, done = asyncio.Event(), asyncio.Event()
    chat.gateway.say((Accepted(), TextArrived(text="One."), more, TextArrived(text=" Two."), done, *answer()))
    await chat.session.send("Count.")
    await chat.hears(TextDelta)

    chat.clock.advance(1)
    await until(lambda: _partial(paths) == "One.")
    more.set()
    await until(lambda: isinstance(chat.events[-1], TextDelta) and chat.events[-1].text == " Two.")
    assert _partial(paths) == "One."
    chat.clock.advance(1)
    await until(lambda: _partial(paths) == "One. Two.")
    done.set()
    await chat.end()

    assert sql(paths, "SELECT count(*) FROM partials") == [(0,)]


def _partial(paths: Paths) -> str:
    found = sql(paths, "SELECT json_extract(parts, '$[0].text') FROM partials")
    return str(found[0][0]) if found else ""


async def test_nothing_is_written_while_nothing_comes(chat: Opened, store: WatchedStore) -> None:
    more = asyncio.Event()
    chat.gateway.say((Accepted(), TextArrived(text="One."), more, *answer()[1:]))
    await chat.session.send("Wait.")
    await chat.hears(TextDelta)

    for _ in range(3):
        chat.clock.advance(1)
        await asyncio.sleep(0.005)
    more.set()
    await chat.end()

    assert [write for write in store.writes if write.startswith("partial")] == ["partial: One."]


# ---- errors and retries


async def _fail(chat: Opened, *errors: AppError) -> list[float]:
    """Let the next requests fail so; time passes as soon as somebody waits. Returns: the waits."""
    chat.gateway.say(*((error,) for error in errors))
    await chat.session.send("Hello.")
    waits: list[float] = []
    while chat.session.is_running:
        retries = [event for event in chat.events if isinstance(event, RetryScheduled)]
        if len(retries) > len(waits):
            waits.append(retries[-1].in_s)
            await until(lambda: waits[-1] in chat.clock.slept)
            chat.clock.advance(waits[-1])
        await asyncio.sleep(0.002)
    return waits


@pytest.mark.parametrize("kind", [RateLimited, Overloaded, Unreachable])
async def test_a_request_that_failed_before_its_first_token_is_sent_again(
    chat: Opened, kind: type[ProviderError]
) -> None:
    """A1."""
    waits = await _fail(chat, kind("Not now."), kind("Not now."))

    assert isinstance(chat.ends[-1], TurnCompleted)
    assert len(chat.gateway.requests) == 3
    assert 0.8 <= waits[0] <= 1.2 < 1.6 <= waits[1] <= 2.4
    states = [record.state for record in await chat.records()]
    assert states == [RequestState.FAILED, RequestState.FAILED, RequestState.FINISHED]
    assert chat.said == ["user: Hello.", "assistant: Fine."]


async def test_a_request_is_sent_three_times_at_most(chat: Opened) -> None:
    await _fail(chat, *(Unreachable("Nothing listens.") for _ in range(5)))

    end = chat.ends[-1]
    assert isinstance(end, TurnFailed)
    assert (len(chat.gateway.requests), end.answer) == (ATTEMPTS, None)
    assert chat.said == ["user: Hello."]


def _limited(seconds: float) -> RateLimited:
    error = RateLimited("Too many requests.")
    error.retry_after_s = seconds
    return error


async def test_a_provider_that_names_a_wait_is_given_it(chat: Opened) -> None:
    assert await _fail(chat, _limited(7.5), _limited(60)) == [7.5, 60]
    assert isinstance(chat.ends[-1], TurnCompleted)


async def test_a_wait_of_more_than_a_minute_is_told_instead(chat: Opened) -> None:
    assert await _fail(chat, _limited(61)) == []
    assert isinstance(chat.ends[-1], TurnFailed)
    assert len(chat.gateway.requests) == 1


@pytest.mark.parametrize("error", [ProviderError("No."), ContextTooLong("Too long."), AppError("No.")])
async def test_what_a_moment_does_not_change_is_not_tried_again(chat: Opened, error: AppError) -> None:
    await _fail(chat, error)

    end = chat.ends[-1]
    assert isinstance(end, TurnFailed)
    assert (end.error, len(chat.gateway.requests)) == (error, 1)


@pytest.mark.parametrize(
    "token",
    [
        TextArrived(text="H"),
        TextArrived(text=" "),
        ReasoningArrived(text="Hm"),
        ReasoningArrived(text="opaque", redacted=True),
        ToolCallArrived(index=0, call_id="a", name="run"),
    ],
)
async def test_what_got_a_token_is_never_sent_again_by_itself(
    chat: Opened, token: TextArrived | ReasoningArrived | ToolCallArrived
) -> None:
    """Q17: not even for errors that are retried otherwise."""
    error = Overloaded("Broke in the middle.")
    chat.gateway.say((Accepted(), token, error))

    end = await chat.ask("Hello.")

    (record,) = await chat.records()
    assert isinstance(end, TurnFailed)
    assert end.error is error
    assert (len(chat.gateway.requests), record.state, record.error) == (1, RequestState.FAILED, "overloaded")
    is_blank = isinstance(token, TextArrived) and not token.text.strip()
    assert (end.answer.finish if end.answer else None) == (None if is_blank else Finish.FAILED)


@pytest.mark.parametrize("texts", [(), ("",), (" \n",)])
async def test_an_empty_answer_is_told_and_leaves_no_entry(chat: Opened, texts: tuple[str, ...]) -> None:
    chat.gateway.say(answer(*texts))

    end = await chat.ask("Hello.")

    assert isinstance(end, TurnFailed)
    assert "nothing" in end.error.message
    assert chat.said == ["user: Hello."]


async def test_a_request_that_would_be_refused_is_not_sent(chat: Opened) -> None:
    """One turn 4: validate is the last thing before sending."""
    chat.session.conversation.show(None)
    user = (await chat.store.append(CHAT, [_blank()]))[0]
    chat.session.conversation.add(user)

    await chat.session.retry(user.id)
    end = await chat.end()

    assert isinstance(end, TurnFailed)
    assert "no message" in end.error.detail
    assert chat.gateway.requests == []


def _blank() -> NewEntry:
    return NewEntry(id="blank", parent_id=None, origin=Origin.USER, parts=(TextPart(text=" "),))  # pyright: ignore[reportArgumentType]  # an id of a test


async def test_a_bug_ends_the_turn_in_words_keeps_what_came_and_is_reported(chat: Opened) -> None:
    bug = ValueError("not expected")
    chat.gateway.say((Accepted(), TextArrived(text="Half"), bug))

    end = await chat.ask("Hello.")

    assert isinstance(end, TurnFailed)
    assert "not expected" in end.error.detail
    assert end.answer == chat.session.conversation.path[-1]
    assert [record.state for record in await chat.records()] == [RequestState.STOPPED]
    assert chat.errors == [bug]
    chat.errors.clear()
    assert isinstance(await chat.ask("And now?"), TurnCompleted)


async def test_a_watcher_with_a_bug_loses_no_answer_and_leaves_nothing_running(chat: Opened) -> None:
    def stumble(event: object) -> None:
        assert not isinstance(event, TextDelta)

    stop_watching = chat.session.watch(stumble)
    chat.gateway.say((Accepted(), TextArrived(text="Half"), asyncio.Event()))

    await chat.ask("Hello.")

    stop_watching()
    assert chat.said == ["user: Hello.", "assistant: Half"]
    assert (chat.gateway.n_open, len(chat.errors)) == (0, 1)
    chat.errors.clear()


@pytest.mark.parametrize("write", ["prepared", "sent", "accepted", "finished"])
async def test_a_full_disk_ends_the_turn_in_words(chat: Opened, store: WatchedStore, write: str) -> None:
    """Q18: told once, not tried again, and the chat goes on when there is room."""
    store.refused = {write, "failed"}

    end = await chat.ask("Hello.")

    store.refused = set()
    assert isinstance(end, TurnFailed)
    assert end.error.message == "The disk is full."
    assert len(chat.gateway.requests) <= 1
    assert isinstance(await chat.ask("And now?"), TurnCompleted)


async def test_a_turn_keeps_the_settings_that_it_began_with(chat: Opened) -> None:
    """One turn 1: a change in the middle holds from the next message on, also where a request is sent again."""
    chat.gateway.say((_limited(5),))
    await chat.session.send("Hello.")
    await chat.hears(RetryScheduled)

    chat.settings.append(chat.settings[-1].model_copy(update={"temperature": 0.5}))
    await chat.pass_the_retry()
    await chat.end()
    await chat.ask("And now?")

    assert [request.sampling.temperature for request in chat.gateway.requests] == [None, None, 0.5]


async def test_a_turn_without_a_model_is_told(chat: Opened) -> None:
    chat.settings.append(chat.settings[-1].model_copy(update={"model": "gone/m"}))

    end = await chat.ask("Hello.")

    assert isinstance(end, TurnFailed)
    assert (end.error.code, chat.said) == ("no_model", ["user: Hello."])


async def test_a_request_waits_visibly_for_the_process_to_come_up(chat: Opened) -> None:
    """Q3."""
    chat.gateway.is_ready = False

    await chat.ask("Hello.")

    sent = next(event for event in chat.events if isinstance(event, RequestSent))
    assert sent.is_waiting


async def test_what_ran_when_the_program_died_is_an_interrupted_answer_at_the_next_start(
    chat: Opened, store: Store
) -> None:
    """M8: kept once, whole calls or not, and the chat goes on."""
    call = ToolCallArrived(index=0, call_id="s1", name="slow", arguments='{"a"')
    chat.gateway.say((Accepted(), TextArrived(text="Half"), call, asyncio.Event()))
    await chat.session.send("Go.")
    await chat.hears(TextDelta)
    chat.clock.advance(1)
    await until(lambda: any(write.startswith("partial") for write in cast("WatchedStore", store).writes))

    assert await store.recover() == (CHAT,)  # as the next start would find it
    assert await store.recover() == ()
    chat.session.stop()
    await chat.session.aclose()
    chat.errors.clear()  # this process lives on, and its request is not under way any more

    again = await opened(store)
    assert again.session.conversation.path[1].finish is Finish.INTERRUPTED
    assert isinstance(await again.ask("Go on."), TurnCompleted)
    await again.session.aclose()
