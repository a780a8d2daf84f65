"""What fills the window, as rows that add up (U5)."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from ui.health.state import RingState
from ui.kit.bands import BANDS, CategoryWords, Swatch, in_order
from ui.kit.figures import compact
from ui.kit.theme import Theme


class CompositionRows(QWidget):
    """A row per category that holds anything; drawn as often as the draft changes.

    Args:
        has_free: The last row says what is left, so that the rows add up to the window.
    """

    def __init__(self, theme: Theme, *, has_free: bool = False) -> None:
        super().__init__()
        self._words = CategoryWords(self)
        self._has_free = has_free
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._rows = {name: self._row(theme, at, BANDS[name]) for at, name in enumerate(BANDS)}
        self._free = self._row(theme, len(BANDS), "track")

    def draw(self, state: RingState) -> None:
        held, locale = dict(in_order(state.composition)), self.locale()
        for name, row in self._rows.items():
            _show(row, self._words.name(name), compact(held.get(name, 0), locale), is_shown=name in held)
        free = state.free_tokens if self._has_free else None
        _show(self._free, self.tr("Free"), compact(free or 0, locale), is_shown=free is not None)

    def _row(self, theme: Theme, at: int, color: str) -> tuple[QWidget, QLabel, QLabel]:
        row = Swatch(theme, color), QLabel(), QLabel()
        for column, widget in enumerate(row):
            self._grid.addWidget(widget, at, column)
        row[2].setAlignment(Qt.AlignmentFlag.AlignRight)
        return row


def _show(row: tuple[QWidget, QLabel, QLabel], name: str, figure: str, *, is_shown: bool) -> None:
    row[1].setText(name)
    row[2].setText(figure)
    for widget in row:
        widget.setVisible(is_shown)
