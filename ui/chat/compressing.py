"""Making room because the person asked for it: begun, counted, cancelled, told (U7)."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.core.ids import ChatId, CompactionId, EntryId
from app.tasks import TaskScope
from ui.kit.seconds import each_second

if TYPE_CHECKING:
    from app.chats.folding import Folding
    from app.chats.previewing import Preview  # all steps: no start waits for them


class Compressing(QObject):
    """
    Signals:
        told(): `step` or `seconds` is another one.
        ended(): what it wrote, if anything, is in the session.
        little_won(Preview): little or nothing would be won; the person is asked about it.
    """

    told = Signal()
    ended = Signal()
    little_won = Signal(object)

    def __init__(
        self,
        chat_id: ChatId,
        tasks: TaskScope,
        folding: Callable[[ChatId], "Awaitable[Folding]"],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._chat_id, self._tasks, self._folding = chat_id, tasks, folding
        self.step: str | None = None
        """The pipeline's, while it is waited for; None: it is not."""
        self.seconds = 0
        """Whole ones since it began."""

    def begin(self, preview: "Preview | None" = None) -> None:
        """Do it as it was looked at before, or at once."""
        if self.step is None:
            self._tasks.start("compress", self._compress(preview))

    def stop(self) -> None:
        self._tasks.cancel("compress")

    async def undo(self, compaction_id: CompactionId) -> None:
        await (await self._folding(self._chat_id)).undo(compaction_id)

    async def delete(self, entry_id: EntryId, *, is_deleted: bool) -> None:
        await (await self._folding(self._chat_id)).delete(entry_id, is_deleted=is_deleted)

    async def pin(self, entry_id: EntryId, *, is_pinned: bool) -> None:
        await (await self._folding(self._chat_id)).pin(entry_id, is_pinned=is_pinned)

    async def _compress(self, preview: "Preview | None") -> None:
        self._report("")
        self._tasks.start("compressing", each_second(self._count))
        try:
            folding = await self._folding(self._chat_id)
            made = preview or await folding.preview(report=self._report)
            if preview or made.is_worth_it:
                await folding.apply(made, report=self._report)
            else:
                self.little_won.emit(made)
        finally:
            self._tasks.cancel("compressing")
            self.step, self.seconds = None, 0
            self.ended.emit()

    def _report(self, step: str) -> None:
        self.step = step
        self.told.emit()

    def _count(self, seconds: int) -> None:
        self.seconds = seconds
        self.told.emit()
