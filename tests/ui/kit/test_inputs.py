"""Inputs never take a key that belongs to an input method (B60), and send when they should."""

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QImage, QInputMethodEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.kit.heard import heard
from ui.kit.inputs import LineInput, TextInput
from ui.kit.theme import Theme


def compose(widget: QWidget, preedit: str) -> None:
    QApplication.sendEvent(widget, QInputMethodEvent(preedit, []))


def commit(widget: QWidget, text: str) -> None:
    event = QInputMethodEvent("", [])
    event.setCommitString(text)
    QApplication.sendEvent(widget, event)


@pytest.mark.parametrize("kind", [TextInput, LineInput])
def test_enter_while_composing_never_submits(qtbot: QtBot, kind: type[TextInput] | type[LineInput]) -> None:
    """B60: exactly one send, with the committed text."""
    field = kind()
    qtbot.addWidget(field)
    sent: list[str] = []
    field.submitted.connect(sent.append)

    compose(field, "ni hao")
    QTest.keyClick(field, Qt.Key.Key_Return)
    commit(field, "你好")
    QTest.keyClick(field, Qt.Key.Key_Return)

    assert sent == ["你好"]


@pytest.mark.parametrize("kind", [TextInput, LineInput])
@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Up, Qt.Key.Key_Down])
def test_no_key_acts_or_leaves_the_field_while_composing(
    qtbot: QtBot, kind: type[TextInput] | type[LineInput], key: Qt.Key
) -> None:
    """B60: parents and popups see nothing either."""
    seen: list[int] = []

    class Parent(QWidget):
        def keyPressEvent(self, event: QKeyEvent) -> None:
            seen.append(event.key())

    parent = Parent()
    qtbot.addWidget(parent)
    field = kind(parent=parent)
    field.cancelled.connect(lambda: seen.append(-1))
    compose(field, "ni")

    QTest.keyClick(field, key)

    assert seen == []


def test_a_shortcut_waits_until_composing_is_over(qtbot: QtBot, theme: Theme) -> None:
    """B60."""
    window = QWidget()
    qtbot.addWidget(window)
    field = TextInput(parent=window)
    QVBoxLayout(window).addWidget(field)
    used: list[int] = []
    shortcut = QShortcut(QKeySequence("Ctrl+K"), window)
    shortcut.activated.connect(lambda: used.append(1))
    with qtbot.waitExposed(window):
        window.show()
    field.setFocus()

    compose(field, "ni")
    QTest.keyClick(field, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    before = list(used)
    commit(field, "你")
    QTest.keyClick(field, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)

    assert (before, used) == ([], [1])


def test_shift_enter_makes_a_line_and_enter_submits(qtbot: QtBot) -> None:
    field = TextInput()
    qtbot.addWidget(field)
    QTest.keyClicks(field, "one")
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(field, "two")

    sent = heard(field.submitted)

    QTest.keyClick(field, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)

    assert sent == [("one\ntwo",)]


def test_enter_and_ctrl_enter_can_be_swapped(qtbot: QtBot) -> None:
    """U14."""
    field = TextInput()
    qtbot.addWidget(field)
    field.enter_submits = False
    sent: list[str] = []
    field.submitted.connect(sent.append)

    QTest.keyClicks(field, "a")
    QTest.keyClick(field, Qt.Key.Key_Return)
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)

    assert sent == ["a\n"]


def test_up_recalls_only_when_empty(qtbot: QtBot) -> None:
    field = TextInput()
    qtbot.addWidget(field)
    recalled: list[int] = []
    field.recalled.connect(lambda: recalled.append(1))

    QTest.keyClick(field, Qt.Key.Key_Up)
    field.set_text("draft")
    QTest.keyClick(field, Qt.Key.Key_Up)

    assert recalled == [1]


def test_the_field_grows_to_two_fifths_of_the_window_and_no_further(qtbot: QtBot) -> None:
    """U14."""
    window = QWidget()
    window.resize(600, 500)
    qtbot.addWidget(window)
    field = TextInput(parent=window)
    column = QVBoxLayout(window)
    column.addStretch()
    column.addWidget(field)
    with qtbot.waitExposed(window):
        window.show()
    one_line = field.height()

    field.set_text("line\n" * 5)
    qtbot.waitUntil(lambda: field.height() > one_line * 3)
    field.set_text("line\n" * 200)
    qtbot.waitUntil(lambda: field.height() >= 190)

    assert field.height() <= 200


def test_pasted_html_becomes_plain_text(qtbot: QtBot) -> None:
    field = TextInput()
    qtbot.addWidget(field)
    data = QMimeData()
    data.setHtml("<b>bold</b>")
    data.setText("bold")

    field.insertFromMimeData(data)

    assert (field.text(), "font-weight:700" in field.toHtml()) == ("bold", False)


def test_files_and_pictures_are_reported_not_inserted(qtbot: QtBot) -> None:
    field = TextInput()
    qtbot.addWidget(field)
    files, picture = QMimeData(), QMimeData()
    files.setUrls([QUrl.fromLocalFile("/data/a.csv")])
    picture.setImageData(QImage(4, 4, QImage.Format.Format_RGB32))

    dropped, pasted = heard(field.files_dropped), heard(field.image_pasted)

    field.insertFromMimeData(files)
    field.insertFromMimeData(picture)

    assert dropped == [(["/data/a.csv"],)]
    assert [type(arg) for args in pasted for arg in args] == [QImage]
    assert field.text() == ""


def test_setting_the_text_can_be_undone(qtbot: QtBot) -> None:
    field = TextInput()
    qtbot.addWidget(field)
    QTest.keyClicks(field, "my draft")

    field.set_text("recalled")
    field.undo()

    assert field.text() == "my draft"


def test_a_placeholder_in_chinese_is_not_cut_off(theme: Theme, qtbot: QtBot) -> None:
    """An empty line is as high as the font of the interface; Chinese comes from another, taller one."""
    window = QWidget()
    window.resize(600, 600)
    empty, filled = TextInput(placeholder="写消息", parent=window), TextInput(parent=window)
    qtbot.addWidget(window)

    with qtbot.waitExposed(window):
        window.show()
    filled.set_text("写消息")

    assert empty.sizeHint().height() >= filled.sizeHint().height()
