"""The Lens on one chat: which request is looked at, which band of it; what is asked is read beside the window."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.chats.folding import Folding
from app.chats.lensing import Lens
from app.context.budget import Fill
from app.core.errors import AppError
from app.core.ids import EntryId
from app.health.lens import Look
from app.tasks import TaskScope
from ui.lens.state import LensState, carried

_REST_S = 0.06
"""So long after the last step a band is read in full."""


class LensViewModel(QObject):
    """
    Args:
        lens, folding: Of the chat.
        fill: How full the window is with what is typed.
        is_running: Whether a turn is under way.
        reads_items: Whether the selected band is read in full.
        tell: An expected failure in words.

    Signals:
        changed(LensState): the whole new state.
        copied(str): a request as JSON.
        jumped(str): a message shall be shown in the chat, by the id of its entry.
    """

    changed = Signal(object)
    copied = Signal(str)
    jumped = Signal(str)

    def __init__(
        self,
        lens: Callable[[], Awaitable[Lens]],
        folding: Callable[[], Awaitable[Folding]],
        *,
        fill: Callable[[], Fill | None],
        is_running: Callable[[], bool],
        tell: Callable[[AppError], str],
        on_error: Callable[[BaseException], None],
        reads_items: bool = True,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._lens_of, self._folding_of = lens, folding
        self._fill, self._is_running, self._tell = fill, is_running, tell
        self._reads_items = reads_items
        self._tasks = TaskScope(on_error)
        self._lens: Lens | None = None
        self.state = LensState()

    def open(self) -> None:
        """Show the next request; where one is shown, what has changed of it."""
        self._tasks.start("open", self._told(self._open))

    def measure(self) -> None:
        """What is typed is another text now: the next request has another draft."""
        if self.state.look and self.state.look.is_next:
            self._show()

    def go(self, n: int) -> None:
        """Look at a request, counted from 1."""
        n = max(1, min(n, self.state.of))
        if self.state.of and n != self.state.n:
            self._fold(replace(self.state, n=n))
            self._show()

    def step(self, by: int) -> None:
        self.go(self.state.n + by)

    def select(self, index: int) -> None:
        """Look at a band of what is shown."""
        if self.state.look and index != self.state.selected:
            self._fold(replace(self.state, selected=index, item=None))
            self._read_item()

    def select_entry(self, entry_id: EntryId) -> None:
        """Look at the band that is, or stands for, a message."""
        index = self.state.look.index_of(entry_id) if self.state.look else None
        if index is not None:
            self.select(index)

    def jump(self) -> None:
        if self.state.item and self.state.item.first:
            self.jumped.emit(self.state.item.first)

    def put_back(self) -> None:
        """Show what is selected whole again; undone in the chat, as any compression."""
        item = self.state.item
        if item and self.state.can_put_back and item.first:
            self._tasks.start("fold", self._told(partial(self._put_back, item.first, item.last)))

    def pin(self) -> None:
        """Have it never folded, or again like the others."""
        item = self.state.item
        if item and self.state.can_pin and item.first:
            self._tasks.start(
                "fold", self._told(partial(self._pin, item.first, is_pinned=not item.band.is_pinned))
            )

    def copy_json(self) -> None:
        if self._lens and self.state.look:
            self._tasks.start("json", self._told(partial(self._copy, self.state.look.moment.n - 1)))

    async def aclose(self) -> None:
        await self._tasks.aclose()

    # ---- reading

    async def _open(self) -> None:
        lens = self._lens = self._lens or await self._lens_of()
        await lens.open(is_running=self._is_running())
        was_next = self.state.look is None or self.state.look.is_next
        of = len(lens.moments)
        fill = self._fill()
        window = fill.window.tokens if fill else 0
        n = of if was_next else min(self.state.n, of)
        self._fold(replace(self.state, n=n, of=of, window_tokens=window, error="", item=None))
        self._show()

    def _show(self) -> None:
        """What is wanted, at once where it is read already."""
        if self._lens and (look := self._lens.ready(self.state.n - 1, self._fill())):
            self._draw(look)
        elif self._lens and not self._tasks.is_running("look"):
            self._tasks.start("look", self._told(partial(self._load, self._lens)))

    async def _load(self, lens: Lens) -> None:
        """Read until what is wanted by then is there: a slider goes on while a thread reads."""
        while (look := lens.ready(self.state.n - 1, self._fill())) is None:
            await lens.look(self.state.n - 1)
        self._draw(look)

    def _draw(self, look: Look) -> None:
        selected = carried(self.state.look, self.state.selected, look)
        self._fold(replace(self.state, look=look, selected=selected, item=None))
        self._read_item()

    def _read_item(self) -> None:
        if self._reads_items:
            self._tasks.start("item", self._told(self._item))

    async def _item(self) -> None:
        await asyncio.sleep(_REST_S)
        look, selected = self.state.look, self.state.selected
        if self._lens and look and selected is not None:
            item = await self._lens.item(look, selected)
            if self.state.look is look and self.state.selected == selected:
                self._fold(replace(self.state, item=item))

    # ---- doing

    async def _put_back(self, first: EntryId, last: EntryId | None) -> None:
        await (await self._folding_of()).put_back(first, last)

    async def _pin(self, entry_id: EntryId, *, is_pinned: bool) -> None:
        await (await self._folding_of()).pin(entry_id, is_pinned=is_pinned)

    async def _copy(self, index: int) -> None:
        if self._lens:
            self.copied.emit(await self._lens.as_json(index))

    async def _told(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except AppError as error:
            self._fold(replace(self.state, error=self._tell(error)))

    def _fold(self, state: LensState) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit(state)
