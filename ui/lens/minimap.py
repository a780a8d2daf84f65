"""The next request as a small strip beside the messages: hover names a band, a click shows it in the chat (U6)."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from ui.kit.icons import Icons
from ui.kit.strip import StripView
from ui.kit.theme import Theme
from ui.lens.state import LensState

_WIDTH_PX, _EDGE_PX = 52, 6
_LEAST_PX = 1.5


class Minimap(StripView):
    """Drawn by the same state as the Lens; what of the window is free stays an empty frame below.

    Signals:
        jumped(str): a message shall be shown in the chat, by the id of its entry.
    """

    jumped = Signal(str)

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(theme, icons, parent, has_words=False, least_px=_LEAST_PX)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.chosen.connect(self._choose)
        self.activated.connect(self._jump)
        theme.changed.connect(self._resize)
        self._resize()
        self.retranslate()

    def draw_state(self, state: LensState) -> None:
        self.set_whole(state.window_tokens)
        n = state.look.n if state.look else 0
        self.draw(state.look, self.selected if self.selected is not None and self.selected < n else None)

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("What fills the context, from its first words to the newest"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()

    def sizeHint(self) -> QSize:
        return QSize(round(self._theme.px(_WIDTH_PX)), 200)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        end, area = self.layout_of_bands.height, QRectF(self.viewport().rect())
        if self.look and area.height() - end > 2 * self._theme.px(_LEAST_PX):
            painter = QPainter(self.viewport())
            painter.setPen(QPen(self._theme.tokens.line, 1, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(area.adjusted(0.5, end + 1.5, -0.5, -0.5), 2, 2)
            painter.end()

    def _choose(self, index: int) -> None:
        """By a click the message is shown at once; by keys when Enter says so."""
        self.draw(self.look, index)
        if not self.is_keyed:
            self._jump(index)

    def _jump(self, index: int) -> None:
        entry_id = self.look.band(index).entry_id if self.look else None
        if entry_id:
            self.jumped.emit(entry_id)

    def _resize(self) -> None:
        edge = round(self._theme.px(_EDGE_PX))
        self.setFixedWidth(round(self._theme.px(_WIDTH_PX)))
        self.setViewportMargins(edge, edge, edge, edge)
