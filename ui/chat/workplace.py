"""The folder that a chat works in: told to its header, chosen and given up there (A13)."""

from collections.abc import Awaitable, Callable

from PySide6.QtCore import QObject, Signal

from app.core.ids import ChatId
from app.settings import Settings
from app.tasks import TaskScope


class Workplace(QObject):
    """
    Args:
        settings: The chat's own on top of the application's.
        choose: Has a chat work in a folder, or, where that is empty, in none.

    Signals:
        changed(str): the folder; empty: none.
    """

    changed = Signal(str)

    def __init__(
        self,
        chat_id: ChatId,
        tasks: TaskScope,
        *,
        settings: Callable[[ChatId], Awaitable[Settings]],
        choose: Callable[[ChatId, str], Awaitable[None]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.folder = ""
        self._chat_id = chat_id
        self._tasks = tasks
        self._settings = settings
        self._choose = choose

    def look(self) -> None:
        """The settings may be others."""
        self._tasks.start("workplace", self.read())

    def choose(self, folder: str) -> None:
        self._tasks.start("workplace", self._change(folder))

    async def _change(self, folder: str) -> None:
        await self._choose(self._chat_id, folder)
        await self.read()

    async def read(self) -> None:
        folder = (await self._settings(self._chat_id)).workspace
        if folder != self.folder:
            self.folder = folder
            self.changed.emit(folder)
