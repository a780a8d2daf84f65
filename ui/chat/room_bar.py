"""The line above the composer: what the next turn will fold, and the two ways to have room now (U4)."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.core.errors import Action
from ui.chat.ahead import Ahead, RoomAhead
from ui.kit.controls import ElidedLabel
from ui.kit.figures import compact, window_share


class RoomBar(QWidget):
    """
    Signals:
        pressed(str): one of its two buttons, by action id.
    """

    pressed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._room: RoomAhead | None = None
        self.told = ElidedLabel()
        self.told.setProperty("role", "small")
        self.compress, self.fork = QPushButton(), QPushButton()
        self.compress.clicked.connect(lambda: self.pressed.emit(Action.COMPRESS))
        self.fork.clicked.connect(lambda: self.pressed.emit(Action.FORK))
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 12, 4)
        row.setSpacing(10)
        row.addWidget(self.told, 1)
        for button in (self.compress, self.fork):
            button.setProperty("role", "link")
            row.addWidget(button)
        self.retranslate()
        self.hide()

    def draw(self, room: RoomAhead | None) -> None:
        if room == self._room:
            return
        self._room = room
        self.setVisible(room is not None)
        if room:
            self.told.setText(self._words(room))
            self.told.setAccessibleName(self.told.text())

    def _words(self, room: RoomAhead) -> str:
        tokens = compact(room.folds_tokens, self.locale())
        match room.kind:
            case Ahead.FOLDS:
                return self.tr("Next turn folds ≈ {n}").format(n=tokens)
            case Ahead.WAITS:
                return self.tr("≈ {n} could be folded; that waits until it pays").format(n=tokens)
            case Ahead.FULL:
                return self.tr("{n}% of the window is used, and nothing will be folded by itself").format(
                    n=window_share(room.use)
                )

    def retranslate(self) -> None:
        self.compress.setText(self.tr("Compress now"))
        self.fork.setText(self.tr("Fork"))
        self.fork.setAccessibleName(self.tr("Fork: go on in a new chat"))
        if room := self._room:
            self._room = None
            self.draw(room)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
