"""Reads what lies in the data folder."""

import asyncio

from PySide6.QtCore import QObject, Signal

from app.settings import Paths
from app.tasks import TaskScope
from ui.settings.storage.state import StorageState, read_storage


class StorageViewModel(QObject):
    """Signals:
    changed(StorageState): the whole new state.
    """

    changed = Signal(object)

    def __init__(self, paths: Paths, tasks: TaskScope, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._paths = paths
        self._tasks = tasks
        self.state = StorageState(folder=paths.data)

    def refresh(self) -> None:
        """When the page opens."""
        self._tasks.start("storage", self._read())

    async def wait(self) -> None:
        """Until what was asked for is read."""
        await self._tasks.wait("storage")

    async def _read(self) -> None:
        state = await asyncio.to_thread(read_storage, self._paths)
        if state != self.state:
            self.state = state
            self.changed.emit(state)
