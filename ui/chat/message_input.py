"""The composer's input: what is pasted long stands in it as a chip, one character wide (U14)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from PySide6.QtCore import QEvent, QMimeData, QPointF, QRect, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPyTextObject,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)

from ui.chat.pastes import LONGEST_TYPED, Paste, folded, paste_of
from ui.chat.words import ChatWords
from ui.kit.icons import Icons
from ui.kit.inputs import TextInput
from ui.kit.theme import FontRole, Theme

CHIP = "\N{OBJECT REPLACEMENT CHARACTER}"
_KIND = QTextFormat.ObjectTypes.UserObject.value + 1
_PASTE = QTextFormat.Property.UserProperty.value + 1
_PAD_PX, _ICON_PX = 8, 14
NO_PASTES: Mapping[str, Paste] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    at: int
    """Its place in the document, in characters."""
    paste: Paste


class MessageInput(TextInput):
    """`text` is the message, pastes unfolded between blank lines.

    Signals:
        pasted(Paste): it has become a chip.
        opened(Chip): its words are asked for.
        reached(Chip | None): the cursor stands beside another one, or beside none.
    """

    pasted = Signal(object)
    opened = Signal(object)
    reached = Signal(object)

    def __init__(self, theme: Theme, icons: Icons) -> None:
        super().__init__()
        self._pastes: list[Paste] = []
        """By the number that a chip's format has; Undo may bring any of them back."""
        self._text: str | None = None
        self._reached: Chip | None = None
        self._drawing = _ChipDrawing(self, theme, icons)
        self.document().documentLayout().registerHandler(_KIND, self._drawing)
        self.textChanged.connect(self._forget)
        self.cursorPositionChanged.connect(self._look_around)

    # -- what stands in it

    def text(self) -> str:
        if self._text is None:
            self._text = self._unfolded(QTextCursor(self.document()), self.toPlainText())
        return self._text

    def chips(self) -> tuple[Chip, ...]:
        return self._chips_in(0, self.toPlainText())

    @property
    def chip(self) -> Chip | None:
        """The one beside the cursor."""
        return self._reached

    def paste_of(self, text_format: QTextFormat) -> Paste:
        return self._pastes[int(text_format.property(_PASTE))]

    # -- putting in

    def open_text(self, text: str, known: Mapping[str, Paste] = NO_PASTES) -> None:
        """Hold another chat's text; Undo doesn't lead back to this one's."""
        self.setUndoRedoEnabled(False)
        self.clear()
        self._pastes.clear()
        self._write(folded(text, known))
        self.setUndoRedoEnabled(True)

    def set_text(self, text: str, known: Mapping[str, Paste] = NO_PASTES) -> None:
        """Hold `text`; Undo leads back."""
        self.selectAll()
        self._write(folded(text, known))

    def insertFromMimeData(self, source: QMimeData) -> None:
        has_files = any(url.isLocalFile() for url in source.urls())
        if not has_files and source.hasText() and len(text := source.text()) > LONGEST_TYPED and text.strip():
            self._put(self.textCursor(), paste_of(text))
            self.ensureCursorVisible()
        else:
            super().insertFromMimeData(source)

    def put(self, pastes: Sequence[Paste]) -> None:
        """Have chips at the cursor; Undo takes them out."""
        cursor = self.textCursor()
        cursor.beginEditBlock()
        for paste in pastes:
            self._put(cursor, paste)
        cursor.endEditBlock()
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def replace(self, chip: Chip, text: str) -> None:
        """Have a chip for `text` in the place of another."""
        self._put(self._around(chip), paste_of(text))

    def unfold(self, chip: Chip) -> None:
        """Have the words in its place."""
        self._around(chip).insertText(chip.paste.text, QTextCharFormat())

    def remove(self, chip: Chip) -> None:
        self._around(chip).removeSelectedText()

    def _write(self, pieces: Sequence[str | Paste]) -> None:
        """Put pieces in the place of the selection, each on lines of its own."""
        cursor = self.textCursor()
        cursor.beginEditBlock()
        cursor.removeSelectedText()
        was_chip = False
        for n, piece in enumerate(pieces):
            is_chip = isinstance(piece, Paste)
            if n:
                cursor.insertText("\n" if is_chip or was_chip else "\n\n", QTextCharFormat())
            if isinstance(piece, Paste):
                self._put(cursor, piece)
            else:
                cursor.insertText(piece, QTextCharFormat())
            was_chip = is_chip
        cursor.endEditBlock()
        self.setTextCursor(cursor)

    def _put(self, cursor: QTextCursor, paste: Paste) -> None:
        shape = QTextCharFormat()
        shape.setObjectType(_KIND)
        shape.setProperty(_PASTE, len(self._pastes))
        shape.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
        self._pastes.append(paste)
        self.pasted.emit(paste)
        cursor.insertText(CHIP, shape)
        self.setCurrentCharFormat(QTextCharFormat())

    # -- asking

    def _around(self, chip: Chip) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.setPosition(chip.at)
        cursor.setPosition(chip.at + 1, QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _chips_in(self, start: int, plain: str) -> tuple[Chip, ...]:
        """The chips in `plain`, which begins at a place of the document; the sign alone is none."""
        found: list[Chip] = []
        cursor = QTextCursor(self.document())
        at = plain.find(CHIP)
        while at >= 0:
            cursor.setPosition(start + at + 1)
            shape = cursor.charFormat()
            if shape.objectType() == _KIND:
                found.append(Chip(at=start + at, paste=self.paste_of(shape)))
            at = plain.find(CHIP, at + 1)
        return tuple(found)

    def _unfolded(self, cursor: QTextCursor, plain: str) -> str:
        """`plain`, which begins where `cursor` does, with the words of its chips."""
        start = cursor.selectionStart()
        chips = self._chips_in(start, plain)
        if not chips:
            return plain
        pieces: list[str] = []
        end = 0
        for chip in chips:
            typed = plain[end : chip.at - start]
            pieces += [typed.strip() if end else typed.rstrip(), chip.paste.text]
            end = chip.at - start + 1
        pieces.append(plain[end:].lstrip())
        return "\n\n".join(filter(str.strip, pieces))

    def _forget(self) -> None:
        self._text = None
        self._look_around()

    def _look_around(self) -> None:
        at = self.textCursor().position()
        start = max(0, at - 1)
        before_and_after = "".join(self.document().characterAt(n) for n in (start, start + 1) if n <= at)
        chips = self._chips_in(start, before_and_after) if CHIP in before_and_after else ()
        reached = chips[0] if chips else None
        if reached != self._reached:
            self._reached = reached
            self.reached.emit(reached)

    # -- keys and mouse

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F2 and self._reached and not self.is_composing:
            self.opened.emit(self._reached)
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            chip = self._chip_at(event.position())
            if chip:
                self.opened.emit(chip)

    def _chip_at(self, point: QPointF) -> Chip | None:
        for chip in self.chips():
            before, after = QTextCursor(self.document()), QTextCursor(self.document())
            before.setPosition(chip.at)
            after.setPosition(chip.at + 1)
            left, right = self.cursorRect(before), self.cursorRect(after)
            if QRectF(left.topLeft(), right.bottomRight()).contains(point):
                return chip
        return None

    def createMimeDataFromSelection(self) -> QMimeData:
        """What goes to the clipboard has the words, not the chips."""
        cursor = self.textCursor()
        plain = cursor.selectedText().replace("\u2029", "\n")
        found = QMimeData()
        found.setText(self._unfolded(cursor, plain))
        return found

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.LanguageChange, QEvent.Type.FontChange) and self._pastes:
            self.document().markContentsDirty(0, self.document().characterCount())


class _ChipDrawing(QPyTextObject):
    """Draws a chip into the line."""

    def __init__(self, owner: MessageInput, theme: Theme, icons: Icons) -> None:
        super().__init__(owner)
        self._owner = owner
        self._theme = theme
        self._icons = icons
        self._words = ChatWords(self)

    def intrinsicSize(self, document: QTextDocument, at: int, text_format: QTextFormat) -> QSizeF:
        metrics = QFontMetricsF(self._theme.font(FontRole.SMALL))
        px = self._theme.px
        wide = metrics.horizontalAdvance(self._label(text_format)) + px(2 * _PAD_PX + _ICON_PX + 6)
        return QSizeF(min(wide, max(document.textWidth() - 2 * document.documentMargin(), px(80))), px(24))

    def drawObject(
        self,
        painter: QPainter,
        rect: QRectF | QRect,
        document: QTextDocument,
        at: int,
        text_format: QTextFormat,
    ) -> None:
        theme, px = self._theme, self._theme.px
        box = QRectF(rect).adjusted(1.5, 0.5, -1.5, -0.5)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.tokens.line)
        painter.setBrush(theme.tokens.chip)
        painter.drawRoundedRect(box, px(7), px(7))
        side = round(px(_ICON_PX))
        dpr = self._owner.devicePixelRatioF()
        icon = _icon(self._owner.paste_of(text_format))
        pixmap = self._icons.pixmap(icon, theme.tokens.muted_text, size_px=side, dpr=dpr)
        painter.drawPixmap(QPointF(box.left() + px(_PAD_PX), box.center().y() - side / 2), pixmap)
        font = theme.font(FontRole.SMALL)
        words = box.adjusted(px(_PAD_PX + _ICON_PX + 5), 0, -px(_PAD_PX - 2), 0)
        label = QFontMetricsF(font).elidedText(
            self._label(text_format), Qt.TextElideMode.ElideRight, words.width()
        )
        painter.setFont(font)
        painter.setPen(theme.tokens.ink)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, label)
        painter.restore()

    def _label(self, text_format: QTextFormat) -> str:
        return self._words.pasted(self._owner.paste_of(text_format))


def _icon(paste: Paste) -> str:
    if paste.media:
        return "image" if paste.media.mime.startswith("image/") else "file"
    return "file" if paste.name else "paperclip"
