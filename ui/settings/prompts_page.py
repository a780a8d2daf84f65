"""The page of prompts: words that are kept, to be put into a message by `/name` (U14)."""

import re
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from app.settings import Prompt
from ui.kit.inputs import LineInput, TextInput
from ui.kit.links import visible
from ui.settings.rows import FormCard, Page, button, label
from ui.settings.state import SettingsState
from ui.settings.view_model import SettingsViewModel

_NAME = re.compile(r"[^\s/]{1,40}")
_SHOWN_CHARS = 160


class PromptForm(FormCard):
    """A prompt as it is typed; `index` is its place in the list, None while it is new."""

    def __init__(self) -> None:
        super().__init__()
        self.index: int | None = None
        self.name, self.words = LineInput(), TextInput()
        self.words.enter_submits = False
        self.words.setProperty("role", "boxed")
        for row, (title, control) in enumerate(
            ((self.tr("Name"), self.name), (self.tr("Words"), self.words))
        ):
            told = label(title)
            told.setBuddy(control)
            control.setAccessibleName(title)
            self.grid.addWidget(told, row, 0, Qt.AlignmentFlag.AlignTop)
            self.grid.addWidget(control, row, 1)
        told = self.tr(
            "What stands as {{variable}} is filled in when the prompt is used; Tab goes to the next."
        )
        self.column.addWidget(label(told, "small", wraps=True))
        self.problem = label("", "critical", wraps=True)
        self.column.addWidget(self.problem)
        self.cancel_button, self.save_button = button(self.tr("Cancel")), button(self.tr("Save"), "primary")
        foot = QHBoxLayout()
        foot.addStretch()
        foot.addWidget(self.cancel_button)
        foot.addWidget(self.save_button)
        self.column.addLayout(foot)
        self.hide()

    def show_prompt(self, index: int | None, prompt: Prompt | None) -> None:
        self.index = index
        self.title.setText(self.tr("Edit the prompt") if prompt else self.tr("Add a prompt"))
        self.name.setText(prompt.name if prompt else "")
        self.words.set_text(prompt.text if prompt else "")
        self.tell("")
        self.show()
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def tell(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))


class PromptsPage(Page):
    def __init__(self, model: SettingsViewModel) -> None:
        super().__init__()
        self._model = model
        self._prompts: tuple[Prompt, ...] | None = None
        self.set_title(
            self.tr("Prompts"), self.tr("Words that you keep. In a message, / and the name puts them in.")
        )
        self.add_button = button(self.tr("Add a prompt"), "primary")
        self.undo_button = button(self.tr("Undo"))
        head = QHBoxLayout()
        head.addWidget(self.add_button)
        head.addWidget(self.undo_button)
        head.addStretch()
        self.column.addLayout(head)
        self.form = PromptForm()
        self.none = label(self.tr("There are none yet."), "muted")
        self.column.addWidget(self.form)
        self.column.addWidget(self.none)
        self.cards: list[QFrame] = []
        self._cards = QVBoxLayout()
        self.column.addLayout(self._cards)
        self.column.addStretch()
        self.add_button.clicked.connect(self._add)
        self.undo_button.clicked.connect(partial(model.undo, "prompts"))
        self.form.save_button.clicked.connect(self._save)
        self.form.name.submitted.connect(self._save)
        for cancelled in (
            self.form.cancel_button.clicked,
            self.form.name.cancelled,
            self.form.words.cancelled,
        ):
            cancelled.connect(self.form.hide)
        self.form.words.submitted.connect(self._save)
        model.changed.connect(self.draw)
        self.draw(model.state)

    def search_words(self) -> str:
        names = (prompt.name for prompt in self._prompts or ())
        return " ".join((self.title, *names, self.tr("template, snippet, variable"))).casefold()

    def draw(self, state: SettingsState) -> None:
        self.undo_button.setVisible("prompts" in state.undo)
        self.none.setVisible(not state.settings.prompts)
        if state.settings.prompts != self._prompts:
            self._prompts = state.settings.prompts
            self._make_cards(self._prompts)

    def _make_cards(self, prompts: tuple[Prompt, ...]) -> None:
        for card in self.cards:
            card.hide()  # it goes only when the loop runs
            card.deleteLater()
        self.cards = [self._card(index, prompt) for index, prompt in enumerate(prompts)]
        for card in self.cards:
            self._cards.addWidget(card)

    def _card(self, index: int, prompt: Prompt) -> QFrame:
        card = QFrame()
        card.setProperty("role", "card")
        row = QHBoxLayout(card)
        row.setContentsMargins(16, 10, 12, 10)
        told = QVBoxLayout()
        told.addWidget(label(f"/{visible(prompt.name)}", "heading"))
        line = " ".join(prompt.text[: 2 * _SHOWN_CHARS].split())
        told.addWidget(label(visible(line[:_SHOWN_CHARS]), "muted", wraps=True))
        row.addLayout(told, 1)
        edit, remove = button(self.tr("Edit")), button(self.tr("Remove"))
        for act, deed in ((edit, self._edit), (remove, self._remove)):
            act.setAccessibleName(f"{act.text()} {prompt.name}")
            act.clicked.connect(partial(deed, index))
            row.addWidget(act)
        return card

    def _add(self) -> None:
        self.form.show_prompt(None, None)

    def _edit(self, index: int) -> None:
        self.form.show_prompt(index, (self._prompts or ())[index])
        self.ensureWidgetVisible(self.form)

    def _remove(self, index: int) -> None:
        """Undo brings it back."""
        self.form.hide()
        self._store([prompt for n, prompt in enumerate(self._prompts or ()) if n != index])

    def _save(self) -> None:
        name, words = self.form.name.text().strip().removeprefix("/"), self.form.words.text()
        others = [prompt for n, prompt in enumerate(self._prompts or ()) if n != self.form.index]
        if not _NAME.fullmatch(name):
            self.form.tell(self.tr("A name has 1 to 40 characters, no blanks and no /."))
        elif any(prompt.name == name for prompt in others):
            self.form.tell(self.tr("There is a prompt of this name already."))
        elif not words.strip():
            self.form.tell(self.tr("It needs words."))
        else:
            at = len(others) if self.form.index is None else self.form.index
            others.insert(at, Prompt(name=name, text=words))
            self.form.hide()
            self._store(others)

    def _store(self, prompts: list[Prompt]) -> None:
        self._model.change("prompts", [prompt.model_dump(mode="json") for prompt in prompts])
