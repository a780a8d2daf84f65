"""What a test may not leave behind, and what may not be logged in it; held around each test by `conftest.py`."""

import asyncio
import asyncio.runners
import gc
import logging
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.ready_workers import TEMPLATE

_PATIENCE_S = 10.0
"""How long what is ending already may take: threads, processes, widgets that are to be deleted."""

_NO_SCREEN = "This plugin does not support"
"""What Qt says of windows that are drawn into memory."""

_SEEN_FIRST = "Unknown child process pid"
"""What asyncio's watcher says of a child whose end `subprocess` saw first: closing a transport polls it, and so
takes the exit code of one that ends at that moment. The child has ended either way; its code reads as 255."""

_OURS = Path("/proc/self")  # on other systems files and children are not looked at


def _threads() -> Iterator[str]:
    """But for a loop's own: its executor ends with it, and what waits for a child ends with the child."""
    return (thread.name for thread in threading.enumerate() if not thread.name.startswith("asyncio"))


def _children() -> Iterator[str]:
    """But for those that workers are forked from, which serve all tests."""
    for listed in _OURS.glob("task/*/children"):
        for pid in _text(listed).split():
            command = _text(Path("/proc", pid, "cmdline")).replace("\0", " ")
            if TEMPLATE not in command:
                yield command


def _files() -> Iterator[str]:
    for handle in (_OURS / "fd").glob("*"):
        try:
            place = str(handle.readlink())
        except FileNotFoundError:
            continue  # the handle of this very listing
        if place.startswith("/") and not place.startswith(("/dev/", "/proc/")):
            yield place


def _windows() -> Iterator[str]:
    if "PySide6.QtWidgets" not in sys.modules:
        return
    from PySide6.QtWidgets import QApplication

    for widget in QApplication.topLevelWidgets():
        if not widget.parent():
            yield f"{type(widget).__name__} {widget.windowTitle()!r}"


_KINDS: dict[str, Callable[[], Iterator[str]]] = {
    "threads": _threads,
    "processes": _children,
    "files": _files,
    "windows": _windows,
}


def _now() -> Counter[tuple[str, str]]:
    """By name, so that what is shared by tests may be started anew in one."""
    return Counter((kind, name) for kind, names in _KINDS.items() for name in names())


@contextmanager
def nothing_left() -> Generator[None]:
    """Fails where threads, child processes, open files or windows have become more."""
    before = _now()
    yield
    delete_widgets()
    until = time.monotonic() + _PATIENCE_S
    while (left := _now() - before) and time.monotonic() < until:
        gc.collect()
        delete_widgets()
        time.sleep(0.01)
    if left:
        pytest.fail(f"Left behind: {sorted(left.elements())}", pytrace=False)


@contextmanager
def no_task_left() -> Generator[None]:
    """Fails whatever closes a loop while tasks run on it; the loop would cancel them and say nothing."""
    end_all = asyncio.runners._cancel_all_tasks  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]  # the one place where a runner knows of them

    def checked(loop: asyncio.AbstractEventLoop) -> None:
        left = sorted(task.get_name() for task in asyncio.all_tasks(loop))
        end_all(loop)
        if left:
            pytest.fail(f"Tasks left behind: {left}", pytrace=False)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio.runners, "_cancel_all_tasks", checked)
        yield


class _Loud(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if not any(words in record.getMessage() for words in (_NO_SCREEN, _SEEN_FIRST)):
            self.lines.append(f"{record.name}: {record.getMessage()}")


@contextmanager
def logged_as_expected(*expected: str) -> Generator[None]:
    """Fails on a record of level WARNING or above that holds none of `expected`, and where one of them is missing."""
    loud = _Loud()
    logging.getLogger().addHandler(loud)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(loud)
    surprising = [line for line in loud.lines if not any(words in line for words in expected)]
    missing = [words for words in expected if not any(words in line for line in loud.lines)]
    if surprising or missing:
        pytest.fail(
            f"Logged and not expected: {surprising}; expected and not logged: {missing}", pytrace=False
        )


def delete_widgets() -> None:
    """Those whose deletion is due."""
    if "PySide6.QtCore" in sys.modules:
        from PySide6.QtCore import QCoreApplication, QEvent

        if QCoreApplication.instance():
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""  # it has ended meanwhile
