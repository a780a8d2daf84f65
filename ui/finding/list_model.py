"""What was found as a Qt list; the delegate draws `Role.ROW`."""

from enum import IntEnum

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ui.finding.state import Caption, Option, Row
from ui.finding.words import FindingWords


class Role(IntEnum):
    ROW = Qt.ItemDataRole.UserRole + 1


_Index = QModelIndex | QPersistentModelIndex


class FoundListModel(QAbstractListModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[Row, ...] = ()
        self._words = FindingWords()

    def show(self, rows: tuple[Row, ...]) -> None:
        if rows[: len(self.rows)] == self.rows and len(rows) > len(self.rows):  # further ones
            self.beginInsertRows(QModelIndex(), len(self.rows), len(rows) - 1)
            self.rows = rows
            self.endInsertRows()
        elif rows != self.rows:
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()

    def option(self, index: _Index) -> Option | None:
        row = self.rows[index.row()] if index.isValid() and index.row() < len(self.rows) else None
        return row if isinstance(row, Option) else None

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        match role:
            case Role.ROW:
                return row
            case Qt.ItemDataRole.DisplayRole:
                return self._words.caption(row) if isinstance(row, Caption) else self._words.title(row)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._words.caption(row) if isinstance(row, Caption) else self._words.spoken(row)
            case _:
                return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if self.option(index):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.NoItemFlags
