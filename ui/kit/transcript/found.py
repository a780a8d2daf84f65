"""Hits in a transcript: marked wherever they come onto the screen, and one of them gone to."""

from dataclasses import dataclass
from typing import Protocol

from PySide6.QtWidgets import QWidget

from ui.kit.items import ItemId, PasteItem, ReasoningItem, ToolItem
from ui.kit.transcript.code_piece import CodePiece
from ui.kit.transcript.column import Column
from ui.kit.transcript.item_layout import ItemLayout
from ui.kit.transcript.piece import Find
from ui.kit.transcript.places import Place


class Ground(Protocol):
    """The transcript in which the hits are."""

    column: Column

    def viewport(self) -> QWidget: ...

    def set_open(self, item: ItemId, *, is_open: bool) -> None: ...

    def bring(self, index: int, y: float) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Spotted:
    """A hit where it is drawn."""

    place: Place
    end: int
    """Of its last character, in the piece of `place`."""
    y: float
    """Its line's top, in the item."""


class FoundHits:
    """What `TranscriptView` marks; hits of an item are counted from 0 in the order of its text."""

    def __init__(self, view: Ground) -> None:
        self._view = view
        self.find: Find | None = None
        self._current: tuple[ItemId, Spotted] | None = None

    def mark(self, find: Find | None) -> None:
        """Mark each hit of `find`, the same object as long as the same is looked for; None marks nothing."""
        if find is not self.find:
            self.find, self._current = find, None
            self._view.viewport().update()

    def show(self, item: ItemId, n: int) -> None:
        """Go to the `n`th hit of an item, which is opened for it; what is on the screen already stays there."""
        view, column = self._view, self._view.column
        index = column.index_of(item)
        if index is None or self.find is None:
            return
        if isinstance(column.model.content(item), ToolItem | ReasoningItem | PasteItem):
            view.set_open(item, is_open=True)
        spotted = spot(column.layout(index), self.find, n)
        column.resized(index)
        self._current = (item, spotted) if spotted else None
        view.bring(index, spotted.y if spotted else 0.0)
        view.viewport().update()

    def current_in(self, item: ItemId) -> Spotted | None:
        """The hit that was gone to, if it is in this item."""
        return self._current[1] if self._current and self._current[0] == item else None


def spot(layout: ItemLayout, find: Find, n: int) -> Spotted | None:
    """Lay out the block that the `n`th hit is in, and no other.

    Hits are counted in the blocks' sources: where Markdown's own signs lie within one, the block shows fewer.
    """
    for at, slot in enumerate(layout.stack.slots):
        if slot.source:
            n_here = len(find(slot.source.text))
        else:
            n_here = sum(len(piece.found(find)) for piece in slot.pieces)
        if n < n_here:
            return _in_slot(layout, at, find, n)
        n -= n_here
    return None


def _in_slot(layout: ItemLayout, at: int, find: Find, n: int) -> Spotted:
    stack = layout.stack
    slot = stack.lay(at)
    hits = [(number, span) for number, piece in enumerate(slot.pieces) for span in piece.found(find)]
    if not hits:
        return Spotted(place=Place(at, 0, 0), end=0, y=layout.y_of(at, 0.0))
    number, (start, end) = hits[min(n, len(hits) - 1)]
    piece = slot.pieces[number]
    if isinstance(piece, CodePiece) and start > piece.end:
        stack.set_unfolded(at, is_unfolded=True)
    y = layout.y_of(at, slot.tops[number] + piece.y_of(start))
    return Spotted(place=Place(at, number, start), end=end, y=y)
