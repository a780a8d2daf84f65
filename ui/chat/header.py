"""The chat's first line: its title, which is a field when it has the keys, and its model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QWidget

from app.core.ids import ModelId
from ui.chat.state import ChatState
from ui.kit.controls import ChipButton
from ui.kit.inputs import LineInput


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
        left(): the title needs the keys no longer.
    """

    renamed = Signal(str)
    model_chosen = Signal(str)
    models_wanted = Signal()
    left = Signal()

    def __init__(self, choices: Callable[[], Sequence[ModelChoice]]) -> None:
        super().__init__()
        self.setProperty("role", "header")
        self._choices = choices
        self._title = self._model_name = ""
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
        """Open the menu of models."""
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        group = ""
        for choice in self._choices():
            if choice.group != group:
                group = choice.group
                menu.addAction(group).setEnabled(False)
            menu.addAction(choice.name).setData(choice.id)
        menu.addSeparator()
        menu.addAction(self.tr("Providers and models …")).setData("")
        menu.triggered.connect(self._chosen)
        menu.popup(self.model.mapToGlobal(self.model.rect().bottomLeft() + QPoint(0, 4)))

    def _chosen(self, action: QAction) -> None:
        if model := str(action.data()):
            self.model_chosen.emit(model)
        else:
            self.models_wanted.emit()

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
