import math

import pytest

from app.cache.economics import most_probes, pay_back, probe_cost, rewrite_cost, rewriting, saved_by_cache
from app.cache.terms import NO_CACHE, Terms
from app.core.usage import Usage
from app.models.families import CacheKind

CLAUDE = Terms(kind=CacheKind.MARKERS, ttl_s=300, read=0.1, write=1.25, long_write=2.0, input_usd=3e-6)
GPT = Terms(kind=CacheKind.AUTOMATIC, ttl_s=600, read=0.5, write=1.0)


def test_a_hot_rewrite_costs_what_is_written_anew_and_pays_back_by_what_is_no_longer_read() -> None:
    """P6: 100K hot tokens become 40K, 10K of which stand before the first change."""
    cost = rewrite_cost(CLAUDE, before=100_000, after=40_000, unchanged=10_000)

    assert cost == pytest.approx(10_000 * 0.1 + 30_000 * 1.25 - 100_000 * 0.1)
    assert pay_back(CLAUDE, before=100_000, after=40_000, unchanged=10_000) == pytest.approx(28_500 / 6_000)
    assert CLAUDE.usd(cost) == pytest.approx(0.0855)


def test_while_the_cache_is_cold_a_rewrite_costs_nothing() -> None:
    assert rewrite_cost(CLAUDE, before=100_000, after=40_000, unchanged=10_000, is_cold=True) < 0
    assert pay_back(CLAUDE, before=100_000, after=40_000, is_cold=True) == 0


def test_the_writer_of_a_summary_is_paid_for_too() -> None:
    alone = pay_back(CLAUDE, before=100_000, after=40_000)
    written = pay_back(CLAUDE, before=100_000, after=40_000, writer=12_000)

    assert written - alone == pytest.approx(2)


@pytest.mark.parametrize("terms", [CLAUDE, GPT, NO_CACHE])
@pytest.mark.parametrize("writer", [0, 90_000])
def test_a_decision_and_its_preview_go_by_the_same_price(terms: Terms, writer: float) -> None:
    shown = rewriting(terms, before=100_000, after=40_000, unchanged=10_000, is_cold=False, writer=writer)

    assert shown.pay_back == pay_back(terms, before=100_000, after=40_000, unchanged=10_000, writer=writer)


def test_what_nobody_keeps_saves_its_full_price_with_each_request() -> None:
    assert pay_back(NO_CACHE, before=100_000, after=40_000) == 0
    assert pay_back(NO_CACHE, before=100_000, after=40_000, writer=120_000) == pytest.approx(1)


def test_what_does_not_get_smaller_never_pays() -> None:
    assert pay_back(CLAUDE, before=100, after=100) == math.inf


def test_what_a_cache_saved_is_what_was_read_less_what_writing_cost_more() -> None:
    usage = Usage(prompt_tokens=1000, completion_tokens=1, cached_tokens=800, cache_write_tokens=100)

    assert saved_by_cache(CLAUDE, usage) == pytest.approx(800 * 0.9 - 100 * 0.25)


def test_what_was_written_for_an_hour_saved_less() -> None:
    """P6: 2 × instead of 1.25 ×."""
    usage = Usage(
        prompt_tokens=1000,
        completion_tokens=1,
        cached_tokens=800,
        cache_write_tokens=100,
        cache_write_1h_tokens=40,
    )

    assert saved_by_cache(CLAUDE, usage) == pytest.approx(800 * 0.9 - 60 * 0.25 - 40 * 1.0)


def test_probes_end_where_they_cost_what_one_cold_write_does() -> None:
    """P8: about eleven of Anthropic's."""
    assert most_probes(CLAUDE) == 11
    assert most_probes(GPT) == 1
    assert most_probes(Terms(read=1.0, write=1.0)) == 0
    assert 11 * probe_cost(CLAUDE, 1000) <= 1000 * (1.25 - 0.1) < 12 * probe_cost(CLAUDE, 1000)
