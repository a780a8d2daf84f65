"""What opens over a window: no square stands out behind its round corners."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from ui.kit.controls import Card
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


def test_a_popup_that_has_the_keyboard_is_framed_as_one_that_has_not(theme: Theme, qtbot: QtBot) -> None:
    """It has it whenever it is open; the frame that marks a card with the keyboard belongs to cards in it."""
    popup, card = a_popup(theme), Card()
    popup.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    card.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    edges: list[tuple[QColor, QColor]] = []
    for widget in (popup, card):
        qtbot.addWidget(widget)
        widget.resize(200, 100)
        widget.show()
        widget.clearFocus()
        before = _edge(widget)
        widget.activateWindow()
        widget.setFocus()
        qtbot.waitUntil(widget.hasFocus)
        edges.append((before, _edge(widget)))

    (of_popup, of_focused_popup), (of_card, of_focused_card) = edges
    assert of_popup == of_focused_popup
    assert of_card != of_focused_card


def _edge(widget: QWidget) -> QColor:
    return widget.grab().toImage().pixelColor(widget.width() // 2, 0)
