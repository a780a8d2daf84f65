"""The ↓ button over a transcript that is not at its end, with a dot when new text has come."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from ui.kit.theme import FontRole
from ui.kit.transcript.look import Look


class NewestButton(QAbstractButton):
    """`set_news` adds or removes the dot."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self._has_news = False
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(look.words.newest())
        self.hide()

    @property
    def has_news(self) -> bool:
        return self._has_news

    def set_news(self, *, has_news: bool) -> None:
        if has_news != self._has_news:
            self._has_news = has_news
            words = self._look.words
            self.setAccessibleName(words.new_text() if has_news else words.newest())
            self.update()

    def sizeHint(self) -> QSize:
        px = self._look.px
        width = self._look.metrics(FontRole.SMALL).horizontalAdvance(self._look.words.newest())
        return QSize(round(width + px(46)), round(px(32)))

    def paintEvent(self, event: QPaintEvent) -> None:
        look, tokens, px = self._look, self._look.tokens, self._look.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(tokens.focus if self.hasFocus() else tokens.line)
        painter.setBrush(tokens.hover if self.underMouse() else tokens.card)
        painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
        size = round(px(15))
        painter.drawPixmap(QPointF(px(11), (self.height() - size) / 2), look.icon("arrow-down", "ink", size))
        painter.setFont(look.font(FontRole.SMALL))
        painter.setPen(tokens.ink)
        painter.drawText(rect.adjusted(px(30), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, look.words.newest())
        if self._has_news:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.accent)
            painter.drawEllipse(QPointF(px(26), px(9)), px(3.5), px(3.5))
        painter.end()
