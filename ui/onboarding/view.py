"""The first run as one page: what was found, what can be connected, and one button to start."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.core.errors import AppError
from ui.kit.choice_card import ChoiceCard
from ui.kit.controls import ChipButton
from ui.kit.icons import Icons
from ui.kit.popups import Menu
from ui.kit.theme import FontRole, Theme
from ui.onboarding.key_card import KeyCard
from ui.onboarding.state import OnboardingState, Source
from ui.onboarding.view_model import OnboardingViewModel

_COLUMN_PX, _LOGO_PX, _EDGE_PX, _GAP_PX = 760, 52, 24, 10


class OnboardingView(QScrollArea):
    """`say` tells an error in the person's language; `open_link` shows an address in the browser."""

    def __init__(
        self,
        model: OnboardingViewModel,
        *,
        theme: Theme,
        icons: Icons,
        say: Callable[[AppError], str],
        open_link: Callable[[str], None],
    ) -> None:
        super().__init__()
        self._model, self._theme, self._icons = model, theme, icons
        self._say, self._open_link = say, open_link
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("role", "paper")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._build()
        model.changed.connect(self.draw)
        theme.changed.connect(self._restyle)

    def draw(self, state: OnboardingState) -> None:
        had_focus = any(card.hasFocus() for card in self.cards.values())
        is_new = self._sources != state.sources
        if is_new:
            self._fill_grids(state.sources)
        self._none_found.setVisible(state.is_looking)
        for source_id, card in self.cards.items():
            card.setChecked(source_id == state.chosen)
        if is_new and had_focus:
            self._focus_chosen()
        self.language.set_text(self._languages[state.settings.language])
        self.theme_chip.set_text(self._themes[state.settings.theme])
        self.key_card.draw(state)
        self.start_button.setEnabled(state.can_start and not state.is_testing)
        if is_new:
            self._settle()

    def _build(self) -> None:
        """All of it, in the present language."""
        self._languages = {"system": self.tr("System language"), "en": "English", "zh_CN": "简体中文"}
        self._themes = {
            "system": self.tr("System theme"),
            "light": self.tr("Light"),
            "dark": self.tr("Dark"),
        }
        self._sources: tuple[Source, ...] = ()
        self.cards: dict[str, ChoiceCard] = {}
        self._group = QButtonGroup(self)
        self._found_grid, self._provider_grid = QGridLayout(), QGridLayout()
        self._none_found = _label(self.tr("Looking for servers on this computer…"), "small")
        self.key_card = KeyCard(self._model, self._say)
        self.key_card.link_asked.connect(self._open_link)
        page = QWidget()
        self._page = page
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_GAP_PX)
        column.addLayout(self._build_head())
        column.addSpacing(20)
        column.addWidget(_label(self.tr("FOUND ON THIS COMPUTER"), "section"))
        column.addLayout(self._found_grid)
        column.addWidget(self._none_found)
        column.addSpacing(4)
        column.addWidget(_label(self.tr("OR CONNECT A PROVIDER"), "section"))
        column.addLayout(self._provider_grid)
        column.addSpacing(6)
        column.addWidget(self.key_card)
        column.addSpacing(12)
        column.addLayout(self._build_foot())
        held = QWidget()
        row = QHBoxLayout(held)
        row.addStretch(1)
        row.addWidget(page, 1_000, Qt.AlignmentFlag.AlignTop)
        row.addStretch(1)
        self._row = row
        self.setWidget(held)
        self._restyle()
        self.draw(self._model.state)
        self._settle()

    def _settle(self) -> None:
        """A third of the room above what always stands there: the card below may grow, and nothing moves."""
        card_px = 0 if self.key_card.isHidden() else self.key_card.sizeHint().height() + _GAP_PX
        room_px = self.viewport().height() - self._page.sizeHint().height() + card_px
        side_px = round(self._theme.px(_EDGE_PX))
        self._row.setContentsMargins(side_px, max(side_px, room_px // 3), side_px, side_px)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settle()

    def _build_head(self) -> QHBoxLayout:
        self._logo = QLabel()
        name = _label("Palimpsest", "display")
        words = _label(self.tr("Long conversations that stay healthy. Nothing is lost."), "muted")
        titles = QVBoxLayout()
        titles.setSpacing(0)
        titles.addWidget(name)
        titles.addWidget(words)
        self._name = name
        self.language = self._chip(self.tr("Language"), self._languages, self._model.set_language)
        self.theme_chip = self._chip(self.tr("Theme"), self._themes, self._model.set_theme)
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(self._logo)
        head.addLayout(titles, 1)
        head.addWidget(self.language)
        head.addWidget(self.theme_chip)
        return head

    def _chip(self, name: str, values: dict[str, str], choose: Callable[[str], None]) -> ChipButton:
        chip = ChipButton(name, has_menu=True)
        chip.setToolTip(name)
        menu = Menu(self._theme, chip)
        group = QActionGroup(menu)
        for value, text in values.items():
            action = QAction(text, menu, checkable=True)
            action.triggered.connect(partial(choose, value))
            group.addAction(action)
            menu.addAction(action)
        chip.setMenu(menu)
        return chip

    def _build_foot(self) -> QHBoxLayout:
        self.sample_button = QPushButton(self.tr("Look at a sample"))
        self.sample_button.setToolTip(
            self.tr("A long chat with all its figures; it needs no key and no network")
        )
        self.sample_button.clicked.connect(self._model.look_at_sample)
        self.later_button = QPushButton(self.tr("Later"))
        self.later_button.clicked.connect(self._model.later)
        self.start_button = QPushButton(self.tr("Start chatting"))
        self.start_button.setProperty("role", "primary")
        self.start_button.clicked.connect(self._model.start)
        foot = QHBoxLayout()
        foot.addWidget(_label(self.tr("Everything else can wait: it is in the settings."), "small"), 1)
        for button in (self.sample_button, self.later_button, self.start_button):
            button.setAutoDefault(True)  # Enter presses it, as Space does
            foot.addWidget(button)
        return foot

    def _fill_grids(self, sources: Sequence[Source]) -> None:
        for card in self.cards.values():
            self._group.removeButton(card)
            card.deleteLater()
        self._sources = tuple(sources)
        self.cards = {source.id: self._card(source) for source in sources}
        here = [source for source in sources if source.kind != "provider"]
        elsewhere = [source for source in sources if source.kind == "provider"]
        for grid, held, n_columns in ((self._found_grid, here, 2), (self._provider_grid, elsewhere, 4)):
            grid.setSpacing(10)
            for column in range(n_columns):
                grid.setColumnStretch(column, 1)
            for index, source in enumerate(held):
                grid.addWidget(self.cards[source.id], index // n_columns, index % n_columns)
                self.cards[source.id].show()  # only what is shown can take the focus
        self._set_tab_order()

    def _set_tab_order(self) -> None:
        """Cards that came later stand where they are seen, not at the end."""
        order = [self.theme_chip, *self.cards.values(), *self.key_card.tab_order()]
        order += [self.sample_button, self.later_button, self.start_button]
        for one, other in pairwise(order):
            QWidget.setTabOrder(one, other)

    def _card(self, source: Source) -> ChoiceCard:
        endpoint = source.endpoint
        name, words, status = endpoint.name, "", ""
        if source.kind == "server":
            words, status = self.tr("%n model(s)", "", len(endpoint.models)), self.tr("ready")
        elif endpoint.kind == "embedded":
            name, words = self.tr("Built-in model"), self.tr("SmolLM2 135M · offline")
            status = self.tr("ready")
        elif endpoint.kind == "builtin":
            name, words = self.tr("Built-in responder"), self.tr("no model · offline")
            status = self.tr("ready")
        elif endpoint.kind == "compatible":
            name = self.tr("Any other…")
        card = ChoiceCard(
            self._theme, name, words=words, status=status, is_quiet=endpoint.kind == "compatible"
        )
        card.setCheckable(True)
        self._group.addButton(card)
        card.clicked.connect(partial(self._choose, source))
        card.accepted.connect(self.start_button.click)
        return card

    def _choose(self, source: Source) -> None:
        self._model.choose(source.id)
        if source.kind == "provider":
            card = self.key_card
            target = card.address if self._model.state.needs_address else card.key
            target.setFocus(Qt.FocusReason.OtherFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._model.look()
        self._focus_chosen()

    def _focus_chosen(self) -> None:
        """Arrow keys go on from the checked card of a group, so that is where the focus has to be."""
        if chosen := self.cards.get(self._model.state.chosen):
            chosen.setFocus(Qt.FocusReason.OtherFocusReason)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self._build()
            self.language.setFocus(Qt.FocusReason.OtherFocusReason)

    def _restyle(self) -> None:
        self._page.setMaximumWidth(round(self._theme.px(_COLUMN_PX)))
        self._name.setFont(self._theme.font(FontRole.DISPLAY))
        self._logo.setPixmap(
            self._icons.pixmap(
                "logo",
                self._theme.tokens.accent,
                size_px=round(self._theme.px(_LOGO_PX)),
                dpr=self.devicePixelRatioF(),
            )
        )


def _label(text: str, role: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", role)
    return label
