"""The bar of Ctrl+F: what is looked for in the chat, how many hits there are, and the way from one to the next."""

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton

from ui.chat.hits import InChat
from ui.kit.icons import Icons
from ui.kit.inputs import LineInput
from ui.kit.theme import Theme

_FIELD_PX = 320


class _Field(LineInput):
    """Shift+Enter is a step back."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.modifiers() & Qt.KeyboardModifier.ShiftModifier and not self.is_composing:
            self.stepped.emit(-1)
        else:
            super().keyPressEvent(event)


class FindBar(QFrame):
    """
    Signals:
        typed(str): what the field holds now.
        stepped(int): so many hits on.
        closed(): the person is done.
    """

    typed = Signal(str)
    stepped = Signal(int)
    closed = Signal()

    def __init__(self, theme: Theme, icons: Icons) -> None:
        super().__init__()
        self._icons = icons
        self._state = InChat()
        self.setProperty("role", "header")
        self.field = _Field()
        self.field.setMaximumWidth(round(theme.px(_FIELD_PX)))
        self.count = QLabel()
        self.count.setProperty("role", "small")
        self._above, self._below, self._close = QPushButton(), QPushButton(), QPushButton()
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 6, 12, 6)
        row.setSpacing(8)
        row.addWidget(self.field, 1)
        row.addWidget(self.count)
        row.addStretch(1)
        for button in (self._above, self._below, self._close):
            button.setProperty("role", "quiet")
            row.addWidget(button)
        self.field.textChanged.connect(self.typed)
        self.field.submitted.connect(self._go_on)
        self.field.stepped.connect(self.stepped)
        self.field.cancelled.connect(self.closed)
        self._above.clicked.connect(self._go_back)
        self._below.clicked.connect(self._go_on)
        self._close.clicked.connect(self.closed)
        theme.changed.connect(self._dress)
        self._dress()
        self.retranslate()
        self.hide()

    def open(self, typed: str | None = None) -> None:
        """Show it with the keys in its field; `typed`: what shall stand there, without looking for it."""
        if typed is not None:
            with QSignalBlocker(self.field):
                self.field.setText(typed)
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def draw(self, state: InChat) -> None:
        self._state = state
        self._above.setEnabled(state.hits.n > 0)
        self._below.setEnabled(state.hits.n > 0)
        if state.find is None:
            told = ""
        elif state.current is None:
            told = self.tr("Not in this chat")
        else:
            told = self.tr("{n} of {all}").format(n=state.current + 1, all=f"{state.hits.n:,}")
        self.count.setText(told)
        self.field.setAccessibleDescription(told)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()

    def retranslate(self) -> None:
        self.field.setPlaceholderText(self.tr("Find in this chat"))
        self.setAccessibleName(self.tr("Find in this chat"))
        self.field.setAccessibleName(self.tr("Find in this chat"))
        names = (self.tr("Previous hit"), self.tr("Next hit"), self.tr("Close"))
        keys = ("Shift+F3", "F3", "Esc")
        for button, name, key in zip((self._above, self._below, self._close), names, keys, strict=True):
            button.setAccessibleName(name)
            button.setToolTip(f"{name}  {key}")
        self.draw(self._state)

    def _dress(self) -> None:
        for button, icon in (
            (self._above, "chevron-up"),
            (self._below, "chevron-down"),
            (self._close, "close"),
        ):
            button.setIcon(self._icons.icon(icon))

    def _go_on(self) -> None:
        self.stepped.emit(1)

    def _go_back(self) -> None:
        self.stepped.emit(-1)
