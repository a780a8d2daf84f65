"""What opens over a window: no square stands out behind its round corners."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from ui.kit.popups import Menu, Popup
from ui.kit.theme import Theme


def a_popup(theme: Theme) -> QWidget:
    popup = Popup(theme)
    QVBoxLayout(popup).addWidget(QLabel("How full"))
    popup.resize(200, 100)
    return popup


def a_menu(theme: Theme) -> QWidget:
    menu = Menu(theme)
    menu.addAction("Rename")
    return menu


@pytest.mark.parametrize("make", [a_popup, a_menu])
def test_a_popup_has_no_corners_where_nobody_composes_the_screen(
    make: Callable[[Theme], QWidget], theme: Theme, qtbot: QtBot
) -> None:
    """Under X11 without a compositor a square frame stood around the rounded edge."""
    popup = make(theme)
    qtbot.addWidget(popup)

    with qtbot.waitExposed(popup):
        popup.show()

    corners = (popup.rect().topLeft(), popup.rect().topRight(), popup.rect().bottomRight())
    assert not any(popup.mask().contains(corner) for corner in corners)
    assert popup.mask().contains(popup.rect().center())
    assert popup.mask().contains(QPoint(popup.width() // 2, 0))


def test_a_popup_that_grows_is_cut_anew(theme: Theme, qtbot: QtBot) -> None:
    popup = a_popup(theme)
    qtbot.addWidget(popup)
    popup.show()

    popup.resize(300, 200)
    qtbot.waitUntil(lambda: popup.mask().contains(QPoint(290, 150)))

    assert not popup.mask().contains(popup.rect().bottomRight())
