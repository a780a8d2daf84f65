"""The chat's header: its toggles say what is open, and make room where there is little."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from ui.chat.header import Header
from ui.chat.state import ChatState
from ui.kit.showcase import Stage


def test_a_toggle_asks_and_shows_only_what_became_of_it(stage: Stage, qtbot: QtBot) -> None:
    """U1: a narrow window may refuse a panel; then nothing is open."""
    header = Header(stage.theme, stage.icons, tuple)
    qtbot.addWidget(header)
    asked = list[str]()
    toggle = header.add_toggle("health", lambda: ("Health", "Open it"), lambda: asked.append("health"))

    QTest.mouseClick(toggle, Qt.MouseButton.LeftButton)
    QTest.keyClick(toggle, Qt.Key.Key_Space)

    assert asked == ["health", "health"]
    assert not toggle.isChecked()
    toggle.setChecked(True)
    assert toggle.isChecked()


def test_a_narrow_header_keeps_its_toggles_as_icons_with_names(stage: Stage, qtbot: QtBot) -> None:
    header = Header(stage.theme, stage.icons, tuple)
    qtbot.addWidget(header)
    toggle = header.add_toggle("health", lambda: ("Health", "Open it"), list)
    header.show()

    header.resize(900, 50)
    wide = toggle.text()
    header.resize(420, 50)

    assert wide == "Health"
    assert toggle.text() == ""
    assert (toggle.accessibleName(), toggle.toolTip()) == ("Health", "Open it")


def test_a_title_that_does_not_fit_ends_in_an_ellipsis_until_it_is_edited(stage: Stage, qtbot: QtBot) -> None:
    header = Header(stage.theme, stage.icons, tuple)
    qtbot.addWidget(header)
    title = "Round the invoice once and not per line, in the billing ledger of last year"
    header.resize(420, 50)
    header.show()
    header.draw(ChatState(title=title))

    shut = header.title.shown
    header.title.setFocus()
    QTest.qWaitForWindowActive(header)
    opened = header.title.shown

    assert shut.endswith("…")
    assert title.startswith(shut[:-1])
    assert (opened, header.title.text()) == (title, title)
