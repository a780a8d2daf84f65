"""The cards of the preview: what happens, the facts that were checked, what is spared, whether it is worth it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.chats.previewing import Preview
from ui.folding.words import PreviewWords
from ui.kit.controls import Card

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class Table(QWidget):
    """Rows of texts in columns, a line below each; drawn as often as one likes."""

    def __init__(self, *, n_columns: int, n_figures: int, has_lines: bool = True) -> None:
        """Args: `n_figures`: so many of the last columns are figures, which end at the right."""
        super().__init__()
        self._n_columns, self._n_figures, self._has_lines = n_columns, n_figures, has_lines
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(5)
        self._cells: list[list[QWidget]] = []

    def draw(self, rows: Sequence[Sequence[tuple[str, str]]]) -> None:
        """Args: `rows`: cells as (text, role of the label)."""
        while len(self._cells) < len(rows):
            self._add_row()
        for at, cells in enumerate(self._cells):
            for widget in cells:
                widget.setVisible(at < len(rows))
            for label, (text, role) in zip(cells, rows[at] if at < len(rows) else (), strict=False):
                assert isinstance(label, QLabel)
                label.setText(text)
                if label.property("role") != role:
                    label.setProperty("role", role)
                    label.style().polish(label)

    def _add_row(self) -> None:
        row = 2 * len(self._cells)
        cells: list[QWidget] = []
        for column in range(self._n_columns):
            label = QLabel()
            label.setTextFormat(Qt.TextFormat.PlainText)
            is_figure = column >= self._n_columns - self._n_figures
            label.setWordWrap(not is_figure)
            self._grid.setColumnStretch(column, 0 if is_figure else 3 - column)
            self._grid.addWidget(label, row, column)
            if is_figure:
                label.setAlignment(_RIGHT)
            cells.append(label)
        if self._has_lines:
            line = QFrame()
            line.setProperty("role", "line")
            self._grid.addWidget(line, row + 1, 0, 1, self._n_columns)
            cells.append(line)
        self._cells.append(cells)


class HappeningCard(Card):
    """What happens, row by row, and what stays."""

    def __init__(self, words: PreviewWords) -> None:
        super().__init__()
        self._words = words
        self._table = Table(n_columns=4, n_figures=2)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 12)
        column.addWidget(self._table)
        column.addStretch()

    def draw(self, preview: Preview) -> None:
        words = self._words
        head = (self.tr("What happens"), "", self.tr("Messages"), self.tr("Tokens freed"))
        rows = [[(text, "small") for text in head]]
        told: list[str] = []
        for row in preview.fates:
            what, stays = words.fate(row)
            n, freed = self.locale().toString(row.n_messages), words.tokens(row.tokens_freed)
            rows.append([(what, ""), (stays, "small"), (n, ""), (freed, "")])
            told.append(f"{what}: {stays}; {head[2]} {n}; {head[3]} {freed}")
        self._table.draw(rows)
        self.setAccessibleName(head[0])
        self.setAccessibleDescription(". ".join(told))


class FactsCard(Card):
    """The facts that were checked, and where each of them can be had (C36)."""

    def __init__(self, words: PreviewWords) -> None:
        super().__init__()
        self._words = words
        self._title = QLabel()
        self._title.setProperty("role", "heading")
        self.list = QListWidget()
        self.list.setUniformItemSizes(False)
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 12)
        column.addWidget(self._title)
        column.addWidget(self.list, 1)

    def draw(self, preview: Preview) -> None:
        self._title.setText(self.tr("Facts that were said, and where they can be read afterwards"))
        self.list.setAccessibleName(self._title.text())
        self.list.clear()
        for checked in preview.receipt.checked:
            what, where = self._words.fact(checked)
            sign = "✓" if checked.is_reachable else "✗"
            self.list.addItem(QListWidgetItem(f"{sign} {what}\n     {where}"))
        if self.list.count():
            self.list.setCurrentRow(0)


class SparedCard(Card):
    def __init__(self, words: PreviewWords) -> None:
        super().__init__()
        self._words = words
        self._title, self._lines = QLabel(), Table(n_columns=1, n_figures=0, has_lines=False)
        self._title.setProperty("role", "heading")
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(6)
        column.addWidget(self._title)
        column.addWidget(self._lines)

    def draw(self, preview: Preview) -> None:
        self._title.setText(self.tr("Never touched"))
        lines = self._words.spared(preview.spared, preview)
        self._lines.draw([[(line, "")] for line in lines])
        self.setAccessibleName(self._title.text())
        self.setAccessibleDescription("; ".join(lines))


class WorthCard(Card):
    """What it costs, saves and when it pays back; the facts, which open as a list.

    Signals:
        facts_asked(bool): the list shall be shown, or not any more.
    """

    facts_asked = Signal(bool)

    def __init__(self, words: PreviewWords) -> None:
        super().__init__()
        self._words = words
        self._title, self._name = QLabel(), QLabel()
        self._title.setProperty("role", "heading")
        self._name.setProperty("role", "small")
        self._table = Table(n_columns=2, n_figures=1, has_lines=False)
        self.facts = QPushButton()
        self.facts.setProperty("role", "link")
        self.facts.setCheckable(True)
        self.facts.toggled.connect(self.facts_asked)
        below = QGridLayout()
        below.setContentsMargins(0, 0, 0, 0)
        below.addWidget(self._name, 0, 0)
        below.addWidget(self.facts, 0, 1, _RIGHT)
        below.setColumnStretch(0, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 10)
        column.setSpacing(6)
        column.addWidget(self._title)
        column.addWidget(self._table)
        column.addLayout(below)

    def draw(self, preview: Preview) -> None:
        self._title.setText(self.tr("Is it worth it?"))
        rows = self._words.costs(preview)
        self._table.draw([[(name, "small"), (value, "")] for name, value in rows])
        receipt = preview.receipt
        self._name.setText(self.tr("Facts checked, still reachable"))
        told = self._words.facts(receipt, is_bound=preview.summing is not None)
        self.facts.setText(told)
        self.facts.setAccessibleName(f"{self._name.text()}: {told}")
        self.facts.setToolTip(self.tr("Show them, and where each can be read"))
        for widget in (self._name, self.facts):
            widget.setVisible(receipt.total > 0)
        self.setAccessibleName(self._title.text())
        self.setAccessibleDescription("; ".join(f"{name}: {value}" for name, value in rows))
