"""What leaves a chat for the clipboard or a file."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.core.entries import Entry, Origin
from app.core.parts import Blob
from app.tasks import TaskScope
from ui.chat.items import ChatItems
from ui.chat.long_texts import joined
from ui.kit.items import ItemId
from ui.kit.markdown.rich import plain, rich


class Copies(QObject):
    """
    Signals:
        copied(str): what `copy` was asked for.
        copied_rich(str, str): the same as HTML, and as words alone.
        saved(str): what `save` was.
    """

    copied = Signal(str)
    copied_rich = Signal(str, str)
    saved = Signal(str)

    def __init__(
        self,
        items: ChatItems,
        tasks: TaskScope,
        read_blob: Callable[[Blob], Awaitable[bytes]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._items, self._tasks, self._read_blob = items, tasks, read_blob

    def copy(self, item: ItemId) -> None:
        """Have `copied` tell the stored text of an item, byte for byte (case B62)."""
        self._hand(item, self.copied.emit)

    def copy_plain(self, item: ItemId) -> None:
        """The words without the marks of Markdown (U13)."""
        self._hand(item, self._copy_plain)

    def copy_rich(self, item: ItemId) -> None:
        """As HTML, and as words for where none is taken (U13)."""
        self._hand(item, self._copy_rich)

    def save(self, item: ItemId) -> None:
        """Have `saved` tell the same, for a file."""
        self._hand(item, self.saved.emit)

    def copy_last_answer(self, path: tuple[Entry, ...]) -> None:
        answers = (entry.id for entry in reversed(path) if entry.origin is Origin.ASSISTANT)
        if answer := next(filter(self._items.source, answers), None):
            self.copy(answer)

    def _copy_plain(self, text: str) -> None:
        self._tasks.start("form", self._formed(partial(_as_plain, text)))

    def _copy_rich(self, text: str) -> None:
        self._tasks.start("form", self._formed(partial(_as_rich, text)))

    async def _formed(self, work: Callable[[], tuple[str, str]]) -> None:
        """In a thread: an answer may be megabytes."""
        html, words = await asyncio.to_thread(work)
        if html:
            self.copied_rich.emit(html, words)
        else:
            self.copied.emit(words)

    def _hand(self, item: ItemId, to: Callable[[str], object]) -> None:
        source = self._items.source(item)
        if isinstance(source, str):
            to(source)
        elif source:
            self._tasks.start("hand", self._read(source, to))

    async def _read(self, bodies: tuple[str | Blob, ...], to: Callable[[str], object]) -> None:
        to(await joined(bodies, self._read_blob))


def _as_plain(text: str) -> tuple[str, str]:
    return "", plain(text)


def _as_rich(text: str) -> tuple[str, str]:
    return rich(text), plain(text)
