"""What is done for an open chat between its turns: it is counted, folded at leisure, kept warm and read ahead."""

import logging
from collections.abc import Callable

from app.agent.desk import Desk, DeskPorts
from app.agent.execution import Execution
from app.agent.warmth import KeepAlive
from app.context.conversation import Conversation
from app.core.errors import AppError, StoreError
from app.core.records import Changes
from app.tasks import TaskScope

log = logging.getLogger(__name__)


class BetweenTurns:
    """
    Args:
        scope: The session's own: a turn that runs in it comes before everything here.
    """

    def __init__(
        self,
        *,
        conversation: Conversation,
        desk: Desk,
        ports: DeskPorts,
        keep_alive: KeepAlive,
        scope: TaskScope,
        publish: Callable[[Changes], None],
    ) -> None:
        self._conversation = conversation
        self._desk = desk
        self._keep_alive = keep_alive
        self._scope = scope
        self._executions = ports.executions
        self._store = ports.store
        self._publish = publish

    @property
    def _is_quiet(self) -> bool:
        return not self._scope.is_running("turn")

    @property
    def _execution(self) -> Execution | None:
        return self._executions.last(self._conversation.id)

    async def look(self) -> None:
        """Find out what the next turn runs on, and count what is not counted yet."""
        self._scope.start("count", self._desk.count(await self._desk.look()))
        self.keep_warm()

    def count(self) -> None:
        """Count what is shown now."""
        if execution := self._execution:
            self._scope.start("count", self._desk.count(execution))

    def turn_begins(self) -> None:
        """Whatever was planned for a quiet chat is off; what is being counted is counted."""
        for key in ("idle", "warm", "take up"):
            self._scope.cancel(key)

    def after_a_turn(self) -> None:
        if execution := self._execution:
            self._scope.start("count", self._after(execution))

    async def _after(self, execution: Execution) -> None:
        await self._desk.count(execution)
        if fill := self._desk.fill():
            pair = (fill.projection.projected_tokens, fill.window.tokens)
            self._publish(await self._store.update_chat(self._conversation.id, fill=pair))
        if self._is_quiet:
            self._scope.start("idle", self._idle(execution))
            self.keep_warm()
            self.read_ahead()

    async def _idle(self, execution: Execution) -> None:
        try:
            if await self._desk.idle(execution):
                self.keep_warm()
        except AppError as error:  # nothing was changed, and the next send makes room itself
            log.info("Nothing was compressed between turns: %s", error)

    def keep_warm(self) -> None:
        """Plan the probes of the prompt as it is now; called when it has changed."""
        if self._is_quiet:
            self._scope.start("warm", self._keep_alive.run())

    def take_up(self) -> None:
        """Somebody is here again, or begins to write: plan what is not planned yet, for what the next turn runs on."""
        if self._is_quiet:
            self._scope.start("take up", self._take_up())

    async def _take_up(self) -> None:
        known = self._execution
        try:
            if await self._executions.of(self._conversation.chat) is not known:
                await self.look()
            elif not self._scope.is_running("warm"):
                self.keep_warm()
        except AppError as error:  # the next turn tells it
            log.info("Nothing is kept warm: %s", error)

    def read_ahead(self) -> None:
        """Another message is likely: who only reads a long chat pays nothing for it (Q8)."""
        if self._is_quiet and not self._scope.is_running("ahead"):
            self._scope.start("ahead", self._ahead())

    async def _ahead(self) -> None:
        try:
            await self._desk.read_ahead()
        except StoreError as error:  # it is read when it is needed
            log.info("Nothing was read ahead: %s", error)
