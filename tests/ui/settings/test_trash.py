"""The trash: what was deleted, put back or gone for good after one question (M10, M13)."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.bootstrap.application import Application
from app.chats.library import TRASH_LIFE
from app.context.ports import Removal
from app.core.entries import Chat
from app.core.ids import ChatId
from app.core.parts import Blob
from app.settings import Paths
from app.tasks import TaskScope
from tests.strategies import chats
from tests.ui.settings.conftest import Opener, Shown, settled
from tests.ui.widgets import unnamed
from ui.kit.dialogs import ConfirmDialog
from ui.settings.trash.state import question, trash_state
from ui.settings.trash.view import TrashPage, TrashRow
from ui.settings.trash.view_model import TrashViewModel

LOG = Blob(sha256="ab" * 32, n_bytes=9, mime="text/plain", name="log")
NOW = datetime(2026, 11, 30, tzinfo=UTC)


def chat(name: str, *, days_ago: float) -> Chat:
    at = NOW - timedelta(days=days_ago)
    return Chat(id=ChatId(name), title=name, created_at=at, updated_at=at, rev=0, head=None, deleted_at=at)


@given(st.lists(chats), st.datetimes(datetime(1971, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001
def test_all_that_was_deleted_is_there_the_newest_first(found: list[Chat], now: datetime) -> None:
    state = trash_state(found, now=now)

    assert sorted(item.id for item in state.chats) == sorted(item.id for item in found if item.deleted_at)
    times = [item.deleted_at for item in state.chats]
    assert times == sorted(times, reverse=True)
    for item in state.chats:
        assert (item.days_left == 0) == (item.deleted_at + TRASH_LIFE <= now)


def test_a_chat_goes_thirty_days_after_it_was_deleted() -> None:
    state = trash_state(
        [chat("new", days_ago=0), chat("old", days_ago=29.5), chat("due", days_ago=30)], now=NOW
    )

    assert [item.days_left for item in state.chats] == [30, 1, 0]


def test_the_question_names_each_chat_backup_and_kept_original_once() -> None:
    asked = trash_state([chat("a", days_ago=1), chat("b", days_ago=2)], now=NOW).chats
    removals = [
        Removal(entries=3, shared_with=(ChatId("fork"), ChatId("b")), backups=("one", "two"), kept=(LOG,)),
        Removal(entries=4, shared_with=(ChatId("fork"),), backups=("two",), kept=(LOG,)),
    ]

    told = question(asked, removals, {ChatId("fork"): "A fork"})

    assert (told.n_messages, told.shared_with, told.backups) == (7, ("A fork",), ("one", "two"))
    assert told.n_kept == 1


# ---- the page


async def opened_trash(opened: Opener) -> Shown:
    shown = await opened("trash")
    await shown.models.trash.wait()
    return shown


def rows(page: TrashPage) -> list[TrashRow]:
    found = (item.widget() for at in range(page.chats.count()) if (item := page.chats.itemAt(at)))
    return [row for row in found if isinstance(row, TrashRow)]


def asking(page: TrashPage) -> ConfirmDialog:
    (dialog,) = page.findChildren(ConfirmDialog)
    return dialog


def words(part: TrashPage | ConfirmDialog) -> str:
    return " ".join(label.text() for label in part.findChildren(QLabel) if not label.isHidden())


async def test_the_question_says_what_stays_since_it_is_kept_for_ever(opened: Opener) -> None:
    """C26, M13."""
    shown = await opened_trash(opened)
    page = shown.view.trash
    removals = [Removal(entries=3, shared_with=(), backups=(), kept=(LOG,))]

    shown.models.trash.asked.emit(question(shown.models.trash.state.chats[:1], removals, {}))

    assert "that you keep for ever stay." in words(asking(page))


async def test_a_chat_is_put_back_with_one_press(opened: Opener) -> None:
    shown = await opened_trash(opened)
    page = shown.view.trash
    assert len(rows(page)) == 3

    rows(page)[1].restore_button.click()
    await shown.models.trash.wait()

    assert [chat.title for chat in shown.models.trash.state.chats] == ["One", ""]
    assert len(rows(page)) == 2


async def test_nothing_goes_before_the_question_is_answered_with_its_verb(opened: Opener) -> None:
    shown = await opened_trash(opened)
    page = shown.view.trash

    rows(page)[0].delete_button.click()
    await shown.models.trash.wait()
    dialog = asking(page)
    told = words(dialog)
    default = [button.text() for button in dialog.findChildren(QPushButton) if button.isDefault()]
    dialog.reject()
    await shown.models.trash.wait()

    assert "Delete “One” for good?" in told
    assert "42" in told
    assert "daily-2026-11-28.sqlite3" in told
    assert default == ["Cancel"]
    assert len(rows(page)) == 3


async def test_the_whole_trash_goes_after_one_question_and_says_that_it_is_empty(opened: Opener) -> None:
    shown = await opened_trash(opened)
    page = shown.view.trash

    assert len(rows(page)) == 3
    page.empty_button.click()
    await shown.models.trash.wait()
    asking(page).accept()
    await shown.models.trash.wait()

    assert shown.models.trash.state.chats == ()
    assert "The trash is empty." in words(page)
    assert page.empty_button.isHidden()


async def test_the_keyboard_stays_in_the_list_when_a_chat_leaves_it(opened: Opener) -> None:
    shown = await opened_trash(opened)
    rows(shown.view.trash)[1].restore_button.setFocus()

    rows(shown.view.trash)[1].restore_button.click()
    await shown.models.trash.wait()
    await settled()

    assert QApplication.focusWidget() is rows(shown.view.trash)[0].restore_button


async def test_everything_on_the_page_has_a_name_of_its_own(opened: Opener) -> None:
    shown = await opened_trash(opened)
    page = shown.view.trash

    names = [button.accessibleName() for button in page.findChildren(QPushButton)]

    assert unnamed(page) == []
    assert len(set(names)) == len(names)
    assert "Put back Two" in names
    assert "Delete New chat for good" in names


async def test_a_chat_of_a_real_folder_is_put_back_or_gone_from_the_disk(
    qtbot: QtBot, tmp_path: Path
) -> None:
    """M13: with the long text that lies in the vault."""
    app = await Application.open(Paths(data=tmp_path))
    await app.change(has_started=True, model="builtin/extractive")
    for title in ("Kept", "Gone"):
        chat_id, _ = await app.library.new_chat(title=title)
        session = await app.session(chat_id)
        await session.send(f"CANARY {title} " * 8_000)
        await session.settled()
        app.publish(await app.library.trash(chat_id))
    model = TrashViewModel(app.library, app, TaskScope())
    page = TrashPage(model)
    qtbot.addWidget(page)
    model.refresh()
    await model.wait()
    assert len(list(tmp_path.joinpath("vault").rglob("*"))) == 6

    gone, kept = sorted(rows(page), key=lambda row: "Gone" not in row.delete_button.accessibleName())
    gone.delete_button.click()
    await model.wait()
    asking(page).accept()
    await model.wait()
    rows(page)[0].restore_button.click()
    await model.wait()

    assert kept is not gone
    assert [chat.title for chat in await app.library.chats()] == ["Kept"]
    assert await app.library.chats(trash=True) == ()
    assert len([path for path in tmp_path.joinpath("vault").rglob("*") if path.is_file()]) == 1
    await app.aclose()
    assert b"CANARY Gone" not in (tmp_path / "palimpsest.sqlite3").read_bytes()
