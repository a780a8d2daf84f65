"""A card that is pressed: a name, a few quiet words below it, and at its right end a status."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from ui.kit.links import plain_tip
from ui.kit.theme import FontRole, Theme

_SIDE_PX, _HEIGHT_PX, _TALL_PX = 15, 47, 62


class ChoiceCard(QAbstractButton):
    """Checked, it has a frame in the accent colour; arrows move between cards of one button group.

    Args:
        words: Said below the name, in muted ink; elided where room is short.
        status: Said at the right end after a dot, in the colour called `status_color`.

    Signals:
        accepted(): Enter on a card that was chosen already: go on with it.
    """

    accepted = Signal()

    def __init__(
        self,
        theme: Theme,
        name: str,
        *,
        words: str = "",
        status: str = "",
        status_color: str = "healthy_text",
        is_quiet: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words, self._status, self._status_color = words, status, status_color
        self._is_quiet = is_quiet
        self.setText(name)
        self.setAccessibleName(", ".join(part for part in (name, words, status) if part))
        self.setToolTip(plain_tip(" · ".join(part for part in (name, words) if part)))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(
            round(metrics.horizontalAdvance(self.text()) + 2 * self._theme.px(_SIDE_PX)),
            round(self._theme.px(_TALL_PX if self._words else _HEIGHT_PX)),
        )

    def minimumSizeHint(self) -> QSize:
        return QSize(round(self._theme.px(80)), self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            was_chosen = self.isChecked()
            self.click()
            if was_chosen:
                self.accepted.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_frame(painter)
        side = self._theme.px(_SIDE_PX)
        left, right = side, self.width() - side
        if self._status:
            right = self._paint_status(painter, right) - side / 2
        font = self._theme.font(FontRole.STRONG if self._words else FontRole.TEXT)
        middle, line = self.height() / 2, painter.fontMetrics().height()
        area = QRectF(left, middle - line / 2, right - left, line)
        if self._words:
            area.moveBottom(middle)
            below = area.translated(0, line)
            self._paint_text(painter, self._words, self._theme.font(FontRole.TEXT), below, quiet=True)
        self._paint_text(painter, self.text(), font, area, quiet=self._is_quiet)
        painter.end()

    def _paint_frame(self, painter: QPainter) -> None:
        tokens = self._theme.tokens
        is_marked = self.isChecked() or self.hasFocus()
        inset = 1.0 if is_marked else 0.5
        radius = self._theme.size("card_radius_px")
        painter.setBrush(tokens.hover if self.underMouse() and self.isEnabled() else tokens.card)
        painter.setPen(QPen(tokens.accent if is_marked else tokens.line, 2 * inset))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), radius, radius)
        if self.isChecked() and self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(tokens.focus, 1, Qt.PenStyle.DotLine))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(4, 4, -4, -4), radius - 3, radius - 3)

    def _paint_status(self, painter: QPainter, right: float) -> float:
        """Returns: where the status begins."""
        color = self._theme.color(self._status_color)
        painter.setFont(self._theme.font(FontRole.TEXT))
        width = painter.fontMetrics().horizontalAdvance(self._status)
        area = QRectF(right - width, 0, width, self.height())
        painter.setPen(color)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, self._status)
        dot = self._theme.px(10)
        painter.setBrush(color)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawEllipse(QRectF(area.left() - dot * 1.6, (self.height() - dot) / 2, dot, dot))
        return area.left() - dot * 1.6

    def _paint_text(self, painter: QPainter, text: str, font: QFont, area: QRectF, *, quiet: bool) -> None:
        painter.setFont(font)
        painter.setPen(self._theme.tokens.muted_text if quiet else self._theme.tokens.ink)
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, round(area.width()))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, shown)
