"""The card of the prompt cache: how it does, what it spared and cost, and what broke it last."""

from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.cache.warmth import Warmth
from app.health.cache import CacheCard
from ui.health.cache_words import CacheWords
from ui.health.state import HEALTH_OF
from ui.health.words import HealthWords
from ui.kit.controls import Badge, Card
from ui.kit.items import Tone
from ui.kit.theme import Theme

_VALUE_PX = 210


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheState:
    card: CacheCard
    now: datetime


class CacheCardView(Card):
    """
    Signals:
        settings_asked(): the person wants to say when it is kept warm, and what that may cost.
    """

    settings_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words, self._health = CacheWords(self), HealthWords(self)
        self._state: CacheState | None = None
        self._title = QLabel()
        self._title.setProperty("role", "heading")
        self._badge = Badge(theme)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._badge)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._labels: list[tuple[QLabel, QLabel]] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(6)
        column.addLayout(head)
        column.addLayout(self._grid)
        self.settings_button = QPushButton()
        self.settings_button.setProperty("role", "link")
        self.settings_button.clicked.connect(self.settings_asked)
        column.addWidget(self.settings_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def draw(self, state: CacheState) -> None:
        self._state = state
        rows = self._words.rows(state.card, state.now, self.locale())
        health = HEALTH_OF[state.card.health(state.now)]
        tone = Tone.PLAIN if health == "inactive" else Tone(health)
        self._title.setText(self.tr("Prompt cache"))
        self.settings_button.setText(self.tr("Keep it warm…"))
        self.settings_button.setAccessibleName(self.tr("Settings of the prompt cache"))
        self.settings_button.setVisible(state.card.warmth(state.now) is not Warmth.NONE)
        self._badge.set(self._health.health(health), tone)
        while len(self._labels) < len(rows):
            self._add_row()
        for at, (name, value) in enumerate(self._labels):
            name.setVisible(at < len(rows))
            value.setVisible(at < len(rows))
            if at < len(rows):
                name.setText(rows[at][0])
                value.setText(rows[at][1])
        self.setAccessibleName(self._title.text())
        told = "; ".join(f"{name}: {value}" for name, value in rows).replace("\n", " · ")
        self.setAccessibleDescription(f"{self._badge.text()}; {told}")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange and self._state:
            self.draw(self._state)

    def _add_row(self) -> None:
        name, value = QLabel(), QLabel()
        name.setProperty("role", "small")
        value.setTextFormat(Qt.TextFormat.PlainText)  # names of tools are data
        value.setMinimumWidth(round(self._theme.px(_VALUE_PX)))
        at = len(self._labels)
        self._grid.addWidget(name, at, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(value, at, 1)
        self._labels.append((name, value))
