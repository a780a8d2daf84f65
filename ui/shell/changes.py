"""What was written, told to every screen: the writes of one turn of the loop as one signal."""

from PySide6.QtCore import QObject, Signal

from app.core.records import Changes
from ui.kit.coalesced import Coalesced


class ChangeFeed(QObject):
    """Hand `take` to `Application.watch`.

    Signals:
        changed(Changes): everything that was written since the last one.
    """

    changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting = Changes()
        self._tell = Coalesced(self._emit, interval_ms=0, max_ms=0, parent=self)

    def take(self, changes: Changes) -> None:
        self._waiting |= changes
        self._tell.request()

    def _emit(self) -> None:
        changes, self._waiting = self._waiting, Changes()
        self.changed.emit(changes)
