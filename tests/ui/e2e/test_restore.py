"""Going back to a backup in the window (U21), and a database that can't be read (Q18)."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPushButton
from qasync import QEventLoop

import ui.main
from app.bootstrap.application import Application
from app.settings import Paths
from app.store import backups
from app.store.backups import back_up
from tests.ui.e2e.conftest import Person
from ui.kit.dialogs import ConfirmDialog
from ui.settings.storage.view import StoragePage
from ui.shell.notices import Notices
from ui.shell.workbench import Workbench

Work = Callable[[list[Person]], Awaitable[None]]


@pytest.fixture
def windows(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Work], None]:
    """Start the program, let a person work in whichever window is the last, close that, wait for the end."""
    built: list[Person] = []
    build = ui.main.build

    def keep(qt: QApplication, paths: Paths, notices: Notices) -> Workbench:
        built.append(Person(build(qt, paths, notices)))
        return built[-1].workbench

    monkeypatch.setattr(ui.main, "build", keep)

    async def whole(work: Work) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(ui.main.run(qapp, Paths(data=tmp_path), Notices("test")))
            await asyncio.sleep(0)
            try:
                await work(built)
            finally:
                built[-1].workbench.window.close()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        built[-1].workbench.window.deleteLater()

    def run(work: Work) -> None:
        with asyncio.Runner(loop_factory=lambda: QEventLoop(qapp)) as runner:
            runner.run(whole(work))

    return run


async def _prepare(paths: Paths) -> None:
    """A chat that is in the backup, and one that came later."""
    application = await Application.open(paths)
    await application.library.new_chat(title="Before")
    back_up(paths, "daily", "2026-11-28")
    await application.library.new_chat(title="After")
    await application.change(has_started=True)
    await application.aclose()


async def _titles(person: Person) -> set[str]:
    await person.until(lambda: "Before" in repr(person.workbench.sidebar_model.state.rows))
    return {chat.title for chat in await person.workbench.application.library.chats()}


def _aside(folder: Path) -> list[Path]:
    return list(folder.glob("damaged-*.sqlite3"))


def _buttons(person: Person) -> list[QPushButton]:
    return [
        button
        for page in person.workbench.window.findChildren(StoragePage)
        for button in page.restore_buttons
    ]


async def _dialog(person: Person) -> ConfirmDialog:
    def dialogs() -> list[ConfirmDialog]:
        return [
            dialog for dialog in person.workbench.window.findChildren(ConfirmDialog) if dialog.isVisible()
        ]

    await person.until(dialogs)
    return dialogs()[0]


def test_a_backup_that_is_chosen_in_the_settings_is_what_the_next_window_shows(
    windows: Callable[[Work], None], tmp_path: Path
) -> None:
    """The present database is set aside, and nothing of it is deleted."""
    paths = Paths(data=tmp_path)
    asyncio.run(_prepare(paths))

    async def work(built: list[Person]) -> None:
        (person,) = built
        assert await _titles(person) >= {"Before", "After"}
        person.workbench.open_settings("data")
        await person.until(lambda: _buttons(person))
        _buttons(person)[0].click()
        (await _dialog(person)).accept()
        await person.until(lambda: len(built) == 2)

        titles = await _titles(built[1])
        assert "Before" in titles
        assert "After" not in titles
        assert _aside(tmp_path)

    windows(work)


def test_a_damaged_database_offers_its_newest_backup_and_is_kept(
    windows: Callable[[Work], None], tmp_path: Path
) -> None:
    """Q18; case B70: a chat opened blank, and nobody said why."""
    paths = Paths(data=tmp_path)
    asyncio.run(_prepare(paths))
    spoiled = paths.database.read_bytes()[:-4096] + b"\xff" * 64
    paths.database.write_bytes(spoiled)
    for suffix in ("-wal", "-shm"):
        Path(f"{paths.database}{suffix}").unlink(missing_ok=True)

    async def work(built: list[Person]) -> None:
        dialog = await _dialog(built[0])
        assert "damaged" in dialog.windowTitle()
        dialog.accept()
        await built[0].until(lambda: len(built) == 2)

        assert "Before" in await _titles(built[1])
        (aside,) = _aside(tmp_path)
        assert aside.read_bytes() == spoiled

    windows(work)
    assert backups.backups(paths)
