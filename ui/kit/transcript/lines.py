"""Lines across the transcript: Markdown's rule, and dividers that say something."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from ui.kit.items import (
    Action,
    DividerItem,
)
from ui.kit.theme import FontRole
from ui.kit.transcript.look import Look
from ui.kit.transcript.piece import Ink, Zone, ZoneKind
from ui.kit.transcript.rows import Row, paint_focus


class RulePiece(Row):
    """A thematic break."""

    height = 17.0

    def paint(self, painter: QPainter, ink: Ink) -> None:
        painter.fillRect(QRectF(0, self.height_px // 2, self.width_px, 1), self.look.tokens.line)


class DividerPiece(Row):
    """A sentence between two dashed lines, its actions as links after it."""

    height = 24.0

    def __init__(self, look: Look, item: DividerItem) -> None:
        super().__init__(look)
        self._item = item

    def _parts(self) -> list[tuple[str, Action | None, float]]:
        """(text, its action, x) of sentence, dots and links; centred."""
        metrics = self.look.metrics(FontRole.SMALL)
        texts: list[tuple[str, Action | None]] = [(self._item.text, None)]
        for action in self._item.actions:
            texts += [(" · ", None), (action.label, action)]
        x = max(0.0, (self.width_px - sum(metrics.horizontalAdvance(text) for text, _ in texts)) / 2)
        parts: list[tuple[str, Action | None, float]] = []
        for text, action in texts:
            parts.append((text, action, x))
            x += metrics.horizontalAdvance(text)
        return parts

    def paint(self, painter: QPainter, ink: Ink) -> None:
        parts = self._parts()
        metrics = self.look.metrics(FontRole.SMALL)
        font = self.look.font(FontRole.SMALL)
        for text, action, x in parts:
            rect = QRectF(x, 0, self.width_px - x, self.height_px)
            self.draw_text(painter, rect, text, color="ink" if action else "muted_text")
            if action:
                width = metrics.horizontalAdvance(text)
                base = (self.height_px + metrics.ascent() - metrics.descent()) / 2 + 2
                painter.drawLine(QPointF(x, base), QPointF(x + width, base))
        painter.setFont(font)
        pen = QPen(self.look.tokens.line, 1, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        middle = self.height_px // 2 + 0.5
        left, right = parts[0][2], parts[-1][2] + metrics.horizontalAdvance(parts[-1][0])
        gap = self.look.px(10)
        if left > 2 * gap:
            painter.drawLine(QPointF(0, middle), QPointF(left - gap, middle))
            painter.drawLine(QPointF(right + gap, middle), QPointF(self.width_px, middle))
        if ink.focused is not None:
            paint_focus(self.look, painter, ink.focused.rect)

    def zones(self) -> Sequence[Zone]:
        metrics = self.look.metrics(FontRole.SMALL)
        return [
            Zone(
                rect=QRectF(x - 3, 1, metrics.horizontalAdvance(text) + 6, self.height_px - 2),
                kind=ZoneKind.ACTION,
                value=action.id,
                label=action.label,
            )
            for text, action, x in self._parts()
            if action
        ]
