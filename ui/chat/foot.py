"""What stands below the messages: the composer with the line above it, or why there is nothing to write into."""

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from ui.chat.called_bar import CalledBar
from ui.chat.composer import Composer
from ui.chat.room_bar import RoomBar
from ui.chat.state import ChatState
from ui.kit.icons import Icons
from ui.kit.theme import Theme

_COLUMN_PX = 760


class Foot(QWidget):
    def __init__(self, theme: Theme, icons: Icons, ring: QWidget) -> None:
        super().__init__()
        self._theme = theme
        self.room = RoomBar()
        self.composer = Composer(theme, icons, ring)
        self.called = CalledBar()
        self.composer.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self._column = QWidget()
        parts = QVBoxLayout(self._column)
        parts.setContentsMargins(0, 0, 0, 0)
        parts.setSpacing(0)
        for part in (self.room, self.composer, self.called):
            parts.addWidget(part)
        self._row = QHBoxLayout(self)
        self._row.addStretch(1)
        self._row.addWidget(self._column, 100)
        self._row.addStretch(1)
        self._bar_px = 0
        self._stand()
        self.composer.enlarged.connect(self._stand)
        theme.changed.connect(self._restyle)
        self._restyle()

    def draw(self, state: ChatState) -> None:
        is_called = state.caller is not None
        self.room.draw(None if is_called or state.compressing is not None else state.room)
        self.composer.draw(state)
        self.composer.setVisible(not is_called)
        self.called.draw(state)

    def make_room(self, bar_px: int) -> None:
        """Stand below the column of text, which leaves so much to the scroll bar."""
        self._bar_px = bar_px
        self._stand()

    def _stand(self) -> None:
        """Below the messages, or below the header where one writes over them."""
        above_px = 16 if self.composer.input.is_large else 0
        self._row.setContentsMargins(24, above_px, 24 + self._bar_px, 16)

    def _restyle(self) -> None:
        self._column.setMaximumWidth(round(self._theme.px(_COLUMN_PX)))
