"""A bar above the conversation while something long goes on: what it is, how far it is, and Cancel."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QPushButton, QWidget

from ui.kit.controls import ElidedLabel

_TICK_MS = 100
_STEPS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    text: str
    share: float
    """0…1."""


class WorkBar(QFrame):
    """Hidden until `follow`, and again after `done`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "banner")
        self.label = ElidedLabel()
        self.progress = QProgressBar()
        self.progress.setRange(0, _STEPS)
        self.progress.setTextVisible(False)
        self.progress.setFixedWidth(160)
        self.cancel = QPushButton()
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 6, 10, 6)
        row.setSpacing(12)
        row.addWidget(self.label, 1)
        row.addWidget(self.progress)
        row.addWidget(self.cancel)
        self._look: Callable[[], Progress] | None = None
        self._stop: Callable[[], None] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._draw)
        self.cancel.clicked.connect(self._on_cancel)
        self.hide()

    def follow(self, look: Callable[[], Progress], stop: Callable[[], None]) -> None:
        """Args: `stop`: ends it at the next opportunity; called once at most."""
        self._look, self._stop = look, stop
        self.cancel.setText(self.tr("Cancel"))
        self.cancel.setEnabled(True)
        self.progress.setAccessibleName(self.tr("Progress"))
        self._draw()
        self._timer.start()
        self.show()

    def done(self) -> None:
        self._timer.stop()
        self._look = self._stop = None
        self.hide()

    def _draw(self) -> None:
        if self._look:
            found = self._look()
            self.label.setText(found.text)
            self.progress.setValue(round(found.share * _STEPS))

    def _on_cancel(self) -> None:
        if self._stop:
            stop, self._stop = self._stop, None
            self.cancel.setEnabled(False)
            stop()
