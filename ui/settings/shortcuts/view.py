"""The page of shortcuts: every command with its keys, and new ones for the chosen one."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QTableWidget,
    QTableWidgetItem,
)

from ui.kit.theme import Theme
from ui.settings.fields import FieldsPage
from ui.settings.rows import FieldRow, beside, button, ems, label
from ui.settings.shortcuts.state import Binding, conflicts, holder, keys_of, with_keys
from ui.settings.state import SettingsState
from ui.settings.view_model import SettingsViewModel

_KEYS_EMS, _TABLE_EMS, _EDIT_EMS = 11, 24, 10


class ShortcutsPage(FieldsPage):
    def __init__(self, bindings: Sequence[Binding], model: SettingsViewModel, theme: Theme) -> None:
        super().__init__("shortcuts", model, theme)
        self._bindings = tuple(bindings)
        self._wanted = ""
        """Keys that were pressed and are another command's."""
        self.also = self.tr("keyboard, keys, hotkeys")
        self.set_title(
            self.tr("Shortcuts"), self.tr("Choose a command, then press the keys that it shall have.")
        )
        self.table = self._build_table()
        self.column.addWidget(self.table)
        self.keys = QKeySequenceEdit()
        self.keys.setMaximumSequenceLength(1)
        for part in (self.keys, *self.keys.findChildren(QLineEdit)):
            part.setAccessibleName(self.tr("New keys"))
        self.keys.setFixedWidth(ems(self, _EDIT_EMS))
        self.none_button = button(self.tr("None"))
        self.first_button = button(self.tr("As at first"))
        self.take_button = button(self.tr("Take them from it"), "link")
        self.warning = label("", "warning", wraps=True)
        self.add_field(
            "shortcuts",
            FieldRow(self.tr("Key combination"), beside(self.keys, self.none_button, self.first_button)),
        )
        self.column.addWidget(self.warning)
        self.column.addWidget(self.take_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.keys.keySequenceChanged.connect(self._press)
        self.none_button.clicked.connect(self._take_away)
        self.first_button.clicked.connect(self._give_back)
        self.take_button.clicked.connect(self._take)
        self.table.currentCellChanged.connect(self._choose)
        theme.changed.connect(self._fit)
        self.finish()
        self.table.setCurrentCell(0, 0)

    @property
    def chosen(self) -> Binding:
        return self._bindings[max(self.table.currentRow(), 0)]

    def draw(self, state: SettingsState) -> None:
        super().draw(state)
        own = state.settings.shortcuts
        shared = conflicts(self._bindings, own)
        for row, each in enumerate(self._bindings):
            other = shared.get(each.id)
            also = self.tr("also: {command}").format(command=other.title) if other else ""
            said = _native(keys_of(each, own))
            self.table.setItem(row, 1, QTableWidgetItem(f"{said} ({also})" if also else said))
        self._draw_chosen()
        self._fit()

    def show_found(self, text: str) -> bool:
        words = [f"{each.title} {each.section}".casefold() for each in self._bindings]
        found = [all(word in said for word in text.split()) for said in words]
        for row, is_found in enumerate(found):
            self.table.setRowHidden(row, any(found) and not is_found)
        self._fit()
        return super().show_found(text) or any(found)

    # -- building

    def _build_table(self) -> QTableWidget:
        table = QTableWidget(len(self._bindings), 2)
        table.setHorizontalHeaderLabels((self.tr("Command"), self.tr("Key combination")))
        table.setAccessibleName(self.tr("Shortcuts"))
        table.horizontalHeader().setAccessibleName(self.tr("Columns"))
        table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        table.horizontalHeader().setHighlightSections(False)
        table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        table.verticalHeader().hide()
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        for row, each in enumerate(self._bindings):
            title = QTableWidgetItem(each.title)
            title.setToolTip(each.section)
            table.setItem(row, 0, title)
        return table

    def _fit(self) -> None:
        self.table.setColumnWidth(1, ems(self, _KEYS_EMS))
        shown = sum(not self.table.isRowHidden(row) for row in range(self.table.rowCount()))
        rows_px = shown * self.table.verticalHeader().defaultSectionSize()
        header_px = self.table.horizontalHeader().sizeHint().height()
        self.table.setFixedHeight(min(ems(self, _TABLE_EMS), header_px + rows_px + 2))

    # -- the chosen one

    def _choose(self) -> None:
        self._wanted = ""
        self._draw_chosen()

    def _draw_chosen(self) -> None:
        chosen, own = self.chosen, self._model.state.settings.shortcuts
        keys = keys_of(chosen, own)
        with QSignalBlocker(self.keys):  # drawing a state must not save it
            self.keys.setKeySequence(QKeySequence.fromString(self._wanted or keys.partition("; ")[0]))
        self.keys.setEnabled(not chosen.is_fixed)
        self.none_button.setEnabled(bool(keys) and not chosen.is_fixed)
        self.first_button.setEnabled(keys != chosen.keys)
        other = holder(self._bindings, own, self._wanted, but=chosen.id) if self._wanted else None
        if chosen.is_fixed:
            self.warning.setText(self.tr("These keys stay: questions name them."))
        elif other:
            said = _native(self._wanted)
            self.warning.setText(
                self.tr("{keys} belong to “{command}”.").format(keys=said, command=other.title)
            )
        self.warning.setVisible(chosen.is_fixed or other is not None)
        self.take_button.setVisible(other is not None and not other.is_fixed)

    def _press(self, pressed: QKeySequence) -> None:
        keys = pressed.toString(QKeySequence.SequenceFormat.PortableText)
        own = self._model.state.settings.shortcuts
        self._wanted = ""
        if not keys or keys == keys_of(self.chosen, own):
            return
        if holder(self._bindings, own, keys, but=self.chosen.id):
            self._wanted = keys
            self._draw_chosen()
        else:
            self._give(keys)

    def _take(self) -> None:
        wanted, self._wanted = self._wanted, ""
        self._give(wanted)

    def _take_away(self) -> None:
        self._give("")

    def _give_back(self) -> None:
        self._give(None)

    def _give(self, keys: str | None) -> None:
        own = self._model.state.settings.shortcuts
        self._model.change("shortcuts", {**with_keys(self._bindings, own, self.chosen.id, keys)})


def _native(keys: str) -> str:
    found = QKeySequence.listFromString(keys) if keys else []
    return ", ".join(each.toString(QKeySequence.SequenceFormat.NativeText) for each in found)
