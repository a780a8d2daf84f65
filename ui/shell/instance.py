"""One window per data folder: a second start calls the first one to the front, hands on what it was to open, and ends."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError
from PySide6.QtCore import QLockFile, QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_NAMED = TypeAdapter(list[str])
_PATIENCE_MS = 1_000
_OURS_ALONE = 0o600
_MOST_BYTES = 256 * 1024


class Instance(QObject):
    """Two programs on one database would put right each other's running answers (M8), so there is one.

    Signals:
        called(list[str]): another start wants this window, and these files or addresses opened.
    """

    called = Signal(list)

    def __init__(self, data: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = "palimpsest-" + hashlib.sha256(str(data.resolve()).encode()).hexdigest()[:16]
        # Holds through a crash of the first: the lock names its process, and a dead one's is taken over.
        self._lock_path = data / "lock"
        self._lock = QLockFile(str(self._lock_path))
        self._lock.setStaleLockTime(0)
        self._server = QLocalServer(self)
        self._server.newConnection.connect(self._answer)

    def begin(self, to_open: Sequence[str] = ()) -> bool:
        """Whether this is the only one; if not, the other one was called."""
        if not self._lock.tryLock(0):
            socket = QLocalSocket()
            socket.connectToServer(self._name)
            if socket.waitForConnected(_PATIENCE_MS):
                socket.write(json.dumps([*to_open]).encode())
                socket.disconnectFromServer()
                if socket.state() is not QLocalSocket.LocalSocketState.UnconnectedState:
                    socket.waitForDisconnected(_PATIENCE_MS)
            return False
        self._lock_path.chmod(_OURS_ALONE)  # Qt makes it as the umask says (Q22)
        QLocalServer.removeServer(self._name)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.listen(self._name)
        return True

    def _answer(self) -> None:
        while socket := self._server.nextPendingConnection():
            socket.disconnected.connect(self._take)
            if socket.state() is QLocalSocket.LocalSocketState.UnconnectedState:
                self._hear(socket)

    def _take(self) -> None:
        socket = self.sender()
        assert isinstance(socket, QLocalSocket)
        self._hear(socket)

    def _hear(self, socket: QLocalSocket) -> None:
        said = bytes(socket.read(_MOST_BYTES).data())
        socket.deleteLater()
        self.called.emit(named(said))


def named(said: bytes) -> list[str]:
    """What a start asks to be opened; nothing where it says anything else."""
    try:
        return _NAMED.validate_json(said, strict=True)
    except ValidationError:
        return []
