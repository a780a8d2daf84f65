"""The health panel on the screen (U5): what it says, in which words, and what can be done from it."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.context.budget import Category
from tests.ui.widgets import unnamed
from ui.health.panel.cards import ValueCard
from ui.health.panel.samples import BEGUN, LONG, STATES, panel
from ui.health.panel.state import PanelState
from ui.health.panel.view import SessionHealthPanel
from ui.health.state import RingState, with_arriving
from ui.kit.showcase import Stage

ENGLISH = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
WORDS = {"inactive", "healthy", "warning", "critical"}


@pytest.fixture
def shown(stage: Stage, qtbot: QtBot) -> SessionHealthPanel:
    found = panel(stage, LONG)
    qtbot.addWidget(found)
    found.setLocale(ENGLISH)
    found.retranslate()
    found.resize(328, 900)
    found.show()
    return found


def said(card: ValueCard) -> dict[str, str]:
    return {row.name: row.value for row in card.rows}


def cards(found: SessionHealthPanel) -> tuple[ValueCard, ...]:
    return found.compaction, found.pruning, found.cache


def test_every_value_of_the_three_cards_is_told_by_its_formula(shown: SessionHealthPanel) -> None:
    compaction, pruning, cache = map(said, cards(shown))

    assert compaction["Runs · last"] == "3 · 12 min ago"
    assert compaction["Saved (net)"] == "214.6K (209.9K)"
    assert compaction["Efficiency"] == "88.1 %"
    assert compaction["Read again"] == "2 · 1.4 %"
    assert compaction["Facts kept"] == "41 of 41, 37 directly"
    assert pruning["Return on pruning"] == "× 18.5"
    assert pruning["Restore cost"] == "4.9 %"
    assert pruning["Deferred"] == "2 in focus · 3 newest"
    assert cache["Hit rate"] == "93.2 %"
    assert cache["Next probe"] == "in 0:02"
    assert cache["Input · cached"] == "2.3M · 2.2M"


def test_five_lines_stand_first_and_the_rest_under_more(shown: SessionHealthPanel) -> None:
    for card in cards(shown):
        before = sum(not label.isHidden() for label in card.findChildren(QLabel))

        QTest.mouseClick(card.more, Qt.MouseButton.LeftButton)

        after = sum(not label.isHidden() for label in card.findChildren(QLabel))
        assert len(card.rows) > 5
        assert after - before == 2 * (len(card.rows) - 5)


@pytest.mark.parametrize("name", STATES)
def test_badges_say_one_of_four_words_and_every_value_says_what_it_means(
    stage: Stage, qtbot: QtBot, name: str
) -> None:
    found = panel(stage, STATES[name])
    qtbot.addWidget(found)

    for card in cards(found):
        assert card.badge in WORDS
        assert all(row.tip and row.value for row in card.rows)
    assert unnamed(found) == []


def test_what_fills_the_window_adds_up_to_it(shown: SessionHealthPanel) -> None:
    """Trap: a breakdown that does not add up to the total."""
    ring = LONG.ring

    assert sum(tokens for _, tokens in ring.composition) == ring.used_tokens
    assert ring.free_tokens is not None
    assert ring.used_tokens + ring.free_tokens == ring.window_tokens


def test_where_nothing_happened_yet_it_is_said_what_will_stand_there(stage: Stage, qtbot: QtBot) -> None:
    found = panel(stage, BEGUN)
    qtbot.addWidget(found)
    words = " ".join(label.text() for label in found.findChildren(QLabel) if not label.isHidden())

    assert "Nothing was compressed in this chat yet" in words
    assert "Nothing was shortened yet" in words
    assert "Each compression will stand here" in words
    assert "will be drawn here" in words


def test_a_compression_is_undone_from_the_timeline_but_not_while_something_runs(
    shown: SessionHealthPanel,
) -> None:
    """Trap: a one-way door."""
    asked = list[str]()
    shown.undo_asked.connect(asked.append)

    QTest.mouseClick(shown.timeline.undo_buttons[0], Qt.MouseButton.LeftButton)
    shown.draw(replace(LONG, is_busy=True))
    QTest.mouseClick(shown.timeline.undo_buttons[0], Qt.MouseButton.LeftButton)

    assert asked == ["c3"]


def test_compress_is_offered_where_the_window_is_unknown_or_a_third_full(stage: Stage, qtbot: QtBot) -> None:
    """Trap: an invented window (U4)."""
    found = SessionHealthPanel(stage.theme)
    qtbot.addWidget(found)
    for use, is_shown in ((None, True), (0.29, False), (0.3, True)):
        window = None if use is None else 1_000
        found.draw(PanelState(ring=RingState(use=use, used_tokens=300, window_tokens=window)))

        assert found.head.compress.isHidden() is not is_shown


def test_the_last_request_is_exact_and_the_projection_says_when_it_is_an_estimate(
    shown: SessionHealthPanel,
) -> None:
    exact = [label.text() for label in shown.head.findChildren(QLabel)]
    shown.draw(replace(LONG, ring=replace(LONG.ring, is_estimate=True)))
    estimated = [label.text() for label in shown.head.findChildren(QLabel)]

    assert any("Last request: 146,812" in text for text in exact)
    assert any(text == "<b>152.1K</b> of 200K" for text in exact)
    assert any(text == "<b>≈ 152.1K</b> of 200K" for text in estimated)


def test_the_plot_is_read_by_keys_and_told_in_words(shown: SessionHealthPanel) -> None:
    plot = shown.plots.plot
    assert plot

    QTest.keyClick(plot, Qt.Key.Key_Left)
    last = shown.plots.told.text()
    QTest.keyClick(plot, Qt.Key.Key_Left)

    assert last == "Turn 31: 144,600 tokens"
    assert shown.plots.told.text() == "Turn 30: 137,200 tokens"
    assert plot.accessibleDescription() == shown.plots.told.text()


def test_each_tab_draws_its_plot(shown: SessionHealthPanel) -> None:
    plot = shown.plots.plot
    assert plot
    for tab in ("wait", "money", "tokens"):
        shown.plots.tabs.chosen.emit(tab)

        assert plot.drawing.plot == tab
        assert plot.drawing.xs


def test_what_arrives_of_an_answer_is_part_of_the_next_request() -> None:
    """U3: live while streaming; the rows still add up."""
    state = RingState(
        use=0.5, used_tokens=500, window_tokens=1_000, composition=((Category.YOU, 500),), health="healthy"
    )

    found = with_arriving(state, 300)

    assert (found.use, found.used_tokens, found.health, found.is_estimate) == (0.8, 800, "warning", True)
    assert sum(tokens for _, tokens in found.composition) == 800
