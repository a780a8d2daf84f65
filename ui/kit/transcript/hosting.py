"""Widgets that stand in a transcript: a card with fields, at the place of its item."""

from typing import Protocol

from PySide6.QtCore import QEvent, QObject, QRect
from PySide6.QtWidgets import QWidget

from ui.kit.items import ItemId
from ui.kit.transcript.column import Column
from ui.kit.transcript.frames import HOSTED_GAP_PX
from ui.kit.transcript.look import Look


class Ground(Protocol):
    """The scroll area in which they stand."""

    look: Look
    column: Column

    def viewport(self) -> QWidget: ...

    def item_rect(self, item: ItemId) -> QRect: ...

    def settle(self) -> None: ...


class Hosting(QObject):
    """Gives a `HostedItem` the height of its widget, and keeps the widget where the item is."""

    def __init__(self, view: Ground) -> None:
        super().__init__()
        self._view = view
        self._widgets: dict[ItemId, QWidget] = {}
        view.look.rooms = self._room_of

    def host(self, item: ItemId, widget: QWidget | None) -> None:
        """Have `widget` stand where `item` is, as wide as the column; None: none any more."""
        if old := self._widgets.pop(item, None):
            old.removeEventFilter(self)
            old.hide()
            old.deleteLater()
        if widget:
            widget.setParent(self._view.viewport())
            widget.installEventFilter(self)
            self._widgets[item] = widget
        self._relay(item)

    def place(self) -> None:
        """The column was laid out, or scrolled."""
        gap = round(self._view.look.px(HOSTED_GAP_PX))
        for item, widget in self._widgets.items():
            rect = self._view.item_rect(item)
            widget.setGeometry(rect.adjusted(0, gap, 0, 0))
            widget.setVisible(not rect.isEmpty())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:  # it wants another height
            for item in [item for item, widget in self._widgets.items() if widget is watched]:
                self._relay(item)
        return super().eventFilter(watched, event)

    def _room_of(self, item: ItemId, width_px: float) -> float:
        widget = self._widgets.get(item)
        if widget is None:
            return 0.0
        hint = widget.heightForWidth(round(width_px))
        return float(hint if hint >= 0 else widget.sizeHint().height())

    def _relay(self, item: ItemId) -> None:
        if self._view.column.index_of(item) is not None:
            self._view.column.rebuild(item)
            self._view.settle()
