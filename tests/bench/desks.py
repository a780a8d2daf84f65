"""The real window on Qt's loop, for benches: what it takes to draw, and how its loop breathes."""

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TypeVar

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from qasync import QEventLoop

from app.settings import Paths
from tests.bench.stages import ToldGateway
from ui.main import build
from ui.shell.notices import Notices
from ui.shell.workbench import Workbench

T = TypeVar("T")
SIZE = (1200, 900)


def on_qt(main: Callable[[QApplication], Coroutine[object, object, T]]) -> T:
    """Run `main` on a loop of Qt's."""
    qt = QApplication(["bench"])
    qt.setQuitOnLastWindowClosed(False)
    with asyncio.Runner(loop_factory=lambda: QEventLoop(qt)) as runner:
        return runner.run(main(qt))


@asynccontextmanager
async def desk(
    qt: QApplication, paths: Paths, gateway: ToldGateway | None = None
) -> AsyncGenerator[Workbench, None]:
    """The window at work on `paths`; with a `gateway`, no model's process comes up."""
    workbench = build(qt, paths, Notices("bench"))
    application = workbench.application
    if gateway:
        application.gateway = gateway  # pyright: ignore[reportAttributeAccessIssue]  # what a turn needs of it
    workbench.window.resize(*SIZE)
    workbench.window.show()
    await application.prepare()
    await workbench.prepared()
    if not gateway:
        await application.start()
    try:
        yield workbench
    finally:
        await workbench.aclose()
        if gateway:
            await application.text.aclose()
            await application.store.aclose()
        else:
            await application.aclose()


class Painted(QObject):
    """Waits for a paint of a widget at which `shows` holds; when it came is `at`."""

    def __init__(self, widget: QWidget, shows: Callable[[], bool] = lambda: True) -> None:
        super().__init__(widget)
        self.at = 0.0
        self._shows = shows
        self._came = asyncio.Event()
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint and not self.at and self._shows():
            QTimer.singleShot(0, self._note)  # after the paint itself
        return False

    def _note(self) -> None:
        self.at = self.at or time.perf_counter()
        self._came.set()

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
