"""Starts Palimpsest: the window first, what it needs behind it, and an end at which nothing is cut off."""

import argparse
import asyncio
import logging
import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from logging.handlers import RotatingFileHandler
from pathlib import Path

from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from app.core.errors import StoreError
from app.core.loading import loading
from app.settings import Paths
from app.store.errors import StoreDamaged
from app.store.upgrade import restore
from app.tasks import TaskScope
from ui.shell.allocating import give_back
from ui.shell.building import build
from ui.shell.collecting import collected_here
from ui.shell.instance import Instance
from ui.shell.notices import Notices
from ui.shell.screen_lock import ScreenLock
from ui.shell.workbench import Workbench

_SWITCH_S = 0.0005
"""A thread that works keeps the window waiting for so long at most each time; Python's own 5 ms add up to stalls."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The program; returns its exit code."""
    give_back()
    sys.setswitchinterval(_SWITCH_S)
    options = _parser().parse_args(arguments)
    if not _has_display():
        return _tour()
    paths = Paths(data=options.data) if options.data else Paths.default()
    paths.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    keep_log(paths)
    prepare_input_methods()
    qt = QApplication([sys.argv[0]])
    qt.setApplicationName("Palimpsest")
    qt.setDesktopFileName("palimpsest")
    qt.setQuitOnLastWindowClosed(False)  # what runs is ended first, in `run`
    instance = Instance(paths.data)
    to_open: list[str] = options.open
    if not instance.begin([_whole(item) for item in to_open]):
        return 0  # the window that is open was called to the front
    notices = Notices(own_version())
    with collected_here(), asyncio.Runner(loop_factory=lambda: QEventLoop(qt)) as runner:
        runner.run(run(qt, paths, notices, instance, to_open))
    return 0


async def run(
    qt: QApplication,
    paths: Paths,
    notices: Notices,
    instance: Instance | None = None,
    to_open: Sequence[str] = (),
) -> None:
    """From the first paint to the last write. Ends when the window was closed and all is kept.

    Args:
        to_open: Files and addresses that were named at the start.
    """
    notices.install(asyncio.get_running_loop())
    backup = await _window(qt, paths, notices, instance, to_open)
    while backup:  # nothing has the database open by now
        try:
            await asyncio.to_thread(restore, paths, backup)
        except StoreError as error:
            notices.decide(error)
        backup = await _window(qt, paths, notices, instance, ())


async def _window(
    qt: QApplication, paths: Paths, notices: Notices, instance: Instance | None, to_open: Sequence[str]
) -> Path | None:
    """One window from its first paint to its last write. Returns: the backup to go back to, if one was chosen."""
    workbench = build(qt, paths, notices)
    application = workbench.application
    closing = asyncio.Event()
    chosen: list[Path] = []
    workbench.restoring.chosen.connect(chosen.append)
    workbench.restoring.chosen.connect(workbench.window.close)
    workbench.window.closing.connect(closing.set)
    if instance:
        instance.called.connect(workbench.doors.come_in)
    workbench.window.show()
    opening = TaskScope(notices.decide)  # where nothing can be opened the window stays, and says why
    opening.start("open", _open(workbench, to_open))
    try:
        await closing.wait()
    finally:
        await opening.aclose()
        await workbench.aclose()
        await application.aclose()
    if not chosen:
        return None
    if instance:
        instance.called.disconnect(workbench.doors.come_in)
    workbench.window.deleteLater()
    workbench.deleteLater()
    return chosen[0]


async def _open(workbench: Workbench, to_open: Sequence[str]) -> None:
    with loading():
        try:
            await workbench.application.prepare()
        except StoreDamaged as error:
            workbench.restoring.offer(error)
            raise  # it is told in the window, too
        await workbench.prepared()
        await workbench.application.start()
    if to_open:
        workbench.doors.come_in([*to_open])
    attention = workbench.application.attention
    ScreenLock(attention.locked, attention.seen, parent=workbench).listen()


def keep_log(paths: Paths) -> None:
    """The last few megabytes of what happened, readable by its owner only."""
    handler = RotatingFileHandler(paths.log, maxBytes=1_000_000, backupCount=2, encoding="utf-8")
    paths.log.chmod(0o600)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def own_version() -> str:
    try:
        return version("palimpsest")
    except PackageNotFoundError:  # a checkout that was not installed
        return "development"


def prepare_input_methods() -> None:
    """fcitx speaks ibus's protocol, and Qt's wheels bring no plug-in of its own for it."""
    if os.environ.get("QT_IM_MODULE") in ("fcitx", "fcitx5") and not os.environ.get("WAYLAND_DISPLAY"):
        os.environ["QT_IM_MODULE"] = "ibus"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="palimpsest", description="Long conversations with language models."
    )
    parser.add_argument("--data", type=Path, help="keep everything of this run in this folder")
    parser.add_argument("open", nargs="*", help="exported conversations, or addresses palimpsest://chat/…")
    parser.add_argument("--version", action="version", version=own_version())
    return parser


def _whole(item: str) -> str:
    """A file's path as another program finds it, which was started elsewhere."""
    return item if "://" in item else str(Path(item).resolve())


def _has_display() -> bool:
    if sys.platform != "linux" or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _tour() -> int:
    """Without a display there is no window to open, but all of it can be seen in pictures."""
    from ui.tour import main as tour

    sys.stdout.write("There is no display here: the guided tour is drawn into the folder 'tour' instead.\n")
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return tour(["tour"])
