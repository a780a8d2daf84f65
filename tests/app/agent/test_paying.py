"""Whether rewriting a hot cache pays, in a chat: what stands before the first change stays in it (P6)."""

import pytest

from app.context.ports import NewEntry
from app.core.entries import Origin
from app.core.ids import EntryId
from app.core.parts import TextPart, ToolCallPart, ToolResultPart
from app.core.usage import Usage
from app.settings import Endpoint, Settings
from app.store.store import Store
from tests.app.agent.opening import CHAT, opened
from tests.fakes import answer

N = 32_000
HELD = Settings.model_validate(
    {
        "endpoints": (Endpoint(id="here", kind="openai", name="Here", models=("gpt-4o",)),),
        "model": "here/gpt-4o",
        "model_overrides": {"here/gpt-4o": {"window_tokens": N}},
    }
)
LONG = "word " * round(0.3 * N * 4 / 5)
"""Thirty percent of the window, which no light compression may fold: the person said it."""


@pytest.mark.parametrize(("at", "n_made"), [(0, 1), (1, 0)])
async def test_a_long_head_makes_rewriting_pay_and_the_same_text_behind_what_changes_does_not(
    store: Store, at: int, n_made: int
) -> None:
    await (await opened(store, settings=HELD)).session.aclose()
    own = [LONG if n == at else "Go on." for n in range(2)]
    call = ToolCallPart(call_id="c", name="run", arguments="{}")
    lines = "\n".join(f"line {n} says {n * 37}" for n in range(1_200))
    said = (
        (Origin.USER, TextPart(text=own[0])),
        (Origin.ASSISTANT, call),
        (Origin.TOOL, ToolResultPart(call_id="c", name="run", text=lines)),
        (Origin.USER, TextPart(text=own[1])),
    )
    names = [EntryId(f"e{n}") for n in range(len(said))]
    above = [None, *names]
    new = [
        NewEntry(id=name, parent_id=parent, origin=origin, parts=(part,))
        for name, parent, (origin, part) in zip(names, above, said, strict=False)
    ]
    await store.append(CHAT, new)
    chat = await opened(store, settings=HELD)
    for n in range(20):
        usage = Usage(prompt_tokens=round((0.45 + 0.0035 * n) * N), completion_tokens=2)
        chat.gateway.say(answer("Yes.", usage=usage))
        await chat.ask(f"And {n}?")

    assert len(await store.compactions(CHAT)) == n_made
    await chat.session.aclose()
