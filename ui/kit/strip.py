"""A context as a strip of bands, height by tokens: one painted widget, hit-tested, however many bands there are."""

from bisect import bisect_right
from functools import cache

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QAccessibleInterface,
    QBrush,
    QColor,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QAccessibleWidget, QToolTip, QWidget

from app.health.lens import Band, Look
from ui.kit.band_words import BandWords
from ui.kit.bands import BANDS
from ui.kit.figures import compact
from ui.kit.icons import Icons
from ui.kit.leaf import Leaf
from ui.kit.links import plain_tip
from ui.kit.theme import FontRole, Theme

_GAP_PX = 1.5
_ROUND_PX = 8
"""A lower band has no round corners: nobody sees them, and hundreds of them cost half a frame."""
_PAGE = 10
_PIN_PX = 11


class StripLayout:
    """Where each band stands. A band has `least_px` and its share of the rest, so that no place is summed up.

    Args:
        look: None: nothing is known yet.
        height_px: Filled if the bands fit; else the strip is higher, and scrolls.
        whole_tokens: What the height stands for, as the provider counts; 0: what there is.
    """

    def __init__(self, look: Look | None, height_px: float, least_px: float, whole_tokens: int = 0) -> None:
        self._look = look
        self.n = look.n if look else 0
        self._least = least_px
        total = max(look.ours(look.n), 1) if look else 1
        if look and whole_tokens > look.total_tokens:
            height_px *= look.total_tokens / whole_tokens
            self._least = min(
                least_px, height_px / max(2 * self.n, 1)
            )  # a part of the height never says more
        room = height_px - self.n * self._least
        self._px = (room if room > 0 else height_px) / total

    def top(self, index: int) -> float:
        """Of a band; of `n`: where the last one ends."""
        return index * self._least + (self._look.ours(index) * self._px if self._look else 0.0)

    @property
    def height(self) -> float:
        return self.top(self.n)

    def at(self, y: float) -> int | None:
        """The band at `y`; None: beyond the last."""
        if self.n == 0 or not 0 <= y < self.height:
            return None
        return bisect_right(range(self.n), y, key=self.top) - 1


class StripView(QAbstractScrollArea):
    """
    Args:
        has_words: Bands say what they are, where they are high enough.
        least_px: Height of a band without tokens, at 100 %.

    Signals:
        chosen(int): a person went to a band.
        activated(int): they want to see it where it was said.
        stepped(int): they want another request: 1 the next, -1 the one before.
    """

    chosen = Signal(int)
    activated = Signal(int)
    stepped = Signal(int)

    def __init__(
        self,
        theme: Theme,
        icons: Icons,
        parent: QWidget | None = None,
        *,
        has_words: bool = True,
        least_px: float = 4,
    ) -> None:
        super().__init__(parent)
        _install()
        self._theme, self._icons = theme, icons
        self._words = BandWords(self)
        self._has_words, self._least_px = has_words, least_px
        self.look: Look | None = None
        self.selected: int | None = None
        self.is_keyed = False
        """The last band was gone to by a key."""
        self._whole_tokens = 0
        self.access: StripAccess | None = None
        self._layout = StripLayout(None, 0, 1)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        theme.changed.connect(self._arrange)

    def draw(self, look: Look | None, selected: int | None = None) -> None:
        """Show `look`; `selected` is on the screen where it is another one than before."""
        is_other = selected != self.selected
        self.look, self.selected = look, selected
        self._arrange()
        if is_other and selected is not None:
            self._reveal(selected)
            self._tell_focus(selected)

    def set_whole(self, tokens: int) -> None:
        """What the height stands for; 0: all that there is."""
        if tokens != self._whole_tokens:
            self._whole_tokens = tokens
            self._arrange()

    @property
    def layout_of_bands(self) -> StripLayout:
        return self._layout

    def band_rect(self, index: int) -> QRect:
        """On the viewport."""
        top, end = self._layout.top(index), self._layout.top(index + 1)
        y = top - self.verticalScrollBar().value()
        return QRectF(0, y, self.viewport().width(), max(end - top, 1)).toRect()

    def told(self, index: int) -> str:
        """What a band is, in words."""
        if self.look is None or not 0 <= index < self.look.n:
            return ""
        look = self.look
        return self._words.told(look.band(index), look.tokens(index), is_cached=look.is_cached(index))

    # -- where it is

    def index_at(self, at: QPoint) -> int | None:
        return self._layout.at(at.y() + self.verticalScrollBar().value())

    def _arrange(self) -> None:
        height = self.viewport().height()
        self._layout = StripLayout(self.look, height, self._theme.px(self._least_px), self._whole_tokens)
        bar = self.verticalScrollBar()
        bar.setPageStep(height)
        bar.setSingleStep(max(1, height // 10))
        bar.setRange(0, max(0, round(self._layout.height) - height))
        self.viewport().update()

    def _reveal(self, index: int) -> None:
        bar, page = self.verticalScrollBar(), self.viewport().height()
        top, end = self._layout.top(index), self._layout.top(index + 1)
        if top < bar.value() or end - top > page:
            bar.setValue(round(top))
        elif end > bar.value() + page:
            bar.setValue(round(end - page) + 1)

    def _tell_focus(self, index: int) -> None:
        if self.hasFocus():
            event = QAccessibleEvent(self, QAccessible.Event.Focus)
            event.setChild(index)
            QAccessible.updateAccessibility(event)

    # -- what a person does

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, n = event.key(), self._layout.n
        steps = {
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_PageDown: _PAGE,
            Qt.Key.Key_PageUp: -_PAGE,
            Qt.Key.Key_Home: -n,
            Qt.Key.Key_End: n,
        }
        if (
            n
            and key in steps
            and event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        ):
            here = self.selected if self.selected is not None else (n if steps[Qt.Key(key)] < 0 else -1)
            self.is_keyed = True
            self.chosen.emit(max(0, min(n - 1, here + steps[Qt.Key(key)])))
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.stepped.emit(1 if key == Qt.Key.Key_Right else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.selected is not None:
            self.activated.emit(self.selected)
        else:
            event.ignore()  # Escape is the page's

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.index_at(event.position().toPoint())
        if index is not None and event.button() is Qt.MouseButton.LeftButton:
            self.is_keyed = False
            self.chosen.emit(index)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.index_at(event.position().toPoint())
        if index is not None:
            self.activated.emit(index)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self.index_at(event.pos())
            if index is not None:
                QToolTip.showText(event.globalPos(), plain_tip(self.told(index)), self.viewport())
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def focusInEvent(self, event: QEvent) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]  # the narrower type says no more
        self.viewport().update()

    def focusOutEvent(self, event: QEvent) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]  # the same
        self.viewport().update()

    # -- painting: what is on the screen only

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.font(FontRole.TINY))
        look, scroll = self.look, self.verticalScrollBar().value()
        first = self._layout.at(scroll)
        if look and first is not None:
            for index in range(first, look.n):
                top = self._layout.top(index) - scroll
                if top > self.viewport().height():
                    break
                self._paint_band(painter, look, index, top, self._layout.top(index + 1) - scroll)
        if self.hasFocus() and self.selected is None:
            painter.setPen(QPen(self._theme.tokens.focus, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.viewport().rect().adjusted(1, 1, -1, -1))
        painter.end()

    def _paint_band(self, painter: QPainter, look: Look, index: int, top: float, end: float) -> None:
        band, tokens = look.band(index), self._theme.tokens
        gap = _GAP_PX if end - top > 2 * _GAP_PX else 0.0
        area = QRectF(0.5, top, self.viewport().width() - 1, max(end - top - gap, 1.0))
        color = self._theme.color(BANDS[band.kind])
        shade = _soft(color) if band.fate else color
        if area.height() < _ROUND_PX:
            painter.fillRect(area, shade)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(shade)
            painter.drawRoundedRect(area, 2, 2)
        if share := self._cached_share(look, index):
            hatched = QRectF(area.left(), area.top(), area.width(), area.height() * share)
            painter.fillRect(
                hatched, QBrush(_soft(tokens.card if not band.fate else color), Qt.BrushStyle.BDiagPattern)
            )
        if index == self.selected:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(tokens.ink if self.hasFocus() else tokens.muted, 2))
            painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), 2, 2)
        metrics = painter.fontMetrics()
        if self._has_words and area.height() >= metrics.height():
            self._paint_words(painter, band, area, look.tokens(index))

    def _cached_share(self, look: Look, index: int) -> float:
        start, end = look.until(index), look.until(index + 1)
        if look.cached_tokens <= start or end <= start:
            return 0.0
        return min(1.0, (look.cached_tokens - start) / (end - start))

    def _paint_words(self, painter: QPainter, band: Band, area: QRectF, n: int) -> None:
        tokens = self._theme.tokens
        painter.setPen(tokens.ink if band.fate else self._legible(self._theme.color(BANDS[band.kind])))
        metrics, line = painter.fontMetrics(), area.adjusted(7, 1, -7, 0)
        line.setHeight(metrics.height())
        figure = compact(n, self.locale())
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, figure)
        room = line.width() - metrics.horizontalAdvance(figure) - 10
        if band.is_pinned:
            size = round(self._theme.px(_PIN_PX))
            room -= size + 6
            dpr = self.devicePixelRatioF()
            pin = self._icons.pixmap("pin", painter.pen().color(), size_px=size, dpr=dpr)
            painter.drawPixmap(QPoint(round(line.left() + room + 4), round(line.top() + 1)), pin)
        name = metrics.elidedText(self._words.name(band), Qt.TextElideMode.ElideRight, int(room))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)

    def _legible(self, ground: QColor) -> QColor:
        """The one of the theme's two ends of lightness that is read better on `ground`."""
        ends = (self._theme.tokens.ink, self._theme.tokens.paper)
        return max(ends, key=lambda color: abs(color.lightnessF() - ground.lightnessF()))


def _soft(color: QColor) -> QColor:
    soft = QColor(color)
    soft.setAlphaF(0.32)
    return soft


class BandAccess(Leaf):
    """One band, by its index."""

    def __init__(self, view: StripView, index: int) -> None:
        super().__init__(view)
        self._view, self._index = view, index

    def isValid(self) -> bool:
        return self._view.look is not None and self._index < self._view.look.n

    def text(self, t: QAccessible.Text) -> str:
        return self._view.told(self._index) if t is QAccessible.Text.Name else ""

    def setText(self, t: QAccessible.Text, text: str) -> None:
        """Nothing here can be edited."""

    def rect(self) -> QRect:
        rect = self._view.band_rect(self._index)
        return rect.translated(self._view.viewport().mapToGlobal(QPoint(0, 0)))

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        is_seen = self._view.band_rect(self._index).intersects(self._view.viewport().rect())
        state.focusable = True  # pyright: ignore[reportAttributeAccessIssue]  # fields are missing in the stubs
        state.selected = self._index == self._view.selected  # pyright: ignore[reportAttributeAccessIssue]  # the same
        state.offscreen = not is_seen  # pyright: ignore[reportAttributeAccessIssue]  # the same
        return state


class StripAccess(QAccessibleWidget):
    """The strip is a list; its children are its bands."""

    def __init__(self, view: StripView) -> None:
        super().__init__(view, QAccessible.Role.List, view.accessibleName())
        self._view = view
        # Qt keeps bare pointers to these: they live as long as the list does.
        self._bands: dict[int, BandAccess] = {}

    def childCount(self) -> int:
        return self._view.look.n if self._view.look else 0

    def child(self, index: int) -> QAccessibleInterface | None:  # pyright: ignore[reportIncompatibleMethodOverride]  # null is allowed in Qt
        if not 0 <= index < self.childCount():
            return None
        return self._bands.setdefault(index, BandAccess(self._view, index))

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # pyright: ignore[reportIncompatibleMethodOverride]  # null is allowed in Qt
        index = self._view.index_at(self._view.viewport().mapFromGlobal(QPoint(x, y)))
        return None if index is None else self.child(index)

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return next((index for index, known in self._bands.items() if known is child), -1)


@cache
def _install() -> None:
    """Make Qt ask us for the accessible side of strips; once a process."""
    QAccessible.installFactory(_made)


def _made(_name: str, asked: QObject | None) -> QAccessibleInterface | None:
    if not isinstance(asked, StripView):
        return None
    asked.access = StripAccess(asked)
    return asked.access
