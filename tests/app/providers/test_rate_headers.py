"""What providers say of their limits is read in each of their forms, and nonsense is left out (A19)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.events import Accepted, Rate
from app.providers.gateway import LiteLLMGateway
from app.providers.pipe_form import from_row, to_row
from app.providers.rate_headers import rates_in
from tests.app.providers.asking import asking, events_of, target_at
from tests.simulator import Simulator


def test_limits_by_the_minute_and_by_the_day_are_told_apart_by_when_they_are_back() -> None:
    headers = {
        "X-RateLimit-Limit-Requests": "10000",
        "x-ratelimit-remaining-requests": "9999",
        "x-ratelimit-reset-requests": "8.64s",
        "x-ratelimit-limit-tokens": "200000",
        "x-ratelimit-remaining-tokens": "199500",
        "x-ratelimit-reset-tokens": "150ms",
    }

    assert rates_in(headers) == (
        Rate(of="requests", most=10_000, left=9_999, period_s=86_400.0),
        Rate(of="tokens", most=200_000, left=199_500, period_s=60.0),
    )


def test_the_other_form_is_by_the_minute() -> None:
    headers = {
        "anthropic-ratelimit-requests-limit": "50",
        "anthropic-ratelimit-requests-remaining": "49",
        "anthropic-ratelimit-requests-reset": "2026-01-02T00:00:02Z",
    }

    assert rates_in(headers) == (Rate(of="requests", most=50, left=49, period_s=60.0),)


@pytest.mark.parametrize(
    ("kind", "name", "limits"),
    [
        (
            "openai",
            "gpt-4o",
            {
                "x-ratelimit-limit-requests": "60",
                "x-ratelimit-remaining-requests": "59",
                "x-ratelimit-limit-tokens": "90000",
                "x-ratelimit-remaining-tokens": "88000",
            },
        ),
        (
            "anthropic",
            "claude-sonnet-4-5",
            {
                "anthropic-ratelimit-requests-limit": "60",
                "anthropic-ratelimit-requests-remaining": "59",
                "anthropic-ratelimit-requests-reset": "2026-01-02T00:00:02Z",
                "anthropic-ratelimit-tokens-limit": "90000",
                "anthropic-ratelimit-tokens-remaining": "88000",
                "anthropic-ratelimit-tokens-reset": "2026-01-02T00:00:02Z",
            },
        ),
    ],
)
@pytest.mark.asyncio(loop_scope="session")
async def test_limits_come_with_the_answer_on_both_routes(
    gateway: LiteLLMGateway, simulator: Simulator, kind: str, name: str, limits: dict[str, str]
) -> None:
    """OpenAI's client holds its headers, LiteLLM's wrapper those of all others."""
    simulator.limits = limits

    events = await events_of(gateway, asking("Hi"), target_at(simulator, kind, name))

    assert events[0] == Accepted(
        rates=(
            Rate(of="requests", most=60, left=59, period_s=60.0),
            Rate(of="tokens", most=90_000, left=88_000, period_s=60.0),
        )
    )


_words = st.sampled_from(
    ["0", "-1", "5", "60", "1e9", "٣", "", "9" * 40, "1s", "1m0s", "∞", "6ms", "1h", "x", "0s"]
)
_names = st.sampled_from(
    [f"x-ratelimit-{what}-{of}" for what in ("limit", "remaining", "reset") for of in ("requests", "tokens")]
)


@given(st.dictionaries(_names, _words | st.text(max_size=8)))
def test_whatever_a_server_sends_is_a_limit_that_can_be_kept_or_none(headers: dict[str, str]) -> None:
    """And comes through the pipe as it is."""
    found = rates_in(headers)

    assert all(item.most > 0 and 0 <= item.left <= item.most and item.period_s >= 60 for item in found)
    assert from_row(to_row(Accepted(rates=found))) == Accepted(rates=found)
