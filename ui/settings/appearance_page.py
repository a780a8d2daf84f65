"""The page of looks and language."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.kit.controls import Segmented, Switch
from ui.kit.inputs import LineInput
from ui.kit.theme import MAX_ZOOM_PERCENT, MIN_ZOOM_PERCENT, Theme
from ui.settings.rows import Choice, FieldRow, Page, button, label
from ui.settings.state import SettingsState, off_default
from ui.settings.view_model import SettingsViewModel
from ui.settings.words import ProblemWords

_ZOOM_STEP = 10


class ZoomField(QWidget):
    """Percent typed or stepped."""

    def __init__(self) -> None:
        super().__init__()
        self.input = LineInput()
        self.input.setFixedWidth(64)
        self.input.setAccessibleName(self.tr("Zoom in percent"))
        self.smaller, self.larger = button("−"), button("+")
        self.smaller.setAccessibleName(self.tr("Smaller"))
        self.larger.setAccessibleName(self.tr("Larger"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for part in (self.smaller, self.input, label("%"), self.larger):
            row.addWidget(part)
        self.setFocusProxy(self.input)


class AppearancePage(Page):
    def __init__(self, model: SettingsViewModel, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._model = model
        self._shown_percent = 0
        self._problems = ProblemWords(self)
        self.set_title(self.tr("Appearance"))
        self._build()
        self._connect()
        model.changed.connect(self.draw)
        self.draw(model.state)

    def field(self, name: str) -> FieldRow:
        """The row of the setting called `name`."""
        return self._fields[name]

    def draw(self, state: SettingsState) -> None:
        settings, refused = state.settings, state.problem
        self.theme_choice.choose(settings.theme)
        self.language.show_value(settings.language)
        self.motion.setChecked(settings.reduce_motion)
        self.enter.setChecked(settings.enter_sends)
        if settings.zoom_percent != self._shown_percent:  # else what was typed stays, to be mended
            self._shown_percent = settings.zoom_percent
            self.zoom.input.setText(str(settings.zoom_percent))
        for name, row in self._fields.items():
            problem = self._problems.sentence(refused) if refused and refused.field == name else ""
            row.draw(can_undo=name in state.undo, problem=problem)
        self.reset_button.setEnabled(bool(off_default(settings, "appearance")))

    def _connect(self) -> None:
        self.theme_choice.chosen.connect(self._choose_theme)
        self.language.chosen.connect(self._choose_language)
        # `clicked`, not `toggled`: drawing a state must not save it.
        self.motion.clicked.connect(self._choose_motion)
        self.enter.clicked.connect(self._choose_enter)
        self.zoom.input.submitted.connect(self._zoom_to)
        self.zoom.input.editingFinished.connect(self._zoom_as_typed)
        self.zoom.smaller.clicked.connect(partial(self._step_zoom, -_ZOOM_STEP))
        self.zoom.larger.clicked.connect(partial(self._step_zoom, _ZOOM_STEP))

    def _choose_theme(self, value: str) -> None:
        self._model.change("theme", value)

    def _choose_language(self, value: str) -> None:
        self._model.change("language", value)

    def _choose_motion(self) -> None:
        self._model.change("reduce_motion", self.motion.isChecked())

    def _choose_enter(self) -> None:
        self._model.change("enter_sends", self.enter.isChecked())

    def _zoom_as_typed(self) -> None:
        self._zoom_to(self.zoom.input.text())

    def _zoom_to(self, text: str) -> None:
        self._model.change("zoom_percent", int(text) if text.isdecimal() else text)

    def _step_zoom(self, by: int) -> None:
        at = self._model.state.settings.zoom_percent + by
        self._model.change("zoom_percent", max(MIN_ZOOM_PERCENT, min(MAX_ZOOM_PERCENT, at)))

    def _build(self) -> None:
        self.theme_choice = Segmented(
            (("system", self.tr("As the system")), ("light", self.tr("Light")), ("dark", self.tr("Dark")))
        )
        self.zoom = ZoomField()
        self.language = Choice(
            (("system", self.tr("As the system")), ("en", "English"), ("zh_CN", "简体中文"))
        )
        self.motion = Switch(self._theme, name=self.tr("Reduce motion"))
        self.enter = Switch(self._theme, name=self.tr("Enter sends"))
        self._fields: Mapping[str, FieldRow] = {
            "theme": FieldRow(self.tr("Theme"), self.theme_choice),
            "zoom_percent": FieldRow(
                self.tr("Zoom"), self.zoom, hint=self.tr("Text and everything with it, 80 to 200 percent")
            ),
            "language": FieldRow(self.tr("Language"), self.language, hint=self.tr("Changes at once")),
            "reduce_motion": FieldRow(
                self.tr("Reduce motion"),
                self.motion,
                hint=self.tr("Nothing slides or grows; it is simply there"),
            ),
            "enter_sends": FieldRow(
                self.tr("Enter sends"),
                self.enter,
                hint=self.tr("Off: Enter makes a new line, and Ctrl+Enter sends"),
            ),
        }
        for name, row in self._fields.items():
            self.add_row(row)
            row.undo_asked.connect(partial(self._model.undo, name))
        self.reset_button = button(self.tr("Reset this page"))
        self.reset_button.clicked.connect(partial(self._model.reset, "appearance"))
        foot = QHBoxLayout()
        foot.addWidget(self.reset_button)
        foot.addStretch()
        self.column.addLayout(foot)
        self.column.addStretch()
