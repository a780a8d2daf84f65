"""The page of providers: what is set up, servers found on this computer, and templates to add one."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.core.errors import AppError
from app.providers.endpoints import address_of
from app.settings import Endpoint
from ui.kit.choice_card import ChoiceCard
from ui.kit.controls import ElidedLabel
from ui.kit.theme import Theme
from ui.settings.providers.form_view import FormView
from ui.settings.providers.state import CONNECTABLE, Check, ProvidersState
from ui.settings.providers.view_model import ProvidersViewModel
from ui.settings.providers.words import ProviderWords
from ui.settings.rows import Page, button, label, section

_COLUMNS, _NARROW_COLUMNS = 4, 3


class EndpointCard(QFrame):
    """One endpoint: its name, address and key's end, how it is, and what can be done with it."""

    def __init__(self, model: ProvidersViewModel, words: ProviderWords, endpoint_id: str) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._words = words
        self._name, self._address = label("", "heading"), ElidedLabel()
        self._address.setProperty("role", "small")
        self._check = label("", wraps=True)
        self.test_button, self.edit_button = button(self.tr("Test")), button(self.tr("Edit"))
        self.remove_button = button(self.tr("Remove"))
        self._question = label("")
        self.yes_button = button(self.tr("Remove"), "danger")
        self.no_button = button(self.tr("Keep"))
        names = QVBoxLayout()
        names.setSpacing(2)
        for part in (self._name, self._address, self._check):
            names.addWidget(part)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 12, 12, 12)
        row.addLayout(names, 1)
        self._calm = (self.test_button, self.edit_button, self.remove_button)
        self._asking = (self._question, self.yes_button, self.no_button)
        for part in (*self._calm, *self._asking):
            row.addWidget(part)
        self.test_button.clicked.connect(partial(model.test, endpoint_id))
        self.edit_button.clicked.connect(partial(model.edit, endpoint_id))
        self.remove_button.clicked.connect(partial(model.ask_removal, endpoint_id))
        self.yes_button.clicked.connect(model.remove)
        self.no_button.clicked.connect(partial(model.ask_removal, ""))

    def words(self) -> str:
        """All that the card says of its endpoint."""
        return "\n".join(part.text() for part in (self._name, self._address, self._check))

    def draw(self, endpoint: Endpoint, hint: str, check: Check | None, *, is_asked: bool) -> None:
        """`is_asked`: whether its removal waits for a yes."""
        self._name.setText(endpoint.name)
        self._address.setText(
            " · ".join(part for part in (address_of(endpoint), hint and f"•••• {hint}") if part)
        )
        self._words.draw_check(self._check, check)
        self._check.setVisible(bool(self._check.text()))
        self._question.setText(self.tr("Remove it and its key?"))
        for act in self._calm:
            act.setAccessibleName(f"{act.text()} {endpoint.name}")
            act.setVisible(not is_asked)
        for part in self._asking:
            part.setVisible(is_asked)
        if is_asked and not self.no_button.hasFocus() and not self.yes_button.hasFocus():
            self.no_button.setFocus(Qt.FocusReason.OtherFocusReason)


class ProvidersPage(Page):
    def __init__(
        self,
        model: ProvidersViewModel,
        *,
        theme: Theme,
        say: Callable[[AppError], str],
        open_link: Callable[[str], None],
    ) -> None:
        super().__init__()
        self._model = model
        self._theme = theme
        self._words = ProviderWords(say, self)
        self.cards: dict[str, EndpointCard] = {}
        self._found: tuple[Endpoint, ...] = ()
        self.found: dict[str, ChoiceCard] = {}
        self.set_title(self.tr("Providers"), self.tr("Where models come from. Keys stay on this computer."))
        self.form = FormView(model, self._words)
        self.form.link_asked.connect(open_link)
        self._cards = QVBoxLayout()
        self._found_title = section(self.tr("FOUND ON THIS COMPUTER"))
        self.found_grid = QGridLayout()
        self._add_title = section(self.tr("ADD A PROVIDER"))
        self._add_grid = QWidget()
        self._grid = QGridLayout(self._add_grid)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(10)
        self.templates = self._build_templates()
        self._place(_COLUMNS)
        self.column.addWidget(self.form)
        self.column.addLayout(self._cards)
        self.column.addWidget(self._found_title)
        self.column.addLayout(self.found_grid)
        self.column.addWidget(self._add_title)
        self.column.addWidget(self._add_grid)
        self.column.addStretch()
        model.changed.connect(self.draw)
        self.draw(model.state)

    def search_words(self) -> str:
        names = (self.title, *(row.name for row in CONNECTABLE), *(card for card in self.cards))
        return " ".join((*names, self.tr("API key, address, proxy, CA file, extra headers"))).casefold()

    def draw(self, state: ProvidersState) -> None:
        was_open = self.form.isVisibleTo(self)
        self.form.draw(state)
        if state.form and not was_open:
            self.form.focus_field("key" if state.form.base_url else "name")
            self.ensureWidgetVisible(self.form)
        self._draw_cards(state)
        self._draw_found(state)
        is_calm = state.form is None
        self._add_grid.setVisible(is_calm)
        self._add_title.setVisible(is_calm)

    def _draw_cards(self, state: ProvidersState) -> None:
        here = {endpoint.id for endpoint in state.endpoints}
        for gone in [name for name in self.cards if name not in here]:
            self.cards.pop(gone).deleteLater()
        for endpoint in state.endpoints:
            if endpoint.id not in self.cards:
                self.cards[endpoint.id] = EndpointCard(self._model, self._words, endpoint.id)
                self._cards.addWidget(self.cards[endpoint.id])
            self.cards[endpoint.id].draw(
                endpoint,
                state.key_hints.get(endpoint.id, ""),
                state.checks.get(endpoint.id),
                is_asked=state.removing == endpoint.id,
            )

    def _draw_found(self, state: ProvidersState) -> None:
        self._found_title.setVisible(bool(state.found))
        if state.found == self._found:
            return
        self._found = state.found
        self.found.clear()
        while (item := self.found_grid.takeAt(0)) is not None:
            if widget := item.widget():
                widget.deleteLater()
        for index, endpoint in enumerate(state.found):
            words = self.tr("%n model(s)", "", len(endpoint.models))
            card = ChoiceCard(self._theme, endpoint.name, words=words, status=self.tr("Add"))
            card.clicked.connect(partial(self._model.add_found, endpoint))
            self.found[endpoint.id] = card
            self.found_grid.addWidget(card, index // 2, index % 2)

    def arrange(self, *, is_narrow: bool) -> None:
        super().arrange(is_narrow=is_narrow)
        self._place(_NARROW_COLUMNS if is_narrow else _COLUMNS)

    def _place(self, n_columns: int) -> None:
        for index, card in enumerate(self.templates.values()):
            self._grid.removeWidget(card)
            self._grid.addWidget(card, index // n_columns, index % n_columns)

    def _build_templates(self) -> dict[str, ChoiceCard]:
        cards: dict[str, ChoiceCard] = {}
        rows = sorted(CONNECTABLE, key=lambda row: row.id == "compatible")
        for row in rows:
            is_other = row.id == "compatible"
            card = ChoiceCard(self._theme, self.tr("Any other…") if is_other else row.name, is_quiet=is_other)
            card.clicked.connect(partial(self._model.begin, row.id))
            cards[row.id] = card
        return cards
