"""The screen's lock, heard on real buses that live for the test (P8)."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from ui.shell.screen_lock import ScreenLock

_IN_SESSION = "PALIMPSEST_TEST_LOCK" in os.environ
_SAVER, _LOGIN = "/org/gnome/ScreenSaver", "/org/freedesktop/login1/session/_32"


@pytest.mark.skipif(
    not shutil.which("dbus-run-session"), reason="NOT TESTED: dbus-run-session is not installed"
)
@pytest.mark.skipif(_IN_SESSION, reason="runs the others in a session")
def test_a_locked_screen_is_heard_on_real_buses() -> None:
    child = subprocess.run(
        [
            *("dbus-run-session", "--", "sh", "-c"),
            # the session's bus plays the system's, too
            'DBUS_SYSTEM_BUS_ADDRESS="$DBUS_SESSION_BUS_ADDRESS" exec "$0" -m pytest -p no:cacheprovider "$1"',
            *(sys.executable, __file__),
        ],
        env=os.environ | {"PALIMPSEST_TEST_LOCK": "1"},
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert child.returncode == 0, child.stdout + child.stderr
    assert "2 passed" in child.stdout


needs_session = pytest.mark.skipif(not _IN_SESSION, reason="runs in a session of its own, see above")


def told(path: str, signal: str, *arguments: str) -> None:
    subprocess.run(
        ["dbus-send", "--session", "--type=signal", path, signal, *arguments], check=True, timeout=10
    )


@needs_session
def test_in_a_session_a_screen_saver_is_heard(qtbot: QtBot) -> None:
    heard: list[str] = []
    lock = ScreenLock(lambda: heard.append("locked"), lambda: heard.append("unlocked"))
    lock.listen()

    told(_SAVER, "org.gnome.ScreenSaver.ActiveChanged", "boolean:true")
    told(_SAVER, "org.gnome.ScreenSaver.ActiveChanged", "boolean:false")

    qtbot.waitUntil(lambda: len(heard) == 2)
    assert heard == ["locked", "unlocked"]


@needs_session
def test_in_a_session_the_login_manager_is_heard(qtbot: QtBot) -> None:
    heard: list[str] = []
    lock = ScreenLock(lambda: heard.append("locked"), lambda: heard.append("unlocked"))
    lock.listen()

    told(_LOGIN, "org.freedesktop.login1.Session.Lock")
    told(_LOGIN, "org.freedesktop.login1.Session.Unlock")

    qtbot.waitUntil(lambda: len(heard) == 2)
    assert heard == ["locked", "unlocked"]


def test_without_a_bus_nothing_is_heard_and_nothing_is_started(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if _IN_SESSION:
        pytest.skip("has a bus")
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path}/none")
    child = (
        "from ui.shell.screen_lock import ScreenLock\n"
        "from PySide6.QtCore import QCoreApplication\n"
        "qt = QCoreApplication([])\n"
        "ScreenLock(print, print).listen()\n"
    )

    made = subprocess.run(
        [sys.executable, "-c", child], capture_output=True, text=True, timeout=30, check=False
    )

    assert (made.returncode, made.stdout, made.stderr) == (0, "", "")
