"""What stands below a sub-agent's chat in place of the composer: that it is there to be read, and Stop (U13)."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton

from ui.chat.state import ChatState


class CalledBar(QFrame):
    """Signals:
    stopped(): it shall end, and it alone.
    """

    stopped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "composer")
        self.told = QLabel(wordWrap=True)
        self.told.setProperty("role", "small")
        self.stop = QPushButton()
        self.stop.clicked.connect(self.stopped)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 10, 12, 10)
        row.addWidget(self.told, 1)
        row.addWidget(self.stop)
        self.retranslate()
        self.hide()

    def draw(self, state: ChatState) -> None:
        self.setVisible(state.caller is not None)
        self.stop.setVisible(state.live is not None)

    def retranslate(self) -> None:
        self.told.setText(
            self.tr(
                "A sub-agent's own chat: it has its task from another chat, and hands its result over there."
            )
        )
        self.stop.setText(self.tr("Stop"))
        self.stop.setAccessibleName(self.tr("Stop this sub-agent"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
