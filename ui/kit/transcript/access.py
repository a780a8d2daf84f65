"""What a screen reader is told: the transcript is a list, each item says who speaks and its first line."""

from functools import cache
from typing import assert_never

from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget

from ui.kit.items import (
    AgentsItem,
    AssistantItem,
    DividerItem,
    HostedItem,
    Item,
    ItemId,
    NoticeItem,
    PasteItem,
    ReasoningItem,
    StatusItem,
    ToolItem,
    UserItem,
)
from ui.kit.leaf import Leaf
from ui.kit.transcript.look import Words
from ui.kit.transcript.scroller import Scroller

MAX_DESCRIBED_CHARS = 200


def describe(words: Words, item: Item) -> str:
    """Role and first line of an item."""
    match item:
        case UserItem() | AssistantItem() | DividerItem() | StatusItem():
            text = item.text
        case NoticeItem():
            text = f"{item.title} {item.text}"
        case ReasoningItem() | ToolItem() | HostedItem():
            text = item.title
        case AgentsItem():
            text = "; ".join(", ".join(filter(None, (card.title, card.text))) for card in item.cards)
        case PasteItem():
            text = f"{item.title} {item.figures}"
        case _:
            assert_never(item)
    first = text.strip().split("\n", 1)[0]
    return f"{words.role_of(type(item).__name__)}: {first[:MAX_DESCRIBED_CHARS]}"


def announce(widget: QWidget, text: str) -> None:
    """Say `text` once, without moving the reader's focus."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


def tell_focus(view: Scroller, index: int) -> None:
    """The keyboard went to the item at `index`."""
    event = QAccessibleEvent(view, QAccessible.Event.Focus)
    event.setChild(index)
    QAccessible.updateAccessibility(event)


class ItemAccess(Leaf):
    """One item, by id; it may be gone, or not laid out."""

    def __init__(self, view: Scroller, item: ItemId) -> None:
        super().__init__(view)
        self._view = view
        self._item = item

    def isValid(self) -> bool:
        return self._view.column.index_of(self._item) is not None

    def text(self, t: QAccessible.Text) -> str:
        if t is not QAccessible.Text.Name or not self.isValid():
            return ""
        return describe(self._view.look.words, self._view.column.model.content(self._item))

    def setText(self, t: QAccessible.Text, text: str) -> None:
        """Nothing here can be edited."""

    def rect(self) -> QRect:
        rect = self._view.item_rect(self._item)
        return rect.translated(self._view.viewport().mapToGlobal(QPoint(0, 0)))

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        is_seen = self._view.item_rect(self._item).intersects(self._view.viewport().rect())
        state.focusable = True  # pyright: ignore[reportAttributeAccessIssue]  # fields are missing in the stubs
        state.offscreen = not is_seen  # pyright: ignore[reportAttributeAccessIssue]  # fields are missing in the stubs
        return state


class ListAccess(QAccessibleWidget):
    """The transcript: its children are its items, not the widgets it is made of."""

    def __init__(self, view: Scroller) -> None:
        super().__init__(view, QAccessible.Role.List, view.look.words.transcript())
        self._view = view
        # Qt keeps bare pointers to these: they live as long as the list does.
        self._items: dict[ItemId, ItemAccess] = {}

    def childCount(self) -> int:
        return len(self._view.column.ids)

    def child(self, index: int) -> QAccessibleInterface | None:  # pyright: ignore[reportIncompatibleMethodOverride]  # null is allowed in Qt
        ids = self._view.column.ids
        if not 0 <= index < len(ids):
            return None
        return self._items.setdefault(ids[index], ItemAccess(self._view, ids[index]))

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # pyright: ignore[reportIncompatibleMethodOverride]  # null is allowed in Qt
        where = self._view.viewport().mapFromGlobal(QPoint(x, y))
        if not self._view.column.ids or not self._view.viewport().rect().contains(where):
            return None
        return self.child(self._view.column.heights.index_at(where.y() + self._view.top))

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        for item, known in self._items.items():
            if known is child:
                index = self._view.column.index_of(item)
                return -1 if index is None else index
        return -1


@cache
def install() -> None:
    """Make Qt ask us for the accessible side of transcripts; once a process."""
    QAccessible.installFactory(_made)


def _made(_name: str, asked: QObject | None) -> QAccessibleInterface | None:
    if not isinstance(asked, Scroller):
        return None
    asked.access = ListAccess(asked)
    return asked.access
