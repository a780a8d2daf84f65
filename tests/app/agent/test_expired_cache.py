"""A chat that a pause made cheap to rewrite: it is, and later where the model had to read again what went (S4)."""

import json

import pytest

from app.agent.calling import Called, Carried
from app.context.ports import NewEntry
from app.core.entries import Entry, Finish, Origin
from app.core.events import Accepted, Finished, ToolCallArrived
from app.core.ids import EntryId
from app.core.parts import ToolResultPart
from app.core.usage import Usage
from app.settings import Endpoint, Settings
from app.store.store import Store
from tests.app.agent.opening import CHAT, Opened, opened
from tests.fakes import Step, answer

TTL_S = 600
PAUSE_S = 2 * TTL_S
HELD = Settings.model_validate(
    {
        "endpoints": (Endpoint(id="here", kind="openai", name="Here", models=("gpt-4o",)),),
        "model": "here/gpt-4o",
        "model_overrides": {"here/gpt-4o": {"window_tokens": 32_000}},
    }
)


class Files:
    """`Tools` that read numbered files, of the edition that the test says."""

    edition = 1

    def __init__(self, store: Store) -> None:
        self._store = store

    def takes(self, answer: Entry) -> bool:
        return bool(answer.calls)

    async def carry_out(self, called: Called) -> Carried:
        answer = called.answer
        (call,) = answer.calls
        lines = (f"{call.arguments} line {n} of edition {self.edition}" for n in range(150))
        part = ToolResultPart(call_id=call.call_id, name=call.name, text="\n".join(lines))
        name = EntryId(f"{answer.id}r")
        new = NewEntry(id=name, parent_id=answer.id, origin=Origin.TOOL, parts=(part,))
        for entry in await self._store.append(called.conversation.id, [new]):
            called.conversation.add(entry)
        return Carried.ON


def _reading(file: int) -> tuple[Step, ...]:
    arguments = json.dumps({"path": f"src/file_{file}.py"})
    call = ToolCallArrived(index=0, call_id=f"c{file}", name="file_read", arguments=arguments)
    return Accepted(), call, Finished(finish=Finish.TOOL_CALLS)


async def _asks_after_a_pause(chat: Opened) -> int:
    """Returns: how many compactions there are then."""
    fill = chat.session.fill()
    assert fill
    usage = Usage(prompt_tokens=fill.projection.projected_tokens, completion_tokens=2)
    chat.gateway.say(answer("Yes.", usage=usage))
    await chat.ask("Still there?")
    chat.clock.advance(PAUSE_S)
    await chat.ask("And now?")
    return len(await chat.store.compactions(CHAT))


@pytest.mark.parametrize(("edition", "n_made"), [(1, 1), (2, 2)])
async def test_after_a_pause_it_is_rewritten_unless_the_model_had_to_read_again_what_went(
    store: Store, edition: int, n_made: int
) -> None:
    """A file that had changed meanwhile would have been read again anyway."""
    files = Files(store)
    chat = await opened(store, settings=HELD, tools=files)
    chat.gateway.usage = None
    for file in range(6):
        chat.gateway.say(_reading(file), answer(f"That was file {file}.", usage=None))
        await chat.ask(f"Read file {file}.")

    assert await _asks_after_a_pause(chat) == 1
    files.edition = edition
    chat.gateway.say(_reading(0), answer("That was file 0.", usage=None))
    await chat.ask("Read file 0 again.")
    fill = chat.session.fill()
    assert fill
    assert 0.3 < fill.projection.projected_upper_tokens / fill.window.tokens < 0.4

    assert await _asks_after_a_pause(chat) == n_made
    await chat.session.aclose()
