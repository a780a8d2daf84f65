"""A scroll area over a column: keeps the reading position while heights change, and the follow latch."""

from PySide6.QtCore import QEvent, QRect, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from ui.kit.items import ItemId, ReadingPosition
from ui.kit.transcript.column import Anchor, Column
from ui.kit.transcript.hosting import Hosting
from ui.kit.transcript.look import Look
from ui.kit.transcript.newest import NewestButton

COLUMN_PX, MARGIN_PX = 760, 26
BOTTOM_PX = 22
END_TOLERANCE_PX = 2
_MAX_PASSES = 6


class Scroller(QAbstractScrollArea):
    """Latch `is_following`: changed by what the person does, never by layout.

    Signals:
        following_changed(bool): the latch.
        visible_changed(str, str): first and last item on the screen.
    """

    following_changed = Signal(bool)
    visible_changed = Signal(str, str)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = look
        self.column = Column(look)
        self.hosting = Hosting(self)
        self.access: object = None  # what Qt was given for screen readers; it keeps a bare pointer to it
        self._top = 0
        self._anchor: Anchor | None = None
        self._is_following = True
        self._is_moving_bar = False
        self._visible: tuple[ItemId, ItemId] | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("role", "paper")
        self.setHorizontalScrollBarPolicy(self.horizontalScrollBarPolicy().ScrollBarAlwaysOff)
        self._bar = self.verticalScrollBar()
        self._bar.valueChanged.connect(self._bar_moved)
        self.newest = NewestButton(look, self)
        self.newest.clicked.connect(self.follow)
        self._ahead = QTimer(self, interval=0)
        self._ahead.timeout.connect(self.lay_ahead)

    # The latch

    @property
    def is_following(self) -> bool:
        return self._is_following

    def _set_following(self, *, is_following: bool) -> None:
        if is_following != self._is_following:
            self._is_following = is_following
            self.following_changed.emit(is_following)
        if is_following:
            self.newest.set_news(has_news=False)

    def follow(self) -> None:
        """Go to the end and stay there: the person sent something, or asked for the newest."""
        self._set_following(is_following=True)
        self.settle()

    # Where we are

    @property
    def top(self) -> int:
        """The height of the column that is at the view's top."""
        return self._top

    @property
    def page(self) -> int:
        return self.viewport().height()

    @property
    def line(self) -> int:
        """How far an arrow key or a third of a wheel notch goes."""
        return round(self.look.px(40))

    @property
    def left(self) -> int:
        """Where the column begins, in the viewport."""
        return round((self.viewport().width() - self.column.width_px) / 2)

    @property
    def first_visible(self) -> ItemId | None:
        """The item at the view's top; None: there is none."""
        return self.column.ids[self.column.heights.index_at(self._top)] if self.column.ids else None

    @property
    def limit(self) -> int:
        return max(0, round(self.column.heights.total + self.look.px(BOTTOM_PX)) - self.page)

    @property
    def is_at_end(self) -> bool:
        return self._top >= self.limit - END_TOLERANCE_PX

    def position(self) -> ReadingPosition:
        """Where the person reads, to be stored per chat."""
        anchor = self.column.anchor_at(self._top)
        index = self.column.index_of(anchor.item) if anchor else None
        if anchor is None or index is None:
            return ReadingPosition(is_following=self._is_following)
        offset = self._top - self.column.heights.top(index)
        return ReadingPosition(item=anchor.item, offset_px=offset, is_following=self._is_following)

    def restore(self, position: ReadingPosition) -> None:
        """Go to a stored position; when its item is gone, to the end."""
        index = self.column.index_of(position.item) if position.item is not None else None
        if position.is_following or index is None:
            self.follow()
            return
        self._set_following(is_following=False)
        self._anchor = self.column.anchor_in(index, position.offset_px)
        self._settle_at_anchor()

    def scroll_to(self, item: ItemId) -> None:
        """Show `item` at the top and stop following (find, jump)."""
        index = self.column.index_of(item)
        if index is not None:
            self._set_following(is_following=False)
            self._anchor = self.column.anchor_in(index, 0)
            self._settle_at_anchor()

    def bring(self, index: int, y: float) -> None:
        """Have height `y` of an item in the upper half of the screen; where it is well on the screen, nothing moves."""
        at = self.column.heights.top(index) + y
        if self._top + self.line <= at <= self._top + self.page - 2 * self.line:
            return
        self._set_following(is_following=False)
        anchor = self.column.anchor_in(index, y)
        self._anchor = anchor._replace(offset=anchor.offset - self.page / 3)
        self._settle_at_anchor()

    def reveal(self, item: ItemId) -> None:
        """Have all of `item` on the screen, or its top where it is higher than that."""
        rect = self.item_rect(item)
        if rect.top() < 0 or rect.height() > self.page:
            self.scroll_by(rect.top())
        elif rect.bottom() > self.page:
            self.scroll_by(rect.bottom() - self.page)

    def scroll_by(self, delta: int) -> None:
        """Move by the person's wish: up stops following, reaching the end starts it."""
        if delta < 0 and self.limit:
            self._set_following(is_following=False)
        if self._anchor is not None and abs(delta) < 2 * self.page:
            self._anchor = self._anchor._replace(offset=self._anchor.offset + delta)
            self._settle_at_anchor()
        else:
            self._go_to(self._top + delta)
        if delta > 0 and self.is_at_end:
            self._set_following(is_following=True)

    def _go_to(self, top: int) -> None:
        self._top = max(0, min(top, self.limit))
        self._anchor = self.column.anchor_at(self._top)
        self._settle_at_anchor()

    def item_rect(self, item: ItemId) -> QRect:
        """Where an item is in the viewport, for a popup beside it; empty when it is not there."""
        index = self.column.index_of(item)
        if index is None:
            return QRect()
        y = round(self.column.heights.top(index)) - self.top
        return QRect(self.left, y, round(self.column.width_px), round(self.column.heights[index]))

    # Layout

    def settle(self) -> None:
        """Heights may differ: lay out what is on the screen, and put the view where it belongs."""
        if not self.column.width_px:
            return  # not on the screen yet: the first resize settles
        if self._is_following:
            self._settle_at_end()
        else:
            self._settle_at_anchor()

    def _settle_at_end(self) -> None:
        for _ in range(_MAX_PASSES):
            self._top = self.limit
            if not self.column.lay_between(self._top, self._top + self.page):
                break
        self._settled(self.limit)

    def _settle_at_anchor(self) -> None:
        top = self._top
        for _ in range(_MAX_PASSES):
            y = self.column.y_of(self._anchor) if self._anchor else None
            top = round(y) if y is not None else top
            within = max(0, min(top, self.limit))
            if not self.column.lay_between(within, within + self.page):
                break
        self._settled(max(0, min(top, self.limit)))

    def _settled(self, top: int) -> None:
        self._top = top
        self._anchor = self.column.anchor_at(top)
        self._is_moving_bar = True
        self._bar.setPageStep(self.page)
        self._bar.setSingleStep(self.line)
        self._bar.setRange(0, self.limit)
        self._bar.setValue(top)
        self._is_moving_bar = False
        self.hosting.place()
        self._place_newest()
        self._tell_visible()
        self._ahead.start()
        self.viewport().update()

    def lay_ahead(self) -> None:
        """Lay out one more item within a screen of what is seen; the reading position stays."""
        column = self.column
        low, high = self._top - self.page, self._top + 2 * self.page
        if not column.ids or self._top == 0 == self.page:
            self._ahead.stop()
            return
        for first, last in ((self._top, high), (low, self._top)):
            if self._lay_one(max(0, first), last):
                return
        column.trim(low, high)
        self._ahead.stop()

    def _lay_one(self, top: float, bottom: float) -> bool:
        """Lay out the first item between two heights that is not yet; False when all are."""
        column = self.column
        index = column.heights.index_at(top)
        y = column.heights.top(index)
        while index < len(column.ids) and y < bottom:
            if not column.is_laid(index):
                before = column.heights[index]
                column.lay_between(max(y, top), min(y + before, bottom))
                if column.heights[index] != before:
                    self.settle()
                return True
            y += column.heights[index]
            index += 1
        return False

    def _tell_visible(self) -> None:
        column = self.column
        if not column.ids:
            return
        first, last = (column.heights.index_at(y) for y in (self._top, self._top + self.page))
        visible = (column.ids[first], column.ids[last])
        if visible != self._visible:
            self._visible = visible
            self.visible_changed.emit(*visible)

    def _place_newest(self) -> None:
        button = self.newest
        is_far = self._top < self.limit - self.look.px(40)
        button.setVisible(is_far and not self._is_following)
        if self.is_at_end:
            button.set_news(has_news=False)
        button.resize(button.sizeHint())
        viewport = self.viewport().geometry()
        bottom = viewport.bottom() - button.height() - round(self.look.px(12))
        button.move(viewport.center().x() - button.width() // 2, bottom)

    # Events

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.viewport().width() - 2 * self.look.px(MARGIN_PX)
        width = float(max(120, min(round(self.look.px(COLUMN_PX)), round(room))))
        if width != self.column.width_px:
            self.relay(width)
        else:
            self.settle()

    def relay(self, width_px: float | None = None) -> None:
        """Lay out everything anew: width, theme or words differ."""
        self.column.forget(width_px)
        self.settle()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Nothing to move: all is painted from `top`."""

    def _bar_moved(self, value: int) -> None:
        if not self._is_moving_bar:
            self.scroll_by(value - self._top)

    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.pixelDelta().y() or round(event.angleDelta().y() / 120 * 1.5 * self.line)
        if delta:
            self.scroll_by(-delta)
        event.accept()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.DevicePixelRatioChange:
            self.look.dpr = self.devicePixelRatioF()
            self.viewport().update()
        return super().viewportEvent(event)
