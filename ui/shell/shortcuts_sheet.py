"""The list of shortcuts (Ctrl+/), made from the commands themselves."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ui.shell.commands import Command, Section, said, shown_keys

_COLUMN_PX = 280
_AROUND_PX = 120
"""What of the window's height the sheet leaves: its own title and edges, and the window's."""


class _Sheet(QScrollArea):
    """As large as what it shows, up to the window's height; then it scrolls, by arrow keys too."""

    def __init__(self, held: QWidget, *, most_px: int) -> None:
        """`most_px`: 0: as high as it likes."""
        super().__init__()
        self.setWidget(held)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        size = held.sizeHint()
        scrolls = 0 < most_px < size.height()
        bar_px = self.verticalScrollBar().sizeHint().width() if scrolls else 0
        self.setFixedSize(size.width() + bar_px, most_px if scrolls else size.height())


class ShortcutsSheet(QDialog):
    """Two columns of sections; Escape closes it, and nothing waits for it."""

    def __init__(self, commands: Iterable[Command], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Shortcuts"))
        self._listed = tuple(command for command in commands if command.shortcut)
        columns = QHBoxLayout()
        columns.setSpacing(36)
        sections = [section for section in Section if self._of(section)]
        for half in (sections[0::2], sections[1::2]):
            column = QVBoxLayout()
            for section in half:
                column.addLayout(self._section(section))
            column.addStretch(1)
            columns.addLayout(column)
        head = QLabel(self.tr("Shortcuts"))
        head.setProperty("role", "title")
        held = QWidget()
        columns.setContentsMargins(0, 0, 10, 0)
        held.setLayout(columns)
        self.area = _Sheet(held, most_px=parent.height() - _AROUND_PX if parent else 0)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(24, 20, 24, 20)
        whole.setSpacing(14)
        whole.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)
        whole.addWidget(head)
        whole.addWidget(self.area)

    def _of(self, section: Section) -> list[Command]:
        return [command for command in self._listed if command.section is section]

    def _section(self, section: Section) -> QGridLayout:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 12)
        grid.setVerticalSpacing(9)  # else that of the layout around it
        grid.setColumnMinimumWidth(0, _COLUMN_PX - 90)
        caption = QLabel(said(section).upper())
        caption.setProperty("role", "section")
        grid.addWidget(caption, 0, 0)
        for row, command in enumerate(self._of(section), start=1):
            name, key = QLabel(said(command.title)), QLabel(shown_keys(command))
            key.setProperty("role", "small")
            key.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            name.setBuddy(key)
            grid.addWidget(name, row, 0)
            grid.addWidget(key, row, 1)
        return grid
