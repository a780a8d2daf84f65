"""When a widget is painted, and how Qt's loop breathes; needs nothing of the program, so that a bare window can be measured."""

import asyncio
import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QWidget


class Painted(QObject):
    """Waits for a paint of a widget at which `shows` holds; when it came is `at`."""

    def __init__(
        self,
        widget: QWidget,
        shows: Callable[[], bool] = lambda: True,
        *,
        on_paint: Callable[[], object] = lambda: None,
    ) -> None:
        super().__init__(widget)
        self.at = 0.0
        self._shows = shows
        self._on_paint = on_paint
        self._came = asyncio.Event()
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint and not self.at and self._shows():
            QTimer.singleShot(0, self._note)  # after the paint itself
        return False

    def _note(self) -> None:
        if not self.at:
            self.at = time.perf_counter()
            self._came.set()
            self._on_paint()

    async def wait(self) -> float:
        """`time.perf_counter()` after that paint."""
        await self._came.wait()
        return self.at


class Heartbeat:
    """Beats once a frame: what this thread worked between two beats, and how long they lay apart."""

    def __init__(self, frame_ms: int = 16) -> None:
        self.work_ms: list[float] = []
        self.gap_ms: list[float] = []
        self._timer = QTimer(timerType=Qt.TimerType.PreciseTimer, interval=frame_ms)
        self._timer.timeout.connect(self._beat)
        self.restart()

    def restart(self) -> None:
        self.work_ms.clear()
        self.gap_ms.clear()
        self._worked_s, self._at = time.thread_time(), time.perf_counter()
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _beat(self) -> None:
        worked_s, at = time.thread_time(), time.perf_counter()
        self.work_ms.append((worked_s - self._worked_s) * 1000)
        self.gap_ms.append((at - self._at) * 1000)
        self._worked_s, self._at = worked_s, at
