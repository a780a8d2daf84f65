from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.cache.terms import NO_CACHE, Terms
from app.cache.warmth import Holding, Warmth, holding, probe_in_s
from app.core.ids import ChatId, EntryId, ModelId, RequestId, TurnId
from app.core.records import RequestRecord, RequestState
from app.core.usage import Usage
from app.models.families import CacheKind

NOW = datetime(2026, 1, 2, tzinfo=UTC)
CLAUDE = Terms(kind=CacheKind.MARKERS, minimum_tokens=1024, ttl_s=300)
GEMINI = Terms(kind=CacheKind.AUTOMATIC, ttl_s=3600)


def asked(*, ago_s: float = 0, tokens: int = 9000) -> RequestRecord:
    return RequestRecord(
        id=RequestId("r"),
        chat_id=ChatId("c"),
        turn_id=TurnId("t"),
        head=EntryId("e"),
        answer_id=EntryId("a"),
        rev=1,
        model=ModelId("a/m"),
        prelude_hash="",
        n_blocks=1,
        chain_tip="",
        renderer=1,
        fingerprint="",
        estimated_tokens=tokens,
        projected_tokens=tokens,
        state=RequestState.FINISHED,
        created_at=NOW - timedelta(seconds=ago_s),
        usage=Usage(prompt_tokens=tokens, completion_tokens=1, cache_write_tokens=tokens),
    )


def test_what_was_kept_with_another_effort_is_not_there() -> None:
    by_effort = replace(CLAUDE, by_effort=True)

    assert holding(by_effort, asked(), NOW, effort="low").warmth is Warmth.UNKNOWN
    assert holding(by_effort, replace(asked(), effort="low"), NOW, effort="low").warmth is Warmth.WARM
    assert holding(CLAUDE, asked(), NOW, effort="low").warmth is Warmth.WARM


def test_a_prompt_is_warm_until_its_time_is_over() -> None:
    assert holding(CLAUDE, asked(ago_s=200), NOW) == Holding(warmth=Warmth.WARM, tokens=9000, left_s=100)
    assert holding(CLAUDE, asked(ago_s=300), NOW) == Holding(warmth=Warmth.COLD, tokens=9000)


def test_nothing_is_said_of_a_cache_that_nobody_wrote() -> None:
    failed = replace(asked(), state=RequestState.FAILED)

    assert holding(CLAUDE, None, NOW).warmth is Warmth.UNKNOWN
    assert holding(CLAUDE, failed, NOW).warmth is Warmth.UNKNOWN
    assert holding(NO_CACHE, asked(), NOW).warmth is Warmth.NONE


def test_what_is_too_small_to_be_kept_is_not_called_warm() -> None:
    """B46: for months, by a marker that the provider ignored."""
    ignored = replace(asked(), usage=Usage(prompt_tokens=9000, completion_tokens=1))

    assert holding(CLAUDE, asked(tokens=1000), NOW).warmth is Warmth.SMALL
    assert holding(CLAUDE, ignored, NOW).warmth is Warmth.SMALL
    assert holding(GEMINI, ignored, NOW).warmth is Warmth.WARM


@pytest.mark.parametrize(
    ("terms", "ago_s", "in_s"), [(CLAUDE, 0, 240), (CLAUDE, 100, 140), (CLAUDE, 280, 0), (GEMINI, 40, 3500)]
)
def test_a_probe_is_due_a_minute_before_the_end(terms: Terms, ago_s: float, in_s: float) -> None:
    """P8"""
    assert probe_in_s(terms, holding(terms, asked(ago_s=ago_s), NOW)) == in_s


@pytest.mark.parametrize("record", [None, asked(ago_s=301), asked(tokens=10)])
def test_what_is_not_warm_is_not_kept_warm(record: RequestRecord | None) -> None:
    assert probe_in_s(CLAUDE, holding(CLAUDE, record, NOW)) is None
