"""The page of usage: tokens and money per day, chat or model, summed up from what is stored of each request."""

from datetime import date

from PySide6.QtCore import QDate, QLocale, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from ui.kit.controls import Segmented
from ui.kit.theme import Theme
from ui.settings.rows import Choice, Page, beside, ems, label
from ui.settings.usage.state import By, Sum, UsageState
from ui.settings.usage.view_model import UsageViewModel

_FIGURES_EMS = 5.0
_TABLE_EMS = 24
_CENTS = 2


class UsagePage(Page):
    def __init__(self, model: UsageViewModel, theme: Theme) -> None:
        super().__init__()
        self._model = model
        self.also = self.tr("cost, money, tokens, price, spending")
        self.set_title(
            self.tr("Usage"),
            self.tr(
                "As providers reported it, in all chats that are still there; what was deleted for good counts"
                " no more. Prices are those of the model registry."
            ),
        )
        self.by = Segmented(
            [(By.DAY, self.tr("By day")), (By.CHAT, self.tr("By chat")), (By.MODEL, self.tr("By model"))]
        )
        self.period = Choice(
            [
                ("7", self.tr("7 days")),
                ("30", self.tr("30 days")),
                ("365", self.tr("A year")),
                ("0", self.tr("All")),
            ]
        )
        self.period.setAccessibleName(self.tr("How far back"))
        self.period.view().setAccessibleName(self.tr("How far back"))
        self.total = label("", wraps=True)
        self.table = self._build_table()
        self.none = label(self.tr("No model has answered yet in this time."), "muted")
        self.column.addWidget(beside(self.by, self.period), 0, Qt.AlignmentFlag.AlignLeft)
        for part in (self.total, self.table, self.none):
            self.column.addWidget(part)
        self.column.addStretch()
        self.by.chosen.connect(model.choose)
        self.period.chosen.connect(model.look_back)
        theme.changed.connect(self._fit)
        model.changed.connect(self.draw)
        self.draw(model.state)

    def draw(self, state: UsageState) -> None:
        sums = state.sums
        self.by.choose(state.by)
        self.period.show_value(str(state.days))
        self.total.setText(self._in_words(state.total))
        self.total.setVisible(bool(sums))
        self.none.setVisible(state.is_read and not sums)
        self.table.setVisible(bool(sums))
        self.table.setRowCount(len(sums))
        for row, each in enumerate(sums):
            for column, text in enumerate(self._cells(each, state.by)):
                self.table.setItem(row, column, _cell(text, is_figure=column > 0))
        self._fit()

    def arrange(self, *, is_narrow: bool) -> None:
        super().arrange(is_narrow=is_narrow)
        self.table.setColumnHidden(1, is_narrow)

    def _build_table(self) -> QTableWidget:
        heads = (
            "",
            self.tr("Requests"),
            self.tr("Read"),
            self.tr("Cached"),
            self.tr("Written"),
            self.tr("Cost"),
        )
        table = QTableWidget(0, len(heads))
        for column, text in enumerate(heads):
            table.setHorizontalHeaderItem(column, _cell(text, is_figure=column > 0))
        table.setAccessibleName(self.tr("Usage"))
        table.horizontalHeader().setAccessibleName(self.tr("Columns"))
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        return table

    def _fit(self) -> None:
        """As high as its rows, up to where it scrolls."""
        for column in range(1, self.table.columnCount()):
            self.table.setColumnWidth(column, ems(self, _FIGURES_EMS))
        rows_px = self.table.rowCount() * self.table.verticalHeader().defaultSectionSize()
        header_px = self.table.horizontalHeader().sizeHint().height()
        self.table.setFixedHeight(min(ems(self, _TABLE_EMS), header_px + rows_px + 2))

    def _cells(self, each: Sum, by: By) -> tuple[str, ...]:
        locale = QLocale()
        share = each.cached_tokens / each.prompt_tokens if each.prompt_tokens else 0
        return (
            self._name(each.name, by),
            locale.toString(each.n_requests),
            locale.toString(each.prompt_tokens),
            f"{share:.0%}",
            locale.toString(each.completion_tokens),
            self._cost(each),
        )

    def _name(self, name: str, by: By) -> str:
        if by is By.CHAT:
            return name or self.tr("New chat")
        if by is By.MODEL:
            return name
        day = date.fromisoformat(name)
        return QLocale().toString(QDate(day.year, day.month, day.day), QLocale.FormatType.ShortFormat)

    def _cost(self, each: Sum) -> str:
        """Without a price there is a dash, not a nought; `+` says that some of it has none."""
        if each.n_unpriced == each.n_requests:
            return "–"
        more = "+" if each.n_unpriced else ""
        return f"${QLocale().toString(each.cost_usd, 'f', _CENTS)}{more}"

    def _in_words(self, total: Sum) -> str:
        locale = QLocale()
        words = self.tr("{read} tokens read, {cached} of them from the cache · {written} written · {cost}")
        return words.format(
            read=locale.toString(total.prompt_tokens),
            cached=locale.toString(total.cached_tokens),
            written=locale.toString(total.completion_tokens),
            cost=self._cost(total),
        )


_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def _cell(text: str, *, is_figure: bool) -> QTableWidgetItem:
    cell = QTableWidgetItem(text)
    cell.setToolTip(text if not is_figure else "")
    if is_figure:
        cell.setTextAlignment(_RIGHT)
    return cell
