from dataclasses import replace
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cache.breakpoints import LOOK_BACK_BLOCKS, MOST, Shape, breakpoints, long_life_pays
from app.cache.terms import NO_CACHE, Terms, terms_of
from app.core.requests import Breakpoint, Layer
from app.models.families import CacheKind, family_of
from app.models.registry import ModelFacts, Prices

CLAUDE = Terms(
    read=0.1,
    kind=CacheKind.MARKERS,
    minimum_tokens=1024,
    ttl_s=300,
    long_ttl_s=3600,
    write=1.25,
    long_write=2.0,
)


def shape(*messages: tuple[int, int], system: int = 2000, tools: int = 1500, sealed: int = 0) -> Shape:
    """Args: `messages`: blocks and tokens of each; `system`: tokens up to its end, tools included."""
    return Shape(
        tools_tokens=tools,
        system_tokens=system - tools,
        tokens=tuple(accumulate(tokens for _, tokens in messages)),
        blocks=tuple(accumulate(blocks for blocks, _ in messages)),
        sealed_blocks=sealed,
    )


def places(found: tuple[Breakpoint, ...]) -> list[Layer | int]:
    return [mark.after for mark in found]


def test_tools_system_head_and_the_newest_message_are_marked_in_the_order_of_the_prompt() -> None:
    """P3"""
    found = breakpoints(shape((1, 500), (1, 90), (1, 30)), CLAUDE)

    assert places(found) == [Layer.TOOLS, Layer.SYSTEM, 0, 2]
    assert {mark.ttl_s for mark in found} == {300}


def test_what_is_below_the_minimum_is_not_marked() -> None:
    """B46: marked for months, and never kept."""
    assert breakpoints(shape((1, 100), system=600, tools=300), CLAUDE) == ()
    assert places(breakpoints(shape((1, 500), (1, 90), system=600, tools=300), CLAUDE)) == [0, 1]


@pytest.mark.parametrize("terms", [NO_CACHE, replace(CLAUDE, kind=CacheKind.AUTOMATIC)])
def test_only_families_that_want_marks_get_them(terms: Terms) -> None:
    assert breakpoints(shape((1, 5000)), terms) == ()


def test_where_the_last_request_ended_is_marked_where_the_provider_would_not_look_for_it() -> None:
    """P3: in a long tool loop; the tools' mark gives way, since the system's stands behind it."""
    near = shape((1, 500), *[(2, 50)] * 9, sealed=1)
    far = shape((1, 500), *[(2, 50)] * 11, sealed=3)

    assert places(breakpoints(near, CLAUDE)) == [Layer.TOOLS, Layer.SYSTEM, 0, 9]
    assert places(breakpoints(far, CLAUDE)) == [Layer.SYSTEM, 0, 1, 11]


def test_a_last_request_that_ended_within_a_message_is_not_marked() -> None:
    """Its newest message was merged with what came after it."""
    found = breakpoints(shape((4, 500), *[(2, 50)] * 12, sealed=3), CLAUDE)

    assert places(found) == [Layer.TOOLS, Layer.SYSTEM, 0, 12]


def test_the_first_layers_live_longer_where_that_was_asked_for() -> None:
    found = breakpoints(shape((1, 500), (1, 90), (1, 30)), CLAUDE, keeps_long=True)

    assert [mark.ttl_s for mark in found] == [3600, 3600, 3600, 300]
    assert [mark.ttl_s for mark in breakpoints(shape((1, 500)), CLAUDE, keeps_long=True)] == [3600, 3600, 300]


@given(
    st.lists(st.tuples(st.integers(1, 25), st.integers(1, 3000)), min_size=1, max_size=60),
    st.integers(0, 5000),
    st.booleans(),
    st.data(),
)
def test_no_request_is_marked_so_that_a_provider_would_refuse_it_or_not_find_what_it_has(
    messages: list[tuple[int, int]], system: int, keeps_long: bool, data: st.DataObject
) -> None:
    ends = list(accumulate(blocks for blocks, _ in messages))
    sealed = data.draw(st.sampled_from([0, *ends]))
    made = shape(*messages, system=system, tools=system // 2, sealed=sealed)

    found = breakpoints(made, CLAUDE, keeps_long=keeps_long)

    lives = [mark.ttl_s for mark in found]
    assert len(found) <= MOST
    assert lives == sorted(lives, reverse=True)  # a longer life may not stand behind a shorter one
    assert len(set(places(found))) == len(found)
    if sealed and made.tokens_until(ends.index(sealed)) >= CLAUDE.minimum_tokens:
        marked = [made.blocks[mark.after] for mark in found if isinstance(mark.after, int)]
        assert any(0 <= end - sealed < LOOK_BACK_BLOCKS for end in marked)


def test_a_longer_life_pays_from_the_first_pause_that_only_it_outlasts() -> None:
    assert not long_life_pays(CLAUDE, [10, 299, 20, 4000])
    assert long_life_pays(CLAUDE, [10, 400, 20])
    assert not long_life_pays(replace(CLAUDE, long_write=3.0), [400])


def test_terms_are_the_registrys_and_the_familys_where_it_knows_none() -> None:
    known = ModelFacts(
        prices=Prices(input_usd=4e-6, cached_usd=2e-7, cache_write_usd=6e-6, cache_write_1h_usd=8e-6),
        cache_minimum_tokens=512,
    )
    claude = family_of("anthropic", "claude-sonnet-4-5")

    terms = terms_of(claude, "claude-sonnet-4-5", known)
    unknown = terms_of(claude, "claude-sonnet-4-5", ModelFacts())

    shares = [round(share, 9) for share in (terms.read, terms.write, terms.long_write)]
    assert shares == [0.05, 1.5, 2.0]
    assert (terms.kind, terms.minimum_tokens, terms.ttl_s, terms.long_ttl_s) == (
        CacheKind.MARKERS,
        512,
        300,
        3600,
    )
    assert not terms.probes_thinking
    assert (unknown.read, unknown.write, unknown.long_write, unknown.usd(5)) == (0.1, 1.25, 2.0, None)
    assert terms_of(family_of("ollama", "qwen3"), "qwen3", ModelFacts()) == NO_CACHE


def test_where_writing_is_free_what_is_written_was_still_read_for_the_first_time() -> None:
    """P6: the registry gives some caches that need no marks a price of 0 for the writing alone."""
    free = ModelFacts(prices=Prices(input_usd=3e-7, cached_usd=6e-9, cache_write_usd=0.0))

    assert terms_of(family_of("deepseek", "deepseek-v4-flash"), "deepseek-v4-flash", free).write == 1.0
