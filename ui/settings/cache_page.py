"""The page of the prompt cache: whether it is kept warm while its person pauses, and what that may cost."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.kit.controls import Segmented
from ui.kit.inputs import LineInput
from ui.settings.rows import FieldRow, Page, beside, button, keep_room, label
from ui.settings.state import SettingsState, off_default
from ui.settings.view_model import SettingsViewModel
from ui.settings.words import ProblemWords

_EXPLAINED_EMS = 26
_ALL_DIGITS = QLocale.FloatingPointPrecisionOption.FloatingPointShortest.value


class ModeField(QWidget):
    """The modes side by side, and below them a line for each."""

    def __init__(self) -> None:
        super().__init__()
        modes = (
            ("off", self.tr("Off"), self.tr("Off: nothing is sent that you did not ask for.")),
            ("smart", self.tr("Smart"), self.tr("Smart: while probes cost less than a lost cache would.")),
            ("always", self.tr("Always"), self.tr("Always: as long as you are there, up to the limit.")),
        )
        self.modes = Segmented([(mode, name) for mode, name, _ in modes])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.modes, 0, Qt.AlignmentFlag.AlignLeft)
        for _, _, words in modes:
            explained = label(words, "small", wraps=True)
            keep_room(explained, _EXPLAINED_EMS)
            column.addWidget(explained)


class CachePage(Page):
    def __init__(self, model: SettingsViewModel) -> None:
        super().__init__()
        self._model = model
        self._shown_usd: float | None = None
        self._problems = ProblemWords(self)
        self.set_title(
            self.tr("Prompt cache"),
            self.tr(
                "For some minutes a provider keeps what it has read, and reads it again at a fraction of the"
                " price. A probe is your last request once more, without an answer: it keeps the prompt there."
            ),
        )
        self.mode = ModeField()
        self.limit = LineInput()
        self.limit.setFixedWidth(96)
        self.limit.setAccessibleName(self.tr("Limit a day in US dollars"))
        self._fields: Mapping[str, FieldRow] = {
            "cache_mode": FieldRow(self.tr("Keep it warm"), self.mode),
            "cache_limit_usd": FieldRow(
                self.tr("Limit a day"),
                beside(label("$"), self.limit),
                hint=self.tr("What probes may cost in all chats, where they are sent always"),
            ),
        }
        for name, row in self._fields.items():
            self.add_row(row)
            row.undo_asked.connect(partial(model.undo, name))
        self.reset_button = button(self.tr("Reset this page"))
        self.reset_button.clicked.connect(partial(model.reset, "cache"))
        self.column.addWidget(self.reset_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addStretch()
        self.mode.modes.chosen.connect(self._choose_mode)
        self.limit.submitted.connect(self._set_limit)
        self.limit.editingFinished.connect(self._limit_as_typed)
        model.changed.connect(self.draw)
        self.draw(model.state)

    def field(self, name: str) -> FieldRow:
        """The row of the setting called `name`."""
        return self._fields[name]

    def draw(self, state: SettingsState) -> None:
        settings, refused = state.settings, state.problem
        self.mode.modes.choose(settings.cache_mode)
        if settings.cache_limit_usd != self._shown_usd:  # else what was typed stays, to be mended
            self._shown_usd = settings.cache_limit_usd
            self.limit.setText(self.locale().toString(settings.cache_limit_usd, "f", _ALL_DIGITS))
        for name, row in self._fields.items():
            problem = self._problems.sentence(refused) if refused and refused.field == name else ""
            row.draw(can_undo=name in state.undo, problem=problem)
        self.reset_button.setEnabled(bool(off_default(settings, "cache")))

    def search_words(self) -> str:
        return f"{self.title} {self.tr('keep-alive, probe, cost')}".casefold()

    def _choose_mode(self, mode: str) -> None:
        self._model.change("cache_mode", mode)

    def _limit_as_typed(self) -> None:
        self._set_limit(self.limit.text())

    def _set_limit(self, text: str) -> None:
        """What is no number goes on, to be refused with a sentence."""
        limit_usd, is_number = self.locale().toDouble(text.strip().removeprefix("$"))
        self._model.change("cache_limit_usd", limit_usd if is_number else text)
