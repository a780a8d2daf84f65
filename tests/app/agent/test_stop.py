"""Stop keeps what had come, at whatever moment it is pressed (case B58)."""

import asyncio

import pytest

from app.core.entries import Finish
from app.core.events import (
    Accepted,
    ReasoningArrived,
    TextArrived,
    TextDelta,
    ToolCallArrived,
    TurnCompleted,
    TurnStopped,
)
from app.core.parts import TextPart, ThinkingPart, ToolCallPart
from app.core.records import RequestState
from app.settings import Paths
from tests.app.agent.opening import Opened
from tests.app.agent.watching import WatchedStore, store
from tests.app.store.making import sql
from tests.fakes import until

__all__ = ["store"]

REASONING = ReasoningArrived(text="Let me think")
CALL = ToolCallArrived(index=0, call_id="s1", name="slow", arguments='{"a"')


@pytest.mark.parametrize(
    ("came", "kept"),
    [
        ((), None),
        ((Accepted(),), None),
        ((Accepted(), TextArrived(text="Half an")), (TextPart(text="Half an"),)),
        ((Accepted(), REASONING), (ThinkingPart(text="Let me think"),)),
        (
            (Accepted(), TextArrived(text="I look"), CALL),
            (TextPart(text="I look"), ToolCallPart(call_id="s1", name="slow", arguments='{"a"')),
        ),
    ],
    ids=["before-the-first-byte", "before-the-first-token", "in-text", "in-reasoning", "in-a-call"],
)
async def test_stop_keeps_what_had_come_and_the_chat_goes_on(
    chat: Opened, came: tuple[object, ...], kept: object
) -> None:
    """Case B58."""
    chat.gateway.say((*came, asyncio.Event()))  # pyright: ignore[reportArgumentType]  # parametrised steps
    await chat.session.send("Go.")
    await until(lambda: chat.gateway.n_open == 1)
    await asyncio.sleep(0.02)

    chat.session.stop()
    await chat.end()

    (record,) = await chat.records()
    stopped = chat.ends[-1]
    assert isinstance(stopped, TurnStopped)
    assert (stopped.answer.parts if stopped.answer else None) == kept
    assert stopped.answer is None or stopped.answer.finish is Finish.STOPPED
    assert (record.state, chat.gateway.n_open) == (RequestState.STOPPED, 0)
    assert isinstance(await chat.ask("Go on."), TurnCompleted)
    assert await chat.stored() == tuple(chat.session.conversation.path)


async def test_stop_while_the_request_is_written_ahead_leaves_no_request_under_way(
    chat: Opened, store: WatchedStore, paths: Paths
) -> None:
    """Else the next start would call it unknown and offer a retry of what the person stopped."""
    await chat.session.send("Go.")
    await until(lambda: RequestState.PREPARED in store.writes)

    chat.session.stop()
    await chat.end()

    assert [record.state for record in await chat.records()] == [RequestState.STOPPED]
    assert sql(paths, "SELECT count(*) FROM partials") == [(0,)]
    assert chat.gateway.requests == []


async def test_stop_at_the_very_end_loses_no_answer(chat: Opened, store: WatchedStore) -> None:
    """What the store was told, the open chat knows too, so that the next message follows the answer."""
    await chat.session.send("Go.")
    await until(lambda: RequestState.FINISHED in store.writes)

    chat.session.stop()
    await chat.end()

    assert chat.said == ["user: Go.", "assistant: Fine."]
    assert await chat.stored() == tuple(chat.session.conversation.path)


async def test_a_message_after_stop_comes_after_what_stop_kept(chat: Opened) -> None:
    chat.gateway.say((Accepted(), TextArrived(text="Half"), asyncio.Event()))
    await chat.session.send("First.")
    await chat.hears(TextDelta)

    chat.session.stop()
    await chat.session.send("Second.")
    await chat.end(2)

    assert chat.said == ["user: First.", "assistant: Half", "user: Second.", "assistant: Fine."]
    assert chat.model_saw() == ["user: First.", "assistant: Half", "user: Second."]


async def test_the_end_of_the_program_keeps_what_had_come(chat: Opened) -> None:
    chat.gateway.say((Accepted(), TextArrived(text="Half"), asyncio.Event()))
    await chat.session.send("Go.")
    await chat.hears(TextDelta)

    await chat.session.aclose()

    assert chat.said == ["user: Go.", "assistant: Half"]
    assert asyncio.all_tasks() == {asyncio.current_task()}
