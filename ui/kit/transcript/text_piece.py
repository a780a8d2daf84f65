"""Rich text of one block, drawn from its own QTextDocument: paragraphs, lists, quotes, a table."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QPainter,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)

from ui.kit.theme import FontRole
from ui.kit.transcript.look import Look
from ui.kit.transcript.piece import Find, Ink, Zone, ZoneKind

QUOTE_PX, PARAGRAPH_GAP_PX = 16, 9
_WORD = re.compile(r"\w+|\s+|.")


def _n_wide(text: str) -> int:
    return sum(sign > "\uffff" for sign in text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hot:
    """Characters `start`…`end` of the document that react to a click."""

    start: int
    end: int
    kind: ZoneKind
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What stands before or beside text block `number`: a list's bullet or box, a quote's bars."""

    number: int
    text: str = ""
    icon: str = ""
    quote_depth: int = 0


class TextPiece:
    """One document. `hots` and `marks` are in document order; `sources` of the formulas, by position."""

    left_px = 0.0

    def __init__(
        self,
        look: Look,
        document: QTextDocument,
        *,
        gap_px: float,
        hots: Sequence[Hot],
        marks: Sequence[Mark],
        sources: Mapping[int, str],
        awaits_formula: bool,
    ) -> None:
        self._look = look
        self._document = document
        self._hots = hots
        self._marks = marks
        self._sources = sources
        self.awaits_formula = awaits_formula
        self.gap_px = gap_px
        self.width_px = self.height_px = 0.0
        self._zones: list[Zone] | None = None
        self._found: tuple[Find | None, Sequence[tuple[int, int]]] = (None, ())

    @property
    def end(self) -> int:
        return self._document.characterCount() - 1

    def lay_out(self, width_px: float) -> None:
        self._document.setTextWidth(width_px)
        self.width_px = min(self._document.idealWidth(), width_px)
        self.height_px = self._document.size().height()
        self._zones = None

    def paint(self, painter: QPainter, ink: Ink) -> None:
        if self._marks:
            self._paint_marks(painter, ink)
        context = QAbstractTextDocumentLayout.PaintContext()
        context.clip = QRectF(0, ink.top, self._document.textWidth(), ink.bottom - ink.top)
        selections = list(self._selections(ink))
        if selections:
            context.selections = selections
        self._document.documentLayout().draw(painter, context)
        if ink.focused is not None:
            tokens = self._look.tokens
            painter.setPen(tokens.focus)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ink.focused.rect.adjusted(-2, 0, 2, 0), 3, 3)

    def _selections(self, ink: Ink) -> Iterator[QAbstractTextDocumentLayout.Selection]:
        tokens = self._look.tokens
        if ink.found:
            for span in self.found(ink.found):
                is_current = span == ink.current
                back = tokens.accent if is_current else tokens.found
                yield self._selection(*span, back, tokens.on_accent if is_current else tokens.on_found)
        if ink.selected is not None and ink.selected[0] < ink.selected[1]:
            yield self._selection(*ink.selected, tokens.selection, tokens.on_selection)

    def _selection(
        self, start: int, end: int, back: QColor, front: QColor
    ) -> QAbstractTextDocumentLayout.Selection:
        selection = QAbstractTextDocumentLayout.Selection()
        cursor = QTextCursor(self._document)
        cursor.setPosition(start)
        cursor.setPosition(min(end, self.end), QTextCursor.MoveMode.KeepAnchor)
        form = QTextCharFormat()
        form.setBackground(back)
        form.setForeground(front)
        selection.cursor = cursor  # pyright: ignore[reportAttributeAccessIssue]  # fields are missing in the stubs
        selection.format = form  # pyright: ignore[reportAttributeAccessIssue]  # fields are missing in the stubs
        return selection

    def found(self, find: Find) -> Sequence[tuple[int, int]]:
        if self._found[0] is not find:
            # As Qt counts: a sign outside of the first plane takes two of its places.
            text = self._document.toRawText()
            spans = find(text)
            if any(sign > "\uffff" for sign in text):
                spans = [tuple(at + _n_wide(text[:at]) for at in span) for span in spans]
            self._found = (find, spans)
        return self._found[1]

    def y_of(self, char: int) -> float:
        block = self._document.findBlock(char)
        line = block.layout().lineForTextPosition(char - block.position())
        top = self._document.documentLayout().blockBoundingRect(block).top()
        return top + (line.y() if line.isValid() else 0.0)

    def _paint_marks(self, painter: QPainter, ink: Ink) -> None:
        look = self._look
        layout = self._document.documentLayout()
        metrics = look.metrics(FontRole.TEXT)
        for mark in self._marks:
            block = self._document.findBlockByNumber(mark.number)
            box = layout.blockBoundingRect(block)
            if box.bottom() < ink.top or box.top() > ink.bottom or not block.layout().lineCount():
                continue
            self._paint_bars(
                painter, mark, box.top() - block.blockFormat().topMargin(), box.bottom() + look.px(6)
            )
            line = block.layout().lineAt(0)
            left = block.blockFormat().leftMargin() - look.px(8)
            if mark.icon:
                size = round(look.px(15))
                top = box.top() + line.y() + (line.height() - size) / 2
                color = "accent" if mark.icon == "box-checked" else "muted"
                painter.drawPixmap(QPointF(left - size + look.px(4), top), look.icon(mark.icon, color, size))
            elif mark.text:
                painter.setFont(look.font(FontRole.TEXT))
                painter.setPen(look.tokens.muted_text)
                baseline = box.top() + line.y() + line.ascent()
                painter.drawText(QPointF(left - metrics.horizontalAdvance(mark.text), baseline), mark.text)

    def _paint_bars(self, painter: QPainter, mark: Mark, top: float, bottom: float) -> None:
        """A bar for each quote around the line; where the line above is in it too, the bar goes on."""
        above = next((m.quote_depth for m in self._marks if m.number == mark.number - 1), 0)
        gap = PARAGRAPH_GAP_PX if mark.number else 0
        for depth in range(mark.quote_depth):
            start = top if depth < above else top + self._look.px(gap)
            left, width = depth * self._look.px(QUOTE_PX), self._look.px(3)
            painter.fillRect(QRectF(left, start, width, bottom - start), self._look.tokens.line)

    def char_at(self, x: float, y: float) -> int:
        point = QPointF(x, min(max(y, 0.0), self.height_px - 1))
        return max(0, self._document.documentLayout().hitTest(point, Qt.HitTestAccuracy.FuzzyHit))

    def word_at(self, char: int) -> tuple[int, int]:
        block = self._document.findBlock(char)
        for found in _WORD.finditer(block.text()):
            if found.end() > char - block.position():
                return block.position() + found.start(), block.position() + found.end()
        return char, char

    def text(self, start: int, end: int) -> str:
        lines: list[str] = []
        markers = {mark.number: mark for mark in self._marks}
        row = -1
        block = self._document.findBlock(start)
        while block.isValid() and block.position() <= end:
            first = max(0, start - block.position())
            words = self._words(block, first, end - block.position())
            mark = markers.get(block.blockNumber())
            if mark and mark.text and not first:
                words = f"{mark.text} {words}"
            if (now := self._row(block)) >= 0 and now == row:
                lines[-1] += f"\t{words}"
            elif now >= 0 or words or not self._has_table:
                lines.append(words)
            row = now
            block = block.next()
        return "\n".join(lines)

    def _words(self, block: QTextBlock, start: int, end: int) -> str:
        """A part of a block, each formula as it was written."""
        at = block.position() + start
        words = block.text()[start:end].replace("\u2028", "\n")
        return (
            "".join(self._sources.get(at + index, sign) for index, sign in enumerate(words))
            if self._sources
            else words
        )

    @property
    def _has_table(self) -> bool:
        return bool(self._document.rootFrame().childFrames())

    def _row(self, block: QTextBlock) -> int:
        """The table row that `block` is in; -1 outside of tables."""
        if not self._has_table:
            return -1
        table = QTextCursor(block).currentTable()
        return table.cellAt(block.position()).row() if table else -1

    def zones(self) -> Sequence[Zone]:
        if self._zones is None:
            self._zones = [zone for hot in self._hots for zone in self._rects(hot)]
        return self._zones

    def _rects(self, hot: Hot) -> Iterator[Zone]:
        """One rectangle for each line that the characters of `hot` are on."""
        block = self._document.findBlock(hot.start)
        box = self._document.documentLayout().blockBoundingRect(block)
        first, last = hot.start - block.position(), hot.end - block.position()
        for index in range(block.layout().lineCount()):
            line = block.layout().lineAt(index)
            begin, end = max(first, line.textStart()), min(last, line.textStart() + line.textLength())
            if begin >= end:
                continue
            x1, x2 = (cast("tuple[float, int]", line.cursorToX(at))[0] for at in (begin, end))
            rect = QRectF(box.left() + min(x1, x2), box.top() + line.y(), abs(x2 - x1), line.height())
            yield Zone(rect=rect, kind=hot.kind, value=hot.value, label=block.text()[first:last])
