"""What compressing would do is told before it is done, and is then what was done (C35)."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cache.economics import rewrite_cost
from app.chats.fates import whole
from app.chats.summary_editing import SummaryRefused
from app.context.budget import Category
from app.context.ports import NewEntry
from app.context.summary.fields import KeptSummary, Summary
from app.core.entries import Origin
from app.core.folds import FoldKind
from app.core.ids import CompactionId, EntryId
from app.core.parts import TextPart
from app.core.records import Compaction
from app.core.usage import Usage
from app.models.registry import ModelFacts, Prices
from app.settings import Endpoint, Settings
from app.store.store import Store
from tests.app.agent.opening import CHAT, opened
from tests.app.agent.test_room import folding_of, settings, with_long_tool_work
from tests.app.agent.test_summary import GOOD, TARGET_TOKENS, WIDE, long_talk, n_written
from tests.fakes import answer


def told(made: Compaction | None) -> Compaction:
    """Without what only the moment of its making decides."""
    assert made
    steps = tuple(replace(step, ms=0.0) for step in made.steps)
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return replace(made, id=CompactionId("c"), rev=0, elapsed_ms=0.0, created_at=at, steps=steps)


@pytest.mark.parametrize("is_applied", [True, False])
async def test_the_preview_is_what_the_compaction_then_records_field_by_field(
    store: Store, *, is_applied: bool
) -> None:
    """Stored as it was looked at, and made by the call that looks at nothing."""
    chat = await with_long_tool_work(store, settings(window_tokens=200_000))
    folding = folding_of(chat)
    await chat.ask("One")
    preview = await folding.preview(target_tokens=6_000)
    assert await store.compactions(CHAT) == ()

    made = await (folding.apply(preview) if is_applied else folding.compress(target_tokens=6_000))

    assert told(preview.compaction) == told(made)
    assert (preview.tokens_before, preview.tokens_after) == (made.tokens_before, made.tokens_after)
    assert await store.compactions(CHAT) == (made,)


async def test_a_preview_tells_each_kind_and_what_stays(store: Store) -> None:
    chat = await with_long_tool_work(store, settings(window_tokens=200_000))
    await chat.ask("One")

    preview = await folding_of(chat).preview(target_tokens=6_000)

    before, after = dict(preview.before), dict(preview.after)
    assert sum(before.values()) == preview.tokens_before
    assert sum(after.values()) == preview.tokens_after
    assert after[Category.TOOL_RESULTS] < before[Category.TOOL_RESULTS] / 2
    assert after[Category.YOU] == pytest.approx(before[Category.YOU], abs=2)
    assert {EntryId("u"), chat.last(Origin.USER)} <= set(preview.spared.entries)
    assert EntryId("t0") not in preview.spared.entries


async def test_what_happens_is_told_row_by_row_and_adds_up_to_what_is_freed(store: Store) -> None:
    """C35, and the trap of a breakdown that does not add up."""
    chat = await with_long_tool_work(store, settings(window_tokens=200_000))
    await chat.ask("One")

    preview = await folding_of(chat).preview(target_tokens=6_000)

    assert sum(row.tokens_freed for row in preview.fates) == preview.tokens_before - preview.tokens_after
    assert {row.kind for row in preview.fates} == {fold.kind for fold in preview.planned.proposal.proposed}
    assert all(row.n_messages > 0 and row.tokens_freed > 0 for row in preview.fates)


async def test_a_summary_that_is_priced_is_a_row_with_its_price_in_it(store: Store) -> None:
    chat = await long_talk(store, WIDE)

    preview = await folding_of(chat).preview(target_tokens=TARGET_TOKENS)

    (row,) = (row for row in preview.fates if row.kind is FoldKind.SUMMARISED)
    assert preview.summing
    assert row.tokens_freed == pytest.approx(preview.summing.run_tokens - preview.summing.tokens, rel=0.1)
    assert sum(row.tokens_freed for row in preview.fates) == preview.tokens_before - preview.tokens_after


async def test_what_is_spared_is_told_with_its_reason(store: Store) -> None:
    chat = await with_long_tool_work(store, settings(window_tokens=200_000))
    await chat.ask("One more look at file_3.py")
    folding = folding_of(chat)
    await folding.pin(EntryId("a0"), is_pinned=True)

    spared = (await folding.preview(target_tokens=6_000)).spared

    assert spared.first == (EntryId("u"),)
    assert EntryId("a0") in spared.pinned
    assert chat.last(Origin.USER) in (*spared.own, *spared.tail)
    assert len(set(spared.entries)) == len(spared.entries)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=9), st.integers(-3, 3))
def test_rows_in_whole_tokens_add_up(exact: list[float], off: int) -> None:
    total = round(sum(exact)) + off

    found = whole(exact, total)

    assert sum(found) == total
    assert all(abs(n - value) < 3 + abs(off) for n, value in zip(found, exact, strict=True))


@pytest.mark.parametrize(("pause_s", "is_cold"), [(10, False), (1_000, True)])
async def test_it_tells_what_the_rewrite_costs_as_warm_as_the_cache_is(
    store: Store, pause_s: int, *, is_cold: bool
) -> None:
    """P6: in the prices of the chat's model, which keeps a prompt for ten minutes."""
    prices = Prices(input_usd=2e-6, output_usd=8e-6, cached_usd=0.5e-6)
    known = ModelFacts(window_tokens=200_000, prices=prices)
    await (await with_long_tool_work(store, WIDE)).session.aclose()
    endpoint = Endpoint(id="o", kind="openai", name="O", base_url="http://o.example", models=("gpt-4o",))
    held = Settings(endpoints=(endpoint,), model="o/gpt-4o")
    chat = await opened(store, settings=held, facts=known)
    kept = Usage(prompt_tokens=15_000, completion_tokens=5, cached_tokens=14_000)
    chat.gateway.say(answer("Fine.", usage=kept))
    await chat.ask("One")
    chat.clock.advance(pause_s)

    preview = await folding_of(chat).preview(target_tokens=6_000)

    found, terms = preview.rewriting, preview.standing.cache.terms
    before, after = preview.tokens_before, preview.tokens_after
    assert preview.standing.cache.is_cold is is_cold
    assert terms.read == pytest.approx(0.25)
    assert found.saved_tokens == pytest.approx((before - after) * 0.25)
    assert found.saved_usd == pytest.approx((before - after) * 0.5e-6)
    assert found.cost_usd == pytest.approx(found.cost_tokens * 2e-6)
    nothing_kept = rewrite_cost(terms, before=before, after=after, is_cold=is_cold)
    assert found.cost_tokens == nothing_kept if is_cold else found.cost_tokens < nothing_kept
    assert found.pay_back == max(0.0, found.cost_tokens / found.saved_tokens)
    assert (found.pay_back == 0.0) is is_cold


async def test_a_summary_is_priced_before_it_is_written_and_checked_as_a_lower_bound(store: Store) -> None:
    """No model is asked; its length is taken as a fifth of what it stands for, between 2,000 and 6,000 tokens."""
    chat = await long_talk(store, WIDE)

    preview = await folding_of(chat).preview(target_tokens=TARGET_TOKENS)

    summing = preview.summing
    assert summing
    assert n_written(chat) == 0
    assert summing.tokens == max(2_000, min(6_000, round(0.2 * summing.run_tokens)))
    assert preview.compaction
    assert preview.tokens_after == preview.compaction.tokens_after + summing.tokens - summing.by_rule_tokens
    assert sum(tokens for _, tokens in preview.after) == preview.tokens_after
    assert preview.summary is not None
    assert preview.summary.is_offline
    assert preview.receipt.total >= 20
    assert preview.rewriting.cost_tokens > summing.writer_tokens - preview.tokens_before


async def test_what_was_written_for_the_preview_is_what_is_stored(store: Store) -> None:
    """Write it now: no second request when it is applied."""
    chat = await long_talk(store, WIDE)
    folding = folding_of(chat)
    chat.gateway.say(GOOD, GOOD)

    preview = await folding.write_summary(await folding.preview(target_tokens=TARGET_TOKENS))
    assert await store.compactions(CHAT) == ()
    n = n_written(chat)
    made = await folding.apply(preview)

    assert preview.summing is None
    assert n_written(chat) == n > 0
    assert told(preview.compaction) == told(made)
    assert (made.cost_usd, made.tokens_after) == (pytest.approx(0.014 * n), preview.tokens_after)
    assert KeptSummary.model_validate_json(made.summary).user_goal == "Tidy src/file_3.py"


async def test_a_summary_that_is_only_priced_is_written_when_it_is_applied(store: Store) -> None:
    chat = await long_talk(store, WIDE)
    folding = folding_of(chat)
    chat.gateway.say(GOOD, GOOD)

    made = await folding.apply(await folding.preview(target_tokens=TARGET_TOKENS))

    assert not KeptSummary.model_validate_json(made.summary).is_offline


async def test_the_summary_of_a_preview_can_be_written_anew_by_the_person(store: Store) -> None:
    chat = await long_talk(store, WIDE)
    folding = folding_of(chat)
    chat.gateway.say(GOOD, GOOD, answer("Fine."))
    written = await folding.write_summary(await folding.preview(target_tokens=TARGET_TOKENS))
    assert written.summary

    own = await folding.edited(written, written.summary.model_copy(update={"user_goal": "Tidy only file 5"}))
    made = await folding.apply(own)
    await chat.ask("And now?")

    assert told(own.compaction) == told(made)
    assert written.spent
    assert made.cost_usd == written.spent.cost_usd
    assert any("Tidy only file 5" in text for text in chat.model_saw())
    with pytest.raises(SummaryRefused):
        await folding.edited(written, Summary())


async def test_what_was_said_since_the_preview_is_kept_and_its_summary_too(store: Store) -> None:
    """M9: a fold in its cover came meanwhile, so it is planned anew with the summary that was paid for."""
    chat = await long_talk(store, WIDE)
    folding = folding_of(chat)
    chat.gateway.say(GOOD, GOOD)
    preview = await folding.write_summary(await folding.preview(target_tokens=TARGET_TOKENS))
    last = chat.session.conversation.path[-1].id
    said = NewEntry(id=EntryId("new"), parent_id=last, origin=Origin.USER, parts=(TextPart(text="And 7?"),))
    (entry,) = await store.append(CHAT, [said])
    chat.session.conversation.add(entry)
    await folding.delete(EntryId("e4"), is_deleted=True)
    n = n_written(chat)

    made = await folding.apply(preview)

    assert n_written(chat) == n
    assert KeptSummary.model_validate_json(made.summary).user_goal == "Tidy src/file_3.py"
    assert chat.session.conversation.path[-1].id == EntryId("new")
