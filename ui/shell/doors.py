"""What goes in and out of the window: files that are imported or saved, addresses and folders that are opened."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from app.bootstrap.application import Application
from app.core.errors import AppError
from app.core.ids import ChatId
from app.tasks import TaskScope
from ui.kit.dialogs import confirmed, finished
from ui.kit.links import Verdict, judge
from ui.shell.archiving import Archiving
from ui.shell.importing import Importing
from ui.shell.window import MainWindow
from ui.shell.work_bar import WorkBar

_SCHEME = "palimpsest:"
_CHAT = "palimpsest://chat/"


class Doors(QObject):
    """Args:
    opened: Shows a chat that came in.
    """

    def __init__(
        self,
        app: Application,
        window: MainWindow,
        tasks: TaskScope,
        *,
        opened: Callable[[ChatId], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._app, self._window, self._tasks = app, window, tasks
        self._opened = opened
        self.bar = WorkBar()
        window.add_bar(self.bar)
        self._importing = Importing(app, window, self.bar, tasks, opened=opened, parent=self)
        self.archiving = Archiving(app, window, self.bar, tasks, parent=self)

    def ask_for_files(self) -> None:
        self._importing.ask_for_files()

    def ask_for_archive(self) -> None:
        self.archiving.ask()

    def import_files(self, paths: list[Path]) -> None:
        self._importing.import_files(paths)

    def save_text(self, text: str) -> None:
        self._tasks.start("text", self._save_text(text))

    def open_link(self, url: str) -> None:
        """An address that a model or a tool wrote: its host is asked about once (U12)."""
        self._tasks.start("link", self._open_link(url))

    def come_in(self, named: list[str]) -> None:
        """What a start named: the window comes forward, chats are shown, files are imported (U24)."""
        self._window.come_forward()
        self._tasks.start("come in", self._come_in(named))

    async def _come_in(self, named: list[str]) -> None:
        chats = [ChatId(item.removeprefix(_CHAT).strip("/")) for item in named if item.startswith(_CHAT)]
        files = [_file(item) for item in named if not item.startswith(_SCHEME)]
        if files:
            self.import_files(files)
        if not chats:
            return
        if any(chat.id == chats[-1] for chat in await self._app.library.chats()):
            self._opened(chats[-1])
        else:
            self._window.say(self.tr("That chat is not here any more."))

    async def _save_text(self, text: str) -> None:
        dialog = QFileDialog(self._window, self.tr("Save as"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        if await finished(dialog):
            await asyncio.to_thread(_write, Path(dialog.selectedFiles()[0]), text)

    async def _open_link(self, url: str) -> None:
        decision = judge(url, self._app.settings.confirmed_hosts)
        if decision.verdict is Verdict.ASK:
            is_agreed = await confirmed(
                self._window,
                title=self.tr("Open this address?"),
                text=decision.target,
                detail=self.tr("The model or a tool wrote this link."),
                verb=self.tr("Open"),
            )
            if not is_agreed:
                return
            await self._app.change(confirmed_hosts=[*self._app.settings.confirmed_hosts, decision.host])
        if decision.verdict in (Verdict.ASK, Verdict.OPEN):
            browse(url)


def browse(url: str) -> None:
    """Open an address, as where a key is got, in the system's browser."""
    QDesktopServices.openUrl(QUrl(url))


def open_folder(path: Path | str) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def _file(named: str) -> Path:
    """Desktops name files by path or by address."""
    return Path(QUrl(named).toLocalFile() if named.startswith("file:") else named)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise AppError(f"The file {path.name!r} could not be written.", detail=str(error)) from error
