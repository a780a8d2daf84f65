"""Where the reader is: the follow latch changes by intent only, and layout never moves what is read."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.kit.heard import heard
from tests.ui.kit.transcript.conftest import Shown, chat
from ui.kit.icons import Icons
from ui.kit.items import AssistantItem, ReadingPosition, UserItem
from ui.kit.theme import Mode, Theme
from ui.kit.transcript.samples import SampleModel
from ui.kit.transcript_view import TranscriptView


def first_seen(view: TranscriptView) -> tuple[str, int]:
    """The item at the view's top, and where its top is in the viewport."""
    index = view.column.heights.index_at(view.top)
    return view.column.ids[index], round(view.column.heights.top(index)) - view.top


def wheel(view: TranscriptView, notches: int) -> None:
    event = QWheelEvent(
        QPointF(100, 100),
        QPointF(100, 100),
        QPoint(),
        QPoint(0, notches * 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)


def test_a_chat_opens_at_its_end_and_follows(shown: Shown) -> None:
    view, _ = shown(chat(60))

    assert view.is_following
    assert view.is_at_end


def test_growing_text_is_followed(shown: Shown) -> None:
    view, model = shown([*chat(10), AssistantItem(text="", is_streaming=True)])

    for n in range(1, 40):
        model.replace("10", AssistantItem(text="line\n\n" * n, is_streaming=True))
        view.update_item("10")
        view.flush()

        assert view.is_at_end


def test_a_reader_who_scrolled_up_is_never_pulled_down(shown: Shown) -> None:
    """U15, B61: 2,000 tokens stream in, and an answer above gets taller."""
    view, model = shown([*chat(200), AssistantItem(text="", is_streaming=True)])
    view.scroll_to("100")
    before = first_seen(view)

    for n in range(1, 60):
        model.replace("200", AssistantItem(text="some more words\n\n" * n, is_streaming=True))
        view.update_item("200")
        view.flush()
    model.replace("97", AssistantItem(text="an image got its size\n\n" * 30))
    view.update_item("97")
    view.flush()
    model.replace("200", AssistantItem(text="complete"))
    view.update_item("200")
    view.flush()

    assert first_seen(view) == before
    assert not view.is_following


@pytest.mark.parametrize("key", [Qt.Key.Key_PageUp, Qt.Key.Key_Home, Qt.Key.Key_Up])
def test_keys_that_go_up_stop_following(qtbot: QtBot, shown: Shown, key: Qt.Key) -> None:
    view, _ = shown(chat(60))

    told = heard(view.following_changed)

    QTest.keyClick(view, key)

    assert told == [(False,)]


def test_the_wheel_stops_following_and_starts_it_again_at_the_very_end(shown: Shown) -> None:
    view, _ = shown(chat(60))

    wheel(view, 2)
    after_up = view.is_following
    wheel(view, -1)
    half_way = view.is_following
    wheel(view, -5)

    assert (after_up, half_way, view.is_following) == (False, False, True)


def test_dragging_the_bar_stops_following(shown: Shown) -> None:
    view, _ = shown(chat(60))

    view.verticalScrollBar().setValue(100)

    assert not view.is_following
    assert view.top == 100


def test_layout_alone_never_changes_the_latch(shown: Shown, theme: Theme) -> None:
    view, model = shown(chat(60))
    view.scroll_by(-5)
    off = view.is_following
    model.replace("59", AssistantItem(text="short"))
    view.update_item("59")
    view.flush()
    view.resize(500, 900)
    theme.set_zoom(150)
    still_off = view.is_following

    view.follow()
    model.replace("59", AssistantItem(text="taller\n\n" * 50))
    view.update_item("59")
    view.flush()
    view.resize(800, 300)

    assert (off, still_off, view.is_following) == (False, False, True)
    assert view.is_at_end


def test_end_and_the_newest_button_follow_again(qtbot: QtBot, shown: Shown) -> None:
    view, model = shown(chat(60))
    QTest.keyClick(view, Qt.Key.Key_Home)
    seen = [view.newest.isVisible(), view.newest.has_news]
    model.replace("59", AssistantItem(text="new text"))
    view.update_item("59")
    view.flush()
    seen.append(view.newest.has_news)

    QTest.mouseClick(view.newest, Qt.MouseButton.LeftButton)
    QTest.keyClick(view, Qt.Key.Key_Home)
    seen.append(view.newest.has_news)
    QTest.keyClick(view, Qt.Key.Key_End)

    assert seen == [True, False, True, False]
    assert view.is_following
    assert not view.newest.isVisible()


def test_new_items_below_leave_the_reader_where_they_are(shown: Shown) -> None:
    view, model = shown(chat(60))
    view.scroll_to("30")
    before = first_seen(view)

    model.replace("new", UserItem(text="came later"))
    view.items_changed()

    assert first_seen(view) == before
    assert view.newest.has_news


def test_a_stored_position_is_restored(shown: Shown) -> None:
    """U15."""
    view, _ = shown(chat(80))
    view.scroll_to("41")
    view.scroll_by(-37)
    position, before = view.position(), first_seen(view)

    shown(chat(80))
    view.restore(position)

    assert first_seen(view) == before
    assert not view.is_following


def test_a_position_whose_item_is_gone_leads_to_the_end(shown: Shown) -> None:
    view, _ = shown(chat(20))

    view.restore(ReadingPosition(item="gone", offset_px=3, is_following=False))

    assert view.is_at_end


@given(st.lists(st.integers(-900, 900), min_size=1, max_size=12))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=25)
def test_scrolling_moves_what_is_seen_by_what_was_asked(shown: Shown, deltas: list[int]) -> None:
    """Estimates that turn out wrong above the view never make it jump."""
    view, _ = shown(chat(120))
    view.scroll_to("60")
    for delta in deltas:
        if not 900 < view.top < view.limit - 900:
            break
        item, y = first_seen(view)

        view.scroll_by(delta)

        index = view.column.index_of(item)
        assert index is not None
        assert abs(round(view.column.heights.top(index)) - view.top - (y - delta)) <= 1


def test_laying_out_ahead_does_not_move_what_is_seen(shown: Shown) -> None:
    view, _ = shown(chat(120))
    view.scroll_to("60")
    before = first_seen(view)

    for _ in range(40):
        view.lay_ahead()

    assert first_seen(view) == before


def test_a_theme_change_keeps_the_reading_position(shown: Shown, theme: Theme) -> None:
    view, _ = shown(chat(120))
    view.scroll_to("60")

    theme.set_mode(Mode.DARK)

    assert first_seen(view) == ("60", 0)


def test_alt_up_and_down_go_through_own_messages(qtbot: QtBot, shown: Shown) -> None:
    view, _ = shown(chat(60))
    view.scroll_to("31")
    seen: list[str] = []
    view.focused_changed.connect(seen.append)

    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down):
        QTest.keyClick(view, key, Qt.KeyboardModifier.AltModifier)

    assert seen == ["30", "28", "30"]
    assert first_seen(view) == ("30", 0)


def test_an_empty_chat_shows_nothing_and_fails_at_nothing(qtbot: QtBot, shown: Shown) -> None:
    view, _ = shown([])

    for key in (Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_Tab):
        QTest.keyClick(view, key)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton)
    view.select_all()

    assert view.selected_text() == ""
    assert view.position() == ReadingPosition()


def test_a_model_set_before_the_view_is_shown_opens_where_it_was_left(
    qtbot: QtBot, theme: Theme, icons: Icons
) -> None:
    view = TranscriptView(theme, icons)
    qtbot.addWidget(view)
    view.set_model(SampleModel(chat(90)), ReadingPosition(item="40", offset_px=7, is_following=False))
    view.resize(800, 600)

    with qtbot.waitExposed(view):
        view.show()

    assert first_seen(view) == ("40", -7)
