"""A transcript in which text can be selected, with the mouse and as a whole."""

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QWidget

from ui.kit.transcript.look import Look
from ui.kit.transcript.scroller import Scroller
from ui.kit.transcript.selection import Point, Selection

_DRAG_SCROLL_MS = 30
_DRAG_SCROLL_PX = 24


class SelectableView(Scroller):
    """What is selected stays so while an answer grows: places in items are kept, not pixels."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.selection = Selection(self.column)
        self._is_selecting = False
        self._drag = QTimer(self, interval=_DRAG_SCROLL_MS)
        self._drag.timeout.connect(self._drag_on)

    def selected_text(self) -> str:
        """Whole messages as their stored Markdown, parts of messages as plain text."""
        return self.selection.text()

    def copy(self) -> None:
        """Put `selected_text()` on the clipboard, if there is any."""
        text = self.selected_text()
        if text:
            QGuiApplication.clipboard().setText(text)

    def select_all(self) -> None:
        self.selection.select_all()
        if not self.selection.is_empty:
            self._set_following(is_following=False)
        self.viewport().update()

    def _point_at(self, where: QPoint) -> Point | None:
        """The character nearest to a place in the viewport."""
        if not self.column.ids:
            return None
        y = min(max(where.y(), 0), self.page - 1) + self.top
        index = self.column.heights.index_at(y)
        top = self.column.heights.top(index)
        place = self.column.layout(index).place_at(where.x() - self.left, y - top)
        return Point(self.column.ids[index], place) if place is not None else None

    def begin_selecting(self, where: QPoint, *, is_more: bool) -> None:
        """The mouse went down. `is_more`: what is selected reaches to there from now on."""
        point = self._point_at(where)
        if is_more and self.selection.anchor is not None:
            self.selection.head = point
        else:
            self.selection.anchor = self.selection.head = point
        self._is_selecting = True
        self.viewport().update()

    def select_to(self, where: QPoint) -> bool:
        """The mouse moves while it is held down. Returns: whether it selects."""
        if self._is_selecting:
            self._select_to(where)
            is_outside = not 0 <= where.y() < self.page
            (self._drag.start if is_outside else self._drag.stop)()
        return self._is_selecting

    def end_selecting(self) -> None:
        self._drag.stop()
        self._is_selecting = False

    def _select_to(self, where: QPoint) -> None:
        point = self._point_at(where)
        if point is not None and point != self.selection.head:
            self.selection.head = point
            if not self.selection.is_empty:
                self._set_following(is_following=False)
            self.viewport().update()

    def _drag_on(self) -> None:
        """The mouse is held above or below: scroll and select on."""
        where = self.viewport().mapFromGlobal(self.cursor().pos())
        self.scroll_by(-_DRAG_SCROLL_PX if where.y() < 0 else _DRAG_SCROLL_PX)
        self._select_to(where)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        point = self._point_at(event.position().toPoint())
        index = self.column.index_of(point.item) if point else None
        if point is None or index is None:
            return
        start, end = self.column.layout(index).word_at(point.place)
        self.selection.anchor = Point(point.item, start)
        self.selection.head = Point(point.item, end)
        self._set_following(is_following=False)
        self.viewport().update()
