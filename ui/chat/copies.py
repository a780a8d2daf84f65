"""What leaves a chat for the clipboard or a file."""

from collections.abc import Awaitable, Callable

from PySide6.QtCore import QObject, Signal, SignalInstance

from app.core.entries import Entry, Origin
from app.core.parts import Blob
from app.tasks import TaskScope
from ui.chat.items import ChatItems
from ui.chat.long_texts import joined
from ui.kit.items import ItemId


class Copies(QObject):
    """
    Signals:
        copied(str): what `copy` was asked for.
        saved(str): what `save` was.
    """

    copied = Signal(str)
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
        self._hand(item, self.copied)

    def save(self, item: ItemId) -> None:
        """Have `saved` tell the same, for a file."""
        self._hand(item, self.saved)

    def copy_last_answer(self, path: tuple[Entry, ...]) -> None:
        answers = (entry.id for entry in reversed(path) if entry.origin is Origin.ASSISTANT)
        if answer := next(filter(self._items.source, answers), None):
            self.copy(answer)

    def _hand(self, item: ItemId, to: SignalInstance) -> None:
        source = self._items.source(item)
        if isinstance(source, str):
            to.emit(source)
        elif source:
            self._tasks.start("hand", self._read(source, to))

    async def _read(self, bodies: tuple[str | Blob, ...], to: SignalInstance) -> None:
        to.emit(await joined(bodies, self._read_blob))
