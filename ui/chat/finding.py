"""Find in a chat: what is typed is looked for beside the window's thread, and the newest question wins (U15)."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.core.errors import StoreError
from app.core.ids import EntryId
from app.core.parts import Blob
from app.tasks import TaskScope
from ui.chat.hits import Hits, InChat, Texts, look_through, originals_of
from ui.kit.items import ItemId

_TYPING_S = 0.12
"""So long after a key it is looked; after a change of the chat longer, since answers come in pieces."""
_CHANGED_S = 0.5
_KEY = "find in chat"


class FindInChat(QObject):
    """
    Signals:
        changed(InChat): the whole new state.
        went_to(str, int): the person wants to see a hit: its item, and which of the item's it is.
    """

    changed = Signal(object)
    went_to = Signal(str, int)

    def __init__(
        self,
        texts: Callable[[], Callable[[], Texts]],
        read: Callable[[Blob], Awaitable[bytes]],
        tasks: TaskScope,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._texts, self._read, self._tasks = texts, read, tasks
        self._goes_when_found = False
        self.state = InChat()

    # -- intentions

    def look(self, typed: str, *, near: ItemId | None = None) -> None:
        """Look for what was typed; the hit after `near` is the current one. Nothing on the screen moves."""
        self._goes_when_found = False
        if typed.strip():
            self._tasks.start(_KEY, self._look(typed, after_s=_TYPING_S, near=near))
        else:
            self._tasks.cancel(_KEY)
            self._tell(InChat(typed=typed))

    def go_to(self, typed: str, entry_id: EntryId) -> None:
        """Look for it, and go to the first hit of an entry."""
        self._tasks.start(_KEY, self._look(typed, after_s=0, entry_id=entry_id))

    def look_again(self) -> None:
        """The chat is another one: count anew, and stay."""
        if self.state.find:
            near = self.state.hits.place(self.state.current)[0] if self.state.current is not None else None
            self._tasks.start(_KEY, self._look(self.state.typed, after_s=_CHANGED_S, near=near))

    def step(self, by: int, *, stays: bool = False) -> None:
        """Go `by` hits on, round the ends. `stays`: to the current one, which was not gone to yet."""
        state = self.state
        if self._tasks.is_running(_KEY):
            self._goes_when_found = True  # the keys are quicker than the search
        elif state.current is not None:
            at = state.current if stays else (state.current + by) % state.hits.n
            self._tell(replace(state, current=at))
            self.went_to.emit(*state.hits.place(at))

    def end(self) -> None:
        self._tasks.cancel(_KEY)
        self._tell(InChat())

    # -- looking

    async def _look(
        self, typed: str, *, after_s: float, near: ItemId | None = None, entry_id: EntryId | None = None
    ) -> None:
        await asyncio.sleep(after_s)
        held = await asyncio.to_thread(self._texts())
        blobs = await asyncio.to_thread(originals_of, held)
        originals = {blob.sha256: await self._read_or_none(blob) for blob in blobs}
        hits, find, within = await asyncio.to_thread(look_through, typed, held, originals, entry_id=entry_id)
        if self.state.find == find:
            find = self.state.find  # what is marked stays so
        first = await asyncio.to_thread(_nearest, held, hits.items, within[0] if within else near)
        current = hits.first_in(first) if first else None
        self._tell(InChat(typed=typed, hits=hits, current=current, find=find))
        if within or self._goes_when_found:
            self._go(hits, current, within)

    def _go(self, hits: Hits, current: int | None, within: Sequence[ItemId]) -> None:
        self._goes_when_found = False
        if within:
            at = hits.place(current) if current is not None else None
            self.went_to.emit(*(at if at and at[0] in within else (within[0], 0)))
        elif current is not None:
            self.went_to.emit(*hits.place(current))

    async def _read_or_none(self, blob: Blob) -> str:
        try:
            return (await self._read(blob)).decode(errors="replace")
        except StoreError:  # its item says so
            return ""

    def _tell(self, state: InChat) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit(state)


def _nearest(held: Texts, found: Sequence[ItemId], near: ItemId | None) -> ItemId | None:
    """The first item with hits from `near` on, round the end; for a thread."""
    has_hits = set(found)
    is_past = near is None
    for item, _ in held:
        is_past = is_past or item == near
        if is_past and item in has_hits:
            return item
    return found[0] if found else None
