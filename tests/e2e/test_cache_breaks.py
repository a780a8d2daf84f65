"""Each cause of a broken prompt cache, brought about as it happens and named by what the provider reports (P5).

Those by time, by the provider, by an edit, a compression, the model and the system text: `tests/app/agent/test_cache_breaks.py`.
"""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from pydantic import JsonValue

from app.bootstrap import Application
from app.core.events import TurnCompleted
from app.core.ids import ModelId
from app.core.records import BreakCause, CacheBreak, RequestRecord
from tests.e2e.conftest import MODELS, Talk, talk
from tests.simulator import Simulator, Turn

pytestmark = pytest.mark.asyncio(loop_scope="session")

PROSE = " ".join(f"word{n}" for n in range(1500))
OPUS = ModelId("a/claude-opus-4-6")  # keeps nothing below 4,096 tokens


@pytest_asyncio.fixture(loop_scope="session")
async def chat(application: Application, simulator: Simulator) -> AsyncIterator[Talk]:
    await application.change(cache_mode="off")  # else a probe mends what is broken here
    yield await talk(application, simulator, MODELS["anthropic"])


async def asked(chat: Talk, text: str) -> RequestRecord:
    assert isinstance(await chat.ask(text), TurnCompleted)
    return (await chat.application.store.requests(chat.id))[-1]


def broken(record: RequestRecord) -> CacheBreak:
    assert record.cache_break
    assert record.usage
    assert record.cache_break.missed_tokens <= record.usage.prompt_tokens
    return record.cache_break


async def test_another_provider_is_a_break_by_the_provider(chat: Talk) -> None:
    await chat.application.choose_model(chat.id, MODELS["openai"])
    await asked(chat, PROSE)
    await chat.application.choose_model(chat.id, MODELS["anthropic"])

    found = broken(await asked(chat, "And you?"))

    assert (found.cause, found.detail) == (BreakCause.PROVIDER, MODELS["openai"])


@pytest.mark.parametrize(
    ("before", "after", "named"),
    [
        ({"web_tools": False}, {"web_tools": True}, "+web_fetch"),
        ({"web_tools": True}, {"tools_off": ["web_fetch"]}, "−web_fetch"),  # a minus, as it is shown
    ],
)
async def test_a_tool_that_came_or_went_is_a_break_by_its_name(
    chat: Talk, before: dict[str, JsonValue], after: dict[str, JsonValue], named: str
) -> None:
    await chat.application.change(**before)
    await asked(chat, PROSE)
    await chat.application.change(**after)

    found = broken(await asked(chat, "And now?"))

    assert (found.cause, found.detail) == (BreakCause.TOOLS, named)


async def test_an_undone_compression_is_a_break_by_the_undo(chat: Talk, simulator: Simulator) -> None:
    for n in range(5):
        simulator.script.say(Turn(text=f"{n} {PROSE}"))
        await asked(chat, f"Question {n}?")
    folding = await chat.application.folding(chat.id)
    made = await folding.compress(target_tokens=12_000)
    by_compression = broken(await asked(chat, "And now?"))
    simulator.cache.clear()  # what was there before the compression has expired meanwhile
    await folding.undo(made.id)

    by_undo = broken(await asked(chat, "And again?"))

    assert by_compression.cause is BreakCause.COMPACTION
    assert (by_undo.cause, by_undo.message) == (BreakCause.UNDO, by_compression.message)


async def test_what_stays_below_the_minimum_is_a_break_by_its_size(chat: Talk) -> None:
    await chat.application.choose_model(chat.id, OPUS)
    await asked(chat, " ".join(f"word{n}" for n in range(600)))

    after = await asked(chat, "And now?")

    assert after.usage
    assert 2_000 < after.usage.prompt_tokens < 4_096
    assert broken(after).cause is BreakCause.SMALL


async def test_what_stands_unbroken_is_told_as_nothing(chat: Talk) -> None:
    await asked(chat, PROSE)

    after = await asked(chat, "And now?")

    assert after.cache_break is None
