"""The page of data: where it lies, how large it is, which backups there are."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, Qt
from PySide6.QtWidgets import QLabel

from ui.kit.controls import ElidedLabel
from ui.kit.inputs import LineInput
from ui.settings.rows import FieldRow, Page, beside, button, keep_room, label
from ui.settings.state import SettingsState
from ui.settings.storage.state import BackupFile, StorageState
from ui.settings.storage.view_model import StorageViewModel
from ui.settings.view_model import SettingsViewModel
from ui.settings.words import ProblemWords

_FOLDER_EMS = 20


class StoragePage(Page):
    """`open_folder` shows a folder in the system's file manager."""

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
        self.sizes, self.backups = _selectable(), _selectable()
        self.open_button = button(self.tr("Open folder"))
        self.open_button.clicked.connect(self._open)
        self.add_row(FieldRow(self.tr("Folder"), beside(self.folder, self.open_button)))
        self.add_row(FieldRow(self.tr("Size"), self.sizes, hint=self.tr("Database and vault")))
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

    def draw(self, state: StorageState) -> None:
        locale = self.locale()
        self.folder.setText(str(state.folder))
        keep_room(self.folder, _FOLDER_EMS)
        self.sizes.setText(
            self.tr("{database} database · {vault} vault").format(
                database=locale.formattedDataSize(state.database_bytes),
                vault=locale.formattedDataSize(state.vault_bytes),
            )
        )
        lines = [_line(backup, locale) for backup in state.backups]
        self.backups.setText("\n".join(lines) or self.tr("None yet"))

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


def _line(backup: BackupFile, locale: QLocale) -> str:
    made_at = QDateTime.fromSecsSinceEpoch(round(backup.made_at.timestamp()))
    when = locale.toString(made_at, QLocale.FormatType.ShortFormat)
    return f"{when} · {locale.formattedDataSize(backup.n_bytes)} · {backup.name}"


def _selectable() -> QLabel:
    shown = label()
    shown.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return shown
