"""Who is at the window: what the keep-alive is told (P8)."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from ui.shell.presence import Presence


@pytest.fixture
def shown(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    widget.resize(200, 100)
    qtbot.addWidget(widget)
    with qtbot.waitActive(widget):
        widget.show()
        widget.activateWindow()
    return widget


def handle(widget: QWidget) -> QWindow:
    found = widget.windowHandle()
    assert found
    return found


def test_keys_the_mouse_and_the_wheel_are_seen_and_nothing_else(
    qapp: QApplication, shown: QWidget, qtbot: QtBot
) -> None:
    seen: list[int] = []
    presence = Presence(qapp, lambda: seen.append(1), parent=shown)
    assert presence
    seen.clear()

    shown.update()
    shown.resize(210, 100)
    qapp.processEvents()
    assert seen == []
    QTest.keyClick(handle(shown), Qt.Key.Key_A)
    assert len(seen) == 1
    QTest.mouseClick(handle(shown), Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    n_after_click = len(seen)
    assert n_after_click > 1
    wheel = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    qapp.sendEvent(handle(shown), wheel)
    assert len(seen) == n_after_click + 1


def test_another_window_that_gets_the_focus_is_watched_from_then_on(
    qapp: QApplication, shown: QWidget, qtbot: QtBot
) -> None:
    seen: list[int] = []
    Presence(qapp, lambda: seen.append(1), parent=shown)
    other = QWidget()
    qtbot.addWidget(other)
    with qtbot.waitActive(other):
        other.show()
        other.activateWindow()
    seen.clear()

    QTest.keyClick(handle(other), Qt.Key.Key_A)

    assert len(seen) == 1
