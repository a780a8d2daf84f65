"""What a screen reader meets in a widget that paints its rows itself: one row, without anything in it."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QWidget


class Leaf(QAccessibleInterface):
    """A row of `view`; who derives from it says whether it is valid, what it is called and where it stands."""

    def __init__(self, view: QWidget) -> None:
        super().__init__()
        self._of = view

    def object(self) -> QObject | None:  # pyright: ignore[reportIncompatibleMethodOverride]  # null is allowed in Qt
        return None

    def parent(self) -> QAccessibleInterface:
        return QAccessible.queryAccessibleInterface(self._of)

    def childCount(self) -> int:
        return 0

    def child(self, index: int) -> QAccessibleInterface | None:  # pyright: ignore[reportIncompatibleMethodOverride]  # null is allowed in Qt
        return None

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # pyright: ignore[reportIncompatibleMethodOverride]  # null is allowed in Qt
        return None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return -1

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem
