"""The plots, painted by pyqtgraph; the only module that imports it, and only once a panel was opened."""

# pyqtgraph has no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportMissingTypeStubs=false, reportUntypedBaseClass=false

import numpy
import pyqtgraph
from PySide6.QtCore import QEvent, QLocale, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QWidget

from ui.health.panel.drawing import Drawing
from ui.kit.figures import compact
from ui.kit.theme import FontRole, Theme

HEIGHT_PX = 150
_BAR = 0.7
_POINT_PX, _MARK_PX = 5, 9
_LEFT_PX = 44


class _Axis(pyqtgraph.AxisItem):
    """Figures as the rest of the window writes them."""

    says = "tokens"

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        locale = QLocale()
        match self.says:
            case "tokens":
                return [compact(round(value), locale) if value >= 0 else "" for value in values]
            case "usd":
                return ["$" + locale.toString(value, "g", 3) for value in values]
            case "s":
                return [locale.toString(value, "g", 3) + " s" for value in values]
            case _:
                return [locale.toString(round(value)) if value == round(value) else "" for value in values]


class CoursePlot(pyqtgraph.GraphicsView):
    """
    Signals:
        pointed(int): at this point of the drawing, by mouse or by ← →; -1: at none.
    """

    pointed = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._drawing = Drawing(plot="tokens")
        self._at: int | None = None
        self._whole = pyqtgraph.GraphicsLayout()
        self._whole.setContentsMargins(0, 4, 2, 0)
        self._whole.setSpacing(0)
        self.setCentralItem(self._whole)
        self._box = pyqtgraph.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0)
        self._left, self._bottom = _Axis("left"), _Axis("bottom")
        self._left.setWidth(round(theme.px(_LEFT_PX)))
        for axis, place in ((self._left, (0, 0)), (self._bottom, (1, 1))):
            axis.setStyle(tickLength=0, tickTextOffset=4)
            self._whole.addItem(axis, *place)
            axis.linkToView(self._box)
        self._whole.addItem(self._box, 0, 1)
        self._curve = pyqtgraph.PlotCurveItem()
        self._dots = pyqtgraph.ScatterPlotItem(pxMode=True)
        self._high = pyqtgraph.BarGraphItem(x=[], height=[], width=_BAR)
        self._low = pyqtgraph.BarGraphItem(x=[], height=[], width=_BAR)
        self._mark = pyqtgraph.ScatterPlotItem(pxMode=True)
        self._levels: list[pyqtgraph.InfiniteLine] = []
        for item in (self._curve, self._high, self._low, self._dots, self._mark):
            self._box.addItem(item)
        self.setFixedHeight(round(theme.px(HEIGHT_PX)))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)  # one thing for a screen reader, not two
        self.viewport().setMouseTracking(True)
        theme.changed.connect(self._restyle)
        self._restyle()

    def draw(self, drawing: Drawing) -> None:
        """Show it; what was pointed at is no more."""
        if drawing == self._drawing:
            return
        self._drawing = drawing
        self._paint()
        self._point(None)

    @property
    def drawing(self) -> Drawing:
        return self._drawing

    def _paint(self) -> None:
        now, tokens = self._drawing, self._theme.tokens
        xs, ys = numpy.array(now.xs, dtype=float), numpy.array(now.ys, dtype=float)
        is_money = now.plot == "money"
        line = numpy.array(now.line, dtype=float).reshape(-1, 2)
        self._curve.setData(line[:, 0], line[:, 1], pen=QPen(tokens.accent, 0))
        self._curve.setPen(pyqtgraph.mkPen(tokens.accent, width=2))
        empty = numpy.array([], dtype=float)
        has_dots = now.plot == "wait" or (now.plot == "tokens" and len(now.xs) == 1)
        self._dots.setData(
            x=xs if has_dots else empty,
            y=ys if has_dots else empty,
            size=_POINT_PX,
            pen=None,
            brush=tokens.accent,
        )
        self._high.setOpts(
            x=xs if is_money else empty,
            height=ys if is_money else empty,
            width=_BAR,
            pen=None,
            brush=tokens.accent,
        )
        self._low.setOpts(
            x=xs if is_money else empty,
            height=numpy.array(now.lows, dtype=float) if is_money else empty,
            width=_BAR,
            pen=None,
            brush=tokens.band_assistant,
        )
        self._left.says = {"tokens": "tokens", "wait": "s", "money": "usd"}[now.plot]
        self._bottom.says = "tokens" if now.plot == "wait" else "turn"
        self._draw_levels()
        self._box.setRange(xRange=(now.left, now.right), yRange=(0, now.top), padding=0)
        for axis in (self._left, self._bottom):
            axis.picture = None
            axis.update()

    def _draw_levels(self) -> None:
        for line in self._levels:
            self._box.removeItem(line)
        tokens = self._theme.tokens
        pen = pyqtgraph.mkPen(tokens.muted, width=1, style=Qt.PenStyle.DashLine)
        options = {"position": 0.01, "anchors": [(0, 1), (0, 1)], "color": tokens.muted_text}
        self._levels = [
            pyqtgraph.InfiniteLine(
                pos=level, angle=0, pen=pen, label=f"{round(100 * share)} %", labelOpts=options
            )
            for share, level in self._drawing.levels
        ]
        for line in self._levels:
            line.label.setFont(self._theme.font(FontRole.TINY))
            self._box.addItem(line)

    def _point(self, index: int | None) -> None:
        self._at = index
        now = self._drawing
        places = [] if index is None else [(now.xs[index], now.ys[index])]
        tokens = self._theme.tokens
        self._mark.setData(
            pos=numpy.array(places, dtype=float).reshape(-1, 2),
            size=_MARK_PX,
            pen=pyqtgraph.mkPen(tokens.card, width=2),
            brush=tokens.ink,
        )
        self.pointed.emit(-1 if index is None else index)

    def mouseMoveEvent(self, ev: QMouseEvent) -> None:
        x = self._box.mapSceneToView(self.mapToScene(ev.position().toPoint())).x()
        self._point(self._drawing.nearest(x))

    def leaveEvent(self, ev: QEvent) -> None:
        super().leaveEvent(ev)
        self._point(None)

    def keyPressEvent(self, ev: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if (step := steps.get(Qt.Key(ev.key()))) is not None:
            self._point(self._drawing.step(self._at, step))
        else:
            QWidget.keyPressEvent(self, ev)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._point(None)

    def wheelEvent(self, ev: QWheelEvent) -> None:
        """The panel scrolls, wherever the mouse is over it."""
        ev.ignore()

    def _restyle(self) -> None:
        tokens, font = self._theme.tokens, self._theme.font(FontRole.TINY)
        self.setBackground(tokens.card)
        self.setAntialiasing(True)
        for axis in (self._left, self._bottom):
            axis.setPen(pyqtgraph.mkPen(tokens.line))
            axis.setTextPen(pyqtgraph.mkPen(tokens.muted_text))
            axis.setTickFont(font)
        self._paint()
