"""What an empty chat shows: a line of welcome, and a few beginnings to start from."""

from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ui.kit.theme import Theme

_WIDTH_PX = 560
_N_STARTERS = 4


class Greeting(QWidget):
    """
    Signals:
        chosen(str): the beginning of a message, for the composer.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._welcome = QLabel()
        self._welcome.setProperty("role", "display")
        self._welcome.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._promise = QLabel()
        self._promise.setProperty("role", "muted")
        self._promise.setAlignment(Qt.AlignmentFlag.AlignCenter)
        for label in (self._welcome, self._promise):
            label.setWordWrap(True)
        self._starters = [QPushButton() for _ in range(_N_STARTERS)]
        grid = QGridLayout()
        grid.setSpacing(10)
        for at, button in enumerate(self._starters):
            button.setProperty("role", "starter")
            button.clicked.connect(partial(self._choose, at))
            grid.addWidget(button, at // 2, at % 2)
        self._middle = QWidget()
        column = QVBoxLayout(self._middle)
        column.setSpacing(8)
        column.addWidget(self._welcome)
        column.addWidget(self._promise)
        column.addSpacing(18)
        column.addLayout(grid)
        layout = QVBoxLayout(self)
        layout.addStretch(2)
        layout.addWidget(self._middle, alignment=Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.retranslate()

    def retranslate(self) -> None:
        self._welcome.setText(self.tr("What shall we work on?"))
        self._promise.setText(self.tr("This chat may grow as long as it needs to: every word is kept."))
        for button, (title, _) in zip(self._starters, self._beginnings(), strict=True):
            button.setText(title)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()

    def _beginnings(self) -> tuple[tuple[str, str], ...]:
        """What a button says, and what it writes."""
        return (
            (self.tr("Explain code"), self.tr("Explain step by step what this code does:\n\n")),
            (self.tr("Improve a text"), self.tr("Make this text clearer, and say what you changed:\n\n")),
            (self.tr("Plan a project"), self.tr("Help me plan this. Ask first what you need to know:\n\n")),
            (self.tr("Weigh a choice"), self.tr("Compare these options and recommend one:\n\n")),
        )

    def _choose(self, at: int) -> None:
        self.chosen.emit(self._beginnings()[at][1])

    def _restyle(self) -> None:
        self._middle.setFixedWidth(round(self._theme.px(_WIDTH_PX)))
