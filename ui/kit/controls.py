"""Small widgets that every feature uses: chips, badges, switches, cards, segments, toasts, flowing rows."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Property as QtProperty
from PySide6.QtCore import (
    QEvent,
    QPoint,
    QPropertyAnimation,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QPushButton,
    QSizePolicy,
    QStyle,
    QWidget,
)

from ui.kit.items import Tone
from ui.kit.links import plain_tip
from ui.kit.theme import FontRole, Theme

TOAST_MS = 6_000


class ChipButton(QPushButton):
    """A pill that opens something; `has_menu` adds ▾. Give it `setCheckable(True)` for a toggle."""

    def __init__(self, text: str, parent: QWidget | None = None, *, has_menu: bool = False) -> None:
        super().__init__(parent)
        self._has_menu = has_menu
        self.setProperty("role", "chip")
        self.set_text(text)

    def set_text(self, text: str) -> None:
        self.setText(f"{text} ▾" if self._has_menu else text)
        self.setAccessibleName(text)


class Badge(QLabel):
    """A word in a soft pill of its tone: healthy, warning, critical, or plain."""

    def __init__(
        self, theme: Theme, text: str = "", tone: Tone = Tone.PLAIN, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tone = tone
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set(text, tone)
        self._restyle()
        theme.changed.connect(self._restyle)

    def set(self, text: str, tone: Tone) -> None:
        self._tone = tone
        self.setText(text)
        self.updateGeometry()
        self.update()

    def _restyle(self) -> None:
        self.setFont(self._theme.font(FontRole.SMALL))
        self.update()

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + round(self._theme.px(18)), metrics.height() + 6)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = self._theme.tokens
        is_plain = self._tone is Tone.PLAIN
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tokens.chip if is_plain else self._theme.color(f"{self._tone}_soft"))
        rect = QRectF(self.rect())
        painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
        painter.setPen(tokens.muted_text if is_plain else self._theme.color(f"{self._tone}_text"))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self.text())
        painter.end()


class Switch(QAbstractButton):
    """On or off, at once; the knob slides unless motion is reduced. `toggled(bool)` as every button."""

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, name: str = "") -> None:
        super().__init__(parent)
        self._theme = theme
        self._knob = 0.0
        self.setCheckable(True)
        self.setAccessibleName(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._slide = QPropertyAnimation(self, b"knob", self)
        self.toggled.connect(self._start)
        theme.changed.connect(self.updateGeometry)

    def _start(self, is_on: bool) -> None:  # noqa: FBT001  # the signal's argument
        hint = QStyle.StyleHint.SH_Widget_Animation_Duration
        self._slide.stop()
        self._slide.setDuration(min(140, self.style().styleHint(hint, None, self)) if self.isVisible() else 0)
        self._slide.setEndValue(1.0 if is_on else 0.0)
        self._slide.start()

    def _get_knob(self) -> float:
        return self._knob

    def _set_knob(self, value: float) -> None:
        self._knob = value
        self.update()

    knob = QtProperty(float, _get_knob, _set_knob)

    def sizeHint(self) -> QSize:
        return QSize(round(self._theme.px(36)), round(self._theme.px(20)))

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = self._theme.tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        radius = rect.height() / 2
        painter.setPen(tokens.accent if self.isChecked() else tokens.muted)
        painter.setBrush(tokens.accent if self.isChecked() else tokens.track)
        if not self.isEnabled():
            painter.setOpacity(0.5)
        painter.drawRoundedRect(rect, radius, radius)
        size = rect.height() - 6
        x = rect.left() + 3 + self._knob * (rect.width() - size - 6)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tokens.on_accent if self.isChecked() else tokens.muted)
        painter.drawEllipse(QRectF(x, rect.top() + 3, size, size))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(tokens.ink)
            painter.drawRoundedRect(
                QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius + 1, radius + 1
            )
        painter.end()


class Card(QFrame):
    """A raised frame; `set_selected` gives it the accent's edge."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")

    def set_selected(self, *, is_selected: bool) -> None:
        self.setProperty("selected", is_selected)
        self.style().unpolish(self)
        self.style().polish(self)


class Segmented(QFrame):
    """A few choices side by side.

    Signals:
        chosen(str): the id of the choice a person made.
    """

    chosen = Signal(str)

    def __init__(self, choices: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        """`choices` are (id, label)."""
        super().__init__(parent)
        self.setProperty("role", "segments")
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 2, 2, 2)
        row.setSpacing(0)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QPushButton] = {}
        for choice, label in choices:
            button = QPushButton(label)
            button.setCheckable(True)
            button.setProperty("role", "segment")
            self._group.addButton(button)
            self._buttons[choice] = button
            row.addWidget(button)
        self._group.buttonClicked.connect(self._clicked)

    @property
    def choice(self) -> str:
        """The id chosen; empty when none is."""
        return next((choice for choice, button in self._buttons.items() if button.isChecked()), "")

    def choose(self, choice: str) -> None:
        """Show `choice` as chosen; no signal."""
        self._buttons[choice].setChecked(True)

    def rename(self, labels: Mapping[str, str]) -> None:
        """Labels by id, in another language."""
        for choice, label in labels.items():
            self._buttons[choice].setText(label)

    def _clicked(self, _button: QAbstractButton) -> None:
        self.chosen.emit(self.choice)


class ElidedLabel(QLabel):
    """One line that ends in … when it doesn't fit; the whole text is its tooltip then."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        *,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(parent)
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setText(text)

    def minimumSizeHint(self) -> QSize:
        return QSize(24, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.fontMetrics().elidedText(self.text(), self._mode, self.contentsRect().width())
        self.setToolTip(plain_tip(self.text()) if shown != self.text() else "")
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), self.alignment() | Qt.TextFlag.TextSingleLine, shown)
        painter.end()


class Toast(QFrame):
    """A sentence at the bottom of `parent` with at most one thing to do; goes by itself after 6 s.

    Signals:
        acted(): the button was pressed.
    """

    acted = Signal()

    def __init__(self, parent: QWidget, *, above_px: int = 20) -> None:
        """`above_px`: how far above the lower edge, so that nothing needed there is covered."""
        super().__init__(parent)
        self._above_px = above_px
        self.setProperty("role", "toast")
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 8, 10, 8)
        self._label = QLabel()
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._button = QPushButton()
        self._button.clicked.connect(self._act)
        row.addWidget(self._label)
        row.addWidget(self._button)
        self._timer = QTimer(self, singleShot=True, interval=TOAST_MS)
        self._timer.timeout.connect(self.hide)
        self._room = parent
        parent.installEventFilter(self)
        self.hide()

    def say(self, text: str, *, action: str = "") -> None:
        """Show `text`; what was shown before is replaced."""
        self._label.setText(text)
        self.setAccessibleName(text)
        self._button.setText(action)
        self._button.setVisible(bool(action))
        self._place()
        self.show()
        self.raise_()
        self._timer.start()

    def _act(self) -> None:
        self.hide()
        self.acted.emit()

    def _place(self) -> None:
        self.adjustSize()
        room = self._room.rect()
        self.move(room.center().x() - self.width() // 2, room.bottom() - self.height() - self._above_px)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if isinstance(event, QResizeEvent) and not self.isHidden():
            self._place()
        return False


class FlowLayout(QLayout):
    """Widgets in rows that wrap, as words do."""

    def __init__(self, parent: QWidget | None = None, *, gap_px: int = 8) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap_px = gap_px
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # pyright: ignore[reportIncompatibleMethodOverride]  # Qt asks past the end and wants null
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # pyright: ignore[reportIncompatibleMethodOverride]  # Qt asks past the end and wants null
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), moves=False)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, moves=True)

    def _arrange(self, rect: QRect, *, moves: bool) -> int:
        """Place the items in `rect` if `moves`; the height they take."""
        x, y, height = rect.x(), rect.y(), 0
        for item in self._items:
            if item.isEmpty():  # hidden
                continue
            size = item.sizeHint()
            if x > rect.x() and x + size.width() > rect.x() + rect.width():
                x, y, height = rect.x(), y + height + self._gap_px, 0
            if moves:
                item.setGeometry(QRect(QPoint(x, y), size))
            x += size.width() + self._gap_px
            height = max(height, size.height())
        return y + height - rect.y()
