"""The chat's first line: its title, which is a field when it has the keys, and its model."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QWidget

from app.core.ids import ModelId
from ui.chat.board import BoardChip
from ui.chat.model_picker import ModelChoice, ModelPicker
from ui.chat.prospect import Switch
from ui.chat.state import Caller, ChatState
from ui.chat.toggle import HeaderToggle
from ui.kit.controls import ChipButton
from ui.kit.icons import Icons
from ui.kit.inputs import LineInput
from ui.kit.known_keys import KeysOf, keyed, no_keys
from ui.kit.links import plain_tip
from ui.kit.popups import Menu
from ui.kit.theme import Theme

_WIDE_PX = 560
"""Below this at 100 % the toggles are icons."""


class Header(QFrame):
    """
    Signals:
        renamed(str): the chat shall have this title.
        model_chosen(str): a model id.
        model_considered(str): a model that is looked at; `show_prospect` shall say what it would do.
        models_wanted(): the page where models are set up.
        folder_chosen(str): the chat shall work in this folder; empty: in none.
        folder_opened(str): it shall be shown in the file manager.
        back_wanted(): from a sub-agent's chat to the one for which it works.
        left(): the title needs the keys no longer.
    """

    renamed = Signal(str)
    model_chosen = Signal(str)
    model_considered = Signal(str)
    models_wanted = Signal()
    folder_chosen = Signal(str)
    folder_opened = Signal(str)
    back_wanted = Signal()
    left = Signal()

    def __init__(self, theme: Theme, icons: Icons, choices: Callable[[], Sequence[ModelChoice]]) -> None:
        super().__init__()
        self._theme, self._icons = theme, icons
        self.keys: KeysOf = no_keys
        self._folder = ""
        self.setProperty("role", "header")
        self._choices = choices
        self._picker: ModelPicker | None = None
        self._title = self._model_name = ""
        self._caller: Caller | None = None
        self.back = ChipButton("")
        self.back.clicked.connect(self.back_wanted)
        self.back.hide()
        self._chosen: ModelId | None = None
        self.title = LineInput()
        self.title.setProperty("role", "title")
        self.title.submitted.connect(self._submit)
        self.title.cancelled.connect(self._cancel)
        self.title.editingFinished.connect(self._rename)  # the keys went elsewhere
        self.model = ChipButton("", has_menu=True)
        self.model.clicked.connect(self.choose)
        self.folder = ChipButton("")
        self.folder.clicked.connect(self.ask_folder)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 8, 16, 8)
        layout.setSpacing(10)
        layout.addWidget(self.back)
        layout.addWidget(self.title, 1)
        self.board = BoardChip(theme)
        layout.addWidget(self.board)
        layout.addWidget(self.folder)
        layout.addWidget(self.model)
        self._toggles: list[HeaderToggle] = []
        theme.changed.connect(self._draw_folder)
        theme.changed.connect(self._draw_caller)
        self.retranslate()

    def set_corner(self, widget: QWidget) -> None:
        """What stands at the right end: the window's menu."""
        layout = self.layout()
        assert layout
        layout.addWidget(widget)

    def add_toggle(
        self, icon: str, words: Callable[[], tuple[str, str]], pressed: Callable[[], object]
    ) -> HeaderToggle:
        """One more toggle, right of the model's chip. `setChecked` tells whether what it opens is open.

        Args:
            icon: Its name.
            words: The name and the tooltip in the present language.
            pressed: Opens or closes it.
        """
        toggle = HeaderToggle(self._theme, self._icons, icon, words)
        toggle.clicked.connect(lambda: pressed())
        layout = self.layout()
        assert isinstance(layout, QHBoxLayout)
        layout.insertWidget(layout.indexOf(self.model) + 1 + len(self._toggles), toggle)
        self._toggles.append(toggle)
        self._fit()
        return toggle

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        for toggle in self._toggles:
            toggle.set_narrow(is_narrow=self.width() < self._theme.px(_WIDE_PX))

    def draw(self, state: ChatState) -> None:
        """Show what of `state` concerns the header; nothing at each piece of an answer (Q7)."""
        if state.title != self._title:
            self._title = state.title
            if not self.title.hasFocus():
                self._show_title()
        self.board.show_path(state.path)
        if state.caller != self._caller:
            self._caller = state.caller
            self._draw_caller()
        self._chosen = state.model
        if state.model_name != self._model_name:
            self._model_name = state.model_name
            self._draw_model()

    def _draw_model(self) -> None:
        name = self._model_name or self.tr("Choose a model")
        self.model.set_text(name)
        self.model.setAccessibleName(self.tr("Model: {name}").format(name=name))

    def _draw_caller(self) -> None:
        """In a sub-agent's chat: the way back, and nothing that would change it."""
        caller = self._caller
        self.back.setVisible(bool(caller and caller.chat_id))
        self.title.setReadOnly(caller is not None)
        self.folder.setVisible(caller is None)
        self.model.setEnabled(caller is None)
        title = caller.title if caller else ""
        self.back.setIcon(self._icons.icon("chevron-left"))
        self.back.set_text(self.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, 180))
        self.back.setAccessibleName(self.tr("Back to “{title}”").format(title=title))
        self.back.setToolTip(
            plain_tip(self.tr("Back to the chat for which it works: {title}").format(title=title))
        )

    def retranslate(self) -> None:
        self._draw_caller()
        self.title.setPlaceholderText(self.tr("New chat"))
        self.title.setAccessibleName(self.tr("Title of the chat"))
        self.model.setToolTip(keyed(self.tr("Choose the model of this chat"), self.keys("model")))
        self._draw_model()
        self._draw_folder()
        for toggle in self._toggles:
            toggle.retranslate()

    # -- the folder

    def show_folder(self, folder: str) -> None:
        """Which folder the chat works in; empty: none."""
        self._folder = folder
        self._draw_folder()

    def ask_folder(self) -> None:
        """Choose one where there is none; else what can be done with it."""
        if not self._folder:
            self.choose_folder()
            return
        menu = Menu(self._theme, self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.addAction(self.tr("Another folder…")).triggered.connect(self.choose_folder)
        menu.addAction(self.tr("Show it")).triggered.connect(self._show_folder)
        menu.addAction(self.tr("Work in no folder")).triggered.connect(self._leave_folder)
        menu.popup(self.folder.mapToGlobal(self.folder.rect().bottomLeft()))

    def choose_folder(self) -> None:
        dialog = QFileDialog(self.window(), self.tr("The folder this chat works in"), self._folder)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self.folder_chosen)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _show_folder(self) -> None:
        self.folder_opened.emit(self._folder)

    def _leave_folder(self) -> None:
        self.folder_chosen.emit("")

    def _draw_folder(self) -> None:
        name = Path(self._folder).name or self._folder
        self.folder.set_text(self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, 180))
        self.folder.setIcon(self._icons.icon("folder"))
        if self._folder:
            told = self.tr("Folder of this chat: {folder}").format(folder=self._folder)
            tip = self.tr("{folder}: read and written here, with your leave").format(folder=self._folder)
        else:
            told = self.tr("Choose a folder for this chat")
            tip = self.tr("Choose a folder: then the model can read in it, and change it with your leave")
        self.folder.setAccessibleName(told)
        self.folder.setToolTip(plain_tip(tip))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()

    def choose(self) -> None:
        """Open the list of models."""
        self._open_picker(self.model_chosen.emit)

    def choose_once(self, take: Callable[[ModelId], object]) -> None:
        """Open the list of models for one answer: the chat's own model stays."""
        self._open_picker(take)

    def _open_picker(self, take: Callable[[ModelId], object]) -> None:
        picker = self._picker = ModelPicker(self._theme, self._choices(), self._chosen, self)
        picker.chosen.connect(take)
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
