"""A card of values: five lines, the rest under "more"; each says what it means and in which unit."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ui.health.state import Health
from ui.health.words import HealthWords
from ui.kit.controls import Badge, Card
from ui.kit.items import Tone
from ui.kit.links import plain_tip
from ui.kit.theme import Theme

N_LINES = 5
_VALUE_PX = 118


class Row(NamedTuple):
    name: str
    value: str
    tip: str
    """What it means, and its unit."""


class RateBar(QWidget):
    """A share as a bar, 0 to 1."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._share, self._health = theme, 0.0, "healthy"
        self.setFixedHeight(round(theme.px(6)))

    def draw(self, share: float) -> None:
        self._share, self._health = min(max(share, 0.0), 1.0), "healthy" if share >= 0.5 else "warning"
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        area, painter = QRectF(self.rect()), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        radius = area.height() / 2
        painter.setBrush(self._theme.tokens.track)
        painter.drawRoundedRect(area, radius, radius)
        painter.setBrush(self._theme.color(self._health))
        painter.drawRoundedRect(QRectF(0, 0, area.width() * self._share, area.height()), radius, radius)
        painter.end()


class ValueCard(Card):
    """
    Signals:
        opened(bool): "more" was pressed: the rest is shown now, or no longer.
    """

    opened = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = HealthWords(self)
        self._rows: Sequence[Row] = ()
        self._labels: list[tuple[QLabel, QLabel]] = []
        self.is_open = False
        self._title, self._badge = QLabel(), Badge(theme)
        self._title.setProperty("role", "heading")
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._badge)
        self.bar = RateBar(theme)
        self.bar.hide()
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(5)
        self._grid.setColumnStretch(1, 1)
        self._empty = QLabel()
        self._empty.setProperty("role", "small")
        self._empty.setWordWrap(True)
        self.more = QPushButton()
        self.more.setProperty("role", "link")
        self.more.clicked.connect(self._toggle)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 10)
        column.setSpacing(7)
        column.addLayout(head)
        column.addWidget(self.bar)
        column.addWidget(self._empty)
        column.addLayout(self._grid)
        column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    @property
    def rows(self) -> Sequence[Row]:
        """As drawn, those under "more" too."""
        return self._rows

    @property
    def badge(self) -> str:
        return self._badge.text()

    def draw(self, title: str, health: Health, rows: Sequence[Row], *, empty: str = "") -> None:
        """Args: `empty`: what will appear here, where there is nothing yet."""
        self._rows = rows
        self._title.setText(title)
        self._badge.set(self._words.health(health), Tone.PLAIN if health == "inactive" else Tone(health))
        self._empty.setText(empty)
        self._empty.setVisible(bool(empty))
        n_first = 0 if empty else N_LINES
        shown = rows if self.is_open else rows[:n_first]
        while len(self._labels) < len(shown):
            self._add_row()
        for at, (name, value) in enumerate(self._labels):
            is_shown = at < len(shown)
            if is_shown:
                row = shown[at]
                name.setText(row.name)
                value.setText(row.value)
                for label in (name, value):
                    label.setToolTip(plain_tip(row.tip))
            name.setVisible(is_shown)
            value.setVisible(is_shown)
        self.more.setVisible(len(rows) > n_first)
        self.more.setText(self.tr("less") if self.is_open else self.tr("more"))
        self.more.setAccessibleName(f"{title}: {self.more.text()}")
        self.setAccessibleName(title)
        told = "; ".join(f"{row.name}: {row.value} ({row.tip})" for row in shown) or empty
        self.setAccessibleDescription(f"{self._badge.text()}; {told}")

    def _toggle(self) -> None:
        self.is_open = not self.is_open
        self.opened.emit(self.is_open)

    def _add_row(self) -> None:
        name, value = QLabel(), QLabel()
        name.setProperty("role", "small")
        name.setWordWrap(True)
        value.setProperty("role", "value")
        value.setTextFormat(Qt.TextFormat.PlainText)  # names of tools are data
        value.setWordWrap(True)
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        value.setMinimumWidth(round(self._theme.px(_VALUE_PX)))
        at = len(self._labels)
        self._grid.addWidget(name, at, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(value, at, 1)
        self._labels.append((name, value))
