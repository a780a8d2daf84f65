"""Small controls do what their names say."""

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from ui.kit.controls import Badge, ChipButton, ElidedLabel, FlowLayout, Segmented, Switch, Toast
from ui.kit.items import Tone
from ui.kit.theme import Mode, Theme


def test_a_switch_is_turned_by_mouse_and_space(qtbot: QtBot, theme: Theme) -> None:
    switch = Switch(theme, name="Compress by itself")
    qtbot.addWidget(switch)
    seen: list[bool] = []
    switch.toggled.connect(seen.append)

    QTest.mouseClick(switch, Qt.MouseButton.LeftButton)
    QTest.keyClick(switch, Qt.Key.Key_Space)

    assert seen == [True, False]
    assert switch.accessibleName() == "Compress by itself"


def test_a_switch_set_before_it_is_seen_stands_there_at_once(qtbot: QtBot, theme: Theme) -> None:
    switch = Switch(theme)
    qtbot.addWidget(switch)

    switch.setChecked(True)

    assert switch.property("knob") == 1.0


@pytest.mark.parametrize("tone", list(Tone))
@pytest.mark.parametrize("mode", [Mode.LIGHT, Mode.DARK])
def test_a_badge_draws_in_every_tone(qtbot: QtBot, theme: Theme, tone: Tone, mode: Mode) -> None:
    badge = Badge(theme, "word", tone)
    qtbot.addWidget(badge)
    theme.set_mode(mode)
    badge.resize(badge.sizeHint())

    middle = badge.grab().toImage().pixelColor(4, badge.height() // 2)

    expected = theme.tokens.chip if tone is Tone.PLAIN else theme.color(f"{tone}_soft")
    assert middle == expected


def test_segments_tell_what_a_person_chose_only(qtbot: QtBot) -> None:
    segments = Segmented([("a", "A"), ("b", "B")])
    qtbot.addWidget(segments)
    seen: list[str] = []
    segments.chosen.connect(seen.append)

    segments.choose("a")
    QTest.mouseClick(segments.findChildren(QPushButton)[1], Qt.MouseButton.LeftButton)

    assert (seen, segments.choice) == (["b"], "b")


def test_a_chip_is_named_without_its_arrow(qtbot: QtBot) -> None:
    chip = ChipButton("Full", has_menu=True)
    qtbot.addWidget(chip)

    assert (chip.text(), chip.accessibleName()) == ("Full ▾", "Full")


def test_an_elided_label_tells_the_rest_in_its_tooltip(qtbot: QtBot) -> None:
    label = ElidedLabel("<b>a long chat title</b> that goes on")
    qtbot.addWidget(label)
    label.resize(60, 20)
    label.grab()
    narrow = label.toolTip()
    label.resize(900, 20)
    label.grab()

    assert narrow == "<span>&lt;b&gt;a long chat title&lt;/b&gt; that goes on</span>"
    assert label.toolTip() == ""


def test_flowing_widgets_wrap_and_none_is_lost(qtbot: QtBot) -> None:
    room = QWidget()
    qtbot.addWidget(room)
    flow = FlowLayout(room, gap_px=4)
    for _ in range(6):
        label = QLabel("word")
        label.setFixedSize(50, 20)
        flow.addWidget(label)

    assert flow.heightForWidth(110) == 3 * 20 + 2 * 4
    assert flow.heightForWidth(1000) == 20
    assert (flow.count(), flow.itemAt(6)) == (6, None)


def test_a_toast_goes_by_itself_and_reports_its_action(qtbot: QtBot) -> None:
    room = QWidget()
    room.resize(400, 300)
    qtbot.addWidget(room)
    with qtbot.waitExposed(room):
        room.show()
    toast = Toast(room)
    toast.findChildren(QTimer)[0].setInterval(20)

    toast.say("Chat deleted", action="Undo")
    shown = toast.isVisible()
    with qtbot.waitSignal(toast.acted):
        toast.findChildren(QPushButton)[0].click()
    toast.say("Saved")
    qtbot.waitUntil(lambda: not toast.isVisible())

    assert shown
