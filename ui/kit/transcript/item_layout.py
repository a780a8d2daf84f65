"""One item laid out: its frame, the stack of pieces in it, and the footer below."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import assert_never

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from ui.kit.items import (
    Action,
    AgentsItem,
    AssistantItem,
    DividerItem,
    Footer,
    HostedItem,
    Item,
    ItemId,
    NoticeItem,
    PasteItem,
    ReasoningItem,
    StatusItem,
    Tone,
    ToolItem,
    UserItem,
)
from ui.kit.markdown.blocks import CodeBlock, Paragraph, Span
from ui.kit.transcript.agent_cards import AgentCards
from ui.kit.transcript.code_piece import CodePiece
from ui.kit.transcript.frames import frame_of, paint_frame
from ui.kit.transcript.lines import DividerPiece
from ui.kit.transcript.look import Look
from ui.kit.transcript.piece import Ink, Piece
from ui.kit.transcript.places import Place, Spot, hit_in, part_between, zone_in
from ui.kit.transcript.render import Renderer
from ui.kit.transcript.rows import (
    Buttons,
    CardHead,
    Chips,
    Excerpt,
    FooterPiece,
    PasteRow,
    ReasoningRow,
    Room,
    StatusPiece,
    ToolRow,
)
from ui.kit.transcript.stack import Stack

BUBBLE_SHARE = 0.8
# Longer messages take the whole width of a bubble: measuring them would lay out all of it.
MAX_MEASURED_CHARS = 2_000
FOOTER = -1  # the slot number of the footer


class ItemLayout:
    """`item` in a column of `width_px`; heights are the item's own, `height_px` includes the gap above."""

    def __init__(
        self,
        look: Look,
        renderer: Renderer,
        item: Item,
        width_px: float,
        *,
        is_open: bool,
        item_id: ItemId = "",
    ) -> None:
        self._look = look
        self._id = item_id
        self.item = item
        self.width_px = width_px
        self.is_open = is_open
        self._frame = frame_of(item)
        px = look.px
        self._pad = QPointF(px(self._frame.pad_x), px(self._frame.pad_y))
        self._gap = px(self._frame.gap)
        is_own = isinstance(item, UserItem | PasteItem)
        inner = width_px * (BUBBLE_SHARE if is_own else 1)
        inner -= 2 * self._pad.x()
        indent = px(20) if isinstance(item, ReasoningItem) else 0
        self.stack = Stack(look, renderer, inner, keeps_breaks=is_own, indent_px=indent)
        self._footer: FooterPiece | None = None
        self._renderer = renderer
        self._fill(item)
        self._outer_width = self._measure()
        self._set_footer(_footer(item))

    # Building

    def _fill(self, item: Item) -> None:
        look, stack = self._look, self.stack
        match item:
            case UserItem() | AssistantItem():
                if isinstance(item, UserItem) and item.attachments:
                    stack.add(Chips(look, item.attachments))
                stack.write(item.text, is_complete=not _is_streaming(item))
            case NoticeItem():
                self._fill_card(item)
            case DividerItem() | StatusItem() | HostedItem() | AgentsItem():
                stack.add(self._line(item))
            case ReasoningItem():
                stack.add(ReasoningRow(look, item.title, is_open=self.is_open))
                if self.is_open:
                    stack.write(item.text, is_complete=True)
            case ToolItem():
                stack.add(ToolRow(look, item, is_open=self.is_open))
                self._fill_opened(item.body, item.language, item.actions)
            case PasteItem():
                stack.add(PasteRow(look, item, is_open=self.is_open))
                self._fill_opened(item.text, "", item.actions)
            case _:
                assert_never(item)

    def _line(self, item: DividerItem | StatusItem | HostedItem | AgentsItem) -> Piece:
        match item:
            case DividerItem():
                return DividerPiece(self._look, item)
            case StatusItem():
                return StatusPiece(self._look, item.text)
            case AgentsItem():
                return AgentCards(self._look, item)
            case HostedItem():
                return Room(self._look, self._id)

    def _fill_card(self, item: NoticeItem) -> None:
        if item.title or item.figures or item.chip or item.tone is not Tone.PLAIN:
            self.stack.add(CardHead(self._look, item))
        if item.text:
            self._add_words(item.text)
        if item.excerpt:
            self.stack.add(Excerpt(self._look, item.excerpt))
        if item.actions:
            self.stack.add(Buttons(self._look, item.actions))

    def _fill_opened(self, body: str, language: str, actions: Sequence[Action]) -> None:
        if not self.is_open:
            return
        if body:
            code = CodePiece(self._look, CodeBlock(code=body, language=language))
            code.gap_px = 0.0
            self.stack.add(code)
        if actions:
            self.stack.add(Buttons(self._look, actions))

    def _add_words(self, text: str) -> None:
        """Plain words: nothing in them is read as Markdown."""
        for piece in self._renderer.pieces([Paragraph(spans=(Span(text=text),))]):
            piece.gap_px = self._look.px(4)
            self.stack.add(piece)

    def _measure(self) -> float:
        """The frame's width: a bubble is as narrow as its text allows."""
        full = self.stack.width_px + 2 * self._pad.x()
        item = self.item
        is_short = isinstance(item, UserItem) and len(item.text) <= MAX_MEASURED_CHARS
        if is_short or (isinstance(item, PasteItem) and not self.is_open):
            return min(full, self.stack.natural_width_px + 2 * self._pad.x() + 1)
        return full

    def _set_footer(self, footer: Footer | None) -> None:
        self._footer = None
        if footer is not None and (footer.actions or footer.figures or footer.n_versions > 1):
            self._footer = FooterPiece(self._look, footer, is_right=self._is_own)
            self._footer.lay_out(self.width_px)

    def update(self, item: Item) -> bool:
        """Take a new content; False when all must be built anew."""
        old = self.item
        if not isinstance(item, AssistantItem) or not isinstance(old, AssistantItem) or not old.is_streaming:
            return False
        if not self.stack.can_grow_to(item.text):
            return False
        self.item = item
        self.stack.write(item.text, is_complete=not item.is_streaming)
        if item.footer != old.footer:
            self._set_footer(item.footer)
        return True

    def show_formulas(self) -> bool:
        """Lay out again what showed the source of a formula that is typeset now; whether anything did."""
        if not self.stack.show_formulas():
            return False
        self._outer_width = self._measure()
        return True

    # Geometry

    @property
    def _is_own(self) -> bool:
        return isinstance(self.item, UserItem | PasteItem)

    @property
    def _stack_top(self) -> float:
        return self._gap + self._pad.y()

    @property
    def _stack_left(self) -> float:
        return self._outer_left + self._pad.x()

    @property
    def _outer_left(self) -> float:
        return self.width_px - self._outer_width if self._is_own else 0.0

    @property
    def _frame_rect(self) -> QRectF:
        height = self.stack.heights.total + 2 * self._pad.y()
        return QRectF(self._outer_left, self._gap, self._outer_width, height)

    @property
    def height_px(self) -> float:
        """A whole number: then each item begins at a pixel, and a place at its top stays in it."""
        footer = self._footer.height_px if self._footer else self._look.px(self._frame.below)
        return float(ceil(self._gap + self.stack.heights.total + 2 * self._pad.y() + footer))

    def anchor_at(self, y: float) -> tuple[int, float]:
        """The block at a height of the item, and how far below its top that is."""
        if not self.stack.slots:
            return 0, y
        inside = y - self._stack_top
        slot = self.stack.heights.index_at(inside)
        return slot, inside - self.stack.heights.top(slot)

    def lay_slot(self, slot: int) -> None:
        if self.stack.slots:
            self.stack.lay(min(slot, len(self.stack.slots) - 1))

    def y_of(self, slot: int, offset: float) -> float:
        """The height that `anchor_at` answered (slot, offset) for, by the present layout."""
        if not self.stack.slots:
            return offset
        return self._stack_top + self.stack.heights.top(min(slot, len(self.stack.slots) - 1)) + offset

    def lay_between(self, top: float, bottom: float) -> bool:
        """Lay out what lies between two heights of the item; whether its height changed."""
        return self.stack.lay_between(max(0.0, top - self._stack_top), bottom - self._stack_top)

    def trim(self, top: float, bottom: float) -> None:
        self.stack.trim(max(0.0, top - self._stack_top), bottom - self._stack_top)

    def _pieces(self, top: float, bottom: float) -> list[tuple[int, int, Piece, float, float]]:
        """(slot, number, piece, left, top) of what lies between two heights of the item."""
        offset, left = self._stack_top, self._stack_left
        found = [
            (slot, number, piece, left + piece.left_px, offset + y)
            for slot, number, piece, y in self.stack.between(top - offset, bottom - offset)
        ]
        if self._footer:
            found.append((FOOTER, 0, self._footer, 0.0, self._frame_rect.bottom()))
        return found

    def _piece_at(self, y: float) -> tuple[int, int, Piece, float, float] | None:
        """The piece with text nearest to a height, laid out."""
        if not self.stack.slots:
            return None
        inside = min(max(0.0, y - self._stack_top), max(0.0, self.stack.heights.total - 1))
        self.stack.lay(self.stack.heights.index_at(inside))
        near = [
            part
            for part in self._pieces(inside + self._stack_top - 40, inside + self._stack_top + 40)
            if part[2].end
        ]
        return min(near, key=lambda part: _distance(part, y), default=None)

    # Drawing

    def paint(
        self,
        painter: QPainter,
        ink: Ink,
        *,
        selected: tuple[Place, Place] | None = None,
        focused: Spot | None = None,
        hot: Spot | None = None,
        current: tuple[Place, int] | None = None,
    ) -> None:
        """Draw what lies between `ink.top` and `ink.bottom` of the item.

        Args:
            current: Where the hit that was gone to begins, and where it ends in that piece.
        """
        paint_frame(painter, self._look, self.item, self._frame_rect, is_open=self.is_open)
        for slot, number, piece, left, top in self._pieces(ink.top, ink.bottom):
            own = replace(
                ink,
                top=ink.top - top,
                bottom=ink.bottom - top,
                selected=part_between(selected, slot, number, piece.end),
                focused=zone_in(focused, slot, number),
                hot=zone_in(hot, slot, number),
                current=hit_in(current, slot, number),
                has_margin=isinstance(self.item, AssistantItem),
            )
            painter.translate(left, top)
            piece.paint(painter, own)
            painter.translate(-left, -top)

    # Asking

    def place_at(self, x: float, y: float) -> Place | None:
        """The character nearest to a point; None for an item without text."""
        part = self._piece_at(y)
        if part is None:
            return None
        slot, number, piece, left, top = part
        return Place(slot, number, piece.char_at(x - left, y - top))

    def word_at(self, place: Place) -> tuple[Place, Place]:
        """The word around a place."""
        piece = self.stack.lay(place.slot).pieces[place.piece]
        start, end = piece.word_at(place.char)
        return place._replace(char=start), place._replace(char=end)

    def paragraph_at(self, place: Place) -> tuple[Place, Place]:
        """The whole piece around a place."""
        piece = self.stack.lay(place.slot).pieces[place.piece]
        return place._replace(char=0), place._replace(char=piece.end)

    def text(self, start: Place, end: Place) -> str:
        """The plain text between two places."""
        parts: list[str] = []
        for index in range(start.slot, min(end.slot, len(self.stack.slots) - 1) + 1):
            for number, piece in enumerate(self.stack.lay(index).pieces):
                span = part_between((start, end), index, number, piece.end)
                if span is not None and piece.end:
                    parts.append(piece.text(*span))
        return "\n\n".join(parts)

    def ends(self) -> tuple[Place, Place]:
        """Before the first and after the last character."""
        last = len(self.stack.slots) - 1
        if last < 0:
            return Place(0, 0, 0), Place(0, 0, 0)
        pieces = self.stack.lay(last).pieces
        first = next((i for i in range(last + 1) if any(p.end for p in self.stack.lay(i).pieces)), 0)
        return Place(first, 0, 0), Place(last, len(pieces) - 1, pieces[-1].end if pieces else 0)

    def spots(self, top: float, bottom: float) -> Sequence[Spot]:
        """All zones between two heights, top to bottom."""
        return [
            Spot(slot=slot, piece=number, zone=zone, rect=zone.rect.translated(left, y))
            for slot, number, piece, left, y in self._pieces(top, bottom)
            for zone in piece.zones()
        ]

    def spot_at(self, x: float, y: float) -> Spot | None:
        return next((spot for spot in self.spots(y - 1, y + 1) if spot.rect.contains(x, y)), None)

    def code_at(self, x: float, y: float) -> CodePiece | None:
        """The code block under a point."""
        for _, _, piece, left, top in self._pieces(y - 1, y + 1):
            if isinstance(piece, CodePiece) and QRectF(left, top, piece.width_px, piece.height_px).contains(
                x, y
            ):
                return piece
        return None


def _is_streaming(item: Item) -> bool:
    return isinstance(item, AssistantItem) and item.is_streaming


def _footer(item: Item) -> Footer | None:
    return item.footer if isinstance(item, UserItem | PasteItem | AssistantItem) else None


def _distance(part: tuple[int, int, Piece, float, float], y: float) -> float:
    top, bottom = part[4], part[4] + part[2].height_px
    return max(top - y, y - bottom, 0.0)
