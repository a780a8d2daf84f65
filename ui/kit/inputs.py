"""The one family of text inputs: none of them takes a key that belongs to an input method's composition."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QStyle,
    QStyleOptionFrame,
    QTextEdit,
    QWidget,
)

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
MAX_WINDOW_SHARE = 0.4
MIN_LINES = 1
_INSET_PX = 2
"""Between the edge of a line input and its text, in Qt's own."""
_UNDONE_CHARS = 64 * 1024
"""What is longer is put in and taken out without a way back: with one a megabyte takes a second, not a tenth."""

if TYPE_CHECKING:
    _Input = QWidget
else:
    _Input = object


class Composing(_Input):
    """Mixin that knows whether an input method is composing (case B60).

    While it is, keys neither submit nor reach shortcuts, completers or the widget's own handling.
    """

    _preedit = ""

    @property
    def is_composing(self) -> bool:
        """Whether there is preedit text: then no key, popup or shortcut of ours may act."""
        return bool(self._preedit)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._preedit = event.preeditString()
        super().inputMethodEvent(event)

    def event(self, event: QEvent) -> bool:
        # A shortcut asks for its key here first; accepting keeps the key in the widget.
        if event.type() is QEvent.Type.ShortcutOverride and self.is_composing:
            event.accept()
            return True
        return super().event(event)


class TextInput(Composing, QTextEdit):
    """Plain text over many lines; grows with its text to 40 % of the window, then scrolls.

    Signals:
        submitted(str): Enter was pressed (or Ctrl+Enter, always); the text is not cleared.
        cancelled(): Escape was pressed.
        recalled(): ↑ was pressed while empty.
        files_dropped(list[str]): local paths, pasted or dropped.
        image_pasted(QImage): a picture, pasted or dropped.
    """

    submitted = Signal(str)
    cancelled = Signal()
    recalled = Signal()
    files_dropped = Signal(list)
    image_pasted = Signal(object)

    def __init__(self, *, placeholder: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.enter_submits = True
        self._is_large = False
        self.setAcceptRichText(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        # QTextEdit hides its placeholder under preedit text, QPlainTextEdit draws it underneath.
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = self.document().documentLayout()
        layout.documentSizeChanged.connect(self._grow)

    def text(self) -> str:
        return self.toPlainText()

    @property
    def is_large(self) -> bool:
        return self._is_large

    def set_large(self, *, is_large: bool) -> None:
        """Take all the room there is, and Enter for a new line; or as little as the text needs."""
        self._is_large = is_large
        policy = QSizePolicy.Policy.Expanding if is_large else QSizePolicy.Policy.Fixed
        self.setSizePolicy(QSizePolicy.Policy.Expanding, policy)
        self._grow()

    def set_text(self, text: str) -> None:
        """Replace all; the cursor goes to the end, and undo brings the old text back unless one of them is long."""
        if max(len(text), self.document().characterCount()) > _UNDONE_CHARS:
            self.setPlainText(text)
            self.moveCursor(QTextCursor.MoveOperation.End)
            return
        cursor = self.textCursor()
        cursor.select(cursor.SelectionType.Document)
        cursor.insertText(text)
        self.setTextCursor(cursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.is_composing:
            event.accept()  # ignored, it would go on to the parent's handlers
            return
        key, modifiers = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key in _ENTER:
            if self._submits(modifiers):
                self.submitted.emit(self.text())
            else:
                self.textCursor().insertText("\n")
                self.ensureCursorVisible()
        elif key == Qt.Key.Key_Escape:
            self.cancelled.emit()
        elif key == Qt.Key.Key_Up and not modifiers and not self.text():
            self.recalled.emit()
        else:
            super().keyPressEvent(event)

    def _submits(self, modifiers: Qt.KeyboardModifier) -> bool:
        if modifiers == Qt.KeyboardModifier.ControlModifier:
            return True
        return self.enter_submits and not self._is_large and modifiers == Qt.KeyboardModifier.NoModifier

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasImage() or source.hasUrls() or source.hasText()

    def insertFromMimeData(self, source: QMimeData) -> None:
        paths = [url.toLocalFile() for url in source.urls() if url.isLocalFile()]
        if paths:
            self.files_dropped.emit(paths)
        elif source.hasText():
            self.insertPlainText(source.text())
        elif source.hasImage():
            self.image_pasted.emit(source.imageData())

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().lineSpacing()
        room = self.contentsMargins().top() + self.contentsMargins().bottom()
        height = max(self._text_height(), line * MIN_LINES) + room
        most = self.window().height() * MAX_WINDOW_SHARE
        return QSize(super().sizeHint().width(), round(max(min(height, most), line * MIN_LINES + room)))

    def _text_height(self) -> float:
        """A placeholder may stand taller than an empty line: Chinese comes from another font."""
        height = self.document().size().height()
        if not self.document().isEmpty():
            return height
        placeholder = self.fontMetrics().boundingRect(self.placeholderText()).height() + 1
        return max(height, placeholder + 2 * self.document().documentMargin())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint().boundedTo(QSize(80, 1 << 20))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._grow()

    def _grow(self) -> None:
        self.updateGeometry()


class TextArea(Composing, QPlainTextEdit):
    """A long text to be read and changed: only what is seen of it is laid out."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_command = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if self.is_composing:
            event.accept()
        elif event.key() in _ENTER and is_command:
            event.ignore()  # for whoever holds it
        else:
            super().keyPressEvent(event)


class LineInput(Composing, QLineEdit):
    """One line of text with the same care for input methods.

    Signals:
        submitted(str): Enter was pressed. `cancelled()`: Escape. `stepped(int)`: ↓ is 1, ↑ is -1.
    """

    submitted = Signal(str)
    cancelled = Signal()
    stepped = Signal(int)

    def __init__(self, *, placeholder: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)

    @property
    def shown(self) -> str:
        """What stands there: a text that is too long ends in … unless it is being edited."""
        if self.hasFocus() or not self.text():
            return self.text()
        width = self._room().width()
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, width)

    def _room(self) -> QRect:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        room = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        return room.marginsRemoved(self.textMargins()).adjusted(_INSET_PX, 0, -_INSET_PX, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        if (shown := self.shown) == self.text():
            super().paintEvent(event)
            return
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self._room(), Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.is_composing:
            event.accept()  # ignored, it would go on to the parent's handlers
            return
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.submitted.emit(self.text())
            case Qt.Key.Key_Escape:
                self.cancelled.emit()
            case Qt.Key.Key_Down:
                self.stepped.emit(1)
            case Qt.Key.Key_Up:
                self.stepped.emit(-1)
            case _ if event.matches(QKeySequence.StandardKey.Undo) and not self.isUndoAvailable():
                event.ignore()  # for whoever has something to take back
            case _:
                super().keyPressEvent(event)
