"""The real window on Qt's loop, for benches."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TypeVar

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from app.core.loading import loading
from app.settings import Paths
from tests.bench.stages import ToldGateway
from ui.main import build
from ui.shell.allocating import give_back
from ui.shell.notices import Notices
from ui.shell.workbench import Workbench

T = TypeVar("T")
SIZE = (1200, 900)


def on_qt(main: Callable[[QApplication], Coroutine[object, object, T]]) -> T:
    """Run `main` on a loop of Qt's."""
    give_back()  # as `ui.main` does
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
    with loading():  # as `ui.main` does
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
