"""The window: what it remembers, what it says, how it ends."""
# A test may look inside.
# pyright: reportPrivateUsage=false

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.core.errors import Action, StoreError
from app.providers.errors import Fault, to_error
from app.settings import Endpoint
from tests.ui.widgets import unnamed
from ui.kit.showcase import Stage
from ui.shell.commands import commands
from ui.shell.layout import WindowLayout
from ui.shell.notices import Notice, say
from ui.shell.window import MINIMUM, MainWindow

KEY_WRONG = say(
    to_error(
        Fault(code="key_wrong", detail="401 invalid x-api-key"),
        endpoint=Endpoint(id="a", kind="anthropic", name="Anthropic"),
        model="m",
    )
)


class Saved(list[WindowLayout]):
    """What the window asked to store."""


@pytest.fixture
def saved() -> Saved:
    return Saved()


@pytest.fixture
def window(stage: Stage, qtbot: QtBot, saved: Saved) -> MainWindow:
    return open_window(stage, qtbot, saved, WindowLayout(width=1200, height=800))


def open_window(stage: Stage, qtbot: QtBot, saved: Saved, layout: WindowLayout) -> MainWindow:
    window = MainWindow(stage.theme, stage.icons, layout=layout, save=saved.append)
    window.set_commands(commands({"sidebar": window.toggle_sidebar, "new_chat": print}))
    window.set_sidebar(QLabel("chats"))
    window.set_panel(QLabel("panel"))
    window.add_page("chat", QLabel("chat"))
    window.add_page("settings", QLabel("settings"))
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    window.resize(layout.width, layout.height)  # the offscreen screen is a small one
    return window


def button(window: MainWindow, text: str) -> QPushButton:
    return next(each for each in window._notice_bar.findChildren(QPushButton) if each.text() == text)


def drop(window: MainWindow, *paths: str) -> list[list[Path]]:
    """Drag files over the window and let go; what it then asked to import."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(path) for path in paths])
    asked = list[list[Path]]()
    window.files_dropped.connect(asked.append)
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(9, 9), copy, mime, left, none)
    QApplication.sendEvent(window, enter)
    if enter.isAccepted():
        QApplication.sendEvent(window, QDropEvent(QPointF(9, 9), copy, mime, left, none))
    return asked


def test_a_window_comes_back_as_it_was_closed(stage: Stage, qtbot: QtBot, saved: Saved) -> None:
    """U24: window state restored."""
    window = open_window(stage, qtbot, saved, WindowLayout(width=1200, height=800))
    window.toggle_sidebar()
    window.resize(780, 600)
    window.close()

    again = MainWindow(stage.theme, stage.icons, layout=saved[-1], save=saved.append)
    qtbot.addWidget(again)
    again.set_sidebar(QLabel("chats"))

    assert (again.width(), again.height()) == (780, 600)
    again.show()
    again.resize(1200, 600)
    assert not again._sidebar.isVisible()  # pyright: ignore[reportOptionalMemberAccess]  # set above
    assert again._rail.isVisible()


def test_a_dragged_edge_is_kept(window: MainWindow, saved: Saved) -> None:
    window._splitter.setSizes([310, 900, 0])
    window._splitter.splitterMoved.emit(310, 1)
    window.close()

    assert saved[-1].sidebar_px == 310


def test_nothing_is_stored_that_did_not_change(window: MainWindow, saved: Saved) -> None:
    window.close()
    n_saved = len(saved)

    window.close()

    assert len(saved) == n_saved


def test_at_twice_the_size_a_window_counts_as_half_as_wide(window: MainWindow, stage: Stage) -> None:
    """U24: the list stood beside a page that ran out at the right."""
    assert window._sidebar
    was_visible = window._sidebar.isVisible()

    stage.theme.set_zoom(200)
    is_visible = window._sidebar.isVisible()
    stage.theme.set_zoom(100)

    assert (was_visible, is_visible, window._sidebar.isVisible()) == (True, False, True)


def test_a_narrow_window_shows_the_rail_instead_of_the_chats(window: MainWindow) -> None:
    """U1."""
    window.resize(860, 700)

    assert window._rail.isVisible()
    assert not window._sidebar.isVisible()  # pyright: ignore[reportOptionalMemberAccess]  # set above
    window.resize(1200, 700)
    assert not window._rail.isVisible()


def test_the_smallest_window_still_holds_everything(window: MainWindow) -> None:
    window.resize(10, 10)
    window.toggle_sidebar()

    assert (window.width(), window.height()) == (MINIMUM.width(), MINIMUM.height())


def test_the_panel_is_hidden_until_it_is_asked_for(window: MainWindow) -> None:
    assert not window._panel.isVisible()  # pyright: ignore[reportOptionalMemberAccess]  # set above

    window.toggle_panel()

    assert window._panel.isVisible()  # pyright: ignore[reportOptionalMemberAccess]  # set above


def test_closing_hides_the_window_and_leaves_the_ending_to_the_program(
    window: MainWindow, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(window.closing):
        window.close()

    assert not window.isVisible()


def test_pages_are_shown_by_name(window: MainWindow) -> None:
    window.show_page("settings")

    assert window.page == "settings"


def test_the_title_names_the_chat(window: MainWindow) -> None:
    window.set_title("Trip to Kyoto")

    assert window.windowTitle() == "Trip to Kyoto — Palimpsest"


def test_export_files_dropped_on_the_window_are_imported(window: MainWindow) -> None:
    assert drop(window, "/x/conversations.json", "/x/export.ZIP", "/x/photo.png") == [
        [Path("/x/conversations.json"), Path("/x/export.ZIP")]
    ]
    assert not window._drop.isVisible()


def test_other_files_are_not_taken(window: MainWindow) -> None:
    assert drop(window, "/x/photo.png") == []


def test_a_notice_stands_above_the_page_with_its_buttons(window: MainWindow) -> None:
    window.tell(KEY_WRONG)
    acted = list[tuple[Notice, str]]()
    window.acted.connect(lambda notice, action: acted.append((notice, action)))  # pyright: ignore[reportUnknownArgumentType, reportUnknownLambdaType]  # a test's ear

    button(window, "Provider settings").click()

    assert acted == [(KEY_WRONG, Action.SETTINGS)]
    assert not window._notice_bar.isVisible()


def test_the_same_notice_twice_is_one(window: MainWindow) -> None:
    window.tell(KEY_WRONG)
    first = button(window, "Try again")

    window.tell(KEY_WRONG)

    assert button(window, "Try again") is first


def test_details_are_shown_when_asked_for_and_copied_by_one_press(window: MainWindow) -> None:
    window.tell(KEY_WRONG)
    assert not window._notice_bar._detail.isVisible()

    button(window, "Details").click()
    button(window, "Copy details").click()

    assert window._notice_bar._detail.isVisible()
    assert QGuiApplication.clipboard().text() == "401 invalid x-api-key"


def test_a_notice_is_closed_by_its_button(window: MainWindow) -> None:
    window.tell(say(StoreError("Full.")))

    window._notice_bar._close.click()

    assert window._notice_bar.notice is None


def test_undo_of_a_toast_is_done_once(window: MainWindow) -> None:
    done = list[str]()
    window.say("Deleted", action="Undo", run=lambda: done.append("undo"))

    window._toast.acted.emit()
    window._toast.acted.emit()

    assert done == ["undo"]


def test_a_size_that_is_not_the_first_one_can_be_reset(window: MainWindow) -> None:
    """U23: zoom."""
    done = list[str]()
    window.zoomed(110, lambda: done.append("reset"))

    window._toast.acted.emit()

    assert done == ["reset"]


def test_being_offline_is_said_while_it_lasts(window: MainWindow) -> None:
    """U17."""
    window.set_offline(is_offline=True)
    assert window._offline_bar.isVisible()

    window.set_offline(is_offline=False)

    assert not window._offline_bar.isVisible()


def test_every_control_has_a_name(window: MainWindow) -> None:
    window.tell(KEY_WRONG)
    window.say("Deleted", action="Undo")
    window.toggle_sidebar()

    assert unnamed(window) == []
