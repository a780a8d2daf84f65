"""The rows of the sidebar as a Qt list, ids in roles; a new state moves only the rows that differ."""

from enum import IntEnum

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from app.chats.library import Period
from app.context.budget import Health
from app.core.ids import ChatId
from ui.sidebar.state import Caption, ChatRow, Row


class Role(IntEnum):
    ID = Qt.ItemDataRole.UserRole + 1
    ROW = Qt.ItemDataRole.UserRole + 2


_Index = QModelIndex | QPersistentModelIndex


class ChatListModel(QAbstractListModel):
    """Gives a title as text and what a row says as its accessible text; the delegate draws `Role.ROW`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[Row, ...] = ()

    def show(self, rows: tuple[Row, ...]) -> None:
        """Replace the rows between what both states begin and end with, so that scrolling and focus stay."""
        old, new = self._rows, rows
        least = min(len(old), len(new))
        start = next((n for n in range(least) if _key(old[n]) != _key(new[n])), least)
        end = next((n for n in range(least - start) if _key(old[-1 - n]) != _key(new[-1 - n])), least - start)
        tail = old[len(old) - end :]
        if start + end < len(old):
            self.beginRemoveRows(QModelIndex(), start, len(old) - end - 1)
            self._rows = old[:start] + tail
            self.endRemoveRows()
        if start + end < len(new):
            self.beginInsertRows(QModelIndex(), start, len(new) - end - 1)
            self._rows = old[:start] + new[start : len(new) - end] + tail
            self.endInsertRows()
        before, self._rows = self._rows, new
        for at, (was, row) in enumerate(zip(before, new, strict=True)):
            if was != row:
                self.dataChanged.emit(self.index(at), self.index(at))

    def retranslate(self) -> None:
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))

    def row_of(self, chat_id: ChatId | None) -> QModelIndex:
        """Where a chat stands; an invalid index: nowhere."""
        rows = enumerate(self._rows)
        return next(
            (self.index(at) for at, row in rows if isinstance(row, ChatRow) and row.id == chat_id),
            QModelIndex(),
        )

    def first_chat(self) -> QModelIndex:
        rows = enumerate(self._rows)
        return next((self.index(at) for at, row in rows if isinstance(row, ChatRow)), QModelIndex())

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        match role:
            case Role.ROW:
                return row
            case Role.ID:
                return row.id if isinstance(row, ChatRow) else None
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.ToolTipRole:
                return self._title(row)
            case Qt.ItemDataRole.EditRole:
                return row.title if isinstance(row, ChatRow) else ""
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(row)
            case _:
                return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if index.isValid() and isinstance(self._rows[index.row()], ChatRow):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable
        return Qt.ItemFlag.NoItemFlags

    def _title(self, row: Row) -> str:
        if isinstance(row, ChatRow):
            return row.title or self.tr("New chat")
        return {
            Period.PINNED: self.tr("Pinned"),
            Period.TODAY: self.tr("Today"),
            Period.YESTERDAY: self.tr("Yesterday"),
            Period.WEEK: self.tr("Previous 7 days"),
            Period.OLDER: self.tr("Older"),
        }[row.period]

    def _spoken(self, row: Row) -> str:
        said = [self._title(row)]
        if isinstance(row, ChatRow):
            if row.depth:
                said.append(self.tr("fork"))
            if row.use is not None:
                said.append(self.tr("{percent} % of the window").format(percent=round(row.use * 100)))
                said.append(self._health(row.health))
            if row.is_waiting:
                said.append(self.tr("waits for you"))
            elif row.is_running:
                said.append(self.tr("answering"))
        return ", ".join(said)

    def _health(self, health: Health) -> str:
        return {
            Health.UNKNOWN: self.tr("unknown"),
            Health.HEALTHY: self.tr("healthy"),
            Health.WARNING: self.tr("warning"),
            Health.CRITICAL: self.tr("critical"),
        }[health]


def _key(row: Row) -> tuple[str, int]:
    return (row.period, -1) if isinstance(row, Caption) else (row.id, row.depth)
