"""The page of models: a table that can be searched, the default, and a window of one's own."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from app.core.errors import AppError
from app.core.ids import ModelId
from app.settings import ModelOverride
from ui.kit.endpoint_names import endpoint_name
from ui.kit.inputs import LineInput
from ui.kit.theme import Theme
from ui.settings.models.fallbacks import FallbackList
from ui.settings.models.list_model import ID_ROLE, SORT_ROLE, Column, ModelTable
from ui.settings.models.state import ModelsState, fallbacks, moved, offer, refusal
from ui.settings.models.view_model import ModelsViewModel
from ui.settings.rows import FieldRow, Page, beside, button, ems, keep_room, label
from ui.settings.state import Problem, SettingsState, off_default
from ui.settings.view_model import SettingsViewModel
from ui.settings.words import ProblemWords

_COLUMN_EMS = {
    Column.ENDPOINT: 6.5,
    Column.WINDOW: 5.5,
    Column.INPUT: 3.8,
    Column.OUTPUT: 4.2,
    Column.CACHED: 5.6,
}
_NAME_EMS, _TABLE_EMS = 18, 19
"""About ten rows; more scroll."""


class ModelsPage(Page):
    def __init__(
        self,
        model: ModelsViewModel,
        settings: SettingsViewModel,
        *,
        theme: Theme,
        say: Callable[[AppError], str],
    ) -> None:
        super().__init__()
        self._model, self._settings, self._say = model, settings, say
        self._theme = theme
        self._problems = ProblemWords(self)
        self._shown: tuple[ModelId, int] | None = None
        self.also = self.tr("price, window, abilities, default model")
        self.set_title(
            self.tr("Models"),
            self.tr("Nothing here needs changing. Windows and prices follow from the model."),
        )
        self._table = ModelTable(self.locale(), self)
        self._sorted = QSortFilterProxyModel(self)
        self._sorted.setSourceModel(self._table)
        self._sorted.setSortRole(SORT_ROLE)
        self.search_input = LineInput(placeholder=self.tr("Search models"))
        self.table = self._build_table()
        self.status = label("", wraps=True)
        self._build_fields()
        self.fallbacks = FallbackList(theme)
        self.fallbacks_row = FieldRow(
            self.tr("When a model fails"),
            self.fallbacks,
            hint=self.tr("Before its first word, these are asked in this order"),
        )
        for part in (self.search_input, self.table, self.status):
            self.column.addWidget(part)
        self.add_row(self.default_row)
        self.add_row(self.lite_row)
        self.add_row(self.fallbacks_row)
        self.add_row(self.window_row)
        self.column.addWidget(self.reset_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addStretch()
        self._connect()
        self.draw(model.state)
        self.draw_settings(settings.state)

    def draw(self, state: ModelsState) -> None:
        if self.search_input.text() != state.words:
            self.search_input.setText(state.words)
        self._table.show_offers(state.shown)
        self._mark(state.selected)
        self.status.setText(self._status(state))
        self.status.setVisible(bool(self.status.text()))
        chosen = state.selection
        self.use_button.setEnabled(chosen is not None)
        self.lite_button.setEnabled(chosen is not None)
        self.window_input.setEnabled(chosen is not None)
        self.set_button.setEnabled(chosen is not None)
        shown = (chosen.id, chosen.window.tokens) if chosen else None
        if shown != self._shown:  # else what was typed stays, to be mended
            self._shown = shown
            self.window_input.setText(str(chosen.window.tokens) if chosen and chosen.window.tokens else "")
        self.source.setText(self._table.window_words(chosen) if chosen else self.tr("Choose a model above"))
        self._fit_table()
        self._draw_default(self._settings.state)
        self._draw_fallbacks(self._settings.state)

    def arrange(self, *, is_narrow: bool) -> None:
        super().arrange(is_narrow=is_narrow)
        for column in (Column.CACHED, Column.ABILITIES):
            self.table.setColumnHidden(column, is_narrow)

    def _fit_table(self) -> None:
        """As high as its rows, up to where it scrolls; without a row there is no table."""
        for column, n_ems in _COLUMN_EMS.items():
            self.table.setColumnWidth(column, ems(self, n_ems))
        n_rows = self._sorted.rowCount()
        rows_px = n_rows * self.table.verticalHeader().defaultSectionSize()
        header_px = self.table.horizontalHeader().sizeHint().height()
        self.table.setFixedHeight(min(ems(self, _TABLE_EMS), header_px + rows_px + 2))
        self.table.setVisible(n_rows > 0)

    def draw_settings(self, state: SettingsState) -> None:
        for name, row in self._fields.items():
            refused = state.problem if state.problem and state.problem.field == name else None
            row.draw(can_undo=name in state.undo, problem=self._problems.sentence(refused) if refused else "")
        self.reset_button.setEnabled(bool(off_default(state.settings, "models")))
        self._draw_default(state)
        self._draw_fallbacks(state)

    def edit_window(self, model: ModelId) -> None:
        """Where "window unknown · set…" leads."""
        self._model.select(model)
        self.window_input.setFocus(Qt.FocusReason.OtherFocusReason)
        self.ensureWidgetVisible(self.window_input)

    def _draw_default(self, state: SettingsState) -> None:
        self.default.setText(self._title(state.settings.model) or self.tr("None chosen yet"))
        self.lite.setText(self._title(state.settings.lite_model) or self.tr("Automatic"))
        self.automatic_button.setEnabled(bool(state.settings.lite_model))
        for shown in (self.default, self.lite):
            keep_room(shown, _NAME_EMS)

    def _title(self, model: str) -> str:
        """Its name with its provider's; empty: `model` is."""
        found = offer(self._model.state, ModelId(model))
        return f"{found.name} · {endpoint_name(found.endpoint)}" if found else model

    def _draw_fallbacks(self, state: SettingsState) -> None:
        listed = fallbacks(self._model.state, state.settings)
        self.fallbacks.draw(listed, can_add=self._model.state.selection is not None)

    def _status(self, state: ModelsState) -> str:
        if state.error:
            return self._say(state.error)
        if not state.offers:
            return self.tr("Asking the providers…") if state.is_loading else self.tr("No provider is set up.")
        return "" if state.shown else self.tr("No model has these words in its name.")

    def _build_table(self) -> QTableView:
        table = QTableView()
        table.setModel(self._sorted)
        table.setAccessibleName(self.tr("Models"))
        table.setSortingEnabled(True)
        table.sortByColumn(Column.ENDPOINT, Qt.SortOrder.AscendingOrder)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setAccessibleName(self.tr("Columns"))
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(Column.NAME, QHeaderView.ResizeMode.Stretch)
        for column in _COLUMN_EMS:  # as by contents, each would keep room for the arrow of sorting
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        return table

    def _build_fields(self) -> None:
        self.default = label("", wraps=True)
        self.use_button = button(self.tr("Use the chosen one"))
        self.default_row = FieldRow(
            self.tr("Default model"), beside(self.default, self.use_button), hint=self.tr("For new chats")
        )
        self.lite = label("", wraps=True)
        self.lite_button = button(self.tr("Use the chosen one"))
        self.lite_button.setAccessibleName(self.tr("Use the chosen one for small work"))
        self.automatic_button = button(self.tr("Automatic"))
        self.lite_row = FieldRow(
            self.tr("For small work"),
            beside(self.lite, self.lite_button, self.automatic_button),
            hint=self.tr("Titles and summaries; automatic: the cheapest of the same provider"),
        )
        self.window_input = LineInput(placeholder=self.tr("tokens"))
        self.window_input.setFixedWidth(120)
        self.window_input.setAccessibleName(self.tr("Window in tokens"))
        self.set_button = button(self.tr("Set"))
        self.source = label("", "small")
        self.window_row = FieldRow(
            self.tr("Window"),
            beside(self.window_input, self.set_button, self.source),
            hint=self.tr("Of the model chosen above; empty: as the provider says"),
        )
        self.reset_button = button(self.tr("Reset this page"))

    @property
    def _fields(self) -> Mapping[str, FieldRow]:
        """Rows by the setting that they change."""
        return {
            "model": self.default_row,
            "lite_model": self.lite_row,
            "fallback_models": self.fallbacks_row,
            "model_overrides": self.window_row,
        }

    def _connect(self) -> None:
        self._theme.changed.connect(self._fit_table)
        self._model.changed.connect(self.draw)
        self._settings.changed.connect(self.draw_settings)
        self.search_input.textChanged.connect(self._model.search)
        self.search_input.submitted.connect(self._to_table)
        self.search_input.stepped.connect(self._to_table)
        self.table.selectionModel().currentRowChanged.connect(self._select)
        self.table.activated.connect(self._use)
        self.use_button.clicked.connect(self._use)
        self.window_input.submitted.connect(self._set_window)
        self.set_button.clicked.connect(self._set_window)
        self.lite_button.clicked.connect(self._use_lite)
        self.automatic_button.clicked.connect(self._use_automatic)
        self.fallbacks.add_asked.connect(self._add_fallback)
        self.fallbacks.removed.connect(self._remove_fallback)
        self.fallbacks.moved.connect(self._move_fallback)
        for name, row in self._fields.items():
            row.undo_asked.connect(partial(self._settings.undo, name))
        self.reset_button.clicked.connect(self._reset)

    def _select(self, current: QModelIndex, previous: QModelIndex) -> None:
        if current.isValid():
            self._model.select(current.data(ID_ROLE))
            refused = self._settings.state.problem
            if refused and refused.field == "fallback_models":  # it was about another model
                self._settings.tell(None)

    def _mark(self, model: ModelId | None) -> None:
        start = self._sorted.index(0, 0)
        found = self._sorted.match(start, ID_ROLE, model, 1, Qt.MatchFlag.MatchExactly) if model else []
        if found and self.table.currentIndex().row() != found[0].row():
            flags = QItemSelectionModel.SelectionFlag
            self.table.selectionModel().setCurrentIndex(found[0], flags.ClearAndSelect | flags.Rows)

    def _to_table(self) -> None:
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        if self._sorted.rowCount() and not self.table.currentIndex().isValid():
            self.table.selectRow(0)

    def _use(self) -> None:
        if chosen := self._model.state.selected:
            self._settings.change("model", chosen)

    def _use_lite(self) -> None:
        if chosen := self._model.state.selected:
            self._settings.change("lite_model", chosen)

    def _use_automatic(self) -> None:
        self._settings.change("lite_model", "")

    def _set_window(self) -> None:
        """Digits may be typed in groups; what is no number goes on, to be refused with a sentence."""
        chosen = self._model.state.selected
        if chosen is None:
            return
        typed = self.window_input.text().replace(",", "").replace(" ", "").replace("\u00a0", "")
        overrides = {name: held.model_dump(mode="json") for name, held in self._overrides().items()}
        own = overrides.pop(chosen, ModelOverride().model_dump(mode="json"))
        own["window_tokens"] = (int(typed) if typed.isdecimal() else typed) if typed else None
        self._settings.change("model_overrides", {**overrides, chosen: own})

    def _overrides(self) -> dict[str, ModelOverride]:
        return self._settings.state.settings.model_overrides

    def _add_fallback(self) -> None:
        settings, chosen = self._settings.state.settings, self._model.state.selected
        if chosen is None:
            return
        if kind := refusal(settings, chosen):
            self._settings.tell(Problem(field="fallback_models", kind=kind))
        else:
            self._settings.change("fallback_models", [*settings.fallback_models, chosen])

    def _remove_fallback(self, at: int) -> None:
        kept = list(self._settings.state.settings.fallback_models)
        del kept[at]
        self._settings.change("fallback_models", [*kept])

    def _move_fallback(self, at: int, by: int) -> None:
        models = moved(self._settings.state.settings.fallback_models, at, by)
        self._settings.change("fallback_models", [*models])

    def _reset(self) -> None:
        self._settings.reset("models")
