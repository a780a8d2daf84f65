"""What the card of the prompt cache shows while somebody looks at it: read when it opens, counted by the second."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime

from PySide6.QtCore import QObject, Signal

from app.health.cache import CacheCard
from app.tasks import TaskScope
from ui.health.cache_card import CacheState


class CacheViewModel(QObject):
    """
    Signals:
        changed(CacheState): a second has passed, or something was written.
    """

    changed = Signal(object)

    def __init__(
        self,
        read: Callable[[], Awaitable[CacheCard | None]],
        now: Callable[[], datetime],
        tasks: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._read, self._now, self._tasks = read, now, tasks
        self._is_shown = False

    def show(self) -> None:
        self._is_shown = True
        self._tasks.start("cache card", self._follow())

    def hide(self) -> None:
        self._is_shown = False
        self._tasks.cancel("cache card")

    def reread(self) -> None:
        """Something was written."""
        if self._is_shown:
            self.show()

    async def _follow(self) -> None:
        if card := await self._read():
            while True:
                self.changed.emit(CacheState(card=card, now=self._now()))
                await asyncio.sleep(1)
