"""Hears that somebody is there: keys, the mouse and the wheel, at whichever window has the focus."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QGuiApplication, QWindow

_INPUT = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseMove,
        QEvent.Type.Wheel,
        QEvent.Type.TouchBegin,
    }
)


class Presence(QObject):
    """Calls `seen` for each of them.

    It stands at the system's windows, which get only what the system sends: at the application all that widgets
    tell each other, at each frame, would pass through Python.
    """

    def __init__(self, qt: QGuiApplication, seen: Callable[[], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._seen = seen
        qt.focusWindowChanged.connect(self._attend)
        self._attend(qt.focusWindow())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _INPUT:
            self._seen()
        return False

    def _attend(self, window: QWindow | None) -> None:
        if window is not None:
            window.installEventFilter(self)  # once more changes nothing
            self._seen()
