"""Each of the seven layers has its limit, and what is over it comes in another way (C28)."""

import pytest

from app.context.layers import (
    LIMITS,
    MARK,
    Limit,
    OverflowAnswer,
    Source,
    Way,
    address_line,
    leaves,
    limit_of,
    over,
    overflow_answer,
    with_ends,
)

WHERE = "vault://0123456789ab/report.txt"


def count(text: str) -> int:
    return len(text) // 4


def uncounted(text: str) -> int:
    raise AssertionError("characters tell enough")


def test_l1_a_servers_result_is_limited_by_characters_and_its_own_setting() -> None:
    usual, own = limit_of(Source.MCP), limit_of(Source.MCP, max_output_chars=10)

    assert [over(usual, "x" * n, uncounted) for n in (100_000, 100_001)] == [False, True]
    assert [over(own, "x" * n, uncounted) for n in (10, 11)] == [False, True]


def test_l2_a_sub_agents_report_comes_in_by_its_ends_and_address() -> None:
    limit = limit_of(Source.SUB_AGENT)
    text = "\n".join(f"finding {n} stands here" for n in range(500))

    found = with_ends(limit, text, WHERE)

    assert over(limit, text, uncounted)
    assert not over(limit, text[:8_000], uncounted)
    head, _, rest = found.partition(f"\n{MARK}\n")
    assert text.startswith(f"{head}\n")
    assert 1_000 < len(head) <= 2_000
    assert rest.startswith("finding ")
    assert "finding 499 stands here\n[" in rest
    assert WHERE in rest
    assert len(found) < 3_200


@pytest.mark.parametrize(
    ("window", "most"), [(0, 5_000), (8_000, 1_000), (128_000, 5_000), (1_000_000, 30_000)]
)
def test_l3_a_result_is_limited_by_the_window(window: int, most: int) -> None:
    limit = limit_of(Source.TOOL, window_tokens=window)

    assert [over(limit, "x" * (4 * n), count) for n in (most, most + 1)] == [False, True]
    assert not over(limit, "x" * (most // 4), uncounted)


def test_l4_a_refusal_for_length_is_answered_three_ways_and_then_told() -> None:
    assert [overflow_answer(n) for n in range(5)] == [
        None,
        OverflowAnswer.SHRINK,
        OverflowAnswer.SUMMARISE,
        OverflowAnswer.DROP,
        None,
    ]


def test_l5_a_projected_overflow_never_leaves() -> None:
    """Trap: too long to be compacted."""
    assert leaves(90, 10, 100, shares_window=True)
    assert not leaves(91, 10, 100, shares_window=True)
    assert leaves(100, 10, 100, shares_window=False)
    assert not leaves(101, 0, 100, shares_window=False)
    assert leaves(10**9, 10, 0, shares_window=True)


def test_l6_what_a_hook_says_is_limited_by_tokens() -> None:
    limit = limit_of(Source.HOOK)

    assert [over(limit, "x" * (4 * n), count) for n in (2_500, 2_501)] == [False, True]


def test_l7_output_in_the_background_comes_in_by_its_address_from_the_first_line() -> None:
    limit = limit_of(Source.BACKGROUND)

    assert over(limit, "ok", uncounted)
    assert not over(limit, "", uncounted)
    assert limit.ways == (Way.ADDRESS,)
    assert address_line("one\ntwo", WHERE) == f"[2 lines so far; read them: {WHERE}]"


def test_every_layer_of_what_comes_in_has_a_way_that_needs_no_filter() -> None:
    assert {limit.layer for limit in LIMITS.values()} == {"L1", "L2", "L3", "L6", "L7"}
    assert all(limit.ways[-1] is not Way.FILTER for limit in LIMITS.values())


@pytest.mark.parametrize("text", ["", "short", "x" * 3_000])
def test_what_is_hardly_over_is_not_cut(text: str) -> None:
    assert with_ends(Limit(layer="L2", ways=(Way.ENDS,)), text, WHERE) == text
