"""Deleted chats: read, put back, and deleted for good after a question."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from app.context.ports import Removal
from app.core.entries import Chat
from app.core.ids import ChatId
from app.core.records import Changes, Fact
from app.tasks import TaskScope
from ui.settings.trash.state import TrashedChat, TrashState, question, trash_state


class TrashLibrary(Protocol):
    """The part of `Library` that the trash needs."""

    async def chats(self, *, trash: bool = False) -> tuple[Chat, ...]: ...

    async def restore(self, chat_id: ChatId) -> Changes: ...

    async def removal(self, chat_id: ChatId) -> Removal: ...


class TrashPort(Protocol):
    """The application, as far as the trash needs it."""

    def publish(self, changes: Changes) -> None: ...

    def watch(self, listener: Callable[[Changes], None]) -> Callable[[], None]: ...

    async def delete_for_good(self, chat_id: ChatId) -> None: ...


class TrashViewModel(QObject):
    """Signals:
    changed(TrashState): the whole new state.
    asked(Question): what `delete` with these chats would do; it waits for the answer.
    """

    changed = Signal(object)
    asked = Signal(object)

    def __init__(
        self,
        library: TrashLibrary,
        port: TrashPort,
        tasks: TaskScope,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._library = library
        self._port = port
        self._tasks = tasks
        self._now = now
        self.state = TrashState()
        self.stop_watching = port.watch(self._note)

    def refresh(self) -> None:
        """When the page opens."""
        self._tasks.start("trash", self._read())

    async def wait(self) -> None:
        """Until what was asked for is done."""
        for key in ("trash deed", "trash"):
            await self._tasks.wait(key)

    def restore(self, chat_id: ChatId) -> None:
        self._tasks.start("trash deed", self._restore(chat_id))

    def ask(self, chats: tuple[TrashedChat, ...]) -> None:
        """Find out what `delete` would take along, and have `asked` tell it."""
        self._tasks.start("trash deed", self._ask(chats))

    def delete(self, chats: tuple[TrashedChat, ...]) -> None:
        """For good; the person was asked."""
        self._tasks.start("trash deed", self._delete(chats))

    def _note(self, changes: Changes) -> None:
        if self.state.is_read and Fact.CHATS in changes.facts:
            self.refresh()

    async def _read(self) -> None:
        state = trash_state(await self._library.chats(trash=True), now=self._now())
        if state != self.state:
            self.state = state
            self.changed.emit(state)

    async def _restore(self, chat_id: ChatId) -> None:
        self._port.publish(await self._library.restore(chat_id))

    async def _ask(self, chats: tuple[TrashedChat, ...]) -> None:
        removals = [await self._library.removal(chat.id) for chat in chats]
        titles = {chat.id: chat.title for chat in await self._library.chats()}
        self.asked.emit(question(chats, removals, titles))

    async def _delete(self, chats: tuple[TrashedChat, ...]) -> None:
        for chat in chats:
            await self._port.delete_for_good(chat.id)
