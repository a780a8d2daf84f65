"""The table of models, a row each."""

from enum import IntEnum

from PySide6.QtCore import QAbstractTableModel, QLocale, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.models.window import WindowSource
from app.providers.catalogue import OfferedModel
from ui.kit.endpoint_names import endpoint_name
from ui.kit.links import plain_tip

ID_ROLE = Qt.ItemDataRole.UserRole
SORT_ROLE = Qt.ItemDataRole.UserRole + 1
_MILLION = 1_000_000


class Column(IntEnum):
    NAME = 0
    ENDPOINT = 1
    WINDOW = 2
    INPUT = 3
    OUTPUT = 4
    CACHED = 5
    ABILITIES = 6


_NUMBERS = (Column.WINDOW, Column.INPUT, Column.OUTPUT, Column.CACHED)


class ModelTable(QAbstractTableModel):
    """`ID_ROLE`: the `ModelId`; `SORT_ROLE`: what a column sorts by."""

    def __init__(self, locale: QLocale, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._locale = locale
        self._offers: tuple[OfferedModel, ...] = ()

    def show_offers(self, offers: tuple[OfferedModel, ...]) -> None:
        if offers != self._offers:
            self.beginResetModel()
            self._offers = offers
            self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008  # Qt's own default
        return 0 if parent.isValid() else len(self._offers)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008  # as above
        return 0 if parent.isValid() else len(Column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section in _NUMBERS else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole and section in _NUMBERS[1:]:
            return self.tr("US dollars per million tokens")
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return {
            Column.NAME: self.tr("Model"),
            Column.ENDPOINT: self.tr("Provider"),
            Column.WINDOW: self.tr("Window"),
            Column.INPUT: self.tr("$ in"),
            Column.OUTPUT: self.tr("$ out"),
            Column.CACHED: self.tr("$ cached"),
            Column.ABILITIES: self.tr("Abilities"),
        }[Column(section)]

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        offer, column = self._offers[index.row()], Column(index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(offer, column)
            case Qt.ItemDataRole.TextAlignmentRole:
                side = Qt.AlignmentFlag.AlignRight if column in _NUMBERS else Qt.AlignmentFlag.AlignLeft
                return side | Qt.AlignmentFlag.AlignVCenter
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(
                    self.window_words(offer) if column is Column.WINDOW else self._text(offer, column)
                )
            case Qt.ItemDataRole.AccessibleTextRole:
                told = self.window_words(offer) if column is Column.WINDOW else self._text(offer, column)
                return told or self.tr("unknown")
            case _ if role == ID_ROLE:
                return offer.id
            case _ if role == SORT_ROLE:
                return self._sort_key(offer, column)
            case _:
                return None

    def window_words(self, offer: OfferedModel) -> str:
        """The window with who says so: "200,000 tokens · model registry"."""
        if not offer.window.tokens:
            return self.tr("window unknown · set…")
        tokens = self._locale.toString(offer.window.tokens)
        source = {
            WindowSource.YOU: self.tr("you set it"),
            WindowSource.SERVER: self.tr("the server says so"),
            WindowSource.REGISTRY: self.tr("model registry"),
            WindowSource.LEARNED: self.tr("learned from an error"),
            WindowSource.UNKNOWN: self.tr("unknown"),
        }[offer.window.source]
        return self.tr("{tokens} tokens · {source}").format(tokens=tokens, source=source)

    def _text(self, offer: OfferedModel, column: Column) -> str:
        match column:
            case Column.NAME:
                return offer.name
            case Column.ENDPOINT:
                return endpoint_name(offer.endpoint)
            case Column.WINDOW:
                return (
                    self._locale.toString(offer.window.tokens) if offer.window.tokens else self.tr("unknown")
                )
            case Column.ABILITIES:
                return self._abilities(offer)
            case _:
                price = self._price(offer, column)
                return "" if price is None else self._locale.toString(price * _MILLION, "f", 2)

    def _price(self, offer: OfferedModel, column: Column) -> float | None:
        prices = offer.facts.prices
        return {
            Column.INPUT: prices.input_usd,
            Column.OUTPUT: prices.output_usd,
            Column.CACHED: prices.cached_usd,
        }[column]

    def _abilities(self, offer: OfferedModel) -> str:
        facts = offer.facts
        named = (
            (facts.tools, self.tr("tools")),
            (facts.vision, self.tr("images")),
            (facts.reasoning, self.tr("reasoning")),
            (facts.cache, self.tr("cache")),
        )
        return " · ".join(name for has, name in named if has)

    def _sort_key(self, offer: OfferedModel, column: Column) -> str | float:
        match column:
            case Column.WINDOW:
                return offer.window.tokens
            case Column.INPUT | Column.OUTPUT | Column.CACHED:
                price = self._price(offer, column)
                return -1.0 if price is None else price
            case _:
                return self._text(offer, column).casefold()
