"""The page of data: where it lies, how large it is, chats in and out, and the backups to go back to."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ui.kit.controls import ElidedLabel
from ui.kit.inputs import LineInput
from ui.settings.rows import FieldRow, Page, beside, button, keep_room, label
from ui.settings.state import SettingsState
from ui.settings.storage.state import BackupFile, StorageState
from ui.settings.storage.view_model import StorageViewModel
from ui.settings.view_model import SettingsViewModel
from ui.settings.words import ProblemWords

_FOLDER_EMS, _BACKUP_EMS = 20, 24


class StoragePage(Page):
    """`open_folder` shows a folder in the system's file manager.

    Signals:
        import_asked(), export_asked(): chats are to come in, all of them to go out.
        restore_asked(BackupFile): the chats are to be as they were then; nobody was asked yet.
    """

    import_asked = Signal()
    export_asked = Signal()
    restore_asked = Signal(object)

    def __init__(
        self,
        model: StorageViewModel,
        settings: SettingsViewModel,
        *,
        open_folder: Callable[[Path], None],
    ) -> None:
        super().__init__()
        self._model, self._settings = model, settings
        self._problems = ProblemWords(self)
        self._shown_port: int | None = None
        self._open_folder = open_folder
        self.set_title(
            self.tr("Data"),
            self.tr("Everything lies on this computer, in one folder. Nothing is sent elsewhere."),
        )
        self.folder = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle)
        # Ignored, as it is by itself, its row would keep no room for it, and the button would stand over it.
        self.folder.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.sizes = _selectable()
        self.open_button = button(self.tr("Open folder"))
        self.open_button.clicked.connect(self._open)
        self.import_button = button(self.tr("Import chats…"))
        self.import_button.clicked.connect(self.import_asked)
        self.export_button = button(self.tr("Export all chats…"))
        self.export_button.clicked.connect(self.export_asked)
        self.add_row(FieldRow(self.tr("Folder"), beside(self.folder, self.open_button)))
        self.add_row(FieldRow(self.tr("Size"), self.sizes, hint=self.tr("Database and vault")))
        self.add_row(
            FieldRow(
                self.tr("Import"),
                self.import_button,
                hint=self.tr("Exports of ChatGPT and Claude, sessions of agents, JSON, Markdown"),
            )
        )
        self.add_row(
            FieldRow(
                self.tr("Export"),
                self.export_button,
                hint=self.tr("All chats in one ZIP, which can be imported again. No settings and no keys."),
            )
        )
        self.backups, self.none_yet = QWidget(), label(self.tr("None yet"))
        self._rows = QVBoxLayout(self.backups)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(4)
        self._rows.addWidget(self.none_yet)
        self.add_row(
            FieldRow(
                self.tr("Backups"),
                self.backups,
                hint=self.tr("Made once a day, and before each upgrade of the database"),
            )
        )
        self.port = LineInput()
        self.port.setFixedWidth(96)
        self.port_row = FieldRow(
            self.tr("Metrics port"),
            self.port,
            hint=self.tr(
                "Where Prometheus can read figures of chats, on this computer only, at /metrics; empty: nowhere"
            ),
        )
        self.port_row.undo_asked.connect(partial(settings.undo, "metrics_port"))
        self.add_row(self.port_row)
        self.column.addStretch()
        self.port.submitted.connect(self._set_port)
        self.port.editingFinished.connect(self._port_as_typed)
        settings.changed.connect(self.draw_settings)
        self.draw_settings(settings.state)
        model.changed.connect(self.draw)
        self.draw(model.state)

    @property
    def restore_buttons(self) -> list[QPushButton]:
        """One a backup, newest first."""
        return self.backups.findChildren(QPushButton)

    def draw(self, state: StorageState) -> None:
        locale = QLocale()
        self.folder.setText(str(state.folder))
        keep_room(self.folder, _FOLDER_EMS)
        self.sizes.setText(
            self.tr("{database} database · {vault} vault").format(
                database=locale.formattedDataSize(state.database_bytes),
                vault=locale.formattedDataSize(state.vault_bytes),
            )
        )
        self._draw_backups(state.backups)

    def search_words(self) -> str:
        words = self.tr("backup, restore, import, export, archive")
        return f"{self.title} {words}".casefold()

    def _draw_backups(self, backups: tuple[BackupFile, ...]) -> None:
        focused = QApplication.focusWidget()
        had_focus = focused is not None and self.backups.isAncestorOf(focused)
        while self._rows.count() > 1:
            if (item := self._rows.takeAt(1)) and (row := item.widget()):
                row.hide()  # it goes only when the loop runs
                row.setParent(None)
                row.deleteLater()
        self.none_yet.setVisible(not backups)
        for backup in backups:
            self._rows.addWidget(self._row(backup))
        if had_focus and self.restore_buttons:
            self.restore_buttons[0].setFocus()

    def _row(self, backup: BackupFile) -> QWidget:
        locale = QLocale()  # as the question does that follows
        when = said_time(backup, locale)
        why = self.tr("before an upgrade") if backup.is_upgrade else self.tr("daily")
        row = QFrame()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        words = label(f"{when} · {why} · {locale.formattedDataSize(backup.n_bytes)}", wraps=True)
        words.setToolTip(backup.name)
        keep_room(words, _BACKUP_EMS)
        restore = button(self.tr("Restore…"))
        restore.setAccessibleName(self.tr("Restore the backup of {when}").format(when=when))
        restore.clicked.connect(partial(self.restore_asked.emit, backup))
        line.addWidget(words, 1)
        line.addWidget(restore)
        return row

    def draw_settings(self, state: SettingsState) -> None:
        port, refused = state.settings.metrics_port, state.problem
        if port != self._shown_port:  # else what was typed stays, to be mended
            self._shown_port = port
            self.port.setText(str(port) if port else "")
        is_its = refused is not None and refused.field == "metrics_port"
        problem = self._problems.sentence(refused) if refused and is_its else ""
        self.port_row.draw(can_undo="metrics_port" in state.undo, problem=problem)

    def _port_as_typed(self) -> None:
        self._set_port(self.port.text())

    def _set_port(self, text: str) -> None:
        text = text.strip()
        self._settings.change("metrics_port", int(text) if text.isdecimal() else text or 0)

    def _open(self) -> None:
        self._open_folder(self._model.state.folder)


def said_time(backup: BackupFile, locale: QLocale) -> str:
    made_at = QDateTime.fromSecsSinceEpoch(round(backup.made_at.timestamp()))
    return locale.toString(made_at, QLocale.FormatType.ShortFormat)


def _selectable() -> QLabel:
    shown = label()
    shown.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return shown
