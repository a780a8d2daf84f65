"""What is drawn around an item's pieces, and how far it stands off them."""

from dataclasses import dataclass
from typing import assert_never

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath

from ui.kit.items import (
    AgentsItem,
    AssistantItem,
    DividerItem,
    HostedItem,
    Item,
    NoticeItem,
    PasteItem,
    ReasoningItem,
    StatusItem,
    Tone,
    ToolItem,
    UserItem,
)
from ui.kit.transcript.look import Look

HOSTED_GAP_PX = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Padding around the stack and what is drawn behind it."""

    gap: float = 12
    below: float = 0
    pad_x: float = 0
    pad_y: float = 0
    kind: str = ""


def frame_of(item: Item) -> Frame:
    match item:
        case UserItem():
            return Frame(kind="bubble", pad_x=14, pad_y=8, below=8)
        case PasteItem():
            return Frame(kind="bubble", pad_x=14, pad_y=5, gap=8, below=8)
        case NoticeItem():
            return Frame(kind="card", pad_x=16, pad_y=12, gap=14)
        case ToolItem():
            return Frame(kind="row", gap=10)
        case AgentsItem():
            return Frame(gap=8, pad_x=12)
        case ReasoningItem():
            return Frame(kind="aside", gap=10)
        case StatusItem() | DividerItem():
            return Frame(gap=14)
        case HostedItem():
            return Frame(gap=HOSTED_GAP_PX)
        case AssistantItem():
            return Frame(below=8)
        case _:
            assert_never(item)


def paint_frame(painter: QPainter, look: Look, item: Item, outer: QRectF, *, is_open: bool) -> None:
    """Draw what is behind an item's pieces into `outer`."""
    tokens, kind = look.tokens, frame_of(item).kind
    rect = outer.adjusted(0.5, 0.5, -0.5, -0.5)
    radius = look.px(12 if kind in ("bubble", "card") else 9)
    match kind:
        case "bubble":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.bubble)
            painter.drawPath(_bubble(rect, radius))
        case "row":
            painter.setPen(tokens.line)
            painter.setBrush(tokens.card)
            painter.drawRoundedRect(rect, radius, radius)
        case "card":
            _paint_card(painter, look, item, rect, radius)
        case "aside" if is_open:
            top = outer.top() + look.px(30)
            bar = QRectF(look.px(6), top, look.px(2), max(0.0, rect.bottom() - top))
            painter.fillRect(bar, tokens.line)
        case _:
            pass


def _paint_card(painter: QPainter, look: Look, item: Item, rect: QRectF, radius: float) -> None:
    tokens = look.tokens
    tone = item.tone if isinstance(item, NoticeItem) else Tone.PLAIN
    edge = tokens.accent if tone is Tone.PLAIN else look.theme.color(tone.value)
    painter.setPen(tokens.line)
    painter.setBrush(tokens.card)
    painter.drawRoundedRect(rect, radius, radius)
    painter.save()
    painter.setClipRect(QRectF(rect.left() - 1, rect.top() - 1, look.px(3) + 1, rect.height() + 2))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(edge))
    painter.drawRoundedRect(rect.adjusted(-0.5, -0.5, 0, 0.5), radius, radius)
    painter.restore()


def _bubble(rect: QRectF, radius: float) -> QPainterPath:
    """A rounded rectangle with one small corner, at the speaker's side."""
    path = QPainterPath()
    path.addRoundedRect(rect, radius, radius)
    corner = QRectF(rect.right() - radius, rect.bottom() - radius, radius, radius)
    small = QPainterPath()
    small.addRoundedRect(corner.adjusted(-radius, -radius, 0, 0), radius / 3, radius / 3)
    return path.united(small)
