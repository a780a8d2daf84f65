"""A pasted text, opened from its chip: read, changed, turned back into text, or taken out (U14)."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ui.chat.pastes import LONGEST_UNFOLDED, Paste
from ui.chat.words import ChatWords
from ui.kit.inputs import TextArea

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_WIDTH_PX, _HEIGHT_PX = 760, 520


class PasteDialog(QDialog):
    """Ends itself.

    Signals:
        changed(str): the text shall be this one.
        unfolded(): it shall stand in the message as text.
        removed(): it shall go.
    """

    changed = Signal(str)
    unfolded = Signal()
    removed = Signal()

    def __init__(self, paste: Paste, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        words = ChatWords(self)
        self.setWindowTitle(words.paste())
        figures = QLabel(words.pasted(paste))
        figures.setProperty("role", "small")
        self.area = TextArea()
        self.area.setProperty("role", "boxed")
        self.area.setAccessibleName(words.paste())
        self.area.setPlainText(paste.text)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 16)
        column.setSpacing(10)
        column.addWidget(figures)
        column.addWidget(self.area, 1)
        column.addLayout(self._buttons(can_unfold=len(paste.text) <= LONGEST_UNFOLDED))
        self.resize(_WIDTH_PX, _HEIGHT_PX)
        self.area.setFocus()

    def _buttons(self, *, can_unfold: bool) -> QHBoxLayout:
        remove, unfold = QPushButton(self.tr("Remove")), QPushButton(self.tr("Turn into text"))
        cancel, save = QPushButton(self.tr("Cancel")), QPushButton(self.tr("Save"))
        unfold.setEnabled(can_unfold)
        if not can_unfold:
            unfold.setToolTip(self.tr("Too long to stand in the message as text"))
        save.setProperty("role", "primary")
        save.setToolTip(QKeySequence("Ctrl+Return").toString(QKeySequence.SequenceFormat.NativeText))
        save.setDefault(True)
        remove.clicked.connect(self._remove)
        unfold.clicked.connect(self._unfold)
        cancel.clicked.connect(self.reject)
        save.clicked.connect(self._save)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(remove)
        row.addWidget(unfold)
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(save)
        return row

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._save()
        else:
            super().keyPressEvent(event)

    def _save(self) -> None:
        text = self.area.toPlainText()
        if not self.area.document().isModified():
            self.reject()
        elif text.strip():
            self.changed.emit(text)
            self.accept()
        else:
            self._remove()

    def _remove(self) -> None:
        self.removed.emit()
        self.accept()

    def _unfold(self) -> None:
        """What was changed here is changed there, too."""
        if self.area.document().isModified():
            self.changed.emit(self.area.toPlainText())
        self.unfolded.emit()
        self.accept()
