"""Where the person writes: the input, what waits behind the answer, the ring, and one button."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QMouseEvent, QTextCursor
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ui.chat.completing import Completing
from ui.chat.message_input import NO_PASTES, Chip, MessageInput
from ui.chat.paste_dialog import PasteDialog
from ui.chat.pastes import Paste, without_hashes
from ui.chat.state import ChatState
from ui.chat.words import ChatWords
from ui.kit.controls import ElidedLabel
from ui.kit.icons import Icons
from ui.kit.known_keys import KeysOf, keyed, no_keys
from ui.kit.links import plain_tip
from ui.kit.theme import Theme

_QUEUED_CHARS = 60
_BUTTON_PX = 34
_ICON_PX = 18


class Composer(QFrame):
    """
    Signals:
        submitted(str): the text shall be said, or queued.
        typed(str): the text is another one.
        stopped(): the running answer shall end.
        edit_cancelled(): the new version is given up.
        unqueued(int): the waiting message at this index shall come back into the input.
        dropped(int): it shall never be said.
        queue_resumed(): what waits shall be said.
        pasted(Paste): a long text or a file has become a chip.
        files_chosen(list[str]): these shall be attached.
        picture_pasted(QImage): this shall be.
        enlarged(bool): it takes the room of the messages now, or gives it back.
        media_opened(Chip): the picture of a chip is asked for.
        focus_changed(): the input has the keyboard now, or no longer.
        recalled(): ↑ in an empty input: edit the last message.
    """

    submitted = Signal(str)
    typed = Signal(str)
    pasted = Signal(object)
    stopped = Signal()
    edit_cancelled = Signal()
    unqueued = Signal(int)
    dropped = Signal(int)
    queue_resumed = Signal()
    recalled = Signal()
    focus_changed = Signal()
    files_chosen = Signal(list)
    picture_pasted = Signal(object)
    media_opened = Signal(object)
    enlarged = Signal(bool)

    def __init__(self, theme: Theme, icons: Icons, ring: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "composer")
        self._icons = icons
        self._theme = theme
        self.keys: KeysOf = no_keys
        self._state = ChatState()
        self._is_warned = False
        """Esc was pressed over a text while an answer runs: the next one stops it."""
        self._queue = QVBoxLayout()
        self._queue.setSpacing(4)
        self._hint = QLabel()
        self._hint.setProperty("role", "small")
        self._cancel = QPushButton()
        self._cancel.setProperty("role", "link")
        self._cancel.clicked.connect(self.edit_cancelled)
        self._open = QPushButton()
        self._open.setProperty("role", "link")
        self._open.clicked.connect(self._open_reached)
        self._words = ChatWords()
        self._beside = ElidedLabel()
        self._beside.setProperty("role", "small")
        self._beside.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._give_up = QPushButton()
        self._give_up.setProperty("role", "link")
        self._give_up.clicked.connect(self.stopped)
        self.input = MessageInput(theme, icons)
        self.completing = Completing(self.input, theme, icons)
        self._told = ""
        """A sentence about what was attached; until something is typed."""
        self._attach = QPushButton()
        self._attach.setProperty("role", "quiet")
        self._attach.clicked.connect(self.choose_files)
        self._large = QPushButton()
        self._large.setProperty("role", "quiet")
        self._large.clicked.connect(self.write_large)
        self._button = QPushButton()
        self._button.setProperty("role", "send")
        self._button.clicked.connect(self._press)
        self.input.textChanged.connect(self._on_text)
        self.input.submitted.connect(self._submit)
        self.input.cancelled.connect(self._escape)
        self.input.recalled.connect(self.recalled)
        self.input.pasted.connect(self.pasted)
        self.input.opened.connect(self._open_chip)
        self.input.reached.connect(self._reach)
        self.input.files_dropped.connect(self.files_chosen)
        self.input.image_pasted.connect(self.picture_pasted)
        self.input.installEventFilter(self)
        self._lay_out(ring)
        self.setFocusProxy(self.input)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.retranslate()

    def _lay_out(self, ring: QWidget) -> None:
        below = QHBoxLayout()
        below.setContentsMargins(4, 0, 0, 0)  # where the text begins
        below.addWidget(self._attach)
        below.addWidget(self._large)
        below.addWidget(self._hint)
        below.addWidget(self._cancel)
        below.addWidget(self._open)
        below.addWidget(self._beside, 1)
        below.addWidget(self._give_up)
        below.addWidget(ring)
        below.addWidget(self._button)
        below.setSpacing(10)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 12, 12)
        layout.setSpacing(6)
        layout.addLayout(self._queue)
        layout.addWidget(self.input)
        layout.addLayout(below)

    def open_text(self, text: str, known: Mapping[str, Paste] = NO_PASTES) -> None:
        """Hold the text of another chat; undo doesn't lead back to this one's."""
        self.input.open_text(text, known)

    def set_text(self, text: str, known: Mapping[str, Paste] = NO_PASTES) -> None:
        """Hold another text; undo leads back."""
        if text != self.input.text():
            self.input.set_text(text, known)

    def begin_with(self, text: str) -> None:
        """Write `text` before what stands there, the cursor between them."""
        cursor = QTextCursor(self.input.document())
        cursor.insertText(text)
        self.input.setTextCursor(cursor)
        self.input.setFocus()

    def draw(self, state: ChatState) -> None:
        """Show what of `state` concerns the composer; nothing at each piece of an answer (Q7)."""
        was, self._state = self._state, state
        self._draw_beside()
        if _concerns(state) == _concerns(was):
            return
        if state.queue != was.queue or bool(state.live) != bool(was.live):
            self._draw_queue()
        if not state.live:
            self._is_warned = False
        self._draw()

    def _draw(self) -> None:
        self._open.setVisible(self.input.chip is not None)
        self._cancel.setVisible(self._state.editing is not None)
        self._draw_hint()
        self._draw_button()

    def retranslate(self) -> None:
        self._draw_placeholder()
        self.input.setAccessibleName(self.tr("Message"))
        self._attach.setToolTip(keyed(self.tr("Attach files"), self.keys("attach")))
        self._attach.setAccessibleName(self.tr("Attach files"))
        is_large = self.input.is_large
        large = self.tr("Smaller (Esc)") if is_large else keyed(self.tr("Larger"), self.keys("write_large"))
        self._large.setToolTip(large)
        self._large.setAccessibleName(large)
        self._cancel.setText(self.tr("Cancel"))
        self._open.setText(self.tr("Open (F2)"))
        self._open.setAccessibleName(self.tr("Open what is attached"))
        self._give_up.setText(self.tr("Cancel"))
        self._give_up.setAccessibleName(self.tr("Cancel compressing"))
        self._draw_beside()
        self._draw_queue()
        self._draw()

    def set_enter_sends(self, *, enter_sends: bool) -> None:
        """Whether Enter alone sends; Ctrl+Enter always does."""
        self.input.enter_submits = enter_sends
        self._draw_placeholder()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The whole card is the place to write."""
        self.input.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.setProperty("focused", event.type() is QEvent.Type.FocusIn)
            self.style().unpolish(self)
            self.style().polish(self)
            self.focus_changed.emit()
        return False

    def write_large(self) -> None:
        """Write over the whole chat, or as before."""
        is_large = not self.input.is_large
        self.input.set_large(is_large=is_large)
        vertical = QSizePolicy.Policy.Expanding if is_large else QSizePolicy.Policy.Maximum
        self.setSizePolicy(QSizePolicy.Policy.Expanding, vertical)
        self.enlarged.emit(is_large)
        self.retranslate()
        self._restyle()
        self.input.setFocus()

    # -- what is attached

    def choose_files(self) -> None:
        """Ask which files shall be attached."""
        dialog = QFileDialog(self.window(), self.tr("Attach files"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(self.files_chosen)
        dialog.finished.connect(self._come_back)
        dialog.open()

    def put_in(self, pastes: Sequence[Paste]) -> None:
        """Have chips for what was attached, where the cursor is."""
        self.input.put(pastes)
        self.input.setFocus()

    def tell(self, text: str) -> None:
        """Say a sentence below the text, until the next key."""
        self._told = text
        self._draw_hint()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.input, text))

    # -- pasted texts

    def _reach(self, chip: Chip | None) -> None:
        """Say what the cursor has come to: a screen reader finds no words in it."""
        self._open.setVisible(chip is not None)
        self._draw_hint()
        if chip and self.input.hasFocus():
            QAccessible.updateAccessibility(
                QAccessibleAnnouncementEvent(self.input, self._words.pasted(chip.paste))
            )

    def _open_reached(self) -> None:
        if self.input.chip:
            self._open_chip(self.input.chip)

    def _open_chip(self, chip: Chip) -> None:
        if chip.paste.media:
            self.media_opened.emit(chip)
            return
        dialog = PasteDialog(chip.paste, self.window())
        dialog.changed.connect(partial(self._change, chip))
        dialog.unfolded.connect(partial(self._unfold, chip.at))
        dialog.removed.connect(partial(self.input.remove, chip))
        dialog.finished.connect(self._come_back)
        dialog.open()

    def _change(self, chip: Chip, text: str) -> None:
        self.input.replace(chip, text)

    def _unfold(self, at: int) -> None:
        chip = next((chip for chip in self.input.chips() if chip.at == at), None)
        if chip:
            self.input.unfold(chip)

    def _come_back(self, _result: int) -> None:
        self.input.setFocus()

    # -- what the person does

    def _on_text(self) -> None:
        self._is_warned, self._told = False, ""
        self.typed.emit(self.input.text())
        self._draw_hint()
        self._draw_button()

    def _submit(self, text: str) -> None:
        if text.strip():
            if self.input.is_large:
                self.write_large()
            self.submitted.emit(text)

    def _press(self) -> None:
        if self._does_stop():
            self.stopped.emit()
        else:
            self._submit(self.input.text())
        self.input.setFocus()

    def _escape(self) -> None:
        """Leave the edit first, then stop; over a text only when pressed twice."""
        is_sure = self._is_warned or not self.input.text()
        if self.input.is_large:
            self.write_large()
        elif self._state.editing:
            self.edit_cancelled.emit()
        elif self._state.compressing is not None or (self._state.live and is_sure):
            self.stopped.emit()
        elif self._state.live:
            self._is_warned = True
            self._draw_hint()

    def _does_stop(self) -> bool:
        is_busy = self._state.live is not None or self._state.compressing is not None
        return is_busy and not self.input.text().strip()

    # -- drawing

    def _draw_placeholder(self) -> None:
        if self.input.enter_submits and not self.input.is_large:
            text = self.tr("Message Palimpsest — Enter to send, Shift+Enter for a new line")
        else:
            text = self.tr("Message Palimpsest — Ctrl+Enter to send, Enter for a new line")
        self.input.setPlaceholderText(text)

    def _draw_hint(self) -> None:
        if self._state.editing:
            hint = self.tr("Editing a message: sending makes a new version.")
        elif self._is_warned:
            hint = self.tr("Esc once more stops the answer.")
        elif self._told:
            hint = self._told
        elif self.input.chip:
            hint = self.tr("Backspace takes it out.")
        else:
            hint = ""
        self._hint.setText(hint)

    def _draw_beside(self) -> None:
        """What goes on with the window, beside the ring: the transcript's own line may be out of sight."""
        text = self._words.beside(self._state)
        if text != self._beside.text():
            self._beside.setText(text)
            self._beside.setAccessibleName(text)
        self._give_up.setVisible(self._state.compressing is not None)

    def _draw_button(self) -> None:
        is_stop = self._does_stop()
        if is_stop:
            name = self.tr("Stop (Esc)")
        elif self._state.editing:
            name = self.tr("Send the new version")
        elif self._state.live:
            name = self.tr("Queue: send when the answer is done")
        else:
            name = self.tr("Send")
        self._button.setIcon(self._icons.icon("stop" if is_stop else "send", self._theme.tokens.on_accent))
        self._button.setToolTip(name)
        self._button.setAccessibleName(name)
        can_send = bool(self.input.text().strip()) and not self._state.is_busy
        self._button.setEnabled(is_stop or can_send)

    def _draw_queue(self) -> None:
        while item := self._queue.takeAt(0):
            if widget := item.widget():
                widget.hide()  # it goes only when the loop runs
                widget.deleteLater()
        for index, text in enumerate(self._state.queue):
            self._queue.addWidget(self._queued(index, text))
        if self._state.queue and self._state.live is None:
            resume = QPushButton(self.tr("Send what waits"))
            resume.setProperty("role", "link")
            resume.clicked.connect(self.queue_resumed)
            self._queue.addWidget(resume, alignment=Qt.AlignmentFlag.AlignLeft)

    def _queued(self, index: int, text: str) -> QWidget:
        line = " ".join(without_hashes(text[: 8 * _QUEUED_CHARS]).split())  # it may be a megabyte
        shown = line if len(line) <= _QUEUED_CHARS else line[:_QUEUED_CHARS] + "…"
        button = QPushButton(self.tr("Next: {text}").format(text=shown).replace("&", "&&"))
        button.setIcon(self._icons.icon("edit"))
        button.setProperty("role", "chip")
        button.setToolTip(plain_tip(self.tr("Take it back into the composer")))
        button.setAccessibleName(self.tr("Waits: {text}. Take it back into the composer").format(text=shown))
        button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        button.clicked.connect(partial(self.unqueued.emit, index))
        drop = QPushButton()
        drop.setProperty("role", "quiet")
        drop.setIcon(self._icons.icon("close"))
        drop.setToolTip(self.tr("Remove"))
        drop.setAccessibleName(self.tr("Remove what waits: {text}").format(text=shown))
        drop.clicked.connect(partial(self.dropped.emit, index))
        row = QWidget()
        line_of = QHBoxLayout(row)
        line_of.setContentsMargins(0, 0, 0, 0)
        line_of.setSpacing(4)
        line_of.addWidget(button)
        line_of.addWidget(drop)
        line_of.addStretch(1)
        return row

    def _restyle(self) -> None:
        side, icon = round(self._theme.px(_BUTTON_PX)), round(self._theme.px(_ICON_PX))
        self._button.setFixedSize(side, side)
        self._button.setIconSize(QSize(icon, icon))
        self._attach.setIcon(self._icons.icon("paperclip"))
        self._attach.setIconSize(QSize(icon, icon))
        self._large.setIcon(self._icons.icon("chevron-down" if self.input.is_large else "chevron-up"))
        self._large.setIconSize(QSize(icon, icon))
        self._draw_button()


def _concerns(state: ChatState) -> tuple[object, ...]:
    """What of `state` the composer shows."""
    is_live, is_compressing = state.live is not None, state.compressing is not None
    return state.queue, state.editing, state.is_busy, is_live, is_compressing
