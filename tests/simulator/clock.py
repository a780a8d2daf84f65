"""The simulator's time: the wall clock plus what the tests have added."""

from __future__ import annotations

import time


class Clock:
    """Seconds since the epoch; cache lifetimes are measured with it, pauses of a stream are not."""

    def __init__(self) -> None:
        self._added_s = 0.0

    def now(self) -> float:
        return time.time() + self._added_s

    def advance(self, seconds: float) -> None:
        """Move forward, so that a cache entry ages without anybody waiting."""
        self._added_s += seconds
