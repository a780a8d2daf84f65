"""Many requests, few calls: what is asked for in bursts is done at a rate that the window can bear."""

from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QObject, QTimer

SLOW_MS = 12.0


class Coalesced(QObject):
    """Calls `call` at most once per interval, however often it is requested.

    A call that takes longer than 12 ms doubles the interval (up to `max_ms`); a quick one halves it again.
    """

    def __init__(
        self,
        call: Callable[[], None],
        *,
        interval_ms: int = 40,
        max_ms: int = 250,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._call = call
        self._least_ms, self._most_ms = interval_ms, max_ms
        self.interval_ms = interval_ms
        self._called_at = float("-inf")
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._run)

    def request(self) -> None:
        """Ask for a call: at once if the last one is long enough ago (still after this event), else when due."""
        if not self._timer.isActive():
            waited_ms = (perf_counter() - self._called_at) * 1000
            self._timer.start(round(max(0.0, self.interval_ms - waited_ms)))

    def flush(self) -> None:
        """Make a requested call now."""
        if self._timer.isActive():
            self._timer.stop()
            self._run()

    def _run(self) -> None:
        started_at = perf_counter()
        self._call()
        self._called_at = perf_counter()
        if (self._called_at - started_at) * 1000 > SLOW_MS:
            self.interval_ms = min(self.interval_ms * 2, self._most_ms)
        else:
            self.interval_ms = max(self.interval_ms // 2, self._least_ms)
