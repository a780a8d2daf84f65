"""The list that `/` and `@` open above the composer; the keys stay in the composer (U14)."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QVBoxLayout

from ui.chat.message_input import MessageInput
from ui.chat.suggestions import Asked, Kind, Sign, Suggestion, asked, matching, variable_after
from ui.kit.icons import Icons
from ui.kit.links import visible
from ui.kit.theme import Theme

_ICONS: dict[Kind, str] = {
    "command": "chevron-right",
    "prompt": "edit",
    "file": "file",
    "chat": "log",
    "original": "vault",
}
_WIDTH_PX, _ROW_PX, _GAP_PX = 460, 32, 6
_LOOKED_AT = 100
"""Characters before the cursor."""


class Completing(QObject):
    """While an input method composes, its keys are its own, and nothing opens (case B60).

    Signals:
        wanted(str): a sign was typed; `offer` what it stands for.
        chosen(Suggestion): what was typed for it is gone from the message.
    """

    wanted = Signal(str)
    chosen = Signal(object)

    def __init__(self, field: MessageInput, theme: Theme, icons: Icons) -> None:
        super().__init__(field)
        self._field, self._theme, self._icons = field, theme, icons
        self._asked: Asked | None = None
        self._closed: Asked | None = None
        """Escape closed the list for this; until something else is asked for."""
        self._offers: dict[Sign, tuple[Suggestion, ...]] = {}
        self._shown: tuple[Suggestion, ...] = ()
        self.card = QFrame(field)
        self.card.setProperty("role", "popup")
        self.card.hide()
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Suggestions"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.viewport().setAutoFillBackground(False)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.itemClicked.connect(self._take)
        inner = QVBoxLayout(self.card)
        inner.setContentsMargins(6, 6, 6, 6)
        inner.addWidget(self.list)
        field.textChanged.connect(self._look)
        field.cursorPositionChanged.connect(self._look)
        field.installEventFilter(self)

    @property
    def shown(self) -> tuple[Suggestion, ...]:
        """The rows of the list, from the top; empty while it is closed."""
        return self._shown

    def offer(self, sign: Sign, offers: Sequence[Suggestion]) -> None:
        """What a sign stands for now."""
        self._offers[sign] = tuple(offers)
        if self._asked and self._asked.sign == sign:
            self._draw()

    def insert(self, text: str) -> None:
        """Put words at the cursor, and the cursor on the first `{{variable}}` of them."""
        cursor = self._field.textCursor()
        start = cursor.position()
        cursor.insertText(text)
        self._field.setTextCursor(cursor)
        self.step_variable(start)

    def step_variable(self, start: int | None = None) -> bool:
        """Select the next variable, so that typing replaces it. Returns: whether there is one."""
        cursor = self._field.textCursor()
        span = variable_after(self._field.toPlainText(), cursor.selectionEnd() if start is None else start)
        if span:
            cursor.setPosition(span[0])
            cursor.setPosition(span[1], QTextCursor.MoveMode.KeepAnchor)
            self._field.setTextCursor(cursor)
        return span is not None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.FocusOut:
            self._close()
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            return not self._field.is_composing and self._press(event)
        return False

    def _press(self, event: QKeyEvent) -> bool:
        """Whether the key was the list's, or went to a variable."""
        key, has_none = Qt.Key(event.key()), event.modifiers() == Qt.KeyboardModifier.NoModifier
        if not has_none:
            return False
        if not self._shown:
            return key is Qt.Key.Key_Tab and self.step_variable()
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            step = 1 if key is Qt.Key.Key_Down else -1
            self._go_to((self.list.currentRow() + step) % len(self._shown))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
            self._take()
        elif key is Qt.Key.Key_Escape:
            self._closed = self._asked
            self._close()
        else:
            return False
        return True

    def _look(self) -> None:
        """What stands before the cursor is another text."""
        cursor = self._field.textCursor()
        found = None
        if self._field.hasFocus() and not self._field.is_composing and not cursor.hasSelection():
            found = asked(self._before(cursor))
        if found == self._asked:
            return
        was, self._asked = self._asked, found
        if found is None:
            self._close()
            return
        if was is None or was.sign != found.sign:
            self.wanted.emit(found.sign)
        self._draw()

    def _before(self, cursor: QTextCursor) -> str:
        """The end of the line up to the cursor; of a message's later lines with a blank before it."""
        block = cursor.block()
        typed = block.text()[: cursor.positionInBlock()]
        is_first = block.blockNumber() == 0 and len(typed) <= _LOOKED_AT
        return typed if is_first else f" {typed[-_LOOKED_AT:]}"

    def _draw(self) -> None:
        if self._asked is None or self._asked == self._closed:
            self._close()
            return
        self._shown = matching(self._offers.get(self._asked.sign, ()), self._asked.query)
        self.list.clear()
        for each in self._shown:
            text = f"{visible(each.title)}    {visible(each.detail)}" if each.detail else visible(each.title)
            item = QListWidgetItem(self._icons.icon(_ICONS[each.kind]), text)
            item.setSizeHint(QSize(0, round(self._theme.px(_ROW_PX))))
            self.list.addItem(item)
        if not self._shown:
            self._close()
            return
        self._place()
        self._go_to(0)

    def _place(self) -> None:
        """Above the text, or below it where there is no room above."""
        window, field = self._field.window(), self._field
        if self.card.parentWidget() is not window:
            self.card.setParent(window)
        self.list.setAccessibleName(self.tr("Suggestions"))
        px = self._theme.px
        width = min(round(px(_WIDTH_PX)), field.width())
        height = round(px(_ROW_PX)) * len(self._shown) + 16
        at = field.mapTo(window, QPoint(0, 0))
        above = at.y() - height - round(px(_GAP_PX + 12))
        below = at.y() + field.cursorRect().bottom() + round(px(_GAP_PX))
        self.card.setGeometry(at.x(), above if above > 0 else below, width, height)
        self.card.show()
        self.card.raise_()

    def _go_to(self, row: int) -> None:
        self.list.setCurrentRow(row)
        told = self._shown[row].title
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._field, told))

    def _take(self) -> None:
        chosen, found = self._shown[max(0, self.list.currentRow())], self._asked
        self._close()
        if found:
            cursor = self._field.textCursor()
            left, keep = QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor
            cursor.movePosition(left, keep, found.n_chars)
            cursor.removeSelectedText()
            self._field.setTextCursor(cursor)
        self.chosen.emit(chosen)

    def _close(self) -> None:
        self._shown = ()
        self.card.hide()
