"""What is selected across a transcript, and what copying it gives."""

from typing import NamedTuple

from ui.kit.items import AssistantItem, ItemId, PasteItem, ReasoningItem, UserItem
from ui.kit.transcript.column import Column
from ui.kit.transcript.places import Place


class Point(NamedTuple):
    """A place in an item, by id: indices change when items come and go."""

    item: ItemId
    place: Place


class Selection:
    """From `anchor`, where the mouse went down, to `head`, where it is."""

    def __init__(self, column: Column) -> None:
        self._column = column
        self.anchor: Point | None = None
        self.head: Point | None = None

    def clear(self) -> None:
        self.anchor = self.head = None

    def select_all(self) -> None:
        column = self._column
        if column.ids:
            last = len(column.ids) - 1
            self.anchor = Point(column.ids[0], column.layout(0).ends()[0])
            self.head = Point(column.ids[last], column.layout(last).ends()[1])

    def _ordered(self) -> tuple[tuple[int, Place], tuple[int, Place]] | None:
        if self.anchor is None or self.head is None:
            return None
        indices = [self._column.index_of(point.item) for point in (self.anchor, self.head)]
        if indices[0] is None or indices[1] is None:
            return None
        first, last = sorted(((indices[0], self.anchor.place), (indices[1], self.head.place)))
        return (first, last) if first != last else None

    @property
    def is_empty(self) -> bool:
        return self._ordered() is None

    def of(self, index: int) -> tuple[Place, Place] | None:
        """The selected part of the item at `index`."""
        ends = self._ordered()
        if ends is None or not ends[0][0] <= index <= ends[1][0]:
            return None
        start = ends[0][1] if index == ends[0][0] else Place(0, 0, 0)
        end = ends[1][1] if index == ends[1][0] else Place(1 << 30, 0, 0)
        return start, end

    def text(self) -> str:
        """Whole messages as their stored Markdown, byte for byte; parts as plain text (case B62)."""
        ends = self._ordered()
        if ends is None:
            return ""
        parts = [self._text_of(index, ends) for index in range(ends[0][0], ends[1][0] + 1)]
        return "\n\n".join(part for part in parts if part)

    def _text_of(self, index: int, ends: tuple[tuple[int, Place], tuple[int, Place]]) -> str:
        column = self._column
        is_inner = ends[0][0] < index < ends[1][0]
        if is_inner:
            content = column.model.content(column.ids[index])
            return content.text if isinstance(content, UserItem | PasteItem | AssistantItem) else ""
        layout = column.layout(index)
        first, last = layout.ends()
        start = ends[0][1] if index == ends[0][0] else first
        end = ends[1][1] if index == ends[1][0] else last
        is_whole = start <= first and end >= last
        if is_whole and isinstance(layout.item, UserItem | AssistantItem | ReasoningItem):
            return layout.item.text
        return layout.text(start, end)
