"""The chats that a chat shares its beginning with: the one it was forked from, and its own forks (U10)."""

from collections.abc import Awaitable, Callable, Iterable

from PySide6.QtCore import QObject, Signal

from app.core.entries import Chat
from app.core.ids import ChatId
from app.tasks import TaskScope
from ui.chat.state import Kin


class Kinship(QObject):
    """
    Args:
        chats: All chats that are not in the trash.

    Signals:
        told(): `kin` is another one.
    """

    told = Signal()

    def __init__(
        self,
        chat_id: ChatId,
        tasks: TaskScope,
        chats: Callable[[], Awaitable[tuple[Chat, ...]]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.kin: tuple[Kin, ...] = ()
        self._chat_id = chat_id
        self._tasks = tasks
        self._chats = chats

    def look(self) -> None:
        """Chats came, went or were renamed."""
        self._tasks.start("kin", self._look())

    async def _look(self) -> None:
        kin = kin_of(self._chat_id, await self._chats())
        if kin != self.kin:
            self.kin = kin
            self.told.emit()


def kin_of(chat_id: ChatId, chats: Iterable[Chat]) -> tuple[Kin, ...]:
    """Its parent first, then its forks, oldest first."""
    known = {chat.id: chat for chat in chats}
    own = known.get(chat_id)
    found: list[Kin] = []
    if own and own.parent_id and own.fork_entry_id and (parent := known.get(own.parent_id)):
        found.append(Kin(id=parent.id, title=parent.title, after=own.fork_entry_id, is_parent=True))
    forks = sorted(
        (chat for chat in known.values() if chat.parent_id == chat_id), key=lambda chat: chat.created_at
    )
    found.extend(
        Kin(id=chat.id, title=chat.title, after=chat.fork_entry_id) for chat in forks if chat.fork_entry_id
    )
    return tuple(found)
