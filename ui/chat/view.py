"""One chat on the screen: header, transcript, composer; a drawing of `ChatState`.

`python -m ui.chat.view` shows sample states.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.core.ids import ModelId
from ui.chat.composer import Composer
from ui.chat.items import FAILURE
from ui.chat.state import ChatState
from ui.chat.view_model import ChatViewModel
from ui.kit.icons import Icons
from ui.kit.inputs import LineInput
from ui.kit.items import NEXT_VERSION, PREVIOUS_VERSION, ItemId, ItemModel, ReadingPosition
from ui.kit.theme import Theme
from ui.kit.transcript_view import TranscriptView

_COLUMN_PX = 760


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """One model in the header's menu."""

    id: ModelId
    name: str
    group: str
    """Name of its endpoint."""


class Header(QFrame):
    """
    Signals:
        renamed(str): the chat shall have this title.
        model_chosen(str): a model id.
        models_wanted(): the page where models are set up.
    """

    renamed = Signal(str)
    model_chosen = Signal(str)
    models_wanted = Signal()

    def __init__(self, icons: Icons, theme: Theme, choices: Callable[[], Sequence[ModelChoice]]) -> None:
        super().__init__()
        self.setProperty("role", "header")
        self._choices = choices
        self._icons = icons
        self.title = LineInput()
        self.title.setProperty("role", "title")
        self.title.setFrame(False)
        self.title.editingFinished.connect(self._rename)
        self.model = QPushButton()
        self.model.setProperty("role", "chip")
        self.model.clicked.connect(self.choose)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(18, 10, 18, 10)
        layout.addWidget(self.title, 1)
        layout.addWidget(self.model)
        self._title = ""
        theme.changed.connect(self.retranslate)
        self.retranslate()

    def set_corner(self, widget: QWidget) -> None:
        """What stands at the right end: the window's menu."""
        layout = self.layout()
        assert layout
        layout.addWidget(widget)

    def draw(self, state: ChatState) -> None:
        self._title = state.title
        if not self.title.hasFocus():
            self.title.setText(state.title)
        self.model.setText(state.model_name or self.tr("Choose a model"))
        self.model.setAccessibleName(self.tr("Model: {name}").format(name=self.model.text()))

    def retranslate(self) -> None:
        self.title.setPlaceholderText(self.tr("New chat"))
        self.title.setAccessibleName(self.tr("Title of the chat"))
        self.model.setToolTip(self.tr("Choose the model of this chat (Ctrl+M)"))
        self.model.setIcon(self._icons.icon("chevron-down"))

    def _rename(self) -> None:
        if self.title.text().strip() and self.title.text() != self._title:
            self.renamed.emit(self.title.text())
        else:
            self.title.setText(self._title)

    def choose(self) -> None:
        """Open the menu of models."""
        menu = QMenu(self)
        group = ""
        for choice in self._choices():
            if choice.group != group:
                group = choice.group
                menu.addSection(group)
            action = menu.addAction(choice.name)
            action.setData(choice.id)
        menu.addSeparator()
        menu.addAction(self.tr("Providers and models …")).setData("")
        menu.triggered.connect(self._chosen)
        menu.popup(self.model.mapToGlobal(self.model.rect().bottomLeft()))

    def _chosen(self, action: object) -> None:
        chosen = getattr(action, "data")()  # noqa: B009  # QAction's stub knows no type for its data
        if chosen:
            self.model_chosen.emit(chosen)
        else:
            self.models_wanted.emit()


class ChatView(QWidget):
    """
    Signals:
        link_activated(str): a link in the transcript; nothing was opened.
        notice_pressed(str): a button of the error card that is not the chat's own, by action id.
        models_wanted(): the page where models are set up.
    """

    link_activated = Signal(str)
    notice_pressed = Signal(str)
    models_wanted = Signal()

    def __init__(
        self, theme: Theme, icons: Icons, ring: QWidget, choices: Callable[[], Sequence[ModelChoice]]
    ) -> None:
        super().__init__()
        self._model: ChatViewModel | None = None
        self._early = ""
        """Sent before the chat was open; said as soon as it is."""
        self.header = Header(icons, theme, choices)
        self.transcript = TranscriptView(theme, icons)
        self.composer = Composer(theme, icons, ring)
        self.composer.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.composer.setMaximumWidth(_COLUMN_PX)

        below = QHBoxLayout()
        below.setContentsMargins(24, 0, 24, 16)
        below.addStretch(1)
        below.addWidget(self.composer, 100)
        below.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(self.transcript, 1)
        layout.addLayout(below)
        self._connect()
        self.setFocusProxy(self.composer)

    def _connect(self) -> None:
        composer, header, transcript = self.composer, self.header, self.transcript
        composer.submitted.connect(self._send)
        composer.typed.connect(self._type)
        composer.stopped.connect(self.stop)
        composer.edit_cancelled.connect(self._cancel_edit)
        composer.unqueued.connect(self._unqueue)
        composer.queue_resumed.connect(self._resume_queue)
        composer.recalled.connect(self._edit_last)
        header.renamed.connect(self._rename)
        header.model_chosen.connect(self._choose_model)
        header.models_wanted.connect(self.models_wanted)
        transcript.link_activated.connect(self.link_activated)
        transcript.action_triggered.connect(self._act)

    # -- one chat after another

    def preview(self, items: ItemModel, state: ChatState) -> None:
        """Draw what is known before the chat can be opened; what is typed meanwhile goes to it."""
        self.transcript.set_model(items)
        self._draw(state)

    def show_chat(self, model: ChatViewModel, position: ReadingPosition | None = None) -> None:
        """Draw `model` from now on."""
        typed = "" if self._model else self.composer.input.text()
        self.leave()
        self._model = model
        self.composer.set_text(typed or model.draft)
        model.items_changed.connect(self.transcript.items_changed)
        model.item_changed.connect(self.transcript.update_item)
        model.changed.connect(self._draw)
        model.draft_replaced.connect(self.composer.set_text)
        self.transcript.set_model(model.items, position)
        self._draw(model.state)
        if typed:
            model.type(typed)
        early, self._early = self._early, ""
        if early:
            self._send(early)

    def leave(self) -> ReadingPosition | None:
        """Stop drawing the present chat. Returns: where it was read."""
        model, self._model = self._model, None
        if model is None:
            return None
        model.items_changed.disconnect(self.transcript.items_changed)
        model.item_changed.disconnect(self.transcript.update_item)
        model.changed.disconnect(self._draw)
        model.draft_replaced.disconnect(self.composer.set_text)
        return self.transcript.position()

    @property
    def model(self) -> ChatViewModel | None:
        return self._model

    # -- what the shell's commands ask for

    def copy_last_answer(self) -> None:
        if self._model:
            for item in reversed(self._model.items.ids()):
                if not self._model.items.is_own(item) and (text := self._model.items.source(item)):
                    QGuiApplication.clipboard().setText(text)
                    return

    def stop(self) -> None:
        if self._model:
            self._model.stop()

    def retry_last(self) -> None:
        if self._model:
            self._model.retry()

    # -- drawing and doing

    def _draw(self, state: ChatState) -> None:
        self.header.draw(state)
        self.composer.draw(state)

    def _act(self, item: ItemId, action: str) -> None:
        if self._model is None:
            return
        entry = self._model.items.entry_of(item)
        if item == FAILURE and action != "retry":
            self.notice_pressed.emit(action)
        elif action == "retry":
            self._model.retry(entry.id if entry else None)
        elif entry and action == "copy":
            QGuiApplication.clipboard().setText(self._model.items.source(item))
        elif entry and action == "edit":
            self._model.begin_edit(entry.id)
            self.composer.input.setFocus()
        elif entry and action in (PREVIOUS_VERSION, NEXT_VERSION):
            self._model.show_version(entry.id, -1 if action == PREVIOUS_VERSION else 1)

    def _send(self, text: str) -> None:
        if self._model:
            self.transcript.follow()
            self._model.send(text)
        else:
            self._early = text

    def _type(self, text: str) -> None:
        if self._model:
            self._model.type(text)

    def _cancel_edit(self) -> None:
        if self._model:
            self._model.cancel_edit()

    def _edit_last(self) -> None:
        if self._model:
            self._model.edit_last()

    def _unqueue(self, index: int) -> None:
        if self._model:
            self._model.unqueue(index)

    def _resume_queue(self) -> None:
        if self._model:
            self._model.resume_queue()

    def _rename(self, title: str) -> None:
        if self._model:
            self._model.rename(title)

    def _choose_model(self, model: str) -> None:
        if self._model:
            self._model.choose_model(ModelId(model))
