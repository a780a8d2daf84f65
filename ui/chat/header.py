"""The chat's first line: its title, which is a field when it has the keys, and its model."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.core.ids import ModelId
from ui.chat.model_picker import ModelChoice, ModelPicker
from ui.chat.state import ChatState, Switch
from ui.kit.controls import ChipButton
from ui.kit.inputs import LineInput
from ui.kit.theme import Theme


class Header(QFrame):
    """
    Signals:
        renamed(str): the chat shall have this title.
        model_chosen(str): a model id.
        model_considered(str): a model that is looked at; `show_prospect` shall say what it would do.
        models_wanted(): the page where models are set up.
        left(): the title needs the keys no longer.
    """

    renamed = Signal(str)
    model_chosen = Signal(str)
    model_considered = Signal(str)
    models_wanted = Signal()
    left = Signal()

    def __init__(self, theme: Theme, choices: Callable[[], Sequence[ModelChoice]]) -> None:
        super().__init__()
        self._theme = theme
        self.setProperty("role", "header")
        self._choices = choices
        self._picker: ModelPicker | None = None
        self._title = self._model_name = ""
        self._chosen: ModelId | None = None
        self.title = LineInput()
        self.title.setProperty("role", "title")
        self.title.submitted.connect(self._submit)
        self.title.cancelled.connect(self._cancel)
        self.title.editingFinished.connect(self._rename)  # the keys went elsewhere
        self.model = ChipButton("", has_menu=True)
        self.model.clicked.connect(self.choose)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 8, 16, 8)
        layout.setSpacing(10)
        layout.addWidget(self.title, 1)
        layout.addWidget(self.model)
        self.retranslate()

    def set_corner(self, widget: QWidget) -> None:
        """What stands at the right end: the window's menu."""
        layout = self.layout()
        assert layout
        layout.addWidget(widget)

    def draw(self, state: ChatState) -> None:
        """Show what of `state` concerns the header; nothing at each piece of an answer (Q7)."""
        if state.title != self._title:
            self._title = state.title
            if not self.title.hasFocus():
                self._show_title()
        self._chosen = state.model
        if state.model_name != self._model_name:
            self._model_name = state.model_name
            self._draw_model()

    def _draw_model(self) -> None:
        name = self._model_name or self.tr("Choose a model")
        self.model.set_text(name)
        self.model.setAccessibleName(self.tr("Model: {name}").format(name=name))

    def retranslate(self) -> None:
        self.title.setPlaceholderText(self.tr("New chat"))
        self.title.setAccessibleName(self.tr("Title of the chat"))
        self.model.setToolTip(self.tr("Choose the model of this chat (Ctrl+M)"))
        self._draw_model()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()

    def choose(self) -> None:
        """Open the list of models."""
        picker = self._picker = ModelPicker(self._theme, self._choices(), self._chosen, self)
        picker.chosen.connect(self.model_chosen)
        picker.considered.connect(self.model_considered)
        picker.models_wanted.connect(self.models_wanted)
        picker.destroyed.connect(self._forget)
        picker.open_at(self.model)

    @property
    def picker(self) -> ModelPicker | None:
        """None while it is closed."""
        return self._picker

    def show_prospect(self, model: str, switch: Switch | None) -> None:
        """What choosing `model` would do."""
        if self._picker:
            self._picker.show_prospect(model, switch)

    def draw_choices(self) -> None:
        """What is known of the models is more now."""
        if self._picker:
            self._picker.show_choices(self._choices())

    def _forget(self) -> None:
        self._picker = None

    def _show_title(self) -> None:
        self.title.setText(self._title)
        self.title.setCursorPosition(0)  # a long title shows its beginning

    def _submit(self, _text: str) -> None:
        self.left.emit()  # losing the keys renames

    def _cancel(self) -> None:
        self._show_title()
        self.left.emit()

    def _rename(self) -> None:
        title = self.title.text().strip()
        if title and title != self._title:
            self.renamed.emit(title)
        else:
            self._show_title()
