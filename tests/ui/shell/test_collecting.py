"""What Qt's objects hang in is ended by the window's thread."""

import gc
import threading

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from ui.shell.collecting import collected_here


class Knot(QObject):
    """Refers to itself, so that only the collector ends it."""

    def __init__(self, ended_in: list[int]) -> None:
        super().__init__()
        self._self, self._ended_in = self, ended_in

    def __del__(self) -> None:
        self._ended_in.append(threading.get_ident())


def make_much() -> None:
    kept = [[n] for n in range(200_000)]
    assert kept


def test_a_knot_is_ended_in_the_windows_thread_however_much_another_makes(qtbot: QtBot) -> None:
    """Once, a timer of a closed window was stopped by a thread that was reading a chat."""
    ended_in: list[int] = []
    gc.enable()
    with collected_here(beat_ms=5):
        for _ in range(20):
            Knot(ended_in)
        worker = threading.Thread(target=make_much)
        worker.start()
        worker.join()
        by_the_worker = list(ended_in)
        qtbot.waitUntil(lambda: len(ended_in) == 20)

    assert by_the_worker == []
    assert set(ended_in) == {threading.get_ident()}
    assert gc.isenabled()
