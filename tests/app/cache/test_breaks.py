from dataclasses import replace

import pytest

from app.cache.breaks import Asked, Changed, break_of, missed_tokens
from app.cache.terms import NO_CACHE, Terms
from app.core.ids import ModelId
from app.core.records import BreakCause, CacheBreak
from app.core.requests import Prelude, ToolSpec
from app.core.usage import Usage
from app.models.families import CacheKind

CLAUDE = Terms(
    kind=CacheKind.MARKERS, minimum_tokens=1024, ttl_s=300, read=0.1, write=1.25, input_usd=0.000004
)
FIND, READ = (ToolSpec(name=name, description="", schema="{}") for name in ("find", "read"))


def usage(prompt: int, cached: int) -> Usage:
    return Usage(prompt_tokens=prompt, completion_tokens=1, cached_tokens=cached)


BEFORE = Asked(model=ModelId("a/claude"), prelude=Prelude(system="s", tools=(FIND,)), usage=usage(50_000, 0))
AFTER = replace(BEFORE, usage=usage(51_000, 0))


def found(
    now: Asked, *, terms: Terms = CLAUDE, changed: Changed | None = None, idle_s: float = 10
) -> CacheBreak:
    told = break_of(BEFORE, now, terms, changed=changed, idle_s=idle_s)
    assert told
    return told


def test_a_request_that_reads_what_the_last_one_had_is_no_break() -> None:
    now = replace(AFTER, usage=usage(51_000, 49_000))

    assert break_of(BEFORE, now, CLAUDE, changed=None, idle_s=10) is None


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (usage(3_000, 0), usage(3_100, 1_500)),  # less than 2,000 short
        (usage(100_000, 0), usage(100_100, 96_000)),  # more than 2,000, and still nearly all
        (usage(100_000, 0), replace(usage(100_100, 0), is_estimate=True)),
        (usage(90_000, 0), usage(1_900, 0)),  # cut short: it has no more to read
    ],
)
def test_little_is_no_break(before: Usage, now: Usage) -> None:
    assert missed_tokens(before, now, CLAUDE) == 0


def test_a_model_without_a_cache_breaks_nothing() -> None:
    assert missed_tokens(usage(50_000, 0), usage(51_000, 0), NO_CACHE) == 0


def test_a_break_says_how_much_was_read_anew_and_what_that_cost_more() -> None:
    told = found(replace(AFTER, usage=usage(51_000, 10_000)))

    assert told.missed_tokens == 40_000
    assert told.cost_usd == pytest.approx(40_000 * 1.15 * 0.000004)


@pytest.mark.parametrize(
    ("now", "cause", "detail"),
    [
        (replace(AFTER, model=ModelId("b/claude")), BreakCause.PROVIDER, "a/claude"),
        (replace(AFTER, model=ModelId("a/other")), BreakCause.MODEL, "claude"),
        (replace(AFTER, prelude=Prelude(system="t", tools=(FIND,))), BreakCause.SYSTEM, ""),
        (replace(AFTER, prelude=Prelude(system="s", tools=(READ,))), BreakCause.TOOLS, "+read, −find"),
        (
            replace(AFTER, prelude=Prelude(system="s", tools=(replace(FIND, schema="[]"),))),
            BreakCause.SCHEMA,
            "find",
        ),
    ],
)
def test_the_first_thing_that_differs_is_the_cause(now: Asked, cause: BreakCause, detail: str) -> None:
    told = found(now, changed=Changed(message=3, cause=BreakCause.EDIT), idle_s=999)

    assert (told.cause, told.detail, told.message) == (cause, detail, 0)


def test_another_effort_is_a_setting_where_messages_are_kept_by_it() -> None:
    now = replace(AFTER, effort="high")

    assert found(now, terms=replace(CLAUDE, by_effort=True)).cause is BreakCause.SETTING
    assert found(now).cause is BreakCause.THEIRS


def test_a_changed_message_is_named_by_its_number() -> None:
    told = found(AFTER, changed=Changed(message=3, cause=BreakCause.COMPACTION), idle_s=999)

    assert (told.cause, told.message) == (BreakCause.COMPACTION, 3)


def test_a_prompt_that_stands_lost_its_cache_by_time_by_size_or_by_the_provider() -> None:
    small = replace(CLAUDE, minimum_tokens=64_000)

    assert found(AFTER, idle_s=301).cause is BreakCause.EXPIRED
    assert found(AFTER, idle_s=301, terms=small).cause is BreakCause.SMALL
    assert found(AFTER, idle_s=20).cause is BreakCause.THEIRS
