"""Where the person writes: the input, what waits behind the answer, the ring, and one button."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from ui.chat.state import ChatState
from ui.kit.icons import Icons
from ui.kit.inputs import TextInput
from ui.kit.theme import Theme

_QUEUED_CHARS = 60


class Composer(QFrame):
    """
    Signals:
        submitted(str): the text shall be said, or queued.
        typed(str): the text is another one.
        stopped(): the running answer shall end.
        edit_cancelled(): the new version is given up.
        unqueued(int): the waiting message at this index shall not be said.
        queue_resumed(): what waits shall be said.
        recalled(): ↑ in an empty input: edit the last message.
    """

    submitted = Signal(str)
    typed = Signal(str)
    stopped = Signal()
    edit_cancelled = Signal()
    unqueued = Signal(int)
    queue_resumed = Signal()
    recalled = Signal()

    def __init__(self, theme: Theme, icons: Icons, ring: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "composer")
        self._icons = icons
        self._theme = theme
        self._state = ChatState()
        self._queue = QVBoxLayout()
        self._queue.setSpacing(4)
        self._hint = QLabel()
        self._hint.setProperty("role", "small")
        self._cancel = QPushButton()
        self._cancel.setProperty("role", "quiet")
        self._cancel.clicked.connect(self.edit_cancelled)
        self.input = TextInput()
        self._button = QPushButton()
        self._button.setProperty("role", "primary")
        self._button.setFixedSize(34, 34)
        self._button.clicked.connect(self._press)
        self.input.textChanged.connect(self._on_text)
        self.input.submitted.connect(self._submit)
        self.input.cancelled.connect(self._escape)
        self.input.recalled.connect(self.recalled)

        below = QHBoxLayout()
        below.addWidget(self._hint)
        below.addWidget(self._cancel)
        below.addStretch(1)
        below.addWidget(ring)
        below.addWidget(self._button)
        below.setSpacing(10)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 10, 10, 10)
        layout.setSpacing(6)
        layout.addLayout(self._queue)
        layout.addWidget(self.input)
        layout.addLayout(below)
        self.setFocusProxy(self.input)
        theme.changed.connect(self._draw_button)
        self.retranslate()

    def set_text(self, text: str) -> None:
        if text != self.input.text():
            self.input.set_text(text)

    def draw(self, state: ChatState) -> None:
        """Show what of `state` concerns the composer."""
        is_other_queue = state.queue != self._state.queue or (state.live is None) != (
            self._state.live is None
        )
        self._state = state
        if is_other_queue:
            self._draw_queue()
        self._cancel.setVisible(state.editing is not None)
        self._hint.setText(
            self.tr("Editing a message: sending makes a new version.") if state.editing else ""
        )
        self._draw_button()

    def retranslate(self) -> None:
        placeholder = self.tr("Message Palimpsest — Enter to send, Shift+Enter for a new line")
        self.input.setPlaceholderText(placeholder)
        self.input.setAccessibleName(self.tr("Message"))
        self._cancel.setText(self.tr("Cancel"))
        self._draw_queue()
        self.draw(self._state)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()

    # -- what the person does

    def _on_text(self) -> None:
        self.typed.emit(self.input.text())
        self._draw_button()

    def _submit(self, text: str) -> None:
        if text.strip():
            self.submitted.emit(text)

    def _press(self) -> None:
        if self._does_stop():
            self.stopped.emit()
        else:
            self._submit(self.input.text())
        self.input.setFocus()

    def _escape(self) -> None:
        if self._state.editing:
            self.edit_cancelled.emit()
        elif self._state.live and not self.input.text():
            self.stopped.emit()

    def _does_stop(self) -> bool:
        return self._state.live is not None and not self.input.text().strip()

    # -- drawing

    def _draw_button(self) -> None:
        is_stop, is_queue = self._does_stop(), self._state.live is not None
        name = self.tr("Stop (Esc)") if is_stop else self.tr("Queue") if is_queue else self.tr("Send")
        self._button.setIcon(self._icons.icon("stop" if is_stop else "send", self._theme.tokens.on_accent))
        self._button.setToolTip(name)
        self._button.setAccessibleName(name)
        self._button.setEnabled(is_stop or bool(self.input.text().strip()))

    def _draw_queue(self) -> None:
        while item := self._queue.takeAt(0):
            if widget := item.widget():
                widget.deleteLater()
        for index, text in enumerate(self._state.queue):
            self._queue.addWidget(self._queued(index, text))
        if self._state.queue and self._state.live is None:
            resume = QPushButton(self.tr("Send what waits"))
            resume.setProperty("role", "quiet")
            resume.clicked.connect(self.queue_resumed)
            self._queue.addWidget(resume, alignment=Qt.AlignmentFlag.AlignLeft)

    def _queued(self, index: int, text: str) -> QWidget:
        line = " ".join(text.split())
        shown = line if len(line) <= _QUEUED_CHARS else line[:_QUEUED_CHARS] + "…"
        button = QPushButton(self.tr("Next: {text}").format(text=shown))
        button.setIcon(self._icons.icon("close"))
        button.setProperty("role", "chip")
        button.setToolTip(self.tr("Take out of the queue"))
        button.setAccessibleName(self.tr("Take out of the queue: {text}").format(text=shown))
        button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

        def take_out(*, _checked: bool = False) -> None:
            self.unqueued.emit(index)

        button.clicked.connect(take_out)
        return button
