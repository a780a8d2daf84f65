"""Taking back what a turn changed of files, from the chat: asked first, told afterwards (A12)."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.agent.reverting import Reverted
from app.core.ids import ChatId, EntryId
from app.tasks import TaskScope
from ui.chat.state import Reverting


class Reverts(QObject):
    """
    Args:
        changed: The paths that calls of a chat's answers changed, by answer, as long as that is not taken back.
        revert: Takes back what calls of these answers changed.

    Signals:
        told(): `changed` or `wanted` is another one.
    """

    told = Signal()

    def __init__(
        self,
        chat_id: ChatId,
        tasks: TaskScope,
        *,
        changed: Callable[[ChatId], Awaitable[Mapping[EntryId, tuple[str, ...]]]],
        revert: Callable[[ChatId, Collection[EntryId]], Awaitable[Reverted]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.wanted: Reverting | None = None
        self._paths: Mapping[EntryId, tuple[str, ...]] = {}
        self._chat_id = chat_id
        self._tasks = tasks
        self._read_changed = changed
        self._revert = revert

    @property
    def changed(self) -> frozenset[EntryId]:
        return frozenset(self._paths)

    def look(self) -> None:
        """A turn has ended."""
        self._tasks.start("changed files", self.read())

    def ask(self, turn: Collection[EntryId]) -> None:
        """Whether what the turn of these entries changed shall be taken back."""
        answers = tuple(each for each in turn if each in self._paths)
        paths = tuple(dict.fromkeys(path for each in answers for path in self._paths[each]))
        if paths:
            self._want(Reverting(answers=answers, paths=paths))

    def leave(self) -> None:
        """Not, or it is read what became of it."""
        self._want(None)

    def do(self) -> None:
        if self.wanted and not self.wanted.done:
            self._tasks.start("revert", self._do(self.wanted))

    async def read(self) -> None:
        paths = await self._read_changed(self._chat_id)
        if paths != self._paths:
            self._paths = paths
            self.told.emit()

    async def _do(self, wanted: Reverting) -> None:
        done = await self._revert(self._chat_id, wanted.answers)
        self._want(replace(wanted, done=done))
        await self.read()

    def _want(self, wanted: Reverting | None) -> None:
        self.wanted = wanted
        self.told.emit()
