"""The context ring: how full the model's window will be with the next request, live while typing."""

from dataclasses import replace

from PySide6.QtCore import QEasingCurve, QEvent, QRectF, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from ui.health.cache_card import CacheState
from ui.health.popover import HealthPopover
from ui.health.ring_drawing import COMPOSER, RingShape, paint_ring
from ui.health.state import RingState
from ui.health.words import HealthWords
from ui.kit.theme import FontRole, Theme

ANIMATION_MS = 300
_FOCUS_ROOM_PX = 3


class ContextRing(QAbstractButton):
    """Draws a `RingState`; pressed, it opens the popover.

    Signals:
        window_asked(): the person wants to tell the window's size, which is unknown.
        compress_asked(): the person wants room in the window.
        preview_asked(): they want to see first what that would do.
        fork_asked(): they want to go on in a new chat.
        panel_asked(): they want to see all figures.
        cache_settings_asked(): the person wants to say when the prompt cache is kept warm.
        popover_shown(), popover_hidden(): the popover opened or closed.
    """

    window_asked = Signal()
    compress_asked = Signal()
    preview_asked = Signal()
    fork_asked = Signal()
    panel_asked = Signal()
    cache_settings_asked = Signal()
    popover_shown = Signal()
    popover_hidden = Signal()

    def __init__(
        self,
        theme: Theme,
        shape: RingShape = COMPOSER,
        *,
        surface: str = "card",
        reduce_motion: bool = False,
        opens: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        """`opens`: pressed, it shows the popover; where all of that stands beside it, it is a picture."""
        super().__init__(parent)
        self._theme = theme
        self._shape = shape
        self._surface = surface
        self._words = HealthWords(self)
        self._state = RingState()
        self._shown = self._from = (0.0, 0.0)  # use, ghost as painted; as painted when the animation began
        self._popover: HealthPopover | None = None
        self.reduce_motion = reduce_motion
        self._animation = QVariantAnimation(self, duration=ANIMATION_MS, startValue=0.0, endValue=1.0)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(self._advance)
        if opens:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.clicked.connect(self.open_popover)
        theme.changed.connect(self._restyle)
        self._tell()

    @property
    def state(self) -> RingState:
        return self._state

    @property
    def popover(self) -> HealthPopover | None:
        """None until first opened."""
        return self._popover

    @property
    def shown_use(self) -> float:
        """How far the arc has come on its way to `state.use`."""
        return self._shown[0]

    def draw(self, state: RingState) -> None:
        """Show `state`; the arc moves there within 300 ms, or at once with reduced motion."""
        if state == self._state:
            return
        self._state = state
        self._from = self._shown
        self._animation.stop()
        if self.reduce_motion or not self.isVisible():
            self._advance(1.0)
        else:
            self._animation.start()
        self._tell()
        if self._popover is not None:
            self._popover.draw(state)

    def draw_cache(self, state: CacheState | None) -> None:
        """Show what is known of the prompt cache, in the popover."""
        if self._popover is not None:
            self._popover.draw_cache(state)

    def open_popover(self) -> None:
        """Show what fills the window, above the ring where there is room."""
        if self._popover is None:
            self._popover = HealthPopover(self._theme, parent=self)
            self._popover.window_asked.connect(self.window_asked)
            self._popover.compress_asked.connect(self.compress_asked)
            self._popover.preview_asked.connect(self.preview_asked)
            self._popover.fork_asked.connect(self.fork_asked)
            self._popover.panel_asked.connect(self.panel_asked)
            self._popover.cache_settings_asked.connect(self.cache_settings_asked)
            self._popover.shown.connect(self.popover_shown)
            self._popover.hidden.connect(self.popover_hidden)
        self._popover.draw(self._state)
        self._popover.open_at(self)

    def sizeHint(self) -> QSize:
        side = round(self._theme.px(self._shape.size_px)) + 2 * _FOCUS_ROOM_PX
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.LanguageChange, QEvent.Type.LocaleChange):
            self._tell()

    def paintEvent(self, event: QPaintEvent) -> None:
        use, ghost = self._shown
        shown = self._state if self._state.use is None else replace(self._state, use=use, ghost=ghost)
        side = self._theme.px(self._shape.size_px)
        area = QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_ring(painter, area, shown, shape=self._shape, theme=self._theme, surface=self._surface)
        if self._shape.has_text:
            font = self._theme.font(FontRole.TITLE)
            font.setPixelSize(round(side * 0.22))
            painter.setFont(font)
            painter.setPen(self._theme.tokens.ink)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self._state.text)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.tokens.focus, 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
        painter.end()

    def _advance(self, progress: float) -> None:
        target = (self._state.use or 0.0, self._state.ghost)
        self._shown = (
            self._from[0] + (target[0] - self._from[0]) * progress,
            self._from[1] + (target[1] - self._from[1]) * progress,
        )
        self.update()

    def _tell(self) -> None:
        self.setAccessibleName(self._words.accessible_name(self._state, self.locale()))
        self.setAccessibleDescription(self._words.health(self._state.health))
        self.setToolTip(self._words.tooltip(self._state, self.locale()))

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()
