"""Calls the person: an answer that took long is there, or something waits for them (U18).

Who is in another program gets a notification of the system, a count at the program's icon, and the icon's own sign; who is
here and reads another chat gets a word at the lower edge. Who looks at it gets nothing.
"""

from collections.abc import Callable
from functools import partial
from time import monotonic

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from app.core.ids import ChatId
from app.settings import Settings
from ui.chat.state import ChatState
from ui.chat.view_model import ChatViewModel
from ui.shell.open_chats import OpenChats
from ui.shell.window import MainWindow

LONG_S = 15.0
"""Who waited shorter is still there, or will look."""


class Tray(QObject):
    """The system's notifications. Its icon is there as long as one may be pressed, and no longer.

    Signals:
        pressed(): the newest one was.
    """

    pressed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._icon: QSystemTrayIcon | None = None

    def post(self, title: str, text: str) -> None:
        """Nothing where the system takes none."""
        if not QSystemTrayIcon.isSystemTrayAvailable():
            return
        if self._icon is None:
            self._icon = QSystemTrayIcon(QApplication.windowIcon(), self)
            self._icon.setToolTip("Palimpsest")
            self._icon.messageClicked.connect(self.pressed)
            self._icon.activated.connect(self._press)
        self._icon.show()
        self._icon.showMessage(title, text, QApplication.windowIcon())

    def _press(self, _reason: QSystemTrayIcon.ActivationReason) -> None:
        self.pressed.emit()

    def clear(self) -> None:
        if self._icon:
            self._icon.hide()


class Calls(QObject):
    """
    Args:
        title: Of a chat, in words.
        is_shown: Whether a chat is what the window shows.
        opened: Shows one.
        settings: As they are now.
        open_limit: Shows where the day's limit for probes is set.
        now_s: Of a clock that only goes forth.
    """

    def __init__(
        self,
        chats: OpenChats,
        window: MainWindow,
        *,
        title: Callable[[ChatId], str],
        is_shown: Callable[[ChatId], bool],
        opened: Callable[[ChatId], None],
        settings: Callable[[], Settings],
        open_limit: Callable[[], None],
        now_s: Callable[[], float] = monotonic,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window, self._title, self._is_shown = window, title, is_shown
        self._opened, self._settings, self._now_s = opened, settings, now_s
        self._open_limit = open_limit
        self._has_met_limit = False
        self._began_s: dict[ChatId, float] = {}
        self._unseen: dict[ChatId, None] = {}
        """The newest last."""
        self.tray = Tray(self)
        self.tray.pressed.connect(self._come)
        chats.added.connect(self._follow)
        chats.waits_changed.connect(self._note_waiting)
        qt = QApplication.instance()
        assert isinstance(qt, QApplication)
        qt.applicationStateChanged.connect(self._attend)

    @property
    def is_away(self) -> bool:
        """Whether another program has the keyboard."""
        return QApplication.applicationState() is not Qt.ApplicationState.ApplicationActive

    @property
    def unseen(self) -> tuple[ChatId, ...]:
        """Chats in which something happened while the person was elsewhere, the newest last."""
        return tuple(self._unseen)

    def _follow(self, model: ChatViewModel) -> None:
        model.changed.connect(partial(self._note, model.id))

    def _note(self, chat_id: ChatId, state: ChatState) -> None:
        if state.caller:  # a sub-agent's: the chat for which it works tells
            return
        if state.live:
            self._began_s.setdefault(chat_id, self._now_s())
        elif (began_s := self._began_s.pop(chat_id, None)) is not None:
            is_long = self._now_s() - began_s >= LONG_S
            if is_long and not state.is_waiting:
                self._call(chat_id, self._ended(chat_id, has_failed=state.failure is not None))

    def _note_waiting(self, _waiting: frozenset[ChatId], new: frozenset[ChatId]) -> None:
        for chat_id in new:
            self._call(chat_id, self.tr("“{title}” waits for you").format(title=self._title(chat_id)))

    def note_limit(self, *, is_met: bool) -> None:
        """The day's money for probes is spent, or is no more: told once, when it comes to that (P8)."""
        is_new = is_met and not self._has_met_limit
        self._has_met_limit = is_met
        if not is_new:
            return
        text = self.tr("Today's limit for keeping prompts warm is reached")
        self._window.say(text, action=self.tr("Settings"), run=self._open_limit)
        if self.is_away and self._settings().notifies:
            self.tray.post("Palimpsest", text)

    def _ended(self, chat_id: ChatId, *, has_failed: bool) -> str:
        text = self.tr("“{title}” ended with an error") if has_failed else self.tr("“{title}” is answered")
        return text.format(title=self._title(chat_id))

    def _call(self, chat_id: ChatId, text: str) -> None:
        if self.is_away:
            self._unseen.pop(chat_id, None)
            self._unseen[chat_id] = None
            self._window.call()
            self._count()
            if self._settings().notifies:
                self.tray.post("Palimpsest", text)
        elif not self._is_shown(chat_id):
            self._window.say(text, action=self.tr("Open"), run=partial(self._opened, chat_id))

    def _come(self) -> None:
        """A notification was pressed: to the chat that it is about."""
        newest = next(reversed(self._unseen), None)
        self._window.show()
        self._window.raise_()
        self._window.activateWindow()
        if newest:
            self._opened(newest)
        self._attend(Qt.ApplicationState.ApplicationActive)

    def _attend(self, state: Qt.ApplicationState) -> None:
        if state is not Qt.ApplicationState.ApplicationActive:
            return
        self.tray.clear()
        if self._unseen:
            self._unseen.clear()
            self._count()

    def _count(self) -> None:
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        app.setBadgeNumber(len(self._unseen))
