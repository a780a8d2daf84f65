"""Commands as data, and the shortcuts where a person presses them: in an input, with an input method, anywhere."""
# A test may look inside.
# pyright: reportPrivateUsage=false

import pytest
from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QInputMethodEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.widgets import unnamed
from ui.kit.inputs import LineInput, TextInput
from ui.kit.showcase import Stage
from ui.kit.theme import Mode
from ui.shell.commands import TABLE, Section, commands, keys, keys_of
from ui.shell.layout import WindowLayout
from ui.shell.shortcuts_sheet import ShortcutsSheet
from ui.shell.window import MainWindow

SHORTCUTS = {row[0]: row[3] for row in TABLE}


class Bench:
    """A window whose page holds both kinds of inputs, and which remembers what was commanded."""

    def __init__(self, stage: Stage) -> None:
        self.done: list[str] = []
        self.window = MainWindow(stage.theme, stage.icons, layout=WindowLayout(), save=lambda _layout: None)
        self.window.set_commands(commands({name: self._deed(name) for name in SHORTCUTS}))
        self.text, self.line = TextInput(placeholder="Message"), LineInput(placeholder="Search")
        page = QWidget()
        column = QVBoxLayout(page)
        column.addWidget(self.text)
        column.addWidget(self.line)
        self.window.add_page("chat", page)

    def _deed(self, name: str) -> "Deed":
        return Deed(name, self.done)


class Deed:
    def __init__(self, name: str, done: list[str]) -> None:
        self._name, self._done = name, done

    def __call__(self) -> None:
        self._done.append(self._name)


@pytest.fixture
def bench(stage: Stage, qtbot: QtBot) -> Bench:
    bench = Bench(stage)
    qtbot.addWidget(bench.window)
    bench.window.show()
    bench.window.activateWindow()
    qtbot.waitActive(bench.window)
    return bench


def press(widget: QWidget, portable: str) -> None:
    combination = QKeySequence(portable)[0]  # pyright: ignore[reportIndexIssue, reportUnknownVariableType]  # absent from Qt's stubs
    assert isinstance(combination, QKeyCombination)
    QTest.keyClick(widget, combination.key(), combination.keyboardModifiers())


def test_a_deed_without_a_place_in_the_table_is_refused() -> None:
    with pytest.raises(ValueError, match="no_such_thing"):
        commands({"no_such_thing": lambda: None})


def test_no_shortcut_is_given_twice() -> None:
    given = [key for command in commands({row[0]: print for row in TABLE}) for key in keys(command)]

    assert len({key.toString() for key in given}) == len(given)


def test_every_shortcut_can_be_read() -> None:
    for command in commands({row[0]: print for row in TABLE}):
        assert all(key.toString() for key in keys(command)), command.id


@pytest.mark.parametrize("name", [row[0] for row in TABLE if row[3] != "Esc"])
@pytest.mark.parametrize("place", ["text", "line"])
def test_a_shortcut_works_while_the_cursor_is_in_an_input(bench: Bench, name: str, place: str) -> None:
    """U23."""
    widget = bench.text if place == "text" else bench.line
    widget.setFocus()

    press(widget, SHORTCUTS[name].split("; ")[0])

    assert bench.done == [name]


@pytest.mark.parametrize("name", ["new_chat", "copy_answer", "own_above", "settings", "next_chat"])
def test_no_shortcut_acts_while_an_input_method_composes(bench: Bench, name: str) -> None:
    """Case B60."""
    bench.text.setFocus()
    QApplication.sendEvent(bench.text, QInputMethodEvent("ni", []))

    press(bench.text, SHORTCUTS[name])

    assert bench.done == []


def test_escape_belongs_to_the_input_first(bench: Bench, qtbot: QtBot) -> None:
    bench.text.setFocus()

    with qtbot.waitSignal(bench.text.cancelled):
        press(bench.text, "Esc")

    assert bench.done == []


def test_escape_that_nobody_wants_stops_the_answer(bench: Bench) -> None:
    QTest.keyClick(bench.window, Qt.Key.Key_Escape)

    assert bench.done == ["stop"]


def test_the_menu_holds_every_command(bench: Bench) -> None:
    assert bench.window._actions
    titles = [item.text() for item in bench.window._actions.menu().actions() if item.text()]

    assert titles == [row[2] for row in TABLE]


def test_the_sheet_lists_every_shortcut(bench: Bench, qtbot: QtBot) -> None:
    """U23: listed under Ctrl+/."""
    listed = commands({row[0]: print for row in TABLE})
    sheet = ShortcutsSheet(listed)
    qtbot.addWidget(sheet)

    texts = {label.text() for label in sheet.findChildren(QLabel)}

    assert {command.title for command in listed} <= texts
    assert {section.upper() for section in Section} <= texts
    assert "Ctrl+N" in texts


def test_other_keys_hold_at_once_everywhere_and_the_first_ones_no_more(bench: Bench) -> None:
    """U23: in the action, the rail's tooltip and the sheet; the same again changes nothing."""
    own = {"new_chat": "F7", "find": ""}

    is_changed = bench.window.rebind(own)
    press(bench.line, "F7")
    press(bench.line, "Ctrl+N")
    press(bench.line, "Ctrl+K")

    assert (is_changed, bench.window.rebind(own)) == (True, False)
    assert bench.done == ["new_chat"]
    assert keys_of("new_chat", bench.window.commands) == "F7"
    assert keys_of("find", bench.window.commands) == ""
    assert bench.window.rebind({})
    press(bench.line, "Ctrl+N")
    assert bench.done == ["new_chat", "new_chat"]


def test_every_control_of_the_window_has_a_name(bench: Bench) -> None:
    bench.window.say("Deleted", action="Undo")
    bench.window.toggle_sidebar()

    assert unnamed(bench.window) == []


def test_the_menus_button_is_seen_in_both_themes(bench: Bench, stage: Stage, qtbot: QtBot) -> None:
    button = bench.window.menu_button()
    assert button
    qtbot.addWidget(button)
    light = button.icon().pixmap(18, 18).toImage()

    stage.theme.set_mode(Mode.DARK)
    dark = button.icon().pixmap(18, 18).toImage()
    stage.theme.set_mode(Mode.LIGHT)

    assert dark != light
