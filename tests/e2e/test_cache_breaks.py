"""Each cause of a broken prompt cache, brought about as it happens and named by what the provider reports (P5).

Those by time, by the provider, by an edit, a compression, the model and the system text: `tests/app/agent/test_cache_breaks.py`.
"""

import json
import time
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path

import pytest
import pytest_asyncio
from pydantic import JsonValue

from app.bootstrap.application import Application
from app.core.events import AlertRaised, TurnCompleted
from app.core.ids import ModelId
from app.core.records import AlertKind, BreakCause, CacheBreak, RequestRecord
from app.health.metrics import alerts_of
from tests.e2e.conftest import MODELS, Talk, talk
from tests.simulator import Fault, Kind, Simulator, ToolCall, Turn
from tests.simulator.wire import Body, integer, mapping, mappings
from ui.chat.words import ChatWords

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


async def test_another_effort_of_reasoning_is_a_break_by_a_setting(chat: Talk) -> None:
    """The bytes stand; what the provider keeps of messages goes by how the model shall think."""
    await asked(chat, PROSE)
    await chat.application.change(reasoning_effort="low")

    found = broken(await asked(chat, "And now?"))
    stands = await asked(chat, "And again?")

    assert (found.cause, found.message) == (BreakCause.SETTING, 0)
    assert stands.cache_break is None


async def test_an_undone_compression_is_a_break_by_the_undo(chat: Talk, simulator: Simulator) -> None:
    for n in range(5):
        simulator.script.say(Turn(text=f"{n} {PROSE}"))
        await asked(chat, f"Question {n}?")
    folding = await chat.application.uses.folding(chat.id)
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


async def test_a_step_that_is_much_longer_is_told_at_once_and_found_again_in_the_records(chat: Talk) -> None:
    """A18: the event of the running turn, and what is read off the requests later, are the same."""
    await asked(chat, "Hello.")
    await asked(chat, 4 * PROSE)

    told = [event.alert for event in chat.events if isinstance(event, AlertRaised)]

    made = await chat.application.store.requests(chat.id)
    assert [(alert.kind, alert.after) for alert in told] == [(AlertKind.SURGE, made[1].head)]
    assert alerts_of(made, window_tokens=200_000) == tuple(told)


async def test_what_stands_unbroken_is_told_as_nothing(chat: Talk) -> None:
    await asked(chat, PROSE)

    after = await asked(chat, "And now?")

    assert after.cache_break is None


async def test_twenty_turns_of_tool_results_change_nothing_that_was_sent(
    chat: Talk, simulator: Simulator, tmp_path: Path
) -> None:
    """B50, B45: nothing old is shortened a bit more at each turn, so that each request reads the one before."""
    window: dict[str, JsonValue] = {MODELS["anthropic"]: {"window_tokens": 110_000}}
    await chat.application.change(model_overrides=window)
    await chat.application.store.save_chat_setting(chat.id, "workspace", str(tmp_path))
    for n in range(20):
        (tmp_path / f"{n}.txt").write_text("\n".join(f"line {at} of file {n}" for at in range(220)))
        read = ToolCall(name="file_read", arguments=json.dumps({"paths": [f"{n}.txt"]}))
        simulator.script.say(Turn(tool_calls=(read,)), Turn(text="I have read it."))
        await asked(chat, f"Read file {n}.")

    records = await chat.application.store.requests(chat.id)
    usages = [record.usage for record in records if record.usage]
    bodies = [record.body for record in simulator.chats]
    assert len(usages) == len(bodies) == 40
    assert 0.3 < usages[-1].prompt_tokens / 110_000 < 0.4  # below the first stage
    for before, now in pairwise(bodies):
        sent = [plain(message) for message in mappings(before["messages"])]
        assert [plain(message) for message in mappings(now["messages"])][: len(sent)] == sent
        assert (now["tools"], now["system"]) == (before["tools"], before["system"])
    assert all(now.cached_tokens == before.prompt_tokens for before, now in pairwise(usages))
    card = await chat.session.cache_card()
    assert card
    assert card.last_break is None


def plain(message: Body) -> dict[str, object]:
    """Without its mark, which moves on."""
    blocks = [
        {key: value for key, value in mapping(block).items() if key != "cache_control"}
        for block in mappings(message["content"])
    ]
    return {**message, "content": blocks}


async def test_the_days_sum_is_that_of_all_chats_from_the_log_of_the_provider(
    chat: Talk, application: Application, simulator: Simulator
) -> None:
    """P6, U5: from the tokens that the provider logged and the price list alone."""
    other = await talk(application, simulator, MODELS["anthropic"])
    before = await chat.session.cache_card()
    n_before = len(simulator.chats)
    for asking in (chat, other):
        await asked(asking, PROSE)
        await asked(asking, "And now?")

    card = await chat.session.cache_card()

    prices = (await application.facts.one("anthropic", "claude-sonnet-4-5")).prices_at(0)
    usages = [mapping(record.usage) for record in simulator.chats[n_before:]]
    columns = {
        "input_tokens": prices.input_usd,
        "cache_creation_input_tokens": prices.cache_write_usd,
        "cache_read_input_tokens": prices.cached_usd,
        "output_tokens": prices.output_usd,
    }
    spent = sum(
        (integer(usage[name]) or 0) * (price or 0) for usage in usages for name, price in columns.items()
    )
    assert card
    assert len(usages) == 4
    assert sum(integer(usage["cache_read_input_tokens"]) or 0 for usage in usages) > 0
    assert card.day.spent.usd - (before.day.spent.usd if before else 0.0) == pytest.approx(spent)
    assert card.day.spent.usd > card.chat.spent.usd


async def test_what_stands_under_an_answer_is_what_the_provider_logged(
    chat: Talk, simulator: Simulator
) -> None:
    """U12, U13: first token, share from the cache, price, tokens in and out."""
    await asked(chat, PROSE)
    simulator.faults.push(Fault(kind=Kind.STALL_FIRST, seconds=0.6))
    began = time.monotonic()
    record = await asked(chat, "And now?")
    took_s = time.monotonic() - began

    entry = chat.session.conversation.path[-1]
    told = dict(
        zip(
            ("first", "cached", "price", "in", "out"),
            ChatWords().figures(entry, record).split(" · "),
            strict=True,
        )
    )

    usage = mapping(simulator.chats[-1].usage)
    fresh, written, read, out = (
        integer(usage[name]) or 0
        for name in (
            "input_tokens",
            "cache_creation_input_tokens",
            "cache_read_input_tokens",
            "output_tokens",
        )
    )
    prices = (await chat.application.facts.one("anthropic", "claude-sonnet-4-5")).prices_at(0)
    price = (
        fresh * (prices.input_usd or 0)
        + written * (prices.cache_write_usd or 0)
        + read * (prices.cached_usd or 0)
        + out * (prices.output_usd or 0)
    )
    tokens_in = fresh + written + read
    assert 0.6 <= float(told["first"].removesuffix(" s to first token")) + 0.05 <= took_s + 0.1
    assert told["cached"] == f"{100 * read // tokens_in}% cached"
    assert told["price"] == f"${price:.4f}" or told["price"] == f"${price:.3f}"
    assert told["in"] == f"{tokens_in / 1000:.1f}K in"
    assert told["out"] == f"{out} out"


async def test_the_card_adds_up_what_the_log_of_requests_holds(chat: Talk) -> None:
    """P6: per turn and chat, from the tokens and the prices alone."""
    for n in range(3):
        await asked(chat, f"{n} {PROSE}")

    card = await chat.session.cache_card()

    records = await chat.application.store.requests(chat.id)
    prices = (await chat.application.facts.one("anthropic", "claude-sonnet-4-5")).prices_at(0)
    assert prices.input_usd
    assert prices.output_usd
    assert prices.cached_usd
    assert prices.cache_write_usd
    spent: list[float] = []
    saved: list[float] = []
    for usage in (record.usage for record in records if record.usage):
        fresh = usage.prompt_tokens - usage.cached_tokens - usage.cache_write_tokens
        spent.append(
            fresh * prices.input_usd
            + usage.cached_tokens * prices.cached_usd
            + usage.cache_write_tokens * prices.cache_write_usd
            + usage.completion_tokens * prices.output_usd
        )
        without = usage.prompt_tokens * prices.input_usd + usage.completion_tokens * prices.output_usd
        saved.append(without - spent[-1])
    assert card
    assert [record.cost_usd for record in records] == pytest.approx(spent)
    assert (card.chat.spent.usd, card.turn.spent.usd) == pytest.approx((sum(spent), spent[-1]))
    assert (card.chat.saved.usd, card.turn.saved.usd) == pytest.approx((sum(saved), saved[-1]))
    assert card.day.spent.usd >= card.chat.spent.usd
