"""All items of a transcript as one column: estimated heights, real ones where it was laid out."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ui.kit.items import ItemId, ItemModel
from ui.kit.transcript.heights import Heights
from ui.kit.transcript.item_layout import ItemLayout
from ui.kit.transcript.look import Look
from ui.kit.transcript.render import Renderer

# Laid-out items that are kept; those on the screen always are.
MAX_LAID_ITEMS = 120
MIN_ESTIMATE_PX = 60.0


class Anchor(NamedTuple):
    """A place in the column that outlives changes of height: a block of an item, and px below its top."""

    item: ItemId
    slot: int
    offset: float


class Column:
    """Geometry only: knows no widget and no scroll position."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._renderer = Renderer(look)
        self._model: ItemModel | None = None
        self._width_px = 0.0
        self._index: dict[ItemId, int] = {}
        self._laid: OrderedDict[ItemId, tuple[int, ItemLayout]] = OrderedDict()
        self.ids: Sequence[ItemId] = ()
        self.open_items: set[ItemId] = set()
        self.heights = Heights()

    @property
    def width_px(self) -> float:
        return self._width_px

    @property
    def n_laid(self) -> int:
        """How many items are laid out."""
        return len(self._laid)

    @property
    def model(self) -> ItemModel:
        assert self._model is not None  # asked only for items, which come from a model
        return self._model

    def set_model(self, model: ItemModel) -> None:
        self._model = model
        self._laid.clear()
        self.open_items.clear()
        self.read_ids()

    def read_ids(self) -> None:
        """Take the model's ids anew; what was laid out stays."""
        self.ids = tuple(self.model.ids()) if self._model else ()
        self._index = {item: index for index, item in enumerate(self.ids)}
        for item in [item for item in self._laid if item not in self._index]:
            del self._laid[item]
        self._measure()

    def _measure(self) -> None:
        px_per_char = self._px_per_char()
        self.heights = Heights(self._estimate(item, px_per_char) for item in self.ids)

    def forget(self, width_px: float | None = None) -> None:
        """Drop every layout: the theme or the width changed."""
        if width_px is not None:
            self._width_px = width_px
        self._renderer.forget()
        self._laid.clear()
        self._measure()

    def index_of(self, item: ItemId) -> int | None:
        return self._index.get(item)

    def _px_per_char(self) -> float:
        """How much a character adds to the height of a text: a line is 1.7 times as high as its letters."""
        size = self._look.theme.size("text_px")
        return size * 0.52 / max(self._width_px, 80) * size * 1.7

    def _estimate(self, item: ItemId, px_per_char: float) -> float:
        if item in self._laid:
            return self._laid[item][1].height_px
        return MIN_ESTIMATE_PX + round(self.model.n_chars(item) * px_per_char)

    def update(self, item: ItemId) -> None:
        """The item has a new revision: lay out again what of it is laid out."""
        index = self._index.get(item)
        if index is None:
            return
        if item not in self._laid:
            self.heights.set(index, self._estimate(item, self._px_per_char()))
            return
        revision, layout = self._laid[item]
        now = self.model.revision(item)
        if now == revision:
            return
        if layout.update(self.model.content(item)):
            self._laid[item] = (now, layout)
        else:
            del self._laid[item]
            layout = self.layout(index)
        self.heights.set(index, layout.height_px)

    def rebuild(self, item: ItemId) -> None:
        """Lay the item out anew: it was opened or closed."""
        self._laid.pop(item, None)

    def show_formulas(self) -> None:
        """Lay out again what showed the source of a formula that is typeset now."""
        for item, (_, layout) in self._laid.items():
            if layout.show_formulas():
                self.heights.set(self._index[item], layout.height_px)

    def layout(self, index: int) -> ItemLayout:
        """The layout of the item at `index`, made if need be."""
        item = self.ids[index]
        if item not in self._laid:
            content = self.model.content(item)
            is_open = item in self.open_items
            made = ItemLayout(
                self._look, self._renderer, content, self._width_px, is_open=is_open, item_id=item
            )
            self._laid[item] = (self.model.revision(item), made)
            self.heights.set(index, made.height_px)
            while len(self._laid) > MAX_LAID_ITEMS:
                self._laid.popitem(last=False)
        else:
            self._laid.move_to_end(item)
        return self._laid[item][1]

    def is_laid(self, index: int) -> bool:
        return self.ids[index] in self._laid

    def resized(self, index: int) -> None:
        """The layout at `index` changed its height by itself (unfolded code)."""
        self.heights.set(index, self.layout(index).height_px)

    def lay_between(self, top: float, bottom: float) -> bool:
        """Lay out what lies between two heights; whether any height changed."""
        if not self.ids:
            return False
        changed = False
        index = self.heights.index_at(max(0.0, top))
        y = self.heights.top(index)
        while index < len(self.ids) and y < bottom:
            before = self.heights[index]
            layout = self.layout(index)
            layout.lay_between(top - y, bottom - y)
            self.heights.set(index, layout.height_px)
            changed = changed or before != self.heights[index]
            y += self.heights[index]
            index += 1
        return changed

    def trim(self, top: float, bottom: float) -> None:
        """Let huge items between two heights drop blocks that are far from the screen."""
        for _, layout, y in self.between(top, bottom):
            layout.trim(top - y, bottom - y)

    def between(self, top: float, bottom: float) -> Iterator[tuple[int, ItemLayout, float]]:
        """(index, layout, top) of the items between two heights."""
        if not self.ids:
            return
        index = self.heights.index_at(max(0.0, top))
        y = self.heights.top(index)
        while index < len(self.ids) and y < bottom:
            yield index, self.layout(index), y
            y += self.heights[index]
            index += 1

    def anchor_at(self, y: float) -> Anchor | None:
        if not self.ids:
            return None
        index = self.heights.index_at(max(0.0, y))
        rest = y - self.heights.top(index)
        return Anchor(self.ids[index], *self.layout(index).anchor_at(rest))

    def anchor_in(self, index: int, offset: float) -> Anchor:
        """The place `offset` px below the top of an item, whatever is above it."""
        layout = self.layout(index)
        layout.lay_between(offset, offset + 1)
        return Anchor(self.ids[index], *layout.anchor_at(offset))

    def y_of(self, anchor: Anchor) -> float | None:
        """Where an anchor is now; None when its item is gone."""
        index = self._index.get(anchor.item)
        if index is None:
            return None
        layout = self.layout(index)
        layout.lay_slot(anchor.slot)  # an estimate that is too short would put the place into the next item
        self.heights.set(index, layout.height_px)
        return self.heights.top(index) + layout.y_of(anchor.slot, anchor.offset)
