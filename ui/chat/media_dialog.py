"""A picture that was put into a message, opened from its chip: looked at, or taken out (U14)."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ui.chat.pastes import Paste
from ui.chat.words import ChatWords

_WIDTH_PX, _HEIGHT_PX = 640, 420


class MediaDialog(QDialog):
    """Ends itself.

    Signals:
        removed(): it shall go.
    """

    removed = Signal()

    def __init__(self, paste: Paste, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        figures = ChatWords(self).pasted(paste)
        self.setWindowTitle(figures)
        told = QLabel(figures)
        told.setProperty("role", "small")
        told.setTextFormat(Qt.TextFormat.PlainText)
        self.picture = QLabel()
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.picture.setMinimumSize(_WIDTH_PX, _HEIGHT_PX)
        self.picture.setAccessibleName(figures)
        remove, close = QPushButton(self.tr("Remove")), QPushButton(self.tr("Close"))
        remove.clicked.connect(self._remove)
        close.clicked.connect(self.accept)
        close.setDefault(True)
        row = QHBoxLayout()
        row.addWidget(remove)
        row.addStretch(1)
        row.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 16)
        column.setSpacing(10)
        column.addWidget(told)
        column.addWidget(self.picture, 1)
        column.addLayout(row)

    def show_bytes(self, data: bytes) -> None:
        """What the file holds; nothing is shown of what is no picture."""
        pixmap = QPixmap()
        if pixmap.loadFromData(data):
            room = self.picture.size() * self.devicePixelRatioF()
            keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            if pixmap.width() > room.width() or pixmap.height() > room.height():
                pixmap = pixmap.scaled(room, keep, smooth)
            pixmap.setDevicePixelRatio(self.devicePixelRatioF())
            self.picture.setPixmap(pixmap)

    def _remove(self) -> None:
        self.removed.emit()
        self.accept()
