"""The compressions of a chat, newest first, each with the way back."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.core.ids import CompactionId
from app.health.log import Made
from ui.health.panel.cards import N_LINES
from ui.health.panel.state import PanelState
from ui.health.panel.timeline_words import TimelineWords
from ui.kit.controls import Card
from ui.kit.links import plain_tip
from ui.kit.theme import Theme

_Row = tuple[QLabel, QPushButton]


class TimelineCard(Card):
    """
    Signals:
        undo_asked(str): the compression of this id shall be taken back.
    """

    undo_asked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = TimelineWords(self)
        self._state = PanelState()
        self._is_open = False
        self._title, self._empty = QLabel(), QLabel()
        self._title.setProperty("role", "heading")
        self._empty.setProperty("role", "small")
        self._empty.setWordWrap(True)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(0, 1)
        self._rows: list[_Row] = []
        self._ids: list[CompactionId] = []
        self.more = QPushButton()
        self.more.setProperty("role", "link")
        self.more.clicked.connect(self._toggle)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 10)
        column.setSpacing(7)
        for part in (self._title, self._empty):
            column.addWidget(part)
        column.addLayout(self._grid)
        column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)

    @property
    def undo_buttons(self) -> list[QPushButton]:
        """Of the lines that are shown, from the newest."""
        return [button for _, button in self._rows if not button.isHidden()]

    def draw(self, state: PanelState) -> None:
        self._state = state
        made = tuple(reversed(state.facts.timeline)) if state.facts else ()
        shown = made if self._is_open else made[:N_LINES]
        self._title.setText(self._words.title())
        self._empty.setText(self._words.empty())
        self._empty.setVisible(not made)
        while len(self._rows) < len(shown):
            self._add_row()
        self._ids = [item.id for item in shown]
        for at, row in enumerate(self._rows):
            self._draw_row(row, shown[at : at + 1])
        self.more.setVisible(len(made) > N_LINES)
        self.more.setText(self.tr("less") if self._is_open else self.tr("more"))
        self.more.setAccessibleName(f"{self._title.text()}: {self.more.text()}")

    def _draw_row(self, row: _Row, made: Sequence[Made]) -> None:
        label, button = row
        label.setVisible(bool(made))
        button.setVisible(bool(made) and not made[0].is_undone)
        if made and self._state.now:
            told = self._words.line(made[0], self._state.now, self.locale())
            label.setText(told)
            label.setToolTip(plain_tip(self._words.tip(made[0], self.locale())))
            button.setText(self.tr("Undo"))
            button.setAccessibleName(self.tr("Undo: {told}").format(told=told.replace("\n", " · ")))
            button.setEnabled(not self._state.is_busy)

    def _add_row(self) -> None:
        label, button = QLabel(), QPushButton()
        label.setProperty("role", "small")
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        button.setProperty("role", "link")
        at = len(self._rows)
        button.clicked.connect(partial(self._undo, at))
        self._grid.addWidget(label, at, 0)
        self._grid.addWidget(button, at, 1, Qt.AlignmentFlag.AlignTop)
        self._rows.append((label, button))

    def _undo(self, at: int) -> None:
        self.undo_asked.emit(self._ids[at])

    def _toggle(self) -> None:
        self._is_open = not self._is_open
        self.draw(self._state)
