"""Why a prompt cache broke, named by what the provider reports (P5); others: `tests/e2e/test_cache_breaks.py`."""

from dataclasses import replace

import pytest

from app.agent.tools.reading import FILE_READ
from app.context.transcript import Transcript
from app.core.entries import Entry
from app.core.ids import EntryId
from app.core.records import BreakCause
from tests.app.agent.test_room import folding_of
from tests.app.agent.warming import (  # pyright: ignore[reportPrivateUsage]
    PROSE,
    TTL_S,
    Warm,
    _simulator,
    gateway,
    replace_settings,
    simulator,
    store,
    warm,
)

__all__ = ["_simulator", "gateway", "simulator", "store", "warm"]
pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_compaction_is_a_break_by_it_where_nothing_warmed_it_up(warm: Warm) -> None:
    warm.chat.settings.append(replace_settings(warm, cache_mode="off"))
    await warm.talk()

    await folding_of(warm.chat).compress(target_tokens=12_000)
    after = await warm.ask("And now?")

    assert after.cache_break
    # The summary stands in the person's first message.
    assert (after.cache_break.cause, after.cache_break.message) == (BreakCause.COMPACTION, 1)


async def test_an_expired_cache_is_a_break_with_its_price(warm: Warm) -> None:
    warm.chat.settings.append(replace_settings(warm, cache_mode="off"))
    asked = await warm.ask(PROSE)
    await warm.advance(TTL_S + 5)

    after = await warm.ask("And then?")

    assert asked.usage
    assert after.cache_break
    assert after.cache_break.cause is BreakCause.EXPIRED
    assert after.cache_break.missed_tokens == asked.usage.prompt_tokens
    assert after.cache_break.cost_usd == pytest.approx(asked.usage.prompt_tokens * (3.75e-6 - 3e-7))
    assert (await warm.chat.records())[-1].cache_break == after.cache_break


class _Watched(Transcript):
    """Counts the branches that are read."""

    n_read = 0

    def path(self, head: EntryId | None) -> tuple[Entry, ...]:
        self.n_read += 1
        return super().path(head)


async def test_a_chat_whose_prompt_stands_is_not_read_again_for_a_cache_that_was_lost(warm: Warm) -> None:
    """Q6: with a provider that keeps nothing each turn of 100,000 messages read all of them twice."""
    warm.chat.settings.append(replace_settings(warm, cache_mode="off"))
    await warm.ask(PROSE)
    await warm.advance(TTL_S + 5)
    transcript = warm.chat.session.conversation.transcript = _Watched(
        warm.chat.session.conversation.transcript
    )

    after = await warm.ask("And then?")

    assert after.cache_break
    assert after.cache_break.cause is BreakCause.EXPIRED
    assert transcript.n_read == 0


async def test_what_was_said_otherwise_is_a_break_by_an_edit(warm: Warm) -> None:
    await warm.ask("First. " + PROSE)
    await warm.ask("Second. " + PROSE)
    first = warm.chat.session.conversation.path[0]

    await warm.chat.session.edit(first.id, "Another. " + PROSE)
    await warm.chat.end()
    await warm.rest()

    assert warm.last.cache_break
    assert (warm.last.cache_break.cause, warm.last.cache_break.message) == (BreakCause.EDIT, 1)


async def test_another_model_is_a_break_by_the_model(warm: Warm) -> None:
    await warm.ask(PROSE)
    warm.chat.settings.append(replace_settings(warm, model="e/claude-opus-4-7"))

    after = await warm.ask("And you?")

    assert after.cache_break
    assert after.cache_break.cause is BreakCause.MODEL
    assert after.cache_break.detail == "claude-sonnet-4-5"


async def test_other_instructions_are_a_break_by_the_system_text(warm: Warm) -> None:
    await warm.ask(PROSE)
    warm.chat.settings.append(replace_settings(warm, instructions="Answer in verse."))

    after = await warm.ask("And now?")

    assert after.cache_break
    assert after.cache_break.cause is BreakCause.SYSTEM


async def test_a_tool_that_is_described_otherwise_is_a_break_by_its_name(warm: Warm) -> None:
    """P5: as after an update of the program, or of a server that offers tools."""
    warm.offers.append(FILE_READ)
    await warm.ask(PROSE)
    warm.offers[0] = replace(FILE_READ, description="Reads.")

    after = await warm.ask("And now?")

    assert after.cache_break
    assert (after.cache_break.cause, after.cache_break.detail) == (BreakCause.SCHEMA, "file_read")


async def test_a_cache_that_the_provider_lost_is_its_break(warm: Warm) -> None:
    await warm.ask(PROSE)
    warm.simulator.cache.clear()

    after = await warm.ask("And now?")

    assert after.cache_break
    assert after.cache_break.cause is BreakCause.THEIRS
