"""What the next message meets: at another model before it is chosen and after (A6), and when room will be made (U4)."""

import asyncio

from PySide6.QtCore import QObject, Signal

from app.agent.outlook import Outlook
from app.agent.session import ChatSession
from app.context.budget import Fill, Stage
from app.context.plan import COLD_FROM
from app.core.errors import AppError
from app.core.ids import ModelId
from app.tasks import TaskScope
from ui.chat.ahead import RoomAhead, room_ahead
from ui.chat.pastes import parted, paste_of
from ui.chat.prospect import Switch, pending, switch_of

_QUIET_S = 0.2
"""So long after the last key the draft is looked at."""


class Switching(QObject):
    """
    Signals:
        told(): `switch` or `room` may be others.
        considered(str, Switch | None): what choosing that model would do; None: nothing that can be said.
    """

    told = Signal()
    considered = Signal(str, object)

    def __init__(self, session: ChatSession, tasks: TaskScope, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._tasks = tasks
        self._draft = parted(session.draft.text, {text: paste_of(text) for text in session.draft.pastes})
        """What is typed, and how many tokens are pasted beside it."""
        self._is_near = False
        """The person writes, or looks at models: who only reads a long chat pays for no plan of it (Q8)."""
        self.switch: Switch | None = None
        """What the next message meets, if it goes to another model than the last one."""
        self.room: RoomAhead | None = None
        """What room it will make, or the person may make now."""
        self._stage: Stage | None = None
        """Of the last look; None: nothing was looked at."""

    def look(self, fill: Fill | None, draft: str, pasted_tokens: int = 0) -> None:
        """The chat, its model or the draft is another one. Args: `fill`: with that draft."""
        is_typed = (draft, pasted_tokens) != self._draft
        self._is_near |= is_typed
        self._draft = (draft, pasted_tokens)
        is_switched = self._session.is_switched
        is_due = (is_switched or _is_tight(fill)) and (self._is_near or not self._session.is_imported)
        if not is_due or self._session.is_running:
            self._stage = None
            self._tasks.cancel("switch")
            self._tell(None)
        elif is_switched or not is_typed or (fill and fill.stage) is not self._stage:
            self._stage = fill.stage if fill else None
            self._tasks.start("switch", self._look())

    def consider(self, model: ModelId) -> None:
        """The person looks at `model`, to choose it perhaps."""
        self._is_near = True
        self._tasks.start("consider", self._consider(model))

    async def _look(self) -> None:
        """Again when the prompt cache has expired: what was too dear to rewrite is no more."""
        in_s = _QUIET_S
        while in_s:
            await asyncio.sleep(in_s)
            try:
                outlook = await self._session.outlook(None, *self._draft)
            except AppError:  # the next turn tells it where it concerns
                outlook = None
            self._tell(outlook)
            in_s = outlook.warm_s if outlook else 0

    def _tell(self, outlook: Outlook | None) -> None:
        self.switch, self.room = pending(outlook), room_ahead(outlook)
        self.told.emit()

    async def _consider(self, model: ModelId) -> None:
        try:
            outlook = await self._session.outlook(model, *self._draft)
        except AppError:  # as above
            outlook = None
        self.considered.emit(model, switch_of(outlook) if outlook else None)


def _is_tight(fill: Fill | None) -> bool:
    """Whether there is so much in the window that a plan may hold a compaction."""
    return fill is not None and fill.use is not None and fill.use >= COLD_FROM
