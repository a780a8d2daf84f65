"""The checks that are held around every test do find what they look for."""

import asyncio
import logging
import subprocess
import sys
import threading
from pathlib import Path
from typing import TextIO

import pytest
from _pytest.outcomes import Failed
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests import leftovers
from tests.leftovers import logged_as_expected, no_task_left, nothing_left


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers, "_PATIENCE_S", 0.1)


@pytest.mark.usefixtures("impatient")
def test_a_thread_that_runs_on_is_found() -> None:
    gate = threading.Event()
    thread = threading.Thread(target=gate.wait, name="runs on")

    with pytest.raises(Failed, match=r"'threads', 'runs on'"), nothing_left():
        thread.start()

    gate.set()
    thread.join()


@pytest.mark.usefixtures("impatient")
def test_a_child_that_runs_on_is_found() -> None:
    started: list[subprocess.Popen[bytes]] = []

    with pytest.raises(Failed, match=r"'processes', .*input"), nothing_left():
        started.append(subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE))

    started[0].communicate()


@pytest.mark.usefixtures("impatient")
def test_a_file_that_is_open_is_found(tmp_path: Path) -> None:
    opened: list[TextIO] = []

    with pytest.raises(Failed, match=r"'files', .*open.txt"), nothing_left():
        opened.append((tmp_path / "open.txt").open("w"))

    opened[0].close()


@pytest.mark.usefixtures("impatient")
def test_a_window_that_is_open_is_found(qtbot: QtBot) -> None:
    house = QWidget()
    window = QWidget(house, windowTitle="Still here")
    qtbot.addWidget(house)
    qtbot.addWidget(window)

    with pytest.raises(Failed, match=r"'windows', .QWidget 'Still here'"), nothing_left():
        window.setParent(None)


def test_what_ends_soon_after_is_not_found() -> None:
    with nothing_left():
        threading.Timer(0.05, lambda: None).start()


def test_a_task_that_nobody_waited_for_is_found() -> None:
    async def leave() -> None:
        asyncio.get_running_loop().create_task(asyncio.sleep(60), name="nobody's")

    with pytest.raises(Failed, match="nobody's"), no_task_left():
        asyncio.run(leave())


@pytest.mark.expected_warnings("Too late")
def test_a_warning_is_found_if_nobody_expects_it() -> None:
    with pytest.raises(Failed, match=r"not expected: .*'a.room: Too late'"), logged_as_expected():
        logging.getLogger("a.room").warning("Too late")


def test_a_warning_that_does_not_come_is_missed() -> None:
    with pytest.raises(Failed, match=r"not logged: .*'Too late'"), logged_as_expected("Too late"):
        logging.getLogger("a.room").info("Too late")


@pytest.mark.expected_warnings("Too late")
def test_a_test_says_what_it_expects() -> None:
    logging.getLogger("a.room").warning("Too late")
