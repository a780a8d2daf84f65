"""Going back to a backup: asked for in the settings, or offered where the database can't be read (Q18).

Nothing may have the database open meanwhile, so this only asks; `ui.main` ends what runs, restores, and begins anew.
"""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, QObject, Signal
from PySide6.QtWidgets import QDialog, QWidget

from app.store.errors import StoreDamaged
from ui.kit.dialogs import ConfirmDialog
from ui.settings.storage.state import BackupFile


class Restoring(QObject):
    """Signals:
    chosen(Path): the backup to go back to; the person said yes.
    """

    chosen = Signal(object)

    def __init__(self, window: QWidget, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window

    def ask(self, backup: BackupFile) -> ConfirmDialog:
        return self._ask(
            backup.path,
            title=self.tr("Restore the backup of {when}?").format(when=_when(backup.path)),
            text=self.tr(
                "The chats will be as they were then. What was said since is not in them any more: the present "
                "database is set aside in the data folder, and nothing of it is deleted."
            ),
            detail=self.tr("Chats that were deleted for good stay deleted. Answers that are under way end."),
        )

    def offer(self, damaged: StoreDamaged) -> ConfirmDialog | None:
        """Returns: None where there is no backup to offer."""
        if not damaged.backups:
            return None
        newest = damaged.backups[0]
        return self._ask(
            newest,
            title=self.tr("The database of the chats is damaged"),
            text=self.tr(
                "There is a backup of {when}. Restore it? The damaged file is kept beside it."
            ).format(when=_when(newest)),
            detail=self.tr("Older backups are listed in the settings, under Data."),
        )

    def _ask(self, backup: Path, *, title: str, text: str, detail: str) -> ConfirmDialog:
        dialog = ConfirmDialog(
            self._window, title=title, text=text, detail=detail, verb=self.tr("Restore"), is_danger=True
        )
        dialog.finished.connect(partial(self._answer, backup))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def _answer(self, backup: Path, code: int) -> None:
        if code == QDialog.DialogCode.Accepted:
            self.chosen.emit(backup)


def _when(path: Path) -> str:
    made_at = QDateTime.fromSecsSinceEpoch(round(path.stat().st_mtime))
    return QLocale().toString(made_at, QLocale.FormatType.ShortFormat)
