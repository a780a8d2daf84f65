"""How a row of the sidebar is drawn and renamed."""

from collections.abc import Callable

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.context.budget import Health
from app.core.ids import ChatId
from ui.kit.icons import Icons
from ui.kit.inputs import LineInput
from ui.kit.theme import FontRole, Theme
from ui.sidebar.list_model import Role
from ui.sidebar.state import Caption, ChatRow, Row

ROW_PX, TITLE_PX, PAD_PX, GAP_PX, DOT_PX, INDENT_PX = 34, 13, 9, 8, 11, 20
_TURN = 360 * 16
"""A whole circle as `drawPie` counts."""

_Index = QModelIndex | QPersistentModelIndex


class ChatDelegate(QStyledItemDelegate):
    """One height for every row, so that thousands of them need no measuring.

    Args:
        dot: Draws health instead of the own small pie: use (None: not known), size in px and the
            device pixel ratio to a picture.

    Signals:
        renamed(str, str): chat id and new title; the row itself changes when the store has.
    """

    renamed = Signal(str, str)

    def __init__(
        self,
        theme: Theme,
        icons: Icons,
        *,
        dot: Callable[[float | None, int, float], QPixmap] | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icons = icons
        self._dot = dot
        self.current: ChatId | None = None

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(0, round(self._theme.px(ROW_PX)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row: Row = index.data(Role.ROW)
        title: str = index.data(Qt.ItemDataRole.DisplayRole)
        rect = QRectF(option.rect)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownArgumentType, reportUnknownMemberType]  # absent from Qt's stubs
        state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]  # absent from Qt's stubs
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(row, Caption):
            self._paint_caption(painter, rect, title)
        else:
            self._paint_ground(painter, rect, state, is_current=row.id == self.current)
            self._paint_chat(painter, rect, row, title)
        painter.restore()

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: _Index) -> QWidget:
        editor = LineInput(parent=parent)
        editor.setAccessibleName(self.tr("Title of the chat"))
        return editor

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: _Index) -> None:
        editor.setGeometry(option.rect)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownArgumentType, reportUnknownMemberType]  # absent from Qt's stubs

    def setEditorData(self, editor: QWidget, index: _Index) -> None:
        if isinstance(editor, LineInput):
            editor.setText(index.data(Qt.ItemDataRole.EditRole))
            editor.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: _Index) -> None:
        if isinstance(editor, LineInput) and editor.text() != index.data(Qt.ItemDataRole.EditRole):
            self.renamed.emit(index.data(Role.ID), editor.text())

    def eventFilter(self, object: QObject, event: QEvent) -> bool:  # noqa: A002  # Qt's own name
        if isinstance(object, LineInput) and object.is_composing and event.type() is QEvent.Type.KeyPress:
            return False  # an input method's Enter would end the renaming here
        return super().eventFilter(object, event)

    def _paint_caption(self, painter: QPainter, rect: QRectF, title: str) -> None:
        font = self._theme.font(FontRole.TINY)
        font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 106)
        painter.setFont(font)
        painter.setPen(self._theme.tokens.muted_text)
        inside = rect.adjusted(self._theme.px(PAD_PX), self._theme.px(6), 0, 0)
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, title.upper())

    def _paint_ground(
        self, painter: QPainter, rect: QRectF, state: QStyle.StateFlag, *, is_current: bool
    ) -> None:
        tokens, radius = self._theme.tokens, self._theme.size("radius_px")
        has_keyboard = bool(
            state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_KeyboardFocusChange
        )
        is_under_mouse = bool(state & QStyle.StateFlag.State_MouseOver)
        if not (is_current or has_keyboard or is_under_mouse):
            return
        painter.setBrush(tokens.card if is_current else tokens.hover)
        edge = tokens.focus if has_keyboard else tokens.line
        painter.setPen(
            QPen(edge, 2 if has_keyboard else 1) if is_current or has_keyboard else Qt.PenStyle.NoPen
        )
        painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), radius, radius)

    def _paint_chat(self, painter: QPainter, rect: QRectF, row: ChatRow, title: str) -> None:
        theme, px = self._theme, self._theme.px
        inside = rect.adjusted(px(PAD_PX + row.depth * INDENT_PX), 0, -px(PAD_PX), 0)
        side = px(DOT_PX)
        sign = QRectF(inside.left(), inside.center().y() - side / 2, side, side)
        self._paint_sign(painter, sign, row)
        inside.setLeft(sign.right() + px(GAP_PX))
        inside.setRight(inside.right() - self._paint_figure(painter, inside, row))
        font = theme.font(FontRole.TEXT)
        font.setPixelSize(round(px(TITLE_PX)))
        painter.setFont(font)
        painter.setPen(theme.tokens.ink if row.title else theme.tokens.muted_text)
        elided = QFontMetrics(font).elidedText(title, Qt.TextElideMode.ElideRight, round(inside.width()))
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, elided)

    def _paint_figure(self, painter: QPainter, inside: QRectF, row: ChatRow) -> float:
        """That it waits, the dot of a running answer, else the %; returns the width that it took."""
        theme = self._theme
        if row.is_waiting:
            return self._paint_word(painter, inside, self.tr("waits for you"), theme.tokens.warning_text)
        if row.is_running:
            side = theme.px(7)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.tokens.accent)
            painter.drawEllipse(QRectF(inside.right() - side, inside.center().y() - side / 2, side, side))
            return side + theme.px(GAP_PX)
        if row.use is None:
            return 0
        return self._paint_word(painter, inside, f"{round(row.use * 100)}%", theme.tokens.muted_text)

    def _paint_word(self, painter: QPainter, inside: QRectF, word: str, color: QColor) -> float:
        font = self._theme.font(FontRole.TINY)
        painter.setFont(font)
        painter.setPen(color)
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, word)
        return QFontMetrics(font).horizontalAdvance(word) + self._theme.px(GAP_PX)

    def _paint_sign(self, painter: QPainter, rect: QRectF, row: ChatRow) -> None:
        """Health as colour and as how full the pie is; a fork has its own sign in that colour."""
        tokens = self._theme.tokens
        color, part = {
            Health.UNKNOWN: (tokens.inactive, 0.0),
            Health.HEALTHY: (tokens.healthy, 0.25),
            Health.WARNING: (tokens.warning, 0.75),
            Health.CRITICAL: (tokens.critical, 1.0),
        }[row.health]
        dpr = painter.device().devicePixelRatioF()
        if row.depth:
            size_px = round(self._theme.px(DOT_PX + 4))
            picture = self._icons.pixmap("fork", color, size_px=size_px, dpr=dpr)
            painter.drawPixmap(rect.topLeft() - QPointF(2, 2), picture)
            return
        if self._dot:
            painter.drawPixmap(rect.topLeft(), self._dot(row.use, round(rect.width()), dpr))
            return
        painter.setPen(QPen(color, self._theme.px(1.3)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        ring = rect.adjusted(1, 1, -1, -1)
        painter.drawEllipse(ring)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawPie(ring, _TURN // 4, -round(_TURN * part))
