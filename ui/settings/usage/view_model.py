"""Reads what was used when its page is looked at."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date

from PySide6.QtCore import QObject, Signal

from app.core.records import Spending
from app.tasks import TaskScope
from ui.settings.usage.state import By, UsageState


class UsageViewModel(QObject):
    """Signals:
    changed(UsageState): the whole new state.
    """

    changed = Signal(object)

    def __init__(
        self,
        spending: Callable[[], Awaitable[tuple[Spending, ...]]],
        tasks: TaskScope,
        parent: QObject | None = None,
        *,
        today: Callable[[], date] = date.today,
    ) -> None:
        super().__init__(parent)
        self._spending, self._tasks, self._today = spending, tasks, today
        self.state = UsageState(today=today())

    def refresh(self) -> None:
        """When the page opens."""
        self._tasks.start("usage", self._read())

    def choose(self, by: str) -> None:
        self._fold(replace(self.state, by=By(by)))

    def look_back(self, days: str) -> None:
        self._fold(replace(self.state, days=int(days)))

    async def _read(self) -> None:
        spending = await self._spending()
        self._fold(replace(self.state, spending=spending, today=self._today(), is_read=True))

    def _fold(self, state: UsageState) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit(state)
