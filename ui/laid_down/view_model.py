"""The summaries and the ledger of one chat: read, written anew, taken back."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.chats.ledger_editing import LedgerEditing
from app.chats.summary_editing import SummaryEditing
from app.context.conversation import Conversation
from app.context.summary.fields import Summary
from app.core.errors import AppError
from app.core.ids import ChatId, CompactionId
from app.core.ledger import LedgerKind
from app.core.records import Changes, Fact
from app.tasks import TaskScope
from ui.laid_down.state import LaidDownState, SummaryState

_RELOADED = {Fact.FOLDS, Fact.LEDGER, Fact.ENTRIES}


class LaidDownViewModel(QObject):
    """
    Signals:
        changed(LaidDownState): the whole new state.
        refused(AppError): a change was not made.
        saved(): a summary was written.
    """

    changed = Signal(object)
    refused = Signal(object)
    saved = Signal()

    def __init__(
        self,
        conversation: Conversation,
        summaries: SummaryEditing,
        ledger: LedgerEditing,
        on_error: Callable[[BaseException], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.state = LaidDownState()
        self.conversation = conversation
        self._summaries, self._ledger = summaries, ledger
        self._tasks = TaskScope(on_error)

    @property
    def chat_id(self) -> ChatId:
        return self.conversation.id

    def look(self) -> None:
        """Something of it was written."""
        self._tasks.start("read", self.read())

    def write(self, compaction_id: CompactionId, fields: Summary) -> None:
        self._do("write", lambda: self._write(compaction_id, fields))

    def undo_version(self, rev: int) -> None:
        self._do(f"undo {rev}", lambda: self._summaries.undo(rev))

    def add(self, text: str, kind: LedgerKind) -> None:
        self._do("add", lambda: self._ledger.add(text, kind))

    def edit(self, item_id: str, text: str) -> None:
        self._do(f"line {item_id}", lambda: self._ledger.edit(item_id, text))

    def remove(self, item_id: str) -> None:
        self._do(f"line {item_id}", lambda: self._ledger.remove(item_id))

    def on_changes(self, changes: Changes) -> None:
        if self.chat_id in changes.chats and changes.facts & _RELOADED:
            self.look()

    async def aclose(self) -> None:
        await self._tasks.aclose()

    def _do(self, key: str, work: Callable[[], Awaitable[object]]) -> None:
        self._tasks.start(key, self._tried(work))

    async def _tried(self, work: Callable[[], Awaitable[object]]) -> None:
        try:
            await work()
        except AppError as error:
            self.refused.emit(error)

    async def _write(self, compaction_id: CompactionId, fields: Summary) -> None:
        await self._summaries.write(compaction_id, fields)
        self.saved.emit()

    async def read(self) -> None:
        standing = await self._summaries.standing()
        found: list[SummaryState] = []
        for made in self.conversation.compactions:
            if versions := await self._summaries.versions(made.id):
                is_shown = made.id in standing
                found.append(SummaryState(compaction_id=made.id, versions=versions, is_shown=is_shown))
        lines = await self._ledger.lines()
        state = replace(self.state, summaries=tuple(found), lines=lines, is_loading=False)
        if state != self.state:
            self.state = state
            self.changed.emit(state)
