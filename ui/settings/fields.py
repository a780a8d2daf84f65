"""A page whose rows each change one setting: a control and how it is drawn, a line a field."""

from collections.abc import Callable, Sequence
from functools import partial

from pydantic import JsonValue
from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QWidget

from app.settings import Settings
from ui.kit.controls import Segmented, Switch
from ui.kit.inputs import LineInput, TextInput
from ui.kit.theme import Theme
from ui.settings.rows import Choice, FieldRow, Page, button, ems
from ui.settings.state import PageId, SettingsState, off_default
from ui.settings.view_model import SettingsViewModel
from ui.settings.words import ProblemWords

TEXT_EMS, NARROW_TEXT_EMS = 28, 15
_ALL_DIGITS = QLocale.FloatingPointPrecisionOption.FloatingPointShortest.value

Draw = Callable[[Settings], None]


class _Paragraphs(TextInput):
    """Signals:
    left(): the cursor has gone elsewhere.
    """

    left = Signal()

    def __init__(self, placeholder: str) -> None:
        super().__init__(placeholder=placeholder)
        self.setProperty("role", "boxed")
        self.enter_submits = False

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


class FieldsPage(Page):
    """The subclass adds its rows in their order, then `finish`es; what it draws itself it does in `draw`."""

    def __init__(self, page: PageId, model: SettingsViewModel, theme: Theme) -> None:
        super().__init__()
        self._page: PageId = page
        self._model, self._theme = model, theme
        self._problems = ProblemWords(self)
        self._fields: dict[str, FieldRow] = {}
        self._draws: dict[str, Draw] = {}
        self._texts: list[TextInput] = []

    def field(self, name: str) -> FieldRow:
        """The row of the setting called `name`."""
        return self._fields[name]

    def finish(self) -> None:
        self.reset_button = button(self.tr("Reset this page"))
        self.reset_button.clicked.connect(partial(self._model.reset, self._page))
        self.column.addWidget(self.reset_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addStretch()
        self._model.changed.connect(self.draw)
        self.draw(self._model.state)

    def draw(self, state: SettingsState) -> None:
        refused = state.problem
        for draw in self._draws.values():
            draw(state.settings)
        for name, row in self._fields.items():
            problem = self._problems.sentence(refused) if refused and refused.field == name else ""
            row.draw(can_undo=name in state.undo, problem=problem)
        self.reset_button.setEnabled(bool(off_default(state.settings, self._page)))

    def arrange(self, *, is_narrow: bool) -> None:
        super().arrange(is_narrow=is_narrow)
        for text in self._texts:
            text.setFixedWidth(ems(self, NARROW_TEXT_EMS if is_narrow else TEXT_EMS))

    def add_field(self, name: str, row: FieldRow, draw: Draw | None = None) -> FieldRow:
        """A row whose control the subclass made."""
        self._fields[name] = row
        if draw:
            self._draws[name] = draw
        row.undo_asked.connect(partial(self._model.undo, name))
        return self.add_row(row)

    def add_switch(self, name: str, title: str, hint: str = "") -> Switch:
        switch = Switch(self._theme, name=title)
        # `clicked`, not `toggled`: drawing a state must not save it.
        switch.clicked.connect(lambda: self._model.change(name, switch.isChecked()))
        self.add_field(
            name,
            FieldRow(title, switch, hint=hint),
            lambda settings: switch.setChecked(bool(getattr(settings, name))),
        )
        return switch

    def add_segments(
        self, name: str, title: str, options: Sequence[tuple[str, str]], hint: str = ""
    ) -> Segmented:
        segments = Segmented(options)
        segments.chosen.connect(partial(self._model.change, name))
        self.add_field(
            name, FieldRow(title, segments, hint=hint), lambda now: segments.choose(getattr(now, name))
        )
        return segments

    def add_choice(self, name: str, title: str, options: Sequence[tuple[str, str]], hint: str = "") -> Choice:
        choice = Choice(options)
        choice.chosen.connect(partial(self._model.change, name))
        self.add_field(
            name, FieldRow(title, choice, hint=hint), lambda now: choice.show_value(getattr(now, name))
        )
        return choice

    def add_number(
        self,
        name: str,
        title: str,
        hint: str = "",
        *,
        is_whole: bool = True,
        empty: JsonValue = "",
        placeholder: str = "",
        control: Callable[[LineInput], QWidget] = lambda field: field,
    ) -> LineInput:
        """
        Args:
            is_whole: Whether a fraction is no value of it.
            empty: What a field without a text stands for.
            control: What stands in the row, with the input in it.
        """
        field = LineInput(placeholder=placeholder)
        field.setAccessibleName(title)
        shown: list[object] = [field]  # nothing yet that a setting could be

        def draw(settings: Settings) -> None:
            value = getattr(settings, name)
            if value != shown[0]:  # else what was typed stays, to be mended
                shown[0] = value
                field.setText("" if value in (None, empty) else self._said(value))

        def change(text: str) -> None:
            self._model.change(name, self._read(text, is_whole=is_whole) if text.strip() else empty)

        field.submitted.connect(change)
        field.editingFinished.connect(lambda: change(field.text()))
        self.add_field(name, FieldRow(title, control(field), hint=hint), draw)
        return field

    def add_text(self, name: str, title: str, hint: str = "", *, placeholder: str = "") -> TextInput:
        """Many lines, saved when they are left."""
        field = _Paragraphs(placeholder)
        field.setAccessibleName(title)
        self._texts.append(field)
        field.setFixedWidth(ems(self, TEXT_EMS))
        shown: list[str] = []

        def draw(settings: Settings) -> None:
            value = str(getattr(settings, name))
            if shown != [value]:
                shown[:] = [value]
                field.set_text(value)

        field.left.connect(lambda: self._model.change(name, field.text()))
        self.add_field(name, FieldRow(title, field, hint=hint), draw)
        return field

    def _said(self, value: float) -> str:
        return str(value) if isinstance(value, int) else self.locale().toString(value, "f", _ALL_DIGITS)

    def _read(self, text: str, *, is_whole: bool) -> JsonValue:
        """What is no number goes on as it is, to be refused with a sentence."""
        text = text.strip()
        if is_whole:
            return int(text) if text.isdecimal() else text
        number, is_number = self.locale().toDouble(text.removeprefix("$"))
        return number if is_number else text
