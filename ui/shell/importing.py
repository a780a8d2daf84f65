"""Files and folders that are imported: progress with Cancel while it goes on, then what became of each."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.bootstrap.application import Application
from app.chats.importing import Import, Outcome
from app.core.ids import ChatId
from app.core.records import Changes
from app.tasks import TaskScope
from ui.kit.coalesced import Coalesced
from ui.shell.sentences import ImportWords
from ui.shell.window import MainWindow
from ui.shell.work_bar import Progress, WorkBar

_PUBLISH_MS = 500
"""Chats that come in show at most so often: each time the list is read anew."""
_FEW_FAULTS = 3
_REPORT_PX = 560, 360


class Importing(QObject):
    """Args:
    opened: Shows a chat that came in.
    """

    def __init__(
        self,
        app: Application,
        window: MainWindow,
        bar: WorkBar,
        tasks: TaskScope,
        *,
        opened: Callable[[ChatId], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._app, self._window, self._bar, self._tasks = app, window, bar, tasks
        self._opened = opened
        self._arrived = Changes()
        self._later = Coalesced(self._publish, interval_ms=_PUBLISH_MS, max_ms=_PUBLISH_MS, parent=self)

    def ask_for_files(self) -> None:
        dialog = QFileDialog(self._window, self.tr("Import chats"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        endings = "*.zip *.json *.jsonl *.ndjson *.md *.markdown *.txt *.yaml *.yml *.traj"
        dialog.setNameFilters(
            [self.tr("Conversations ({endings})").format(endings=endings), self.tr("All files (*)")]
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(self._import_named)
        dialog.open()

    def import_files(self, paths: Iterable[Path], *, takes_known: bool = False) -> None:
        """One import at a time: another one waits for none, it ends the first."""
        self._tasks.start("import", self._import(tuple(paths), takes_known=takes_known))

    def _import_named(self, names: list[str]) -> None:
        self.import_files(map(Path, names))

    async def _import(self, paths: tuple[Path, ...], *, takes_known: bool) -> None:
        under_way = Import(takes_known=takes_known, told=self._take)
        self._bar.follow(partial(self._progress, under_way), under_way.stop)
        try:
            outcomes, _ = await self._app.library.import_files(paths, under_way)
        finally:
            self._bar.done()
            self._later.flush()
        self._tell(paths, outcomes)
        chats = [chat for outcome in outcomes for chat in outcome.chats]
        known = [chat for outcome in outcomes for chat in outcome.known]
        if len(chats) == 1 or (not chats and len(known) == 1):
            self._opened(*(chats or known))

    def _progress(self, under_way: Import) -> Progress:
        text = self.tr("Importing {file}").format(file=under_way.file)
        if under_way.n_chats:
            text += " · " + self.tr("%n chat(s)", "", under_way.n_chats)
        return Progress(text=text, share=under_way.share)

    def _take(self, changes: Changes) -> None:
        self._arrived |= changes
        self._later.request()

    def _publish(self) -> None:
        arrived, self._arrived = self._arrived, Changes()
        self._app.publish(arrived)

    def _tell(self, paths: tuple[Path, ...], outcomes: tuple[Outcome, ...]) -> None:
        words = ImportWords()
        n_faults = sum(len(outcome.faults) + outcome.n_left_out for outcome in outcomes)
        if n_faults > _FEW_FAULTS or sum(bool(outcome.error) for outcome in outcomes) > 1:
            report = ImportReport(outcomes, self._window)
            report.open()
            return
        said = " ".join(map(words.say, outcomes))
        if any(outcome.known for outcome in outcomes) and not any(outcome.chats for outcome in outcomes):
            again = partial(self.import_files, paths, takes_known=True)
            self._window.say(said, action=self.tr("Import again"), run=again)
        else:
            self._window.say(said)


class ImportReport(QDialog):
    """What became of an import in which there is more to tell than fits into a line."""

    def __init__(self, outcomes: Iterable[Outcome], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Import"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*_REPORT_PX)
        words = ImportWords()
        outcomes = tuple(outcomes)
        title = QLabel(self.tr("%n chat(s) imported", "", sum(len(outcome.chats) for outcome in outcomes)))
        title.setProperty("role", "title")
        self.text = QPlainTextEdit("\n\n".join("\n".join(words.lines(outcome)) for outcome in outcomes))
        self.text.setReadOnly(True)
        self.text.setAccessibleName(self.tr("What became of the files"))
        self.text.setTabChangesFocus(True)
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addStretch()
        foot.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 20, 22, 18)
        column.setSpacing(10)
        column.addWidget(title)
        column.addWidget(self.text, 1)
        column.addLayout(foot)
        close.setFocus()
