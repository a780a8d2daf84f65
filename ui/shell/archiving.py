"""All chats into one file: asked where, with progress and Cancel."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QDate, QObject, Qt
from PySide6.QtWidgets import QFileDialog

from app.bootstrap.application import Application
from app.tasks import TaskScope
from ui.shell.window import MainWindow
from ui.shell.work_bar import Progress, WorkBar


class Archiving(QObject):
    def __init__(
        self, app: Application, window: MainWindow, bar: WorkBar, tasks: TaskScope, *, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._app, self._window, self._bar, self._tasks = app, window, bar, tasks
        self._n = self._of = 0
        self._is_wanted = True

    def ask(self) -> QFileDialog:
        day = QDate.currentDate().toString(Qt.DateFormat.ISODate)
        dialog = QFileDialog(self._window, self.tr("Export all chats"), f"palimpsest-{day}", "ZIP (*.zip)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("zip")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.write)
        dialog.open()
        return dialog

    def write(self, path: str) -> None:
        self._tasks.start("archive", self._write(Path(path)))

    async def _write(self, path: Path) -> None:
        self._n = self._of = 0
        self._is_wanted = True
        self._bar.follow(partial(self._progress, path.name), self._stop)
        try:
            n = await self._app.library.export_all(path, self._watch)
        finally:
            self._bar.done()
        if self._is_wanted:
            self._window.say(self.tr("%n chat(s) saved in {file}", "", n).format(file=path.name))

    def _watch(self, n: int, of: int) -> bool:
        self._n, self._of = n, of
        return self._is_wanted

    def _stop(self) -> None:
        self._is_wanted = False

    def _progress(self, name: str) -> Progress:
        return Progress(
            text=self.tr("Writing {file}").format(file=name), share=self._n / self._of if self._of else 0.0
        )
