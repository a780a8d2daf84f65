"""The plots' points: sizes as reported, drops, waits and money, of the request log alone (U5)."""

from dataclasses import replace
from datetime import timedelta

import pytest

from app.core.ids import CompactionId, EntryId
from app.core.records import RequestKind, RequestRecord, RequestState
from app.core.usage import Usage
from app.health.course import course_of, last_reported
from tests.app.context.test_plan import saved
from tests.app.health.test_cache import CACHED_USD, CLAUDE, NOW, record


def _at(turn: int, prompt: int, *, head: str = "e", **more: object) -> RequestRecord:
    found = record(turn, prompt, **more)  # pyright: ignore[reportArgumentType]
    return replace(found, head=EntryId(head), answer_id=EntryId(""), created_at=NOW + timedelta(minutes=turn))


def test_a_turn_is_as_large_as_its_last_request_and_other_branches_are_left_out() -> None:
    requests = (_at(1, 100), _at(1, 300), _at(2, 900, head="elsewhere"), _at(3, 500))

    course = course_of(requests, (), {EntryId("e")}, lambda _: CLAUDE)

    assert [(size.turn, size.prompt_tokens) for size in course.sizes] == [(1, 300), (3, 500)]
    assert course.n_turns == 3


def test_a_compaction_stands_before_the_turn_that_first_went_without_what_it_folded() -> None:
    made = replace(saved(900, 400), id=CompactionId("k"), created_at=NOW + timedelta(minutes=1, seconds=30))
    course = course_of((_at(1, 900), _at(2, 450)), [made], {EntryId("e")}, lambda _: CLAUDE)

    (drop,) = course.drops
    assert (drop.turn, drop.tokens_before, drop.tokens_after) == (2, 900, 400)


def test_money_is_what_was_paid_and_the_cached_part_is_at_the_cache_s_price() -> None:
    requests = (_at(1, 10_000, cached=8_000, cost_usd=0.02), _at(1, 10_000, cost_usd=None))

    (turn,) = course_of(requests, (), {EntryId("e")}, lambda _: CLAUDE).money

    assert (turn.cached_tokens, turn.fresh_tokens, turn.usd) == (8_000, 12_000, 0.02)
    assert turn.cached_usd == pytest.approx(8_000 * CACHED_USD)
    assert turn.is_partial


def test_an_estimate_is_never_told_as_what_a_provider_reported() -> None:
    """Trap: a foreign tokenizer used as truth."""
    guessed = replace(_at(2, 900), usage=Usage(prompt_tokens=900, completion_tokens=1, is_estimate=True))
    requests = (_at(1, 100), guessed)

    assert course_of(requests, (), {EntryId("e")}, lambda _: CLAUDE).sizes[-1].turn == 1
    assert last_reported(reversed(requests), {EntryId("e")}) == 100


def test_the_last_request_is_of_the_shown_branch_and_no_probe() -> None:
    """Trap: a cumulative figure, or another branch's, shown as the present context."""
    probe = _at(3, 700, kind=RequestKind.PROBE)
    requests = (_at(1, 100), _at(2, 300), probe, _at(4, 900, head="elsewhere"))

    assert last_reported(reversed(requests), {EntryId("e")}) == 300
    assert last_reported((), {EntryId("e")}) is None


def test_a_request_that_failed_has_no_size() -> None:
    failed = replace(_at(2, 900), state=RequestState.FAILED, usage=None)

    assert len(course_of((_at(1, 100), failed), (), {EntryId("e")}, lambda _: CLAUDE).sizes) == 1
