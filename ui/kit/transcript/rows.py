"""The small pieces around the text: rules, dividers, status and tool rows, card heads, buttons, footers."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from ui.kit.items import (
    NEXT_VERSION,
    PREVIOUS_VERSION,
    Action,
    Footer,
    ItemId,
    NoticeItem,
    PasteItem,
    ToolItem,
)
from ui.kit.links import visible
from ui.kit.theme import FontRole
from ui.kit.transcript.look import Look
from ui.kit.transcript.piece import Ink, Mute, Zone, ZoneKind

_CENTER = Qt.AlignmentFlag.AlignCenter
_MIDDLE = Qt.AlignmentFlag.AlignVCenter
FOOTER_PX = 26
STATE_ICONS = {
    "waiting": ("clock", "muted_text"),
    "running": ("more", "accent"),
    "asking": ("warning", "warning_text"),
    "done": ("check", "healthy"),
    "failed": ("close", "critical"),
    "stopped": ("stop", "muted_text"),
}
"""Icon and colour of each `WorkState`."""


def paint_focus(look: Look, painter: QPainter, rect: QRectF) -> None:
    """The ring around what the keyboard is on."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(look.tokens.focus, 1.5))
    painter.drawRoundedRect(rect, look.px(5), look.px(5))


def elided(look: Look, role: FontRole, text: str, width: float) -> str:
    return look.metrics(role).elidedText(text, Qt.TextElideMode.ElideRight, width)


class Row(Mute):
    """A piece of fixed height across the whole width."""

    height = 28.0

    def __init__(self, look: Look) -> None:
        self.look = look
        self.gap_px = look.px(8)

    def lay_out(self, width_px: float) -> None:
        self.width_px = width_px
        self.height_px = float(round(self.look.px(self.height)))

    @property
    def rect(self) -> QRectF:
        return QRectF(0, 0, self.width_px, self.height_px)

    def draw_text(
        self,
        painter: QPainter,
        rect: QRectF,
        text: str,
        role: FontRole = FontRole.SMALL,
        color: str = "muted_text",
    ) -> None:
        """One line, elided, centred vertically."""
        painter.setFont(self.look.font(role))
        painter.setPen(self.look.theme.color(color))
        painter.drawText(rect, _MIDDLE, elided(self.look, role, text, rect.width()))

    def draw_icon(self, painter: QPainter, name: str, color: str, *, x: float, size: float = 16) -> None:
        px = round(self.look.px(size))
        painter.drawPixmap(QPointF(x, (self.height_px - px) / 2), self.look.icon(name, color, px))


class StatusPiece(Row):
    """What is going on now, in small print with a dot."""

    def __init__(self, look: Look, text: str) -> None:
        super().__init__(look)
        self._text = text

    def paint(self, painter: QPainter, ink: Ink) -> None:
        radius = self.look.px(3.5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.look.tokens.accent)
        painter.drawEllipse(QPointF(radius + 1, self.height_px / 2), radius, radius)
        self.draw_text(painter, self.rect.adjusted(self.look.px(16), 0, 0, 0), self._text)


class ReasoningRow(Row):
    """The folded line of reasoning."""

    height = 26.0

    def __init__(self, look: Look, title: str, *, is_open: bool) -> None:
        super().__init__(look)
        self._title = title
        self._is_open = is_open

    def paint(self, painter: QPainter, ink: Ink) -> None:
        icon = "chevron-down" if self._is_open else "chevron-right"
        self.draw_icon(painter, icon, "muted_text", x=0, size=14)
        self.draw_text(painter, self.rect.adjusted(self.look.px(20), 0, 0, 0), self._title)
        if ink.focused is not None:
            paint_focus(self.look, painter, self.rect.adjusted(-2, 1, 0, -1))

    def zones(self) -> Sequence[Zone]:
        return [Zone(rect=self.rect, kind=ZoneKind.TOGGLE, label=self._title)]


class ToolRow(Row):
    """✓ name … figures."""

    height = 37.0

    def __init__(self, look: Look, item: ToolItem, *, is_open: bool) -> None:
        super().__init__(look)
        self._item = item
        self._is_open = is_open

    @property
    def _can_open(self) -> bool:
        return bool(self._item.body or self._item.actions)

    def paint(self, painter: QPainter, ink: Ink) -> None:
        look, item = self.look, self._item
        icon, color = STATE_ICONS[item.state]
        self.draw_icon(painter, icon, color, x=look.px(12), size=15)
        right = self.width_px - look.px(14)
        if self._can_open:
            right -= look.px(14)
            chevron = "chevron-down" if self._is_open else "chevron-right"
            self.draw_icon(painter, chevron, "muted", x=right, size=14)
            right -= look.px(6)
        width = min(look.metrics(FontRole.SMALL).horizontalAdvance(item.figures), self.width_px * 0.55)
        left = right - width
        self.draw_text(painter, QRectF(left, 0, width + 1, self.height_px), item.figures)
        name = QRectF(look.px(36), 0, left - look.px(44), self.height_px)
        self.draw_text(painter, name, item.title, FontRole.CODE, "ink")
        if ink.focused is not None:
            paint_focus(look, painter, self.rect.adjusted(3, 3, -3, -3))

    def zones(self) -> Sequence[Zone]:
        if not self._can_open:
            return ()
        return [Zone(rect=self.rect, kind=ZoneKind.TOGGLE, label=self._item.title)]


class Room(Row):
    """Nothing drawn: a widget stands there, as high as `look.rooms` says."""

    def __init__(self, look: Look, item: ItemId) -> None:
        super().__init__(look)
        self._item = item

    def lay_out(self, width_px: float) -> None:
        self.width_px = width_px
        self.height_px = self.look.rooms(self._item, width_px)

    def paint(self, painter: QPainter, ink: Ink) -> None:
        pass


class PasteRow(Row):
    """The folded line of a pasted text; as narrow as its words while it is closed."""

    height = 26.0

    def __init__(self, look: Look, item: PasteItem, *, is_open: bool) -> None:
        super().__init__(look)
        self._item = item
        self._is_open = is_open
        self.gap_px = 0.0

    @property
    def _can_open(self) -> bool:
        return bool(self._item.text or self._item.actions)

    @property
    def _words(self) -> str:
        return " · ".join(filter(None, (self._item.title, self._item.figures)))

    def lay_out(self, width_px: float) -> None:
        super().lay_out(width_px)
        if not self._is_open:
            words = self.look.metrics(FontRole.SMALL).horizontalAdvance(self._words)
            self.width_px = min(width_px, words + self.look.px(22 + (24 if self._can_open else 2)))

    def paint(self, painter: QPainter, ink: Ink) -> None:
        px = self.look.px
        self.draw_icon(painter, "paperclip", "muted_text", x=0, size=14)
        room = self.rect.adjusted(px(21), 0, -px(20), 0)
        self.draw_text(painter, room, self._words, color="ink")
        if self._can_open:
            chevron = "chevron-down" if self._is_open else "chevron-right"
            self.draw_icon(painter, chevron, "muted_text", x=self.width_px - px(14), size=14)
        if ink.focused is not None:
            paint_focus(self.look, painter, self.rect.adjusted(-4, 1, 4, -1))

    def zones(self) -> Sequence[Zone]:
        return [Zone(rect=self.rect, kind=ZoneKind.TOGGLE, label=self._words)] if self._can_open else ()


class CardHead(Row):
    """Title, chip and figures of a card; its address below."""

    def __init__(self, look: Look, item: NoticeItem) -> None:
        super().__init__(look)
        self._item = item
        self.gap_px = 0.0
        self.height = 24.0 + (24.0 if item.address else 0)

    def paint(self, painter: QPainter, ink: Ink) -> None:
        look, item = self.look, self._item
        line = look.px(24)
        x = 0.0
        is_serious = item.tone in ("warning", "critical")
        if is_serious or item.icon:
            px = round(look.px(16))
            icon, color = ("warning", f"{item.tone}_text") if is_serious else (item.icon, "muted_text")
            painter.drawPixmap(QPointF(0, (line - px) / 2), look.icon(icon, color, px))
            x = look.px(23)
        figures = look.metrics(FontRole.SMALL).horizontalAdvance(item.figures)
        self.draw_text(painter, QRectF(self.width_px - figures, 0, figures + 1, line), item.figures)
        room = self.width_px - figures - x - look.px(12)
        self.draw_text(painter, QRectF(x, 0, room, line), item.title, FontRole.STRONG, "ink")
        x += look.metrics(FontRole.STRONG).horizontalAdvance(item.title) + look.px(8)
        if item.chip:
            width = look.metrics(FontRole.SMALL).horizontalAdvance(item.chip) + look.px(20)
            rect = QRectF(x, look.px(1), width, line - look.px(2))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.tokens.chip)
            painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
            painter.setPen(look.tokens.ink)
            painter.setFont(look.font(FontRole.SMALL))
            painter.drawText(rect, _CENTER, item.chip)
        if item.address:
            address = QRectF(0, line, self.width_px, self.height_px - line)
            self.draw_text(painter, address, item.address, FontRole.CODE)


class Excerpt(Row):
    """The first lines of something, as they are."""

    def __init__(self, look: Look, text: str) -> None:
        super().__init__(look)
        self._lines = text.split("\n")
        self.height = 14.0 + 18.0 * len(self._lines)

    def paint(self, painter: QPainter, ink: Ink) -> None:
        look = self.look
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.tokens.code)
        painter.drawRoundedRect(self.rect, look.px(6), look.px(6))
        for at, line in enumerate(self._lines):
            row = QRectF(look.px(10), look.px(7 + 18 * at), self.width_px - look.px(20), look.px(18))
            self.draw_text(painter, row, visible(line.expandtabs(4)), FontRole.CODE)


class Chips(Row):
    """Names in pills: attachments."""

    height = 26.0

    def __init__(self, look: Look, names: Sequence[str]) -> None:
        super().__init__(look)
        self._names = names
        self._boxes: list[tuple[str, QRectF]] = []

    def lay_out(self, width_px: float) -> None:
        super().lay_out(width_px)
        look = self.look
        self._boxes = []
        x, y, height = 0.0, 0.0, look.px(26)
        for name in self._names:
            text = elided(look, FontRole.SMALL, name, width_px - look.px(40))
            width = look.metrics(FontRole.SMALL).horizontalAdvance(text) + look.px(38)
            if x and x + width > width_px:
                x, y = 0.0, y + height + look.px(4)
            self._boxes.append((text, QRectF(x, y, width, height)))
            x += width + look.px(6)
        self.width_px = max(box.right() for _, box in self._boxes)
        self.height_px = y + height

    def paint(self, painter: QPainter, ink: Ink) -> None:
        look = self.look
        for text, box in self._boxes:
            painter.setPen(look.tokens.line)
            painter.setBrush(look.tokens.card)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), look.px(8), look.px(8))
            px = round(look.px(14))
            middle = box.top() + (box.height() - px) / 2
            painter.drawPixmap(
                QPointF(box.left() + look.px(8), middle), look.icon("paperclip", "muted_text", px)
            )
            self.draw_text(painter, box.adjusted(look.px(27), 0, 0, 0), text, color="ink")


def button_width(look: Look, action: Action) -> float:
    width = look.metrics(FontRole.TEXT).horizontalAdvance(action.label) + look.px(22)
    return width + (look.px(20) if action.icon else 0)


def paint_button(look: Look, painter: QPainter, action: Action, zone: Zone, ink: Ink) -> None:
    """A drawn push button where its zone is."""
    rect = zone.rect.adjusted(0.5, 0.5, -0.5, -0.5)
    painter.setPen(look.tokens.line)
    painter.setBrush(look.tokens.hover if zone == ink.hot else look.tokens.card)
    painter.drawRoundedRect(rect, look.px(8), look.px(8))
    painter.setPen(look.tokens.ink)
    painter.setFont(look.font(FontRole.TEXT))
    if action.icon:
        px = round(look.px(15))
        top = rect.top() + (rect.height() - px) / 2
        painter.drawPixmap(QPointF(rect.left() + look.px(9), top), look.icon(action.icon, "ink", px))
        rect = rect.adjusted(look.px(20), 0, 0, 0)
    painter.drawText(rect, _CENTER, action.label)
    if zone == ink.focused:
        paint_focus(look, painter, zone.rect.adjusted(1, 1, -1, -1))


class Buttons(Row):
    """Drawn push buttons; they wrap when the column is narrow. The first is the likely one."""

    height = 33.0

    def __init__(self, look: Look, actions: Sequence[Action]) -> None:
        super().__init__(look)
        self._actions = actions
        self._zones: list[Zone] = []

    def lay_out(self, width_px: float) -> None:
        super().lay_out(width_px)
        look = self.look
        self._zones = []
        x, y, height = 0.0, 0.0, look.px(33)
        for action in self._actions:
            width = button_width(look, action)
            if x and x + width > width_px:
                x, y = 0.0, y + height + look.px(6)
            rect = QRectF(x, y, width, height)
            self._zones.append(Zone(rect=rect, kind=ZoneKind.ACTION, value=action.id, label=action.label))
            x += width + look.px(8)
        self.height_px = y + height

    def paint(self, painter: QPainter, ink: Ink) -> None:
        look = self.look
        for zone, action in zip(self._zones, self._actions, strict=True):
            paint_button(look, painter, action, zone, ink)

    def zones(self) -> Sequence[Zone]:
        return self._zones


class FooterPiece(Row):
    """‹ 2/3 ›, actions and figures; always takes its room, so that nothing moves when it shows."""

    height = float(FOOTER_PX)

    def __init__(self, look: Look, footer: Footer, *, is_right: bool) -> None:
        super().__init__(look)
        self._footer = footer
        self._is_right = is_right
        self._parts: list[tuple[Zone, Action]] = []
        self._switch: list[Zone] = []
        self._figures = QRectF()

    def lay_out(self, width_px: float) -> None:
        super().lay_out(width_px)
        look, footer = self.look, self._footer
        metrics = look.metrics(FontRole.SMALL)
        switch = self._switch_width() if footer.n_versions > 1 else 0.0
        widths = [look.px(20) + metrics.horizontalAdvance(action.label) for action in footer.actions]
        gap, figures = look.px(12), metrics.horizontalAdvance(footer.figures)
        room = sum(widths) + gap * len(widths) + switch
        has_labels = room <= width_px
        if not has_labels:
            widths = [look.px(20)] * len(widths)
            room = sum(widths) + gap * len(widths) + switch
        figures = min(figures, max(0.0, width_px - room))
        x = width_px - room - figures if self._is_right else 0.0
        self._place_switch(x)
        x += switch
        self._parts = []
        for width, action in zip(widths, footer.actions, strict=True):
            rect = QRectF(x - look.px(3), look.px(3), width + look.px(6), self.height_px - look.px(6))
            zone = Zone(rect=rect, kind=ZoneKind.ACTION, value=action.id, label=action.label)
            self._parts.append((zone, action if has_labels else Action(id="", label="", icon=action.icon)))
            x += width + gap
        self._figures = QRectF(x, 0, figures + 1, self.height_px)

    def _switch_width(self) -> float:
        text = f"{self._footer.version}/{self._footer.n_versions}"
        return self.look.metrics(FontRole.SMALL).horizontalAdvance(text) + self.look.px(58)

    def _place_switch(self, x: float) -> None:
        look, footer = self.look, self._footer
        self._switch = []
        if footer.n_versions < 2:
            return
        size = look.px(20)
        end = x + self._switch_width() - look.px(34)
        words = look.words
        for left, value, label in (
            (x, PREVIOUS_VERSION, words.previous_version()),
            (end, NEXT_VERSION, words.next_version()),
        ):
            rect = QRectF(left, look.px(4), size, size)
            self._switch.append(Zone(rect=rect, kind=ZoneKind.ACTION, value=value, label=label))

    def paint(self, painter: QPainter, ink: Ink) -> None:
        look, footer = self.look, self._footer
        if self._switch:
            for zone, icon in zip(self._switch, ("chevron-left", "chevron-right"), strict=True):
                self.draw_icon(painter, icon, "muted_text", x=zone.rect.left() + look.px(3), size=14)
            rect = QRectF(self._switch[0].rect.right(), 0, 0, self.height_px)
            rect.setRight(self._switch[1].rect.left())
            painter.setFont(look.font(FontRole.SMALL))
            painter.setPen(look.tokens.muted_text)
            painter.drawText(rect, _CENTER, f"{footer.version}/{footer.n_versions}")
        if ink.shows_actions:
            for zone, action in self._parts:
                x = zone.rect.left() + look.px(3)
                color = "ink" if zone == ink.hot else "muted_text"
                if action.icon:
                    self.draw_icon(painter, action.icon, color, x=x, size=14)
                self.draw_text(painter, zone.rect.adjusted(look.px(22), 0, 4, 0), action.label, color=color)
            self.draw_text(painter, self._figures, footer.figures)
        if ink.focused is not None:
            paint_focus(look, painter, ink.focused.rect)

    def zones(self) -> Sequence[Zone]:
        return [*self._switch, *(zone for zone, _ in self._parts)]
