"""The chat on the screen: keys, what each button does, where the focus goes, what a screen reader finds."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.errors import ProviderError
from app.core.events import Accepted, TextArrived
from app.core.ids import ModelId, TurnId
from tests.fakes import answer, until
from tests.ui.chat.conftest import Desk
from tests.ui.chat.test_view_model import said, talk
from tests.ui.kit.heard import heard
from tests.ui.widgets import unnamed
from ui.chat.end_items import preview_items
from ui.chat.items import FAILURE
from ui.chat.live import Live
from ui.chat.model_picker import ModelChoice
from ui.chat.samples import SAMPLES, SETTLED, sample_view
from ui.chat.state import ChatState
from ui.chat.view import ChatView
from ui.kit.showcase import Stage

Key = Qt.Key
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def view(qtbot: QtBot, stage: Stage) -> Iterator[ChatView]:
    ring = QPushButton("ring")
    choices = (
        ModelChoice(id=ModelId("acme/large"), name="large", group="Acme"),
        ModelChoice(id=ModelId("builtin/extractive"), name="extractive", group="Built in"),
    )
    view = ChatView(stage.theme, stage.icons, ring, lambda: choices)
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.show()
    yield view
    view.leave()


def press(widget: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(widget, key, modifiers)


def write(view: ChatView, text: str) -> None:
    view.composer.input.setPlainText(text)


def compose(widget: QWidget, preedit: str, commit: str = "") -> None:
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    QApplication.sendEvent(widget, event)


# ---- writing


def test_a_piece_of_an_answer_redraws_neither_header_nor_composer(view: ChatView) -> None:
    """Q7: both were drawn 25 times a second, with their icons."""
    begun = ChatState(title="Ledger", live=Live(turn=TurnId("t"), text="One"))
    grown = replace(begun, live=Live(turn=TurnId("t"), text="One more"))
    button = next(
        each for each in view.composer.findChildren(QAbstractButton) if each.property("role") == "send"
    )

    view.composer.input.setFocus()
    view.header.draw(begun)
    view.composer.draw(begun)
    view.header.title.setCursorPosition(3)  # drawing it goes back to its beginning
    icon = button.icon().cacheKey()
    view.header.draw(grown)
    view.composer.draw(grown)

    assert view.header.title.cursorPosition() == 3
    assert button.icon().cacheKey() == icon


async def test_enter_sends_and_shift_enter_is_a_new_line(desk: Desk, view: ChatView) -> None:
    """U14."""
    model = await desk.chat()
    view.show_chat(model)
    keys = view.composer.input

    QTest.keyClicks(keys, "One")
    press(keys, Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(keys, "two")
    assert keys.text() == "One\ntwo"
    press(keys, Key.Key_Return)
    await until(lambda: said(model) == ["One\ntwo", "Fine."] and not model.session.is_running)

    assert keys.text() == ""
    assert view.transcript.isVisible()
    assert not view.greeting.isVisible()


async def test_an_input_methods_enter_sends_nothing(desk: Desk, view: ChatView) -> None:
    """B60: in the composer and in the title."""
    model = await desk.chat()
    view.show_chat(model)
    sent = heard(view.composer.submitted)
    renamed = heard(view.header.renamed)

    for field in (view.composer.input, view.header.title):
        field.setFocus()
        compose(field, "ni hao")
        press(field, Key.Key_Return)
        assert (sent, renamed) == ([], [])
        compose(field, "", commit="你好")
    assert view.header.title.text() == "你好"
    press(view.composer.input, Key.Key_Return)

    assert sent == [("你好",)]
    await until(lambda: len(model.state.path) == 2 and not model.session.is_running)


async def test_escape_leaves_the_edit_first_then_stops_and_over_a_text_only_when_pressed_twice(
    desk: Desk, view: ChatView
) -> None:
    """3.2: an answer is not stopped by accident."""
    model = await desk.chat()
    view.show_chat(model)
    keys = view.composer.input
    await talk(model, "Hello?")
    press(keys, Key.Key_Up)
    assert (keys.text(), model.state.editing) == ("Hello?", model.state.path[0].id)
    press(keys, Key.Key_Escape)
    assert (keys.text(), model.state.editing) == ("", None)
    desk.gateway.say((Accepted(), TextArrived(text="Half"), asyncio.Event()))
    model.send("Again")
    await until(lambda: bool(model.state.live and model.state.live.text))
    write(view, "Meanwhile")

    press(keys, Key.Key_Escape)
    await asyncio.sleep(0.01)
    assert model.session.is_running
    press(keys, Key.Key_Escape)
    await until(lambda: not model.session.is_running)

    assert said(model)[-1] == "Half"
    assert keys.text() == "Meanwhile"


async def test_the_button_says_what_it_does(desk: Desk, view: ChatView) -> None:
    model = await desk.chat()
    view.show_chat(model)
    button = next(each for each in view.composer.findChildren(QPushButton) if each.property("role") == "send")
    states = [(button.accessibleName(), button.isEnabled())]
    write(view, "Hello?")
    states.append((button.accessibleName(), button.isEnabled()))
    desk.gateway.say((Accepted(), asyncio.Event()))
    button.click()
    await until(lambda: model.state.live is not None and not model.state.is_busy)
    states.append((button.accessibleName(), button.isEnabled()))
    write(view, "Next")
    states.append((button.accessibleName(), button.isEnabled()))
    write(view, "")
    button.click()
    await until(lambda: not model.session.is_running)

    assert states == [
        ("Send", False),
        ("Send", True),
        ("Stop (Esc)", True),
        ("Queue: send when the answer is done", True),
    ]


async def test_what_waits_is_shown_and_comes_back_when_pressed(desk: Desk, view: ChatView) -> None:
    model = await desk.chat()
    view.show_chat(model)
    desk.gateway.say((Accepted(), asyncio.Event()))
    model.send("First")
    await until(lambda: model.state.live is not None and not model.state.is_busy)
    write(view, "Second & more")
    press(view.composer.input, Key.Key_Return)
    await until(lambda: model.state.queue == ("Second & more",) and not model.state.is_busy)
    assert view.composer.input.text() == ""

    chip = next(each for each in view.composer.findChildren(QPushButton) if "Second" in each.text())
    assert chip.text() == "Next: Second && more"
    chip.click()
    await until(lambda: model.state.queue == ())

    assert view.composer.input.text() == "Second & more"
    press(view.composer.input, Key.Key_Return)
    await until(lambda: model.state.queue == ("Second & more",) and not model.state.is_busy)
    write(view, "Third")
    names = {each.accessibleName(): each for each in view.composer.findChildren(QPushButton)}
    names["Remove what waits: Second & more"].click()
    await until(lambda: model.state.queue == () and not model.state.is_busy)
    assert view.composer.input.text() == "Third"
    assert model.session.draft.queue == ()
    model.stop()
    await until(lambda: not model.session.is_running)


# ---- one chat after another


async def test_each_chat_has_its_own_draft(desk: Desk, view: ChatView) -> None:
    """U14: nothing that was typed goes to another chat, not even by undo."""
    one, two = await desk.chat(), await desk.chat()
    view.show_chat(one)
    write(view, "For one")

    view.leave()
    view.show_chat(two)
    assert view.composer.input.text() == ""
    press(view.composer.input, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert view.composer.input.text() == ""
    write(view, "For two")
    view.show_chat(one)

    assert (view.composer.input.text(), two.drafting.text) == ("For one", "For two")


async def test_what_is_sent_before_the_chat_is_open_is_said_once(desk: Desk, view: ChatView) -> None:
    model = await desk.chat()
    model.drafting.type("An older draft")
    write(view, "Early")
    press(view.composer.input, Key.Key_Return)
    press(view.composer.input, Key.Key_Return)
    write(view, "Early, and more")

    view.show_chat(model)
    await until(lambda: said(model) == ["Early", "Fine."] and not model.session.is_running)

    assert len(desk.gateway.requests) == 1
    assert view.composer.input.text() == ", and more\n\nAn older draft"


async def test_a_chat_is_read_on_where_it_was_left(desk: Desk, view: ChatView) -> None:
    """U15."""
    desk.gateway.say(answer("long line\n\n" * 200), answer("last"))
    one, two = await desk.chat(), await desk.chat()
    await talk(one, "First", "Second")
    view.show_chat(one)
    view.transcript.scroll_by(-900)
    top = view.transcript.top

    position = view.leave()
    view.show_chat(two)
    view.show_chat(one, position)

    assert view.transcript.top == top
    assert not view.transcript.is_following


async def test_a_reader_is_not_pulled_down_while_an_answer_streams(desk: Desk, view: ChatView) -> None:
    """U15, B61."""
    model = await desk.chat()
    view.show_chat(model)
    gates = [asyncio.Event() for _ in range(3)]
    desk.gateway.say(
        (
            Accepted(),
            TextArrived(text="line\n\n" * 100),
            gates[0],
            TextArrived(text="line\n\n" * 100),
            *answer()[-1:],
        )
    )
    model.send("Hello?")
    await until(lambda: bool(model.state.live and model.state.live.text))
    view.transcript.flush()
    assert view.transcript.is_at_end
    view.transcript.scroll_by(-600)
    top = view.transcript.top

    gates[0].set()
    await until(lambda: len(model.state.path) == 2)
    view.transcript.flush()

    assert view.transcript.top == top
    await until(lambda: not model.session.is_running)


# ---- acting on messages


async def test_a_failures_buttons_lead_where_they_say(desk: Desk, view: ChatView) -> None:
    """U17."""
    model = await desk.chat()
    view.show_chat(model)
    desk.gateway.say((ProviderError("It broke.", hint="Look there.", detail="status 418"),))
    model.send("Hello?")
    await until(lambda: model.state.failure is not None and not model.session.is_running)
    wanted = heard(view.notice_pressed)

    def act(action: str) -> None:
        view.transcript.action_triggered.emit(FAILURE, action)

    act("settings")
    assert wanted == [("settings",)]
    act("copy")
    assert QGuiApplication.clipboard().text() == "provider\nIt broke.\nLook there.\nstatus 418"
    act("model")
    assert view.header.picker
    assert view.header.picker.names() == ["large", "extractive"]
    view.header.picker.close()
    act("retry")
    await until(lambda: said(model) == ["Hello?", "Fine."] and not model.session.is_running)


async def test_a_message_has_its_actions_in_a_menu(desk: Desk, view: ChatView) -> None:
    """U13."""
    model = await desk.chat()
    view.show_chat(model)
    await talk(model, "Hello?")

    view.transcript.context_menu_requested.emit(model.state.path[1].id, QPoint(10, 10))

    menu = view.findChild(QMenu)
    assert isinstance(menu, QMenu)
    assert [action.text() for action in menu.actions()] == [
        "Copy",
        "Copy as plain text",
        "Copy with formatting",
        "Retry",
        "Fork from here",
        "Retry with another model…",
        "Pin: never fold it",
        "Details…",
        "Delete message\tDel",
    ]
    menu.actions()[0].trigger()
    menu.close()
    await until(lambda: QGuiApplication.clipboard().text() == "Fine.")


def test_links_and_remote_pictures_are_asked_for_and_not_opened(view: ChatView) -> None:
    """U12, B66, B67: the shell judges, and asks."""
    wanted = heard(view.link_activated)

    view.transcript.link_activated.emit("https://evil.example")
    view.transcript.image_requested.emit("https://attacker.example/p.png?d=SECRET")

    assert wanted == [("https://evil.example",), ("https://attacker.example/p.png?d=SECRET",)]


def test_code_is_offered_to_be_saved(view: ChatView) -> None:
    saved = heard(view.text_saved)

    view.transcript.code_save_requested.emit("item", "\tx  \n")

    assert saved == [("\tx  \n",)]


# ---- the title


async def test_the_title_is_renamed_by_enter_and_left_by_escape(desk: Desk, view: ChatView) -> None:
    model = await desk.chat()
    view.show_chat(model)
    await talk(model, "Hello?")
    title = view.header.title
    view.activateWindow()

    title.setFocus()
    title.setText("Half a na")
    press(title, Key.Key_Escape)
    assert title.text() == "Hello?"
    title.setFocus()
    title.setText("Greetings")
    press(title, Key.Key_Return)
    await until(lambda: model.state.title == "Greetings")

    assert title.text() == "Greetings"
    assert view.composer.input.hasFocus()


# ---- an empty chat


def test_an_empty_chat_greets_and_a_beginning_fills_the_composer(view: ChatView) -> None:
    view.preview(preview_items(ChatState()), ChatState())
    write(view, "x = 1")
    assert (view.greeting.isVisible(), view.transcript.isVisible()) == (True, False)

    view.greeting.findChildren(QPushButton)[0].click()

    text = view.composer.input.text()
    assert text.startswith("Explain")
    assert text.endswith("\n\nx = 1")


# ---- for everybody


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_state_draws_and_names_its_controls(qtbot: QtBot, stage: Stage, sample: str) -> None:
    view = SAMPLES[sample](stage)
    qtbot.addWidget(view)
    view.resize(900, 600)
    view.show()

    assert not view.grab().isNull()
    assert unnamed(view) == []


def test_tab_goes_from_the_title_to_the_composer_and_its_buttons(qtbot: QtBot, stage: Stage) -> None:
    view = sample_view(stage, SETTLED, draft="Hello?")
    qtbot.addWidget(view)
    with qtbot.waitActive(view):
        view.show()
    view.header.title.setFocus()
    seen: list[QWidget | None] = []

    for _ in range(40):
        seen.append(QApplication.focusWidget())
        target = QApplication.focusWidget()
        assert target
        press(target, Key.Key_Tab)

    order = [seen.index(each) for each in (view.header.title, view.header.model, view.transcript)]
    assert order == sorted(order)
    assert seen.index(view.composer.input) > order[-1]


def test_the_words_change_with_the_language(view: ChatView) -> None:
    """U22."""
    view.composer.input.setPlaceholderText("")
    view.header.title.setPlaceholderText("")

    QApplication.sendEvent(view.composer, QEvent(QEvent.Type.LanguageChange))
    QApplication.sendEvent(view.header, QEvent(QEvent.Type.LanguageChange))

    assert view.composer.input.placeholderText().startswith("Message Palimpsest — Enter to send")
    assert view.header.title.placeholderText() == "New chat"
