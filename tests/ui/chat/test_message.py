"""What is done with one message beyond its row of actions, and the list of all turns (U13, U15)."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.ids import EntryId, ModelId
from app.core.usage import Usage
from app.settings import Endpoint
from tests.fakes import answer, until
from tests.ui.chat.conftest import Desk
from tests.ui.chat.test_view_model import talk
from tests.ui.kit.heard import heard
from ui.chat.details import DetailsDialog, DetailWords, details_of
from ui.chat.model_picker import ModelChoice
from ui.chat.turns_list import Turn, TurnsList, found
from ui.chat.view import ChatView
from ui.kit.items import ItemId, UserItem
from ui.kit.showcase import Stage

Key = Qt.Key


@pytest.fixture
def view(qtbot: QtBot, stage: Stage) -> Iterator[ChatView]:
    """Of a chat for which another model can be chosen."""
    large = ModelChoice(id=ModelId("acme/large"), name="large", group="Acme")
    view = ChatView(stage.theme, stage.icons, QPushButton("ring"), lambda: (large,))
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.show()
    yield view
    view.leave()


def press(widget: QWidget, key: Qt.Key) -> None:
    QTest.keyClick(widget, key)


async def test_an_answer_leaves_as_words_or_with_its_formatting(desk: Desk, view: ChatView) -> None:
    """U13."""
    model = await desk.chat()
    view.show_chat(model)
    desk.gateway.say(answer("It is **so**."))
    await talk(model, "How?")
    item, clipboard = model.state.path[1].id, QGuiApplication.clipboard()

    view.transcript.action_triggered.emit(item, "copy_plain")
    await until(lambda: clipboard.text() == "It is so.")
    assert not clipboard.mimeData().hasHtml()
    view.transcript.action_triggered.emit(item, "copy_rich")
    await until(lambda: clipboard.mimeData().hasHtml())

    assert "<strong>so</strong>" in clipboard.mimeData().html()
    assert clipboard.text() == "It is so."


async def test_a_message_tells_its_details_and_another_model_answers_once(desk: Desk, view: ChatView) -> None:
    """U13: tokens, cached, price, times, model, version."""
    acme = Endpoint(
        id="acme",
        kind="compatible",
        name="Acme",
        base_url="http://127.0.0.1:1",
        needs_key=False,
        models=("large",),
    )
    await desk.application.change(endpoints=[acme.model_dump(mode="json")])
    model = await desk.chat()
    view.show_chat(model)
    usage = Usage(prompt_tokens=2_000, completion_tokens=30, cached_tokens=500, reasoning_tokens=10)
    desk.gateway.say(answer("So.", usage=usage))
    await talk(model, "How?")
    asked, given = model.state.path

    view.transcript.action_triggered.emit(given.id, "retry_with")
    assert view.header.picker
    view.header.picker.search.setText("large")
    press(view.header.picker.search, Key.Key_Return)
    await until(lambda: len(model.session.conversation.transcript) == 3 and not model.session.is_running)
    view.transcript.action_triggered.emit(given.id, "details")
    dialog = view.window().findChild(DetailsDialog)

    assert dialog
    told = dict(dialog.rows)
    assert told["Model"] == "builtin/extractive"
    assert (told["Tokens read"], told["of these from the cache"]) == ("2000", "500 (25%)")
    assert (told["Tokens written"], told["of these reasoning"]) == ("30", "10")
    assert told["Version"] == "1 of 2"
    assert {"Written", "To the first token", "Whole answer", "Price"} <= told.keys()
    assert desk.gateway.targets[-1].model == "acme/large"
    assert model.session.conversation.chat.model != "acme/large"
    assert "Tokens read" not in dict(DetailWords().rows(details_of(model.session, asked.id)))
    dialog.accept()


async def test_a_message_is_pinned_from_its_menu_and_says_so(desk: Desk, view: ChatView) -> None:
    """U13: the pin is the store's, so that compression knows it; the same again takes it off."""
    model = await desk.chat()
    view.show_chat(model)
    await talk(model, "Keep this", "And this")
    kept = model.state.path[0].id

    def pinned() -> set[EntryId]:
        return {pin.entry_id for pin in model.session.conversation.pins if pin.undone_rev is None}

    def figures(entry_id: EntryId) -> str:
        item = model.items.content(ItemId(entry_id))
        assert isinstance(item, UserItem)
        return item.footer.figures

    view.transcript.action_triggered.emit(kept, "pin")
    await until(lambda: model.state.pinned == frozenset({kept}) and not model.state.is_busy)
    assert pinned() == {kept}
    assert (figures(kept), figures(model.state.path[2].id)) == ("pinned", "")
    view.transcript.action_triggered.emit(kept, "pin")
    await until(lambda: not model.state.pinned and not model.state.is_busy)

    assert pinned() == set()
    assert figures(kept) == ""
    view.pin_here()  # what the command and /pin do
    await until(lambda: model.state.pinned == frozenset({model.state.path[2].id}))


async def test_a_turn_is_found_in_the_list_of_all_and_gone_to_by_keys(desk: Desk, view: ChatView) -> None:
    """U15: the list begins at the turn that is read."""
    model = await desk.chat()
    view.show_chat(model)
    await talk(model, "First\nquestion", "Another one", "The last")

    view.open_turns()
    popup = view.findChild(TurnsList)
    assert popup
    shown = [popup.model.data(popup.model.index(row, 0)) for row in range(popup.model.rowCount())]
    assert shown == ["1.  First question", "2.  Another one", "3.  The last"]
    press(popup.search, Key.Key_Up)
    press(popup.search, Key.Key_Return)

    went = heard(view.transcript.focused_changed)
    view.open_turns()
    popup = view.findChildren(TurnsList)[-1]
    popup.search.setText("question fir")
    press(popup.search, Key.Key_Return)
    assert went == [(model.state.path[0].id,)]
    assert view.transcript.hasFocus()


@given(st.lists(st.text(max_size=12), max_size=6), st.text(max_size=6))
def test_what_is_found_among_the_turns_is_some_of_them_in_their_order(titles: list[str], words: str) -> None:
    turns = tuple(Turn(entry_id=EntryId(str(n)), n=n, title=title) for n, title in enumerate(titles, 1))

    shown = found(turns, words)

    assert [turn for turn in turns if turn in shown] == list(shown)
    assert found(turns, "") == turns
    assert all(
        word in f"{turn.n} {turn.title}".casefold() for turn in shown for word in words.casefold().split()
    )
