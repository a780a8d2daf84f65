"""The card of the prompt cache (P5, P6, U5), against sums made from the price list."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.cache.terms import NO_CACHE, Terms
from app.cache.warmth import Holding, Warmth
from app.context.budget import Health
from app.core.ids import ChatId, EntryId, ModelId, RequestId, TurnId
from app.core.records import BreakCause, CacheBreak, RequestKind, RequestRecord, RequestState
from app.core.usage import Usage
from app.health.cache import Amount, CacheCard, Period, ToldBreak, cache_card
from app.models.families import CacheKind

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
INPUT_USD, CACHED_USD, WRITE_USD = 3e-6, 0.3e-6, 3.75e-6
CLAUDE = Terms(
    kind=CacheKind.MARKERS, minimum_tokens=1024, ttl_s=300, read=0.1, write=1.25, input_usd=INPUT_USD
)
WARM = Holding(warmth=Warmth.WARM, tokens=9_000, left_s=200.0)


def record(
    turn: int,
    prompt: int = 10_000,
    *,
    cached: int = 0,
    written: int = 0,
    kind: RequestKind = RequestKind.ANSWER,
    cost_usd: float | None = 0.01,
    model: str = "a/claude",
    state: RequestState = RequestState.FINISHED,
    cause: BreakCause | None = None,
) -> RequestRecord:
    return RequestRecord(
        id=RequestId("r"),
        kind=kind,
        chat_id=ChatId("c"),
        turn_id=TurnId(f"t{turn}"),
        head=EntryId("e"),
        answer_id=EntryId("a"),
        rev=1,
        model=ModelId(model),
        prelude_hash="",
        n_blocks=1,
        chain_tip="",
        renderer=1,
        fingerprint="",
        estimated_tokens=1,
        projected_tokens=1,
        state=state,
        created_at=NOW,
        usage=Usage(
            prompt_tokens=prompt, completion_tokens=9, cached_tokens=cached, cache_write_tokens=written
        ),
        cost_usd=cost_usd,
        cache_break=CacheBreak(cause=cause, missed_tokens=5_000) if cause else None,
    )


def card(*requests: RequestRecord, today: tuple[RequestRecord, ...] = (), held: Holding = WARM) -> CacheCard:
    return cache_card(
        requests,
        paid=requests,
        today=today,
        terms=CLAUDE,
        held=held,
        terms_of=lambda item: CLAUDE if item.model == "a/claude" else None,
        at=NOW,
        next_probe_at=None,
    )


def without_cache_usd(*requests: RequestRecord) -> float:
    """What these cost less, from prices per token alone."""
    found = 0.0
    for item in requests:
        assert item.usage
        fresh = item.usage.prompt_tokens - item.usage.cached_tokens - item.usage.cache_write_tokens
        paid = (
            fresh * INPUT_USD
            + item.usage.cached_tokens * CACHED_USD
            + item.usage.cache_write_tokens * WRITE_USD
        )
        found += item.usage.prompt_tokens * INPUT_USD - paid
    return found


FIRST = record(1, 10_000, written=10_000, cost_usd=0.04)
SECOND = record(2, 12_000, cached=10_000, written=2_000, cost_usd=0.02)
PROBE = record(2, 12_000, cached=12_000, kind=RequestKind.PROBE, cost_usd=0.004)
SUMMARY = record(2, 12_000, cached=11_000, kind=RequestKind.SUMMARY, cost_usd=0.03)
ELSEWHERE = record(7, 40_000, cached=30_000, cost_usd=0.5)


def test_what_was_saved_and_spent_adds_up_per_turn_chat_and_day() -> None:
    told = card(FIRST, SECOND, SUMMARY, PROBE, today=(SECOND, SUMMARY, PROBE, ELSEWHERE))

    assert told.turn.saved.usd == pytest.approx(without_cache_usd(SECOND, SUMMARY))
    assert told.chat.saved.usd == pytest.approx(without_cache_usd(FIRST, SECOND, SUMMARY))
    assert told.day.saved.usd == pytest.approx(without_cache_usd(SECOND, SUMMARY, ELSEWHERE))
    spent = [period.spent.usd for period in (told.turn, told.chat, told.day)]
    assert spent == pytest.approx([0.054, 0.094, 0.554])
    assert [period.probes.usd for period in (told.turn, told.chat, told.day)] == [0.004] * 3


def test_the_hit_rate_is_that_of_answers_alone() -> None:
    told = card(FIRST, SECOND, SUMMARY, PROBE)

    assert (told.n_calls, told.hit_rate) == (2, 10_000 / 22_000)


def test_the_first_answer_of_a_model_is_no_reason_to_warn() -> None:
    """It was always cold: at 45 % of all input, 83 % of what could be read was."""
    there = replace(FIRST, model=ModelId("b/other"))
    told = card(FIRST, SECOND, there)

    assert told.hit_rate == 10_000 / 32_000
    assert told.warm_rate == told.excused_rate == 10_000 / 12_000
    assert told.health(NOW) is Health.HEALTHY
    assert card(FIRST, there).warm_rate is None
    assert card(FIRST, there).health(NOW) is Health.UNKNOWN


@pytest.mark.parametrize(
    ("cached", "health"),
    [
        ((0, 4_000, 4_000), Health.WARNING),
        ((0, 6_000, 6_000), Health.HEALTHY),
        ((0, 9_000, 9_000), Health.HEALTHY),
    ],
)
def test_a_hit_rate_below_one_half_warns_and_is_never_shown_beside_healthy_without_a_word(
    cached: tuple[int, ...], health: Health
) -> None:
    """U5."""
    told = card(*(record(n, cached=tokens) for n, tokens in enumerate(cached, start=1)))

    assert told.health(NOW) is health
    assert told.has_low_rate == (health is Health.WARNING or told.excused_rate is not None)


def test_usage_that_nobody_reported_is_no_hit_and_no_miss() -> None:
    assert SECOND.usage
    guessed = replace(SECOND, usage=replace(SECOND.usage, is_estimate=True))

    assert (card(guessed).n_calls, card(guessed).hit_rate) == (0, None)


def test_a_price_that_is_not_known_is_told_as_unknown_and_never_as_nothing() -> None:
    """P6: an unknown price beside known ones makes the sum a part of the truth."""
    strange = record(1, cached=9_000, model="a/stranger", cost_usd=None)

    alone, beside = card(strange).chat, card(strange, SECOND).chat

    assert (alone.spent.is_unknown, alone.saved.is_unknown) == (True, True)
    assert beside.spent == Amount(usd=0.02, n_priced=1, n_unpriced=1)
    assert (beside.saved.n_priced, beside.saved.n_unpriced, beside.spent.is_unknown) == (1, 1, False)


def test_a_request_that_failed_or_is_under_way_costs_nothing() -> None:
    states = (RequestState.FAILED, RequestState.SENT, RequestState.PREPARED)

    assert card(*(record(1, state=state, cost_usd=None) for state in states)).chat == Period()


def test_a_request_that_was_stopped_without_a_word_of_its_price_is_unknown() -> None:
    stopped = replace(record(1, state=RequestState.STOPPED, cost_usd=None), usage=None)

    assert card(stopped).chat.spent == Amount(n_unpriced=1)


def test_the_last_break_is_told_with_its_turn() -> None:
    told = card(
        record(1),
        record(2, cause=BreakCause.MODEL),
        record(3),
        record(3, cause=BreakCause.EXPIRED),
        record(4),
    )

    assert told.last_break == ToldBreak(
        found=CacheBreak(cause=BreakCause.EXPIRED, missed_tokens=5_000), turn=3
    )


def test_what_is_warm_expires_while_it_is_looked_at() -> None:
    told = card(FIRST)

    before, after = NOW + timedelta(seconds=199), NOW + timedelta(seconds=200)

    assert (told.left_s(before), told.warmth(before)) == (1.0, Warmth.WARM)
    assert (told.left_s(after), told.warmth(after)) == (0.0, Warmth.COLD)


HIT = record(1, cached=9_000)
OURS = record(5, cached=9_000, cause=BreakCause.COMPACTION)


@pytest.mark.parametrize(
    ("requests", "held", "after_s", "health"),
    [
        ((), WARM, 0, Health.UNKNOWN),
        ((HIT,), WARM, 0, Health.UNKNOWN),
        ((HIT, HIT), Holding(), 0, Health.UNKNOWN),
        ((HIT, HIT), WARM, 0, Health.HEALTHY),
        ((HIT, HIT), WARM, 130, Health.WARNING),  # the last quarter of its time
        ((HIT, HIT), WARM, 300, Health.HEALTHY),
        ((record(1), record(2)), WARM, 0, Health.WARNING),  # nothing was read from the cache
        ((HIT, OURS, replace(OURS, turn_id=TurnId("t6"))), WARM, 0, Health.CRITICAL),
        ((HIT, record(2, cached=9_000, cause=BreakCause.MODEL), OURS), WARM, 0, Health.HEALTHY),
        ((OURS, OURS, *(record(n, cached=9_000) for n in range(10, 15))), WARM, 0, Health.HEALTHY),
    ],
)
def test_one_of_four_words_says_how_the_cache_does(
    requests: tuple[RequestRecord, ...], held: Holding, after_s: float, health: Health
) -> None:
    """U5"""
    assert card(*requests, held=held).health(NOW + timedelta(seconds=after_s)) is health


def test_a_chat_without_a_request_has_an_empty_card() -> None:
    told = cache_card(
        (),
        paid=(),
        today=(),
        terms=NO_CACHE,
        held=Holding(),
        terms_of=lambda _: None,
        at=NOW,
        next_probe_at=None,
    )

    assert told == CacheCard(at=NOW, held=Holding())
