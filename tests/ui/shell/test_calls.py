"""Who is elsewhere is called when a long answer is there or something waits for them; who looks at it is not (U18)."""

from dataclasses import dataclass, field, replace

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.errors import AppError
from app.core.ids import ChatId, TurnId
from app.settings import Settings
from ui.chat.live import Live
from ui.chat.state import Caller, ChatState
from ui.kit.showcase import Stage
from ui.shell.calls import LONG_S, Calls
from ui.shell.layout import WindowLayout
from ui.shell.window import MainWindow

CHAT = ChatId("c1")
QUIET, BUSY = ChatState(), ChatState(live=Live(turn=TurnId("t")))


class Chat(QObject):
    """What of a chat's view model is heard."""

    changed = Signal(object)
    id = CHAT


class Chats(QObject):
    added = Signal(object)
    waits_changed = Signal(object, object)


@dataclass(slots=True)
class Room:
    """A window, a chat, and what the person was told where."""

    calls: Calls
    window: MainWindow
    chats: Chats
    chat: Chat
    now_s: list[float]
    shown: list[bool]
    settings: list[Settings]
    posted: list[str] = field(default_factory=list[str])
    said: list[str] = field(default_factory=list[str])
    opened: list[ChatId] = field(default_factory=list[ChatId])

    def post(self, _title: str, text: str) -> None:
        self.posted.append(text)

    def say(self, text: str, **_more: object) -> None:
        self.said.append(text)

    def answer(self, seconds: float, end: ChatState = QUIET) -> None:
        self.chat.changed.emit(BUSY)
        self.now_s[0] += seconds
        self.chat.changed.emit(end)


@pytest.fixture
def room(stage: Stage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Room:
    window = MainWindow(stage.theme, stage.icons, layout=WindowLayout(), save=lambda _: None)
    qtbot.addWidget(window)
    chats, chat, now_s, shown, settings = Chats(), Chat(), [0.0], [False], [Settings()]
    opened: list[ChatId] = []
    calls = Calls(
        chats,  # pyright: ignore[reportArgumentType]  # its two signals
        window,
        title=lambda _: "Billing",
        is_shown=lambda _: shown[0],
        opened=opened.append,
        settings=lambda: settings[0],
        open_limit=lambda: None,
        now_s=lambda: now_s[0],
        parent=window,
    )
    chats.added.emit(chat)
    room = Room(calls, window, chats, chat, now_s, shown, settings, opened=opened)
    monkeypatch.setattr(calls.tray, "post", room.post)
    monkeypatch.setattr(window, "say", room.say)
    return room


def be(monkeypatch: pytest.MonkeyPatch, *, away: bool) -> None:
    state = Qt.ApplicationState.ApplicationInactive if away else Qt.ApplicationState.ApplicationActive
    monkeypatch.setattr(QApplication, "applicationState", lambda: state)


def test_a_long_answer_calls_who_is_elsewhere_until_they_come(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    be(monkeypatch, away=True)

    room.answer(LONG_S - 1)
    short = list(room.posted)
    room.answer(LONG_S)
    unseen = room.calls.unseen
    room.calls.tray.pressed.emit()

    assert short == []
    assert room.posted == ["“Billing” is answered"]
    assert unseen == (CHAT,)
    assert (room.opened, room.calls.unseen) == ([CHAT], ())
    assert room.said == []


def test_a_failure_and_what_waits_are_told_as_such(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also a turn that has reached its limit of requests: it waits to be told whether it goes on."""
    be(monkeypatch, away=True)

    room.answer(LONG_S, ChatState(failure=AppError("No.")))
    room.chats.waits_changed.emit(frozenset({CHAT}), frozenset({CHAT}))

    assert room.posted == ["“Billing” ended with an error", "“Billing” waits for you"]
    assert room.calls.unseen == (CHAT,)


def test_who_is_here_gets_a_word_about_another_chat_and_none_about_what_they_see(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    be(monkeypatch, away=False)

    room.answer(LONG_S)
    room.shown[0] = True
    room.answer(LONG_S)

    assert room.said == ["“Billing” is answered"]
    assert (room.posted, room.calls.unseen) == ([], ())


def test_notifications_can_be_switched_off_and_the_count_stays(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    be(monkeypatch, away=True)
    room.settings[0] = Settings(notifies=False)

    room.answer(LONG_S)

    assert (room.posted, room.calls.unseen) == ([], (CHAT,))


def test_a_sub_agents_own_chat_calls_nobody(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    be(monkeypatch, away=True)
    called = Caller(chat_id=None, title="")
    room.chat.changed.emit(replace(BUSY, caller=called))
    room.now_s[0] += LONG_S
    room.chat.changed.emit(ChatState(caller=called))

    assert room.posted == []


@pytest.mark.parametrize("away", [False, True])
def test_a_day_whose_money_for_probes_is_spent_is_told_once(
    room: Room, monkeypatch: pytest.MonkeyPatch, *, away: bool
) -> None:
    """P8, U18"""
    be(monkeypatch, away=away)
    for is_met in (False, True, True):
        room.calls.note_limit(is_met=is_met)

    told = ["Today's limit for keeping prompts warm is reached"]
    assert (room.said, room.posted) == (told, told if away else [])

    room.calls.note_limit(is_met=False)  # another day
    room.calls.note_limit(is_met=True)
    assert room.said == told * 2
