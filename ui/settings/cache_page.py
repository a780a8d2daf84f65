"""The page of the prompt cache: whether it is kept warm while its person pauses, and what that may cost."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.kit.controls import Segmented
from ui.kit.theme import Theme
from ui.settings.fields import FieldsPage
from ui.settings.rows import FieldRow, beside, keep_room, label
from ui.settings.view_model import SettingsViewModel

_EXPLAINED_EMS = 26


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


class CachePage(FieldsPage):
    def __init__(self, model: SettingsViewModel, theme: Theme) -> None:
        super().__init__("cache", model, theme)
        self.also = self.tr("keep-alive, probe, cost")
        self.set_title(
            self.tr("Prompt cache"),
            self.tr(
                "For some minutes a provider keeps what it has read, and reads it again at a fraction of the"
                " price. A probe is your last request once more, without an answer: it keeps the prompt there."
            ),
        )
        self.mode = ModeField()
        self.mode.modes.chosen.connect(partial(model.change, "cache_mode"))
        self.add_field(
            "cache_mode",
            FieldRow(self.tr("Keep it warm"), self.mode),
            lambda settings: self.mode.modes.choose(settings.cache_mode),
        )
        self.limit = self.add_number(
            "cache_limit_usd",
            self.tr("Limit a day"),
            self.tr("What probes may cost in all chats, where they are sent always"),
            is_whole=False,
            control=lambda field: beside(label("$"), field),
        )
        self.limit.setAccessibleName(self.tr("Limit a day in US dollars"))
        self.finish()
