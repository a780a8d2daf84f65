"""The originals of a chat, from its transcript: how each stands, its first lines, and the way back into the context (U9)."""

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal

from app.core.artifacts import PartKey, Sight
from app.core.errors import StoreError
from app.core.ids import ChatId, EntryId
from app.core.parts import Blob
from app.tasks import TaskScope
from ui.chat.long_texts import shown
from ui.chat.ports import ChatPorts
from ui.chat.texts import Beginning

_PEEK_BYTES = 4_096


class Originals(QObject):
    """
    Signals:
        told(): `sights` is another one.
        peeked(Blob, Beginning): what `peek` was asked for.
        read(Blob, str): what `want` was asked for.
    """

    told = Signal()
    peeked = Signal(object, object)
    read = Signal(object, str)

    def __init__(
        self, chat_id: ChatId, tasks: TaskScope, ports: ChatPorts, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.sights: Mapping[PartKey, Sight] = {}
        self._chat_id = chat_id
        self._tasks = tasks
        self._ports = ports
        self._peeked = set[str]()
        self._wanted = set[str]()

    def look(self) -> None:
        """Something was folded, put back or said."""
        self._tasks.start("sights", self._look())

    def peek(self, blob: Blob) -> None:
        if blob.sha256 not in self._peeked:
            self._peeked.add(blob.sha256)
            self._tasks.start(f"peek {blob.sha256}", self._peek(blob))

    def want(self, blob: Blob) -> None:
        """A text that is on or near the screen; asked for again, it is read once."""
        if blob.sha256 not in self._wanted:
            self._wanted.add(blob.sha256)
            self._tasks.start(f"blob {blob.sha256}", self._read(blob))

    def put_back(self, entry_id: EntryId) -> None:
        """Show the group of an entry whole again; undone like any compaction."""
        self._tasks.start(f"put back {entry_id}", self._put_back(entry_id))

    async def _look(self) -> None:
        sights = await self._ports.sights(self._chat_id)
        if sights != self.sights:
            self.sights = sights
            self.told.emit()

    async def _peek(self, blob: Blob) -> None:
        has_text = blob.mime.startswith("text/") or blob.mime == "application/json"
        try:
            data = await self._ports.read_range(blob, 0, _PEEK_BYTES if has_text else 1)
        except StoreError as error:
            told = self._ports.tell(error)
            self.peeked.emit(blob, Beginning(lost=f"{told.text} {told.hint}".strip()))
        else:
            self.peeked.emit(blob, Beginning(lines=data.decode(errors="ignore") if has_text else ""))

    async def _read(self, blob: Blob) -> None:
        self.read.emit(blob, await shown(blob, self._ports.read_blob, self._ports.tell))

    async def _put_back(self, entry_id: EntryId) -> None:
        await (await self._ports.folding(self._chat_id)).put_back(entry_id)
