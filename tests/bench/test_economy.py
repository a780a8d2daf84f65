"""The bench of Q15: what it is measured on, and a small session of it."""

import tempfile
from pathlib import Path

import pytest
import pytest_asyncio

from app.core.records import BreakCause, RequestKind
from app.models.files import registry_path
from app.models.registry import Registry
from tests.bench.agents.conditions import conditions
from tests.bench.agents.ours import Played, play
from tests.bench.economy import rivals

_N = 20
_MODEL = ("anthropic", "claude-sonnet-4-5")
pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_the_prices_and_windows_are_the_registrys() -> None:
    path = registry_path()
    assert path
    registry = Registry(path.read_bytes())
    found = conditions().models

    shipped = {key: registry.lookup(*key) for key in found}

    assert {key: (facts.window_tokens, facts.prices) for key, facts in found.items()} == {
        key: (facts.window_tokens, facts.prices) for key, facts in shipped.items()
    }


async def test_the_session_has_two_hundred_turns_and_every_seventh_pause_outlasts_the_cache() -> None:
    """Q15: 15 % over the TTL."""
    found = conditions()

    assert len(found.turns) == len(found.pauses) == 200
    assert sum(pause > 1 for pause in found.pauses) == 30


async def test_what_is_asked_for_again_stands_in_what_its_reading_gives() -> None:
    needs = [step.need for turn in conditions().turns for step in turn.steps if step.need]

    assert len(needs) > 50
    assert all(need.word in need.excerpt for need in needs)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def played() -> Played:
    """Twenty turns of the session at Anthropic's prices, and what the program wrote down of them."""
    given = conditions()
    with tempfile.TemporaryDirectory() as folder:
        return await play(
            given.turns[:_N],
            given.pauses[:_N],
            kind=_MODEL[0],
            name=_MODEL[1],
            facts=given.models[_MODEL],
            system=given.system,
            summary_tokens=given.rules.summary_tokens,
            folder=Path(folder),
        )


async def test_a_small_session_is_read_from_the_cache_and_costs_a_third_of_no_management(
    played: Played,
) -> None:
    """Q15"""
    none, *_ = rivals(*_MODEL, _N)

    assert played.bill.n_refused == 0
    assert played.bill.cached_share >= 0.9
    assert played.bill.usd <= 0.35 * none.usd


async def test_what_the_program_says_it_cost_is_what_the_provider_charged(played: Played) -> None:
    """P6: the hour's life of the first layers included."""
    said = sum(record.cost_usd or 0.0 for record in played.records)

    assert played.bill.n_probes == sum(record.kind is RequestKind.PROBE for record in played.records) > 0
    assert any(usage.cache_write_1h_tokens for usage in played.bill.usages)
    assert said == pytest.approx(played.bill.usd)


async def test_no_break_is_told_but_those_that_were_planned_or_waited_for(played: Played) -> None:
    """P5: a session of appended messages has no false ones."""
    told = [record.cache_break.cause for record in played.records if record.cache_break]

    # LiteLLM adds a tool of its own once calls are sent without any, which no request of ours shows.
    assert told.count(BreakCause.THEIRS) <= 1
    assert set(told) <= {BreakCause.THEIRS, BreakCause.COMPACTION, BreakCause.EXPIRED}
    assert told.count(BreakCause.COMPACTION) <= len(played.compactions)


async def test_a_rule_pays_for_the_same_tokens_as_the_program_does_on_the_wire(played: Played) -> None:
    """What LiteLLM adds included; the first request is ours alone, before it adds a tool."""
    plain = rivals(*_MODEL, 1)[1].usages

    for rule, own in zip(plain[1:3], played.bill.usages[1:3], strict=True):
        assert rule.prompt_tokens == pytest.approx(own.prompt_tokens, rel=0.002)
