"""The sidebar as a person uses it: by mouse, by keyboard alone, by screen reader."""
# A test may look inside.
# pyright: reportPrivateUsage=false

from time import process_time

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from app.core.entries import Chat
from app.core.ids import ChatId
from tests.ui.widgets import unnamed
from ui.kit.inputs import LineInput
from ui.kit.showcase import Stage
from ui.sidebar.list_model import Role
from ui.sidebar.samples import CHATS, Wishes, chat, sample_view
from ui.sidebar.view import SidebarView

FLAKY = ChatId("Flaky e2e on CI")


@pytest.fixture
def view(stage: Stage, qtbot: QtBot) -> SidebarView:
    view = sample_view(stage)
    qtbot.addWidget(view)
    view.resize(256, 700)
    view.show()
    qtbot.waitExposed(view)
    view.activateWindow()
    return view


@pytest.fixture
def wishes(view: SidebarView) -> Wishes:
    wishes = view._model.intentions
    assert isinstance(wishes, Wishes)
    return wishes


def go_to(view: SidebarView, chat_id: ChatId) -> None:
    view.list.setFocus()
    view.list.setCurrentIndex(view._rows.row_of(chat_id))


def shown(view: SidebarView) -> list[str]:
    rows = range(view._rows.rowCount())
    return [str(view._rows.index(n).data(Role.ID)) for n in rows if view._rows.index(n).data(Role.ID)]


def editor_of(view: SidebarView) -> LineInput:
    (editor,) = view.list.viewport().findChildren(LineInput)
    return editor


def action(menu: QMenu, text: str) -> QAction:
    return next(item for item in menu.actions() if item.text() == text)


def test_a_click_opens_a_chat(view: SidebarView, wishes: Wishes) -> None:
    at = view.list.visualRect(view._rows.row_of(FLAKY)).center()

    QTest.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=at)

    assert wishes.opened == [FLAKY]


def test_arrows_and_enter_open_a_chat(view: SidebarView, wishes: Wishes) -> None:
    go_to(view, FLAKY)

    QTest.keyClick(view.list, Qt.Key.Key_Down)
    QTest.keyClick(view.list, Qt.Key.Key_Return)

    assert wishes.opened == ["Trip to Kyoto"]


def test_arrows_pass_over_headings(view: SidebarView, wishes: Wishes) -> None:
    go_to(view, FLAKY)

    QTest.keyClick(view.list, Qt.Key.Key_Up)
    QTest.keyClick(view.list, Qt.Key.Key_Return)

    assert wishes.opened == ["Which indexes does the nightly job need?"]


def test_typing_in_the_search_filters_at_once_and_enter_opens_the_first(
    view: SidebarView, wishes: Wishes
) -> None:
    view.focus_search()

    QTest.keyClicks(view._search, "kyo")
    assert shown(view) == ["Trip to Kyoto"]
    QTest.keyClick(view._search, Qt.Key.Key_Return)

    assert wishes.opened == ["Trip to Kyoto"]


def test_escape_ends_the_search_and_shows_every_chat(view: SidebarView) -> None:
    view.focus_search()
    QTest.keyClicks(view._search, "kyo")

    QTest.keyClick(view._search, Qt.Key.Key_Escape)

    assert len(shown(view)) == len(CHATS)
    assert not view._search.isVisible()
    assert view.focusWidget() is view.list


def test_a_search_that_finds_nothing_says_so(view: SidebarView) -> None:
    view.focus_search()

    QTest.keyClicks(view._search, "zebra")

    assert view._empty.text() == "No title holds “zebra”."
    assert view._empty.isVisible()


@pytest.fixture
def renamed(view: SidebarView, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What the view model was asked to rename."""
    asked = list[tuple[str, str]]()

    def hear(chat_id: str, title: str) -> None:
        asked.append((chat_id, title))

    monkeypatch.setattr(view._model, "rename", hear)
    return asked


def test_f2_renames_in_place(view: SidebarView, renamed: list[tuple[str, str]], qtbot: QtBot) -> None:
    go_to(view, FLAKY)

    QTest.keyClick(view.list, Qt.Key.Key_F2)
    editor = editor_of(view)
    assert editor.selectedText() == FLAKY
    QTest.keyClicks(editor, "Calm e2e")
    QTest.keyClick(editor, Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: renamed == [(FLAKY, "Calm e2e")])


def test_escape_leaves_a_title_as_it_was(view: SidebarView, renamed: list[tuple[str, str]]) -> None:
    go_to(view, FLAKY)
    QTest.keyClick(view.list, Qt.Key.Key_F2)

    QTest.keyClicks(editor_of(view), "Calm")
    QTest.keyClick(editor_of(view), Qt.Key.Key_Escape)

    assert renamed == []


def test_an_input_methods_enter_does_not_end_renaming(
    view: SidebarView, renamed: list[tuple[str, str]], qtbot: QtBot
) -> None:
    """Case B60."""
    go_to(view, FLAKY)
    QTest.keyClick(view.list, Qt.Key.Key_F2)
    editor = editor_of(view)
    QApplication.sendEvent(editor, QInputMethodEvent("ni", []))

    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.wait(20)  # Qt would end it in the next turn of its loop

    assert renamed == []
    assert editor.isVisible()


def test_a_change_of_the_list_does_not_end_renaming(view: SidebarView, qtbot: QtBot) -> None:
    go_to(view, FLAKY)
    QTest.keyClick(view.list, Qt.Key.Key_F2)
    editor = editor_of(view)
    QTest.keyClicks(editor, "Calm")

    view._model.show((*CHATS, chat("from another window")))
    assert editor.text() == "Calm"
    QTest.keyClick(editor, Qt.Key.Key_Escape)

    qtbot.waitUntil(lambda: "from another window" in shown(view))


def test_delete_puts_the_chat_under_the_keyboard_into_the_trash(
    view: SidebarView, monkeypatch: pytest.MonkeyPatch
) -> None:
    trashed = list[str]()
    monkeypatch.setattr(view._model, "trash", trashed.append)
    go_to(view, FLAKY)

    QTest.keyClick(view.list, Qt.Key.Key_Delete)

    assert trashed == [FLAKY]


@pytest.mark.parametrize(
    ("text", "deed"),
    [("Pin", "pin"), ("Duplicate", "duplicate"), ("Delete", "trash")],
)
def test_the_menu_does_what_it_says(
    view: SidebarView, monkeypatch: pytest.MonkeyPatch, text: str, deed: str
) -> None:
    asked = list[object]()

    def hear(chat_id: str, **more: bool) -> None:
        asked.append((chat_id, more))

    monkeypatch.setattr(view._model, deed, hear)

    action(view.menu_of(view._rows.row_of(FLAKY)), text).trigger()

    assert asked == [(FLAKY, {"is_pinned": True} if deed == "pin" else {})]


def test_the_keyboard_opens_the_menu_of_its_chat(view: SidebarView) -> None:
    go_to(view, FLAKY)

    QTest.keyClick(view.list, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)

    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert [item.text() for item in menu.actions() if item.text()] == [
        "Rename",
        "Pin",
        "Duplicate",
        "Export…",
        "Delete",
    ]
    menu.close()


def test_the_open_chat_stands_out_and_stays_so_while_others_come(view: SidebarView) -> None:
    view._model.set_current(FLAKY)

    view._model.show((*CHATS, chat("newest")))

    assert view._delegate.current == FLAKY
    assert view.list.currentIndex().data(Role.ID) == FLAKY


def test_every_control_has_a_name(view: SidebarView) -> None:
    """U2: screen-reader names on every control."""
    assert unnamed(view) == []


def test_a_change_of_language_asks_for_every_text_again(view: SidebarView) -> None:
    view._new.setText("")

    QApplication.sendEvent(view, QEvent(QEvent.Type.LanguageChange))

    assert view._new.text() == "New chat"


def test_5000_chats_are_on_the_screen_in_twice_the_time_that_making_them_takes(view: SidebarView) -> None:
    """35 ms where a machine has nothing else to do; in its own measure, since how fast it is changes from hour to hour."""
    took: list[float] = []
    chats: tuple[Chat, ...] = ()

    for _ in range(5):
        view._model.show(())
        began_s = process_time()
        chats = tuple(chat(f"Chat {n}", n / 50, 0.5) for n in range(5000))
        made_s = process_time() - began_s
        began_s = process_time()
        view._model.show(chats)
        view.grab()
        took.append((process_time() - began_s) / made_s)

    assert len(shown(view)) == 5000
    assert min(took) < 2
