"""One window per data folder: a second start calls the first one to the front, and ends."""

import hashlib
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_PATIENCE_MS = 1_000


class Instance(QObject):
    """Two programs on one database would put right each other's running answers (M8), so there is one.

    Signals:
        called(): another start wants this window.
    """

    called = Signal()

    def __init__(self, data: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = "palimpsest-" + hashlib.sha256(str(data.resolve()).encode()).hexdigest()[:16]
        # Holds through a crash of the first: the lock names its process, and a dead one's is taken over.
        self._lock = QLockFile(str(data / "lock"))
        self._lock.setStaleLockTime(0)
        self._server = QLocalServer(self)
        self._server.newConnection.connect(self._answer)

    def begin(self) -> bool:
        """Whether this is the only one; if not, the other one was called."""
        if not self._lock.tryLock(0):
            socket = QLocalSocket()
            socket.connectToServer(self._name)
            socket.waitForConnected(_PATIENCE_MS)
            return False
        QLocalServer.removeServer(self._name)
        self._server.listen(self._name)
        return True

    def _answer(self) -> None:
        while socket := self._server.nextPendingConnection():
            socket.deleteLater()
        self.called.emit()
