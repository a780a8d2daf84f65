"""A turn goes on while its answers call for tools: results are stored first, then sent with the next request."""

import asyncio
from dataclasses import dataclass, field

from app.agent.calling import Called, Carried
from app.context.ports import NewEntry
from app.core.entries import Entry, Finish, Origin
from app.core.errors import AppError, RateLimited
from app.core.events import (
    Accepted,
    Finished,
    RequestSent,
    ToolCallArrived,
    TurnCompleted,
    TurnFailed,
    TurnStopped,
)
from app.core.ids import EntryId
from app.core.parts import ToolResultPart
from app.store.store import Store
from tests.app.agent.opening import Opened, opened
from tests.fakes import Step, answer, until


@dataclass
class Listing:
    """`Tools` that all give the same, or wait, or fail; remembers whose calls it carried out."""

    store: Store
    gate: asyncio.Event | None = None
    error: AppError | None = None
    asked: list[EntryId] = field(default_factory=list[EntryId])

    def takes(self, answer: Entry) -> bool:
        return bool(answer.calls)

    async def carry_out(self, called: Called) -> Carried:
        answer = called.answer
        self.asked.append(answer.id)
        if self.gate:
            await self.gate.wait()
        if self.error:
            raise self.error
        found: list[NewEntry] = []
        for call in answer.calls:
            part = ToolResultPart(call_id=call.call_id, name=call.name, text=f"result of {call.call_id}")
            above = found[-1].id if found else answer.id
            name = EntryId(f"{answer.id}{call.call_id}")
            found.append(NewEntry(id=name, parent_id=above, origin=Origin.TOOL, parts=(part,)))
        for entry in await self.store.append(called.conversation.id, found):
            called.conversation.add(entry)
        return Carried.ON


def calling(*call_ids: str) -> tuple[Step, ...]:
    calls = (
        ToolCallArrived(index=n, call_id=name, name="ls", arguments="{}") for n, name in enumerate(call_ids)
    )
    return (Accepted(), *calls, Finished(finish=Finish.TOOL_CALLS))


async def test_a_turn_goes_on_until_an_answer_calls_for_nothing(store: Store) -> None:
    tools = Listing(store)
    chat = await opened(store, tools=tools)
    chat.gateway.say(calling("a", "b"), calling("c"), answer("Three files."))

    end = await chat.ask("What is here?")

    records = await chat.records()
    path = chat.session.conversation.path
    assert isinstance(end, TurnCompleted)
    assert len(chat.ends) == 1
    assert end.answer.text == "Three files."
    assert [entry.origin for entry in path] == [
        "user",
        "assistant",
        "tool",
        "tool",
        "assistant",
        "tool",
        "assistant",
    ]
    assert [record.head for record in records] == [path[0].id, path[3].id, path[5].id]
    assert [record.answer_id for record in records] == [path[1].id, path[4].id, path[6].id]
    assert len({record.turn_id for record in records}) == 1
    assert tools.asked == [path[1].id, path[4].id]
    assert "result of c" in chat.model_saw()[-1]
    await chat.session.aclose()


async def test_an_answer_that_calls_while_nobody_carries_out_ends_the_turn(chat: Opened) -> None:
    chat.gateway.say(calling("a"))

    end = await chat.ask("What is here?")

    assert isinstance(end, TurnCompleted)
    assert len(chat.gateway.requests) == 1


async def test_a_request_that_is_sent_again_carries_nothing_out_twice(store: Store) -> None:
    tools = Listing(store)
    chat = await opened(store, tools=tools)
    chat.gateway.say(calling("a"), (RateLimited("Slow down."),), answer("One file."))

    await chat.session.send("What is here?")
    await chat.pass_the_retry()
    end = await chat.end()

    assert isinstance(end, TurnCompleted)
    assert len(tools.asked) == 1
    assert [len(request.messages) for request in chat.gateway.requests] == [1, 3, 3]
    await chat.session.aclose()


async def test_stop_while_a_tool_runs_keeps_the_call_and_the_chat_goes_on(store: Store) -> None:
    tools = Listing(store, gate=asyncio.Event())
    chat = await opened(store, tools=tools)
    chat.gateway.say(calling("a"), answer("Fine."))

    await chat.session.send("What is here?")
    await until(lambda: bool(tools.asked))
    chat.session.stop()
    stopped = await chat.end()
    end = await chat.ask("Never mind.")

    assert isinstance(stopped, TurnStopped)
    assert stopped.answer
    assert stopped.answer.id == tools.asked[0]
    assert isinstance(end, TurnCompleted)
    assert sum(isinstance(event, RequestSent) for event in chat.events) == 2
    await chat.session.aclose()


async def test_tools_that_fail_end_the_turn_in_words(store: Store) -> None:
    chat = await opened(store, tools=Listing(store, error=AppError("The disk is full.")))
    chat.gateway.say(calling("a"))

    end = await chat.ask("What is here?")

    assert isinstance(end, TurnFailed)
    assert end.error.message == "The disk is full."
    assert end.answer
    await chat.session.aclose()
