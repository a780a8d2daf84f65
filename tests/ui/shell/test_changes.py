"""Many writes, one signal."""

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.ids import ChatId
from app.core.records import Changes, Fact
from ui.shell.changes import ChangeFeed


def test_the_writes_of_one_turn_of_the_loop_are_one_signal(qapp: QApplication, qtbot: QtBot) -> None:
    feed = ChangeFeed()
    heard = list[Changes]()
    feed.changed.connect(heard.append)

    with qtbot.waitSignal(feed.changed):
        feed.take(Changes(facts=frozenset({Fact.CHATS}), chats=frozenset({ChatId("a")})))
        feed.take(Changes(facts=frozenset({Fact.FOLDS}), chats=frozenset({ChatId("b")})))

    both = Changes(facts=frozenset({Fact.CHATS, Fact.FOLDS}), chats=frozenset({ChatId("a"), ChatId("b")}))
    assert heard == [both]


def test_a_later_write_is_a_signal_of_its_own(qapp: QApplication, qtbot: QtBot) -> None:
    feed = ChangeFeed()
    change = Changes(facts=frozenset({Fact.SETTINGS}))
    with qtbot.waitSignal(feed.changed):
        feed.take(change)
    heard = list[Changes]()
    feed.changed.connect(heard.append)

    with qtbot.waitSignal(feed.changed):
        feed.take(change)

    assert heard == [change]
