"""A view over the numbered lines of something of any size: it holds and lays out only what is on the screen (U9).

The scroll bar counts lines, not pixels, so that nothing has to be measured before it is shown.
"""

from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from typing import cast

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextLayout,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from app.vault.kinds import Kind
from ui.kit.links import visible
from ui.kit.theme import FontRole, Theme
from ui.vault.line_looks import Cells, log_color, spans_of
from ui.vault.pager import Pager

_PAD_PX, _MARK_PX = 12, 3
_KEPT_LAYOUTS = 400
_LINES_A_NOTCH = 3


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """A character of a line, from 0; lines count from 1."""

    line: int
    column: int


class LinesView(QAbstractScrollArea):
    """
    Signals:
        top_changed(int): the first line that is shown is another one.
        copy_asked(Spot, Spot): what is selected shall be copied; up to and without the second one.
    """

    top_changed = Signal(int)
    copy_asked = Signal(object, object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pager: Pager | None = None
        self._kind = Kind.TEXT
        self._wraps = True
        self._marks: tuple[tuple[int, int], ...] = ()
        self._wanted = ""
        self._hit = 0
        self._cells: Cells | None = None
        self._layouts: OrderedDict[tuple[int, int], QTextLayout] = OrderedDict()
        self._anchor = self._end = Spot(1, 0)
        self._rows: list[tuple[int, float, float]] = []
        """Of each line on the screen: its number, top and height, as it was painted last."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.horizontalScrollBar().valueChanged.connect(self.viewport().update)
        theme.changed.connect(self._restyle)
        self._restyle()

    # -- what it shows

    def show_lines(self, pager: Pager | None, kind: Kind) -> None:
        self._pager, self._kind = pager, kind
        self._cells = None
        self._marks, self._wanted, self._hit = (), "", 0
        self._anchor = self._end = Spot(1, 0)
        self._forget()
        if pager:
            pager.came.connect(self._refresh)
            pager.grown.connect(self._refresh)
        self.verticalScrollBar().setValue(0)
        self.horizontalScrollBar().setValue(0)
        self._refresh()

    def set_wraps(self, *, wraps: bool) -> None:
        self._wraps = wraps
        self._forget()
        self._refresh()

    def set_kind(self, kind: Kind) -> None:
        self._kind = kind
        self._cells = None
        self._forget()
        self._refresh()

    def set_marks(self, marks: tuple[tuple[int, int], ...]) -> None:
        if marks != self._marks:
            self._marks = marks
            self.viewport().update()

    def set_found(self, wanted: str, hit: int) -> None:
        """What is sought, and the line whose hit is shown; 0: none."""
        is_other = hit and hit != self._hit
        self._wanted, self._hit = wanted, hit
        if is_other:
            self.go_to(hit)
        self.viewport().update()

    def go_to(self, line: int) -> None:
        """Bring a line to the upper third, unless it is on the screen."""
        fully = [n for n, top, height in self._rows if top >= 0 and top + height <= self.viewport().height()]
        if line not in fully:
            self._refresh()
            self.verticalScrollBar().setValue(max(0, line - 1 - self._n_visible // 3))
        self._anchor = self._end = Spot(line, 0)
        self.viewport().update()

    @property
    def top(self) -> int:
        """The first line that is shown, from 1."""
        return self.verticalScrollBar().value() + 1

    def selection(self) -> tuple[Spot, Spot]:
        return min(self._anchor, self._end), max(self._anchor, self._end)

    # -- laying out

    @property
    def _n_lines(self) -> int:
        return self._pager.n_lines if self._pager else 0

    @property
    def _n_visible(self) -> int:
        return max(1, int(self.viewport().height() / self._line_px))

    @property
    def _gutter_px(self) -> float:
        digits = max(3, len(str(self._n_lines)))
        return digits * self._char_px + 2 * self._theme.px(_PAD_PX)

    @property
    def _text_px(self) -> float:
        return max(80.0, self.viewport().width() - self._gutter_px - self._theme.px(_PAD_PX))

    def _restyle(self) -> None:
        font = self._theme.font(FontRole.CODE)
        metrics = QFontMetricsF(font)
        self._font, self._small = font, self._theme.font(FontRole.CODE)
        self._line_px = float(round(metrics.height() + self._theme.px(4)))
        self._ascent = metrics.ascent() + self._theme.px(2)
        self._char_px = metrics.horizontalAdvance("0")
        self._forget()
        self._refresh()

    def _forget(self) -> None:
        self._layouts.clear()
        self.viewport().update()

    def _refresh(self) -> None:
        """There may be more lines, or those on the screen may be here now."""
        bar = self.verticalScrollBar()
        bar.setPageStep(self._n_visible)
        bar.setRange(0, max(0, self._n_lines - (1 if self._is_wrapped else self._n_visible)))
        widest = 0 if self._is_wrapped else self._widest_px()
        side = self.horizontalScrollBar()
        side.setPageStep(round(self._text_px))
        side.setSingleStep(round(4 * self._char_px))
        side.setRange(0, max(0, round(widest - self._text_px)))
        self.viewport().update()

    @property
    def _is_wrapped(self) -> bool:
        return self._wraps and self._kind is not Kind.TABLE

    def _widest_px(self) -> float:
        if self._kind is Kind.TABLE:
            cells = self._columns()
            return cells.width_px(self._char_px) if cells else 0
        shown = (self._line(n) or "" for n in range(self.top, self.top + self._n_visible + 1))
        return max((len(text) for text in shown), default=0) * self._char_px + self._theme.px(_PAD_PX)

    def _columns(self) -> Cells | None:
        if self._cells is None and self._pager:
            head = [self._line(n) for n in range(1, min(self._n_lines, 200) + 1)]
            if head and head[0] is not None:
                self._cells = Cells([line for line in head if line is not None])
        return self._cells

    def _line(self, number: int) -> str | None:
        if self._pager is None or not 0 < number <= self._n_lines:
            return None
        text = self._pager.line(number)
        return text if text is None or text.isascii() else visible(text)

    def _layout(self, number: int, text: str) -> QTextLayout:
        width = round(self._text_px) if self._is_wrapped else 0
        key = (number, width)
        found = self._layouts.get(key)
        if found is None:
            found = QTextLayout(text, self._font)
            option = QTextOption()
            option.setWrapMode(
                QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere if width else QTextOption.WrapMode.NoWrap
            )
            option.setTabStopDistance(8 * self._char_px)
            found.setTextOption(option)
            _lay(found, float(width or 1 << 20), self._line_px)
            self._layouts[key] = found
            if len(self._layouts) > _KEPT_LAYOUTS:
                self._layouts.popitem(last=False)
        return found

    # -- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        try:
            self._paint(painter, event.rect())
        finally:  # a painter that outlives a fault in here takes the program with it
            painter.end()

    def _paint(self, painter: QPainter, rect: QRect) -> None:
        tokens = self._theme.tokens
        painter.setFont(self._font)
        painter.fillRect(rect, tokens.card)
        gutter = self._gutter_px
        painter.fillRect(QRectF(0, 0, gutter - self._theme.px(6), self.viewport().height()), tokens.panel)
        self._rows = []
        y, height = 0.0, float(self.viewport().height())
        header = self._paint_header(painter) if self._kind is Kind.TABLE else 0.0
        y += header
        number = max(self.top, 2 if header else 1)
        while y < height and number <= self._n_lines:
            text = self._line(number)
            taken = self._paint_row(painter, number, text, y)
            self._rows.append((number, y, taken))
            y += taken
            number += 1

    def _paint_header(self, painter: QPainter) -> float:
        """The first line of a table, above all others."""
        cells, first = self._columns(), self._line(1)
        if cells is None or first is None:
            return 0.0
        tokens = self._theme.tokens
        painter.fillRect(QRectF(0, 0, self.viewport().width(), self._line_px), tokens.chip)
        painter.save()
        font = self._theme.font(FontRole.CODE)
        font.setBold(True)
        painter.setFont(font)
        self._paint_cells(painter, cells, first, 0.0)
        painter.restore()
        return self._line_px

    def _paint_row(self, painter: QPainter, number: int, text: str | None, y: float) -> float:
        """Draw a line. Returns: the height that it took."""
        tokens = self._theme.tokens
        cells = self._columns() if self._kind is Kind.TABLE else None
        layout = None if text is None or cells or self._is_quick(text) else self._layout(number, text)
        taken = max(self._line_px, layout.boundingRect().height()) if layout else self._line_px
        self._paint_gutter(painter, number, y, taken)
        if text is None:
            painter.setPen(tokens.muted)
            painter.drawText(QPointF(self._gutter_px, y + self._ascent), "…")
            return taken
        painter.save()
        painter.setClipRect(QRectF(self._gutter_px - 2, y, self.viewport().width(), taken))
        if number == self._hit:
            painter.fillRect(QRectF(self._gutter_px - 2, y, self.viewport().width(), taken), tokens.hover)
        self._paint_spans(painter, number, text, y, layout)
        painter.setPen(self._color(text))
        if cells:
            self._paint_cells(painter, cells, text, y)
        elif layout:
            layout.draw(painter, QPointF(self._gutter_px - self._shift, y))
        else:
            first = max(0, int(self._shift / self._char_px))
            n_chars = int(self._text_px / self._char_px) + 3
            x = self._gutter_px - self._shift + first * self._char_px
            painter.drawText(QPointF(x, y + self._ascent), text[first : first + n_chars])
        painter.restore()
        return taken

    def _paint_gutter(self, painter: QPainter, number: int, y: float, height: float) -> None:
        tokens, pad = self._theme.tokens, self._theme.px(_PAD_PX)
        if self._is_marked(number):
            painter.fillRect(QRectF(0, y, self._theme.px(_MARK_PX), height), tokens.accent)
        painter.setPen(tokens.ink if number == self._hit else tokens.muted_text)
        room = QRectF(0, y, self._gutter_px - 1.5 * pad, self._line_px)
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number))

    def _paint_cells(self, painter: QPainter, cells: Cells, line: str, y: float) -> None:
        x = self._gutter_px - self._shift
        metrics = painter.fontMetrics()
        for text, width in cells.of(line, self._char_px):
            if x + width > 0 and x < self.viewport().width():
                room = QRectF(x, y, width - self._char_px, self._line_px)
                shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(room.width()))
                painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
            x += width

    def _paint_spans(
        self, painter: QPainter, number: int, text: str, y: float, layout: QTextLayout | None
    ) -> None:
        """What is selected, and what is sought."""
        tokens = self._theme.tokens
        spans: list[tuple[int, int, QColor]] = []
        if chosen := self._selected(number, text):
            spans.append((*chosen, tokens.selection))
        if self._wanted:
            spans += [(start, end, tokens.found) for start, end in spans_of(text, self._wanted)]
        for start, end, color in spans:
            for rect in self._rects(start, end, layout):
                painter.fillRect(rect.translated(self._gutter_px - self._shift, y), color)

    def _rects(self, start: int, end: int, layout: QTextLayout | None) -> list[QRectF]:
        if layout is None:
            return [QRectF(start * self._char_px, 0, (end - start) * self._char_px, self._line_px)]
        found: list[QRectF] = []
        for at in range(layout.lineCount()):
            line = layout.lineAt(at)
            first, last = max(start, line.textStart()), min(end, line.textStart() + line.textLength())
            if first < last:
                left, right = _x(layout, at, first), _x(layout, at, last)
                found.append(QRectF(left, line.y(), right - left, self._line_px))
        return found

    def _color(self, text: str) -> QColor:
        name = log_color(text) if self._kind is Kind.LOG else ""
        return self._theme.color(name) if name else self._theme.tokens.ink

    @property
    def _shift(self) -> int:
        return 0 if self._is_wrapped else self.horizontalScrollBar().value()

    def _is_quick(self, text: str) -> bool:
        """Whether a line needs no layout: each character as wide as any, and no second row."""
        is_plain = text.isascii() and "\t" not in text
        return is_plain and (not self._is_wrapped or len(text) * self._char_px <= self._text_px)

    def _is_marked(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self._marks)

    # -- choosing

    def _selected(self, number: int, text: str) -> tuple[int, int] | None:
        first, last = self.selection()
        if first == last or not first.line <= number <= last.line:
            return None
        start = first.column if number == first.line else 0
        end = last.column if number == last.line else len(text) + 1
        return start, end

    def _spot_at(self, at: QPoint) -> Spot:
        row = next((row for row in self._rows if at.y() < row[1] + row[2]), None)
        if row is None:
            return Spot(max(self._n_lines, 1), len(self._line(self._n_lines) or ""))
        number, top, _ = row
        text = self._line(number) or ""
        x = at.x() - self._gutter_px + self._shift
        if self._is_quick(text) or self._kind is Kind.TABLE:
            return Spot(number, min(len(text), max(0, round(x / self._char_px))))
        layout = self._layout(number, text)
        rows = [layout.lineAt(n) for n in range(layout.lineCount())]
        line = next((each for each in rows if at.y() - top < each.y() + each.height()), rows[-1])
        return Spot(number, line.xToCursor(x))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._end = self._spot_at(event.position().toPoint())
            if not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._anchor = self._end
            self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            at = event.position().toPoint()
            if at.y() < 0 or at.y() > self.viewport().height():
                self._scroll(-1 if at.y() < 0 else 1)
            self._end = self._spot_at(at)
            self.viewport().update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        spot = self._spot_at(event.position().toPoint())
        text = self._line(spot.line) or ""
        start = end = spot.column
        while start > 0 and _is_word(text[start - 1]):
            start -= 1
        while end < len(text) and _is_word(text[end]):
            end += 1
        self._anchor, self._end = Spot(spot.line, start), Spot(spot.line, end)
        self.viewport().update()

    def select_all(self) -> None:
        self._anchor, self._end = Spot(1, 0), Spot(self._n_lines, len(self._line(self._n_lines) or ""))
        self.viewport().update()

    def copy(self) -> None:
        first, last = self.selection()
        if first != last:
            self.copy_asked.emit(first, last)

    # -- moving

    def _scrolled(self, _value: int) -> None:
        if not self._is_wrapped and self._kind is not Kind.TABLE:
            self._refresh()
        self.viewport().update()
        self.top_changed.emit(self.top)

    def _scroll(self, n_lines: int) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + n_lines)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, bar, side = event.key(), self.verticalScrollBar(), self.horizontalScrollBar()
        deeds = {
            Qt.Key.Key_Up: partial(self._scroll, -1),
            Qt.Key.Key_Down: partial(self._scroll, 1),
            Qt.Key.Key_PageUp: partial(self._scroll, 1 - self._n_visible),
            Qt.Key.Key_PageDown: partial(self._scroll, self._n_visible - 1),
            Qt.Key.Key_Home: partial(bar.setValue, 0),
            Qt.Key.Key_End: partial(bar.setValue, bar.maximum()),
            Qt.Key.Key_Left: partial(side.setValue, side.value() - side.singleStep()),
            Qt.Key.Key_Right: partial(side.setValue, side.value() + side.singleStep()),
        }
        if event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            deeds |= {Qt.Key.Key_C: self.copy, Qt.Key.Key_A: self.select_all}
        if deed := deeds.get(Qt.Key(key)):
            deed()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.angleDelta()
        if abs(delta.x()) > abs(delta.y()):
            side = self.horizontalScrollBar()
            side.setValue(side.value() - delta.x())
        else:
            self._scroll(round(-delta.y() / 120 * _LINES_A_NOTCH))
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refresh()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            number = self._spot_at(event.pos()).line
            if event.pos().x() < self._gutter_px and self._is_marked(number):
                first, last = next(each for each in self._marks if each[0] <= number <= each[1])
                told = self.tr("The model read lines {first}–{last}").format(first=first, last=last)
                QToolTip.showText(event.globalPos(), told, self, QRect(event.pos(), event.pos()))
            return True
        return super().viewportEvent(event)


def _lay(layout: QTextLayout, width: float, line_px: float) -> None:
    layout.beginLayout()
    y = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        line.setPosition(QPointF(0, y + max(0.0, (line_px - line.height()) / 2)))
        y += line_px
    layout.endLayout()


def _x(layout: QTextLayout, line: int, column: int) -> float:
    found = cast("float | tuple[float, int]", layout.lineAt(line).cursorToX(column))
    return found[0] if isinstance(found, tuple) else found  # PySide gives the cursor back as well


def _is_word(sign: str) -> bool:
    return sign.isalnum() or sign in "_-"
