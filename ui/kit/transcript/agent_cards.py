"""Cards of those that work on parts of a whole, side by side: what each does, what it took, and its buttons."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from ui.kit.items import Action, AgentCard, AgentsItem
from ui.kit.theme import FontRole
from ui.kit.transcript.look import Look
from ui.kit.transcript.piece import Ink, Zone, ZoneKind
from ui.kit.transcript.rows import STATE_ICONS, Row, button_width, paint_button

_LEAST_PX = 260
_PAD_PX = 12
_GAP_PX = 8
_LINE_PX = 22
_BUTTON_PX = 29


@dataclass(frozen=True, slots=True)
class _Laid:
    card: AgentCard
    rect: QRectF
    buttons: tuple[tuple[Action, Zone], ...]


class AgentCards(Row):
    """In as many columns as have room for a readable card, all of one height."""

    def __init__(self, look: Look, item: AgentsItem) -> None:
        super().__init__(look)
        self._item = item
        self._laid: list[_Laid] = []
        self.gap_px = 0.0

    def lay_out(self, width_px: float) -> None:
        px = self.look.px
        gap, height = px(_GAP_PX), px(2 * _PAD_PX + 2 * _LINE_PX + 8 + _BUTTON_PX)
        n_fit = max(1, int((width_px + gap) // (px(_LEAST_PX) + gap)))
        n_columns = min(n_fit, len(self._item.cards))
        width = (width_px - gap * (n_columns - 1)) / n_columns
        self._laid = []
        for n, card in enumerate(self._item.cards):
            row, column = divmod(n, n_columns)
            rect = QRectF(column * (width + gap), row * (height + gap), width, height)
            self._laid.append(_Laid(card, rect, tuple(self._buttons(card, rect))))
        self.width_px = width_px
        self.height_px = self._laid[-1].rect.bottom()

    def _buttons(self, card: AgentCard, rect: QRectF) -> Sequence[tuple[Action, Zone]]:
        px, found = self.look.px, list[tuple[Action, Zone]]()
        x, y = rect.left() + px(_PAD_PX), rect.bottom() - px(_PAD_PX + _BUTTON_PX)
        for action in card.actions:
            place = QRectF(x, y, button_width(self.look, action), px(_BUTTON_PX))
            label = f"{action.label}: {card.title}"  # two cards have buttons of one name
            found.append((action, Zone(rect=place, kind=ZoneKind.ACTION, value=action.id, label=label)))
            x = place.right() + px(6)
        return found

    def paint(self, painter: QPainter, ink: Ink) -> None:
        for laid in self._laid:
            self._paint_card(painter, laid)
            for action, zone in laid.buttons:
                paint_button(self.look, painter, action, zone, ink)

    def _paint_card(self, painter: QPainter, laid: _Laid) -> None:
        look, card, px = self.look, laid.card, self.look.px
        painter.setPen(look.tokens.line)
        painter.setBrush(look.tokens.card)
        painter.drawRoundedRect(laid.rect.adjusted(0.5, 0.5, -0.5, -0.5), px(9), px(9))
        inner = laid.rect.adjusted(px(_PAD_PX), px(_PAD_PX), -px(_PAD_PX), -px(_PAD_PX))
        line, size = px(_LINE_PX), round(px(15))
        icon, color = STATE_ICONS[card.state]
        at = QPointF(inner.left(), inner.top() + (line - size) / 2)
        painter.drawPixmap(at, look.icon(icon, color, size))
        title = QRectF(inner.left() + px(23), inner.top(), inner.width() - px(23), line)
        self.draw_text(painter, title, card.title, FontRole.STRONG, "ink")
        self.draw_text(painter, title.translated(0, line), card.text)
        left = max((zone.rect.right() for _, zone in laid.buttons), default=inner.left()) + px(10)
        width = min(look.metrics(FontRole.SMALL).horizontalAdvance(card.figures) + 1, inner.right() - left)
        figures = QRectF(inner.right() - width, inner.bottom() - px(_BUTTON_PX), width, px(_BUTTON_PX))
        self.draw_text(painter, figures, card.figures)

    def zones(self) -> Sequence[Zone]:
        return [zone for laid in self._laid for _, zone in laid.buttons]
