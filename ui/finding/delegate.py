"""How a row of what was found is drawn: its title or its line of text, with the words marked."""

from collections.abc import Iterable

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.finding.wanted import Span
from ui.finding.list_model import Role
from ui.finding.state import Caption, Kind, Option, Row
from ui.finding.words import FindingWords
from ui.kit.icons import Icons
from ui.kit.theme import FontRole, Theme

ROW_PX, MESSAGE_PX, CAPTION_PX = 34, 54, 28
_PAD_PX, _ICON_PX, _GAP_PX = 12, 15, 10
_ICONS = {
    Kind.COMMAND: "chevron-right",
    Kind.SETTING: "settings",
    Kind.CHAT: "circle",
    Kind.EVERYTHING: "search",
    Kind.MESSAGE: "search",
}

_Index = QModelIndex | QPersistentModelIndex


class FoundDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, icons: Icons, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme, self._icons = theme, icons
        self._words = FindingWords()

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        row: Row = index.data(Role.ROW)
        is_message = isinstance(row, Option) and row.kind is Kind.MESSAGE
        height = CAPTION_PX if isinstance(row, Caption) else MESSAGE_PX if is_message else ROW_PX
        return QSize(0, round(self._theme.px(height)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row: Row = index.data(Role.ROW)
        rect = QRectF(option.rect)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownArgumentType, reportUnknownMemberType]  # absent from Qt's stubs
        state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]  # absent from Qt's stubs
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(row, Caption):
            self._paint_caption(painter, rect, row)
        else:
            if state & QStyle.StateFlag.State_Selected:
                self._paint_ground(painter, rect)
            pad = self._theme.px(_PAD_PX)
            inside = rect.adjusted(pad, 0, -pad, 0)
            if row.kind is Kind.MESSAGE:
                self._paint_message(painter, inside, row)
            else:
                self._paint_option(painter, inside, row)
        painter.restore()

    def _paint_ground(self, painter: QPainter, rect: QRectF) -> None:
        radius = self._theme.size("radius_px")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.tokens.hover)
        painter.drawRoundedRect(rect.adjusted(2, 1, -2, -1), radius, radius)

    def _paint_caption(self, painter: QPainter, rect: QRectF, row: Caption) -> None:
        font = self._theme.font(FontRole.TINY)
        font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 106)
        painter.setFont(font)
        painter.setPen(self._theme.tokens.muted_text)
        inside = rect.adjusted(self._theme.px(_PAD_PX), self._theme.px(6), 0, 0)
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, self._words.caption(row).upper())

    def _paint_option(self, painter: QPainter, rect: QRectF, row: Option) -> None:
        side = round(self._theme.px(_ICON_PX))
        color, dpr = self._theme.tokens.muted_text, painter.device().devicePixelRatioF()
        picture = self._icons.pixmap(_ICONS[row.kind], color, size_px=side, dpr=dpr)
        painter.drawPixmap(QPointF(rect.left(), rect.center().y() - side / 2), picture)
        room = rect.adjusted(side + self._theme.px(_GAP_PX), 0, 0, 0)
        room.setRight(room.right() - self._paint_right(painter, room, row.hint))
        width = self._paint_line(painter, room, self._words.title(row), row.marks, FontRole.TEXT)
        if row.kind is Kind.SETTING and row.about:
            room.setLeft(room.left() + width + self._theme.px(_GAP_PX))
            self._paint_line(painter, room, row.about, (), FontRole.SMALL, is_muted=True)

    def _paint_message(self, painter: QPainter, rect: QRectF, row: Option) -> None:
        found = row.found
        assert found
        half = rect.height() / 2
        gap = self._theme.px(2)
        above = rect.adjusted(0, gap * 2, 0, -half + gap)
        below = rect.adjusted(0, half, 0, -gap * 2)
        self._paint_line(painter, above, found.snippet.text, found.snippet.marks, FontRole.TEXT)
        right = " · ".join((self._words.where(found), self._words.when(found.said_at)))
        below.setRight(below.right() - self._paint_right(painter, below, right))
        self._paint_line(painter, below, self._words.title(row), (), FontRole.SMALL, is_muted=True)

    def _paint_right(self, painter: QPainter, rect: QRectF, text: str) -> float:
        """Returns: the width that it takes."""
        if not text:
            return 0.0
        font = self._theme.font(FontRole.SMALL)
        painter.setFont(font)
        painter.setPen(self._theme.tokens.muted_text)
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)
        return QFontMetricsF(font).horizontalAdvance(text) + self._theme.px(_GAP_PX)

    def _paint_line(
        self,
        painter: QPainter,
        rect: QRectF,
        text: str,
        marks: Iterable[Span],
        role: FontRole,
        *,
        is_muted: bool = False,
    ) -> float:
        """One line that ends in … where it doesn't fit, its marks behind the words. Returns: its width."""
        tokens = self._theme.tokens
        font = self._theme.font(role)
        shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, max(0.0, rect.width()))
        n_same = len(shown) if shown == text else max(0, len(shown) - 1)
        layout = QTextLayout(shown, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        layout.setTextOption(option)
        layout.setFormats([_mark(self._theme, shown, *span) for span in marks if span[0] < n_same])
        layout.beginLayout()
        line = layout.createLine()
        layout.endLayout()
        painter.setPen(tokens.muted_text if is_muted else tokens.ink)
        layout.draw(painter, QPointF(rect.left(), rect.center().y() - line.height() / 2))
        return line.naturalTextWidth()


def _mark(theme: Theme, text: str, start: int, end: int) -> QTextLayout.FormatRange:
    """Qt counts a sign outside of the first plane as two."""
    before = sum(sign > "\uffff" for sign in text[:start])
    within = sum(sign > "\uffff" for sign in text[start:end])
    form = QTextCharFormat()
    form.setBackground(theme.tokens.found)
    form.setForeground(theme.tokens.on_found)
    run = QTextLayout.FormatRange()
    run.start, run.length = start + before, min(end, len(text)) - start + within  # pyright: ignore[reportAttributeAccessIssue]  # fields are missing in the stubs
    run.format = form  # pyright: ignore[reportAttributeAccessIssue]  # fields are missing in the stubs
    return run
