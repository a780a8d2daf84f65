"""What the records of requests say of a chat's course (A18)."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.ids import TurnId
from app.core.records import AlertKind, RequestKind, RequestRecord, RequestState
from app.core.usage import Usage
from app.health.metrics import SLOW, SURGE_TOKENS, alerts_of, metrics_of, slowness, surges
from tests.app.store.making import NOW, a_request


def made(n: int, projected: int, *, first_s: float | None = None, uncached: int = 1_000) -> RequestRecord:
    record = a_request(f"r{n}", f"e{n}")
    return replace(
        record,
        turn_id=TurnId(f"t{n}"),
        projected_tokens=projected,
        state=RequestState.FINISHED,
        created_at=NOW + timedelta(minutes=n),
        usage=Usage(prompt_tokens=projected, completion_tokens=60, cached_tokens=projected - uncached),
        time_to_first_token_s=first_s,
        duration_s=None if first_s is None else first_s + 2,
    )


def kinds(*requests: RequestRecord, window: int = 100_000) -> list[tuple[AlertKind, str]]:
    return [(alert.kind, alert.request) for alert in alerts_of(requests, window_tokens=window)]


def test_a_step_of_more_than_ten_thousand_tokens_is_a_surge_and_one_of_as_many_is_none() -> None:
    assert kinds(made(1, 5_000), made(2, 5_000 + SURGE_TOKENS)) == []
    assert kinds(made(1, 5_000), made(2, 5_001 + SURGE_TOKENS)) == [(AlertKind.SURGE, "r2")]


def test_a_projection_that_was_corrected_since_is_no_surge() -> None:
    """A first guess of 5,000 was reported as 40,000."""
    first = replace(made(1, 40_000), projected_tokens=5_000)

    assert kinds(first, made(2, 42_000)) == []


def test_a_threshold_is_told_once_where_it_is_passed() -> None:
    steps = (60_000, 69_000, 71_000, 80_000, 89_000, 91_000, 92_000, 40_000, 49_000, 58_000, 67_000, 70_000)

    told = kinds(*(made(n, size) for n, size in enumerate(steps)))

    assert told == [(AlertKind.SOFT, "r2"), (AlertKind.HARD, "r5"), (AlertKind.SOFT, "r11")]


def test_a_window_that_is_not_known_has_no_thresholds() -> None:
    assert kinds(made(1, 95_000), window=0) == []


def test_a_refused_length_is_the_hard_limit() -> None:
    refused = replace(made(1, 5_000), state=RequestState.FAILED, error="context_too_long", usage=None)

    assert kinds(refused) == [(AlertKind.HARD, "r1")]


def test_the_first_token_is_measured_against_what_is_usual_for_as_much_to_read() -> None:
    """Ten times as much takes ten times as long here, so that only the last one is slow."""
    usual = [
        made(n, 50_000, first_s=read / 1_000, uncached=read) for n, read in enumerate((500, 1_000, 5_000) * 3)
    ]
    as_usual, slow = (made(10, 50_000, first_s=seconds, uncached=10_000) for seconds in (10.0, 25.0))

    assert slowness([*usual, as_usual]) == pytest.approx(1.0)
    assert slowness([*usual, slow]) == pytest.approx(2.5)
    assert kinds(*usual, slow) == [(AlertKind.SLOW, "r10")]


@given(st.lists(st.tuples(st.floats(0.05, 30), st.integers(1, 100_000)), max_size=12))
def test_a_chat_as_slow_as_ever_is_never_slow_by_more_than_it_varies(points: list[tuple[float, int]]) -> None:
    answers = [made(n, 100_000, first_s=first_s, uncached=read) for n, (first_s, read) in enumerate(points)]

    found = slowness(answers)

    assert (found is None) is (len(points) < 6)
    assert found is None or found > 0


def test_equal_starts_are_as_usual() -> None:
    assert slowness([made(n, 9_000, first_s=1.5) for n in range(8)]) == pytest.approx(1.0)
    assert SLOW == 2.0


def test_the_figures_of_a_chat_are_sums_over_its_requests() -> None:
    first, second = made(1, 5_000, first_s=1.0), made(2, 9_000, first_s=1.0)
    title = replace(made(3, 300), kind=RequestKind.TITLE)

    found = metrics_of([first, second], paid=[first, second, title], window_tokens=100_000)

    assert (found.prompt_tokens, found.growth_tokens) == (9_000, 4_000)
    assert found.output_tokens_per_min == pytest.approx(60 * 60 / 2)
    assert found.tokens_per_turn == (5_060 + 9_060 + 360) / 2
    assert found.overflow_rate == 0


@given(st.lists(st.integers(0, 60_000), max_size=30))
def test_as_many_surges_are_told_as_are_counted(sizes: list[int]) -> None:
    """A19 counts what A18 tells."""
    requests = [made(n, size) for n, size in enumerate(sizes)]

    told = [kind for kind, _ in kinds(*requests, window=0)]

    assert told.count(AlertKind.SURGE) == surges(requests)
