"""The circuit breaker of one writer: after failures it is left alone for a while, then tried once (C20).

One value per (provider, model), kept by the caller through restarts.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

_FAILURES = 3
_FIRST_S, _LATER_S = 60.0, 300.0


class BreakerState(StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"
    """One probe may go."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Breaker:
    n_failures: int = 0
    """In a row."""
    n_openings: int = 0
    """In a row; from the second on it stays open longer."""
    opened_at: datetime | None = None
    """UTC; None: closed."""
    is_auth: bool = False
    """The key was refused: only new settings close it."""
    is_probing: bool = False
    """The one probe is under way."""

    def state(self, now: datetime) -> BreakerState:
        if self.opened_at is None:
            return BreakerState.CLOSED
        if self.is_auth or self.is_probing or now < self.retry_at:
            return BreakerState.OPEN
        return BreakerState.HALF_OPEN

    @property
    def retry_at(self) -> datetime:
        """When a probe may go; of no meaning while closed."""
        assert self.opened_at
        return self.opened_at + timedelta(seconds=_FIRST_S if self.n_openings <= 1 else _LATER_S)

    def allows(self, now: datetime) -> bool:
        return self.state(now) is not BreakerState.OPEN

    def begun(self, now: datetime) -> "Breaker":
        """A request leaves; when half open it is the probe, and no other may go."""
        return replace(self, is_probing=True) if self.state(now) is BreakerState.HALF_OPEN else self

    def failed(self, now: datetime, *, is_auth: bool = False) -> "Breaker":
        n = self.n_failures + 1
        opens = is_auth or self.is_probing or n >= _FAILURES
        if not opens:
            return replace(self, n_failures=n)
        return Breaker(n_failures=n, n_openings=self.n_openings + 1, opened_at=now, is_auth=is_auth)

    def succeeded(self) -> "Breaker":
        return Breaker()

    def settings_changed(self) -> "Breaker":
        """A new key or address is tried at once; other failures wait as they did."""
        return Breaker() if self.is_auth else self

    def restored(self) -> "Breaker":
        """After a restart: a probe that was under way never came back."""
        return replace(self, is_probing=False)
