"""The preview of one chat's compression: planned when it opens, anew when the focus or the target is another one."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.chats.folding import Folding
from app.chats.previewing import Preview
from app.core.errors import AppError
from app.tasks import TaskScope
from ui.folding.state import PreviewState, Work
from ui.kit.seconds import each_second

_PAUSE_S = 0.4
"""So long after the last key it is planned anew."""


class PreviewViewModel(QObject):
    """
    Args:
        folding: The chat's.
        tell: An expected failure in words.
        preview: A plan that was made already.

    Signals:
        changed(PreviewState): the whole new state.
    """

    changed = Signal(object)

    def __init__(
        self,
        folding: Callable[[], Awaitable[Folding]],
        *,
        title: str,
        tell: Callable[[AppError], str],
        on_error: Callable[[BaseException], None],
        preview: Preview | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._folding = folding
        self._tell = tell
        self._tasks = TaskScope(on_error)
        work = Work.NONE if preview else Work.PLANNING
        self.state = PreviewState(title=title, preview=preview, work=work)

    def start(self) -> None:
        """Plan, unless a plan was given."""
        if self.state.preview is None:
            self._plan(0)

    def set_topic(self, topic: str) -> None:
        """What shall go last."""
        if topic.strip() != self.state.topic:
            self._fold(replace(self.state, topic=topic.strip()))
            self._plan(_PAUSE_S)

    def set_target(self, tokens: int) -> None:
        """What the next request shall have at most."""
        if tokens != self.state.target_tokens:
            self._fold(replace(self.state, target_tokens=tokens))
            self._plan(_PAUSE_S)

    def write_summary(self) -> None:
        """Have the model write now what is only priced yet; nothing of it is applied."""
        if self.state.can_write and (preview := self.state.preview):
            self._begin(Work.WRITING, partial(self._written, preview))

    async def aclose(self) -> None:
        """Drop what is under way; the chat is as it was."""
        await self._tasks.aclose()

    def _plan(self, wait_s: float) -> None:
        self._begin(Work.PLANNING, partial(self._planned, wait_s))

    async def _planned(self, wait_s: float) -> Preview:
        await asyncio.sleep(wait_s)
        topic, target = self.state.topic, self.state.target_tokens
        folding = await self._folding()
        return await folding.preview(topic=topic, target_tokens=target, report=self._report)

    async def _written(self, preview: Preview) -> Preview:
        return await (await self._folding()).write_summary(preview, report=self._report)

    def _begin(self, work: Work, make: Callable[[], Awaitable[Preview]]) -> None:
        self._fold(replace(self.state, work=work, step="", elapsed_s=0, error=""))
        self._tasks.start("work", self._work(make))
        self._tasks.start("count", each_second(self._count))

    async def _work(self, make: Callable[[], Awaitable[Preview]]) -> None:
        try:
            preview = await make()
        except AppError as error:
            self._fold(replace(self.state, work=Work.NONE, error=self._tell(error)))
        else:
            self._fold(replace(self.state, work=Work.NONE, preview=preview))
        self._tasks.cancel("count")

    def _count(self, seconds: int) -> None:
        self._fold(replace(self.state, elapsed_s=seconds))

    def _report(self, step: str) -> None:
        self._fold(replace(self.state, step=step))

    def _fold(self, state: PreviewState) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit(state)
