"""After failures a writer is left alone for a while, then tried once."""

from datetime import UTC, datetime, timedelta

from app.context.breaker import Breaker, BreakerState

_NOW = datetime(2026, 1, 1, tzinfo=UTC)


def _after(seconds: float) -> datetime:
    return _NOW + timedelta(seconds=seconds)


def _open() -> Breaker:
    return Breaker().failed(_NOW).failed(_NOW).failed(_NOW)


def test_three_failures_in_a_row_open_it_for_a_minute() -> None:
    """C20."""
    two = Breaker().failed(_NOW).failed(_NOW)

    assert two.allows(_NOW)
    assert not two.failed(_NOW).allows(_after(59))
    assert two.failed(_NOW).state(_after(60)) is BreakerState.HALF_OPEN
    assert two.succeeded().failed(_NOW).failed(_NOW).allows(_NOW)


def test_half_open_lets_one_probe_through() -> None:
    probing = _open().begun(_after(61))

    assert not probing.allows(_after(62))
    assert probing.succeeded() == Breaker()


def test_a_failed_probe_keeps_it_open_for_five_minutes() -> None:
    again = _open().begun(_after(61)).failed(_after(61))

    assert not again.allows(_after(61 + 299))
    assert again.allows(_after(61 + 300))


def test_a_refused_key_opens_it_at_once_until_settings_change() -> None:
    refused = Breaker().failed(_NOW, is_auth=True)

    assert not refused.allows(_after(10_000_000))
    assert refused.settings_changed().allows(_NOW)
    assert _open().settings_changed() == _open()


def test_a_restart_forgets_no_failure_but_the_probe_that_never_came_back() -> None:
    probing = _open().begun(_after(61))

    assert probing.restored().state(_after(61)) is BreakerState.HALF_OPEN
    assert _open().restored() == _open()


def test_a_request_while_closed_is_no_probe() -> None:
    assert Breaker().begun(_NOW) == Breaker()
