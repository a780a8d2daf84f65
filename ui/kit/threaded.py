"""What takes longer than a frame has, worked out once in a thread and kept."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class Threaded(QObject, Generic[_Key, _Value]):
    """Answers by key; those last asked for stay.

    Args:
        otherwise: The answer where the work fails: what draws code or formulas gives no reader a fault of its own.
    Signals:
        ready(): more answers are known; what did without them is drawn again.
    """

    ready = Signal()

    def __init__(self, name: str, *, most: int, otherwise: _Value, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._most = most
        self._otherwise = otherwise
        self._known: OrderedDict[_Key, _Value] = OrderedDict()
        self._running: dict[_Key, Future[_Value]] = {}
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        # A thread never touches a QObject: its answers are fetched from here.
        self._poll = QTimer(self, interval=25)
        self._poll.timeout.connect(self._collect)

    @property
    def is_working(self) -> bool:
        return bool(self._running)

    def close(self) -> None:
        """Stop working; what is not begun never begins."""
        self._poll.stop()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _found(self, key: _Key, work: Callable[[], _Value]) -> _Value | None:
        """None: it is being worked out, and `ready` follows."""
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        if key not in self._running:
            self._running[key] = self._thread.submit(work)
            self._poll.start()
        return None

    def _collect(self) -> None:
        done = [key for key, answer in self._running.items() if answer.done()]
        for key in done:
            answer = self._running.pop(key)
            has_failed = answer.cancelled() or answer.exception()
            self._known[key] = self._otherwise if has_failed else answer.result()
        while len(self._known) > self._most:
            self._known.popitem(last=False)
        if not self._running:
            self._poll.stop()
        if done:
            self.ready.emit()
