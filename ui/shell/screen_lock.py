"""Hears from the desktop that its screen was locked or unlocked; where it tells nobody, nothing is heard (P8)."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import SLOT, QObject, Slot

_SAVERS = (
    "org.freedesktop.ScreenSaver",
    "org.gnome.ScreenSaver",
    "org.cinnamon.ScreenSaver",
    "org.mate.ScreenSaver",
    "org.xfce.ScreenSaver",
)
"""Interfaces of the session's bus with a signal `ActiveChanged(bool)`."""
_LOGIN = "org.freedesktop.login1.Session"
"""The system bus's, with `Lock()` and `Unlock()`: of any session, and a wrong guess lasts until the next key."""


class ScreenLock(QObject):
    """Calls `locked` and `unlocked`."""

    def __init__(
        self, locked: Callable[[], None], unlocked: Callable[[], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._locked, self._unlocked = locked, unlocked

    def listen(self) -> None:
        """From now on; called after the window shows."""
        if not sys.platform.startswith("linux"):
            return
        from PySide6.QtDBus import QDBusConnection

        def hear(bus: QDBusConnection, interface: str, signal: str, slot: str) -> None:
            bus.connect("", "", interface, signal, self, SLOT(slot))  # pyright: ignore[reportArgumentType]  # bytes, says the stub, and the call refuses them

        if _has_session_bus():
            for saver in _SAVERS:
                hear(QDBusConnection.sessionBus(), saver, "ActiveChanged", "on_active(bool)")
        hear(QDBusConnection.systemBus(), _LOGIN, "Lock", "on_lock()")
        hear(QDBusConnection.systemBus(), _LOGIN, "Unlock", "on_unlock()")

    @Slot(bool)
    def on_active(self, active: bool) -> None:  # noqa: FBT001  # the signal's form
        if active:
            self._locked()
        else:
            self._unlocked()

    @Slot()
    def on_lock(self) -> None:
        self._locked()

    @Slot()
    def on_unlock(self) -> None:
        self._unlocked()


def _has_session_bus() -> bool:
    """Asked for where there is none, the library would start one."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return "DBUS_SESSION_BUS_ADDRESS" in os.environ or bool(runtime and (Path(runtime) / "bus").exists())
