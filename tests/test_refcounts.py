"""PySide6 returns None and True without losing a reference; 6.12.0 did, and aborts Python 3.11 within a second."""

import sys
from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

N = 2_000


class Caller(QObject):
    told = Signal()


def call(what: Callable[[], object]) -> tuple[int, int]:
    """How many references to None and True `N` calls left behind."""
    what()
    before = sys.getrefcount(None), sys.getrefcount(True)
    for _ in range(N):
        what()
    return sys.getrefcount(None) - before[0], sys.getrefcount(True) - before[1]


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None and True are immortal there")
@pytest.mark.parametrize("name", ["void call", "emit", "bool call", "event loop"])
def test_no_reference_is_lost(qapp: QApplication, name: str) -> None:
    caller, timer = Caller(), QTimer()
    calls: dict[str, Callable[[], object]] = {
        "void call": timer.stop,
        "emit": caller.told.emit,
        "bool call": lambda: caller.blockSignals(False),
        "event loop": qapp.sendPostedEvents,
    }

    lost_none, lost_true = call(calls[name])

    assert abs(lost_none) < N / 10
    assert abs(lost_true) < N / 10
