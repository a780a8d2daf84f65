"""What becomes of a chat at another model: looked at before it is chosen, and told until the next message (A6)."""

import asyncio

from PySide6.QtCore import QObject, Signal

from app.agent.session import ChatSession
from app.core.errors import AppError
from app.core.ids import ModelId
from app.tasks import TaskScope
from ui.chat.pastes import parted, paste_of
from ui.chat.prospect import pending, switch_of

_QUIET_S = 0.2
"""So long after the last key the draft is looked at."""


class Switching(QObject):
    """
    Signals:
        told(Switch | None): what the next message meets, if it goes to another model than the last one.
        considered(str, Switch | None): what choosing that model would do; None: nothing that can be said.
    """

    told = Signal(object)
    considered = Signal(str, object)

    def __init__(self, session: ChatSession, tasks: TaskScope, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._tasks = tasks
        self._draft = parted(session.draft.text, {text: paste_of(text) for text in session.draft.pastes})
        """What is typed, and how many tokens are pasted beside it."""
        self._is_near = False
        """The person writes, or looks at models: who only reads a long chat pays for no plan of it (Q8)."""

    def look(self, draft: str, pasted_tokens: int = 0) -> None:
        """The chat, its model or the draft is another one."""
        self._is_near |= (draft, pasted_tokens) != self._draft
        self._draft = (draft, pasted_tokens)
        is_due = self._session.is_switched and (self._is_near or not self._session.is_imported)
        if is_due and not self._session.is_running:
            self._tasks.start("switch", self._look())
        else:
            self._tasks.cancel("switch")
            self.told.emit(None)

    def consider(self, model: ModelId) -> None:
        """The person looks at `model`, to choose it perhaps."""
        self._is_near = True
        self._tasks.start("consider", self._consider(model))

    async def _look(self) -> None:
        await asyncio.sleep(_QUIET_S)
        try:
            self.told.emit(pending(await self._session.outlook(None, *self._draft)))
        except AppError:  # the next turn tells it where it concerns
            self.told.emit(None)

    async def _consider(self, model: ModelId) -> None:
        try:
            outlook = await self._session.outlook(model, *self._draft)
        except AppError:  # as above
            outlook = None
        self.considered.emit(model, switch_of(outlook) if outlook else None)
