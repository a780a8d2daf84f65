"""A code block as a card: language, Copy and Save, lines shaped only when seen, folded when long."""

from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QTextCharFormat, QTextLayout, QTextOption

from ui.kit.links import diagram_url, visible
from ui.kit.markdown.blocks import CodeBlock
from ui.kit.markdown.highlight import Colours
from ui.kit.theme import FontRole
from ui.kit.transcript.look import Look
from ui.kit.transcript.piece import Find, Ink, Zone, ZoneKind

FOLD_OVER_LINES, FOLDED_LINES = 30, 24
# Beyond this a line is cut on screen (case B65); copying gives all of it.
MAX_LINE_CHARS = 5_000
# A position is line * STRIDE + column, so that a million lines need no table of offsets.
STRIDE = 1 << 16
MAX_SHAPED_LINES = 400
MAX_DIAGRAM_CHARS = 20_000
_ICONS = {ZoneKind.COPY_CODE: "copy", ZoneKind.SAVE_CODE: "download", ZoneKind.LINK: "external"}


class CodePiece:
    """`block.code` is kept exactly; what is drawn shows control characters."""

    left_px = 0.0

    def __init__(self, look: Look, block: CodeBlock) -> None:
        self._look = look
        self._block = block
        self._lines = _lines(block.code)
        self._shaped: dict[int, QTextLayout] = {}
        self._colours: Colours | None = None
        self._scroll_px = 0.0
        self._longest_px = -1.0
        self.is_unfolded = False
        self.is_copied = False
        self.gap_px = look.px(9)
        self.width_px = self.height_px = 0.0
        self._line_px = round(look.metrics(FontRole.CODE).lineSpacing() * 1.22)
        self._header_px = look.px(30)
        self._padding_px = look.px(14)

    @property
    def code(self) -> str:
        return self._block.code

    @property
    def language(self) -> str:
        return self._block.language

    @property
    def end(self) -> int:
        last = self._n_shown - 1
        return last * STRIDE + len(self._lines[last])

    @property
    def _is_diagram(self) -> bool:
        """A browser draws it; an address has room for so much."""
        is_whole = self._block.is_closed and bool(self._block.code.strip())
        return self.language.lower() == "mermaid" and is_whole and len(self.code) <= MAX_DIAGRAM_CHARS

    @property
    def _is_foldable(self) -> bool:
        return len(self._lines) > FOLD_OVER_LINES

    @property
    def _n_shown(self) -> int:
        return FOLDED_LINES if self._is_foldable and not self.is_unfolded else len(self._lines)

    def grow(self, block: CodeBlock) -> None:
        """Take a longer version of the same block; lines that are the same stay shaped."""
        old, self._lines = self._lines, _lines(block.code)
        self._block = block
        self._shaped.pop(len(old) - 1, None)
        self._colours = None
        self._longest_px = max(
            self._longest_px, *(self._advance(line) for line in self._lines[len(old) - 1 :]), 0.0
        )
        self.lay_out(self.width_px)

    def lay_out(self, width_px: float) -> None:
        self.width_px = width_px
        body = self._n_shown * self._line_px + self._look.px(10)
        self.height_px = self._header_px + body + (self._look.px(30) if self._is_foldable else 0)

    def _advance(self, line: str) -> float:
        return self._look.metrics(FontRole.CODE).horizontalAdvance(line)

    @property
    def _room_px(self) -> float:
        return self.width_px - 2 * self._padding_px

    @property
    def _overflow_px(self) -> float:
        if self._longest_px < 0:
            self._longest_px = self._advance(max(self._lines, key=len))
        return max(0.0, self._longest_px - self._room_px)

    def scroll_by(self, dx: float) -> bool:
        """Move long lines sideways; False when there is nothing to move."""
        before = self._scroll_px
        self._scroll_px = min(max(0.0, before + dx), self._overflow_px)
        return self._scroll_px != before

    def paint(self, painter: QPainter, ink: Ink) -> None:
        look, tokens = self._look, self._look.tokens
        card = QRectF(0.5, 0.5, self.width_px - 1, self.height_px - 1)
        painter.setPen(tokens.line)
        painter.setBrush(tokens.code)
        painter.drawRoundedRect(card, look.px(8), look.px(8))
        if ink.top < self._header_px:
            self._paint_header(painter, ink)
        painter.save()
        path = QPainterPath()
        path.addRoundedRect(card, look.px(8), look.px(8))
        painter.setClipPath(path, Qt.ClipOperation.IntersectClip)
        self._paint_lines(painter, ink)
        painter.restore()
        self._paint_scroll(painter)
        if self._is_foldable:
            self._paint_fold(painter, ink)
        if ink.is_hovered and ink.has_margin and not self.left_px:
            self._paint_numbers(painter, ink)

    def _paint_header(self, painter: QPainter, ink: Ink) -> None:
        look = self._look
        painter.setFont(look.font(FontRole.SMALL))
        painter.setPen(look.tokens.muted_text)
        label = QRectF(self._padding_px, look.px(4), self.width_px / 2, self._header_px - look.px(6))
        painter.drawText(label, Qt.AlignmentFlag.AlignVCenter, self._block.language or look.words.code())
        for zone in self.zones():
            if zone.kind is ZoneKind.UNFOLD or not (ink.is_hovered or zone.kind is not ZoneKind.SAVE_CODE):
                continue
            self._paint_button(painter, zone, ink)

    def _paint_button(self, painter: QPainter, zone: Zone, ink: Ink) -> None:
        look = self._look
        icon = "check" if self.is_copied and zone.kind is ZoneKind.COPY_CODE else _ICONS[zone.kind]
        color = "ink" if zone == ink.hot else "muted_text"
        size = round(look.px(14))
        rect = zone.rect
        top = rect.top() + (rect.height() - size) / 2
        painter.drawPixmap(QPointF(rect.left() + look.px(4), top), look.icon(icon, color, size))
        painter.setPen(look.theme.color(color))
        painter.drawText(rect.adjusted(look.px(21), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, zone.label)
        if zone == ink.focused:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(look.tokens.focus)
            painter.drawRoundedRect(rect, 4, 4)

    def _paint_fold(self, painter: QPainter, ink: Ink) -> None:
        zone = self.zones()[-1]
        look = self._look
        painter.setPen(look.tokens.line)
        painter.drawLine(QPointF(1, zone.rect.top()), QPointF(self.width_px - 1, zone.rect.top()))
        painter.setFont(look.font(FontRole.SMALL))
        painter.setPen(look.tokens.accent)
        painter.drawText(zone.rect, Qt.AlignmentFlag.AlignCenter, zone.label)
        if zone == ink.focused:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(look.tokens.focus)
            painter.drawRoundedRect(zone.rect.adjusted(4, 4, -4, -4), 4, 4)

    def _visible(self, ink: Ink) -> range:
        first = max(0, int((ink.top - self._header_px) // self._line_px))
        last = min(self._n_shown, int((ink.bottom - self._header_px) // self._line_px) + 1)
        return range(first, max(first, last))

    def _paint_lines(self, painter: QPainter, ink: Ink) -> None:
        if self._colours is None and self._block.is_closed:
            known = self._look.highlighter.colours(self._block.code, self._block.language)
            if known is not None:
                self._colours = known
                self._shaped.clear()
        painter.setPen(self._look.tokens.ink)
        left = self._padding_px - self._scroll_px
        for index in self._visible(ink):
            layout = self._layout(index)
            top = self._header_px + index * self._line_px
            runs = self._runs(index, ink)
            layout.draw(painter, QPointF(left, top), runs)

    def _runs(self, index: int, ink: Ink) -> list[QTextLayout.FormatRange]:
        tokens = self._look.tokens
        runs: list[QTextLayout.FormatRange] = []
        line = self._lines[index]
        for start, end in ink.found(line) if ink.found else ():
            is_current = (index * STRIDE + start, index * STRIDE + end) == ink.current
            colors = (tokens.on_accent, tokens.accent) if is_current else (tokens.on_found, tokens.found)
            runs.append(_run(start, end - start, *colors))
        if ink.selected is not None:
            first, last = (max(0, at - index * STRIDE) for at in ink.selected)
            last = min(last, len(line) + 1)
            if first < last:
                runs.append(_run(first, last - first, tokens.on_selection, tokens.selection))
        return runs

    def _layout(self, index: int) -> QTextLayout:
        if index not in self._shaped:
            if len(self._shaped) > MAX_SHAPED_LINES:
                self._shaped.clear()
            self._shaped[index] = self._shape(index)
        return self._shaped[index]

    def _shape(self, index: int) -> QTextLayout:
        look = self._look
        layout = QTextLayout(self._lines[index], look.font(FontRole.CODE))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        option.setTabStopDistance(4 * look.metrics(FontRole.CODE).horizontalAdvance(" "))
        layout.setTextOption(option)
        colours = self._colours or ()
        if index < len(colours):
            layout.setFormats(
                [_run(start, length, look.theme.color(name)) for start, length, name in colours[index]]
            )
        layout.beginLayout()
        layout.createLine()
        layout.endLayout()
        return layout

    def _paint_scroll(self, painter: QPainter) -> None:
        if not self._overflow_px:
            return
        look = self._look
        share = self._room_px / (self._room_px + self._overflow_px)
        width = max(look.px(24), self._room_px * share)
        left = self._padding_px + (self._room_px - width) * self._scroll_px / self._overflow_px
        top = self._header_px + self._n_shown * self._line_px + look.px(3)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.tokens.track if look.theme.is_dark else look.tokens.line)
        painter.drawRoundedRect(QRectF(left, top, width, look.px(4)), look.px(2), look.px(2))

    def _paint_numbers(self, painter: QPainter, ink: Ink) -> None:
        painter.setFont(self._look.font(FontRole.TINY))
        painter.setPen(self._look.tokens.muted_text)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for index in self._visible(ink):
            top = self._header_px + index * self._line_px
            painter.drawText(QRectF(-46, top, 40, self._line_px), right, str(index + 1))

    def char_at(self, x: float, y: float) -> int:
        index = min(max(0, int((y - self._header_px) // self._line_px)), self._n_shown - 1)
        line = self._layout(index).lineAt(0)
        return index * STRIDE + line.xToCursor(x - self._padding_px + self._scroll_px)

    def word_at(self, char: int) -> tuple[int, int]:
        index, column = divmod(char, STRIDE)
        line = self._lines[index]
        start = end = column
        while start > 0 and _is_word(line[start - 1]):
            start -= 1
        while end < len(line) and _is_word(line[end]):
            end += 1
        return index * STRIDE + start, index * STRIDE + max(end, start)

    def text(self, start: int, end: int) -> str:
        first, last = start // STRIDE, min(end // STRIDE, len(self._lines) - 1)
        lines = self._lines[first : last + 1]
        lines[-1] = lines[-1][: end - last * STRIDE]
        lines[0] = lines[0][start - first * STRIDE :]
        return "\n".join(lines)

    def found(self, find: Find) -> Sequence[tuple[int, int]]:
        if not find(self._block.code):
            return ()
        lines = enumerate(self._lines)
        return [(at * STRIDE + start, at * STRIDE + end) for at, line in lines for start, end in find(line)]

    def y_of(self, char: int) -> float:
        return self._header_px + char // STRIDE * self._line_px

    def zones(self) -> Sequence[Zone]:
        look, words = self._look, self._look.words
        metrics = look.metrics(FontRole.SMALL)
        zones: list[Zone] = []
        right = self.width_px - look.px(8)
        copy = words.copied() if self.is_copied else words.copy()
        buttons = [(ZoneKind.COPY_CODE, copy, self._block.code)]
        if self._is_diagram:
            buttons.append((ZoneKind.LINK, words.open_in_browser(), diagram_url(self._block.code)))
        buttons.append((ZoneKind.SAVE_CODE, words.save(), self._block.code))
        for kind, label, value in buttons:
            width = metrics.horizontalAdvance(label) + look.px(26)
            rect = QRectF(right - width, look.px(4), width, self._header_px - look.px(6))
            zones.append(Zone(rect=rect, kind=kind, value=value, label=label))
            right -= width + look.px(2)
        if self._is_foldable:
            label = words.show_less() if self.is_unfolded else words.show_all(len(self._lines))
            height = look.px(30)
            rect = QRectF(0, self.height_px - height, self.width_px, height)
            zones.append(Zone(rect=rect, kind=ZoneKind.UNFOLD, label=label))
        return zones


def _lines(code: str) -> list[str]:
    return [visible(line[:MAX_LINE_CHARS]) for line in code.split("\n")]


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


@lru_cache(maxsize=128)
def _format(front: int, back: int) -> QTextCharFormat:
    form = QTextCharFormat()
    form.setForeground(QColor.fromRgba(front))
    if back:
        form.setBackground(QColor.fromRgba(back))
    return form


def _run(start: int, length: int, front: QColor, back: QColor | None = None) -> QTextLayout.FormatRange:
    run = QTextLayout.FormatRange()
    run.start, run.length = start, length  # pyright: ignore[reportAttributeAccessIssue]  # fields are missing in the stubs
    run.format = _format(front.rgba(), back.rgba() if back else 0)  # pyright: ignore[reportAttributeAccessIssue]  # fields are missing in the stubs
    return run
