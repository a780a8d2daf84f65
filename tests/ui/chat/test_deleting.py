"""A message is deleted alone, and comes back whole (M10)."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu

from tests.fakes import answer, until
from tests.ui.chat.conftest import Desk
from tests.ui.chat.test_compress import seen
from tests.ui.chat.test_view import press
from tests.ui.chat.test_view_model import talk
from ui.chat.items import DELETED, FAILURE
from ui.chat.view import ChatView
from ui.chat.view_model import ChatViewModel
from ui.kit.items import DividerItem


def texts_seen(desk: Desk, model: ChatViewModel) -> str:
    """What the model would read."""
    return "\n".join(str(part) for message in seen(desk, model) for part in message.parts)


async def settled(model: ChatViewModel) -> None:
    await until(lambda: not model.state.is_busy)


async def test_a_deleted_message_is_a_line_with_the_way_back_and_the_model_sees_nothing_of_it(
    desk: Desk,
) -> None:
    model = await desk.chat()
    desk.gateway.say(answer("One."), answer("Two."))
    await talk(model, "First", "Second")
    before = list(model.items.ids())

    model.delete(before[1])
    await settled(model)

    line = model.items.ids()[1]
    shown = model.items.content(line)
    assert list(model.items.ids()) == [before[0], f"{DELETED}{before[1]}", *before[2:]]
    assert isinstance(shown, DividerItem)
    assert [action.id for action in shown.actions] == ["undo"]
    assert "One." not in texts_seen(desk, model)
    assert "Two." in texts_seen(desk, model)
    assert not model.items.can_delete(line)

    model.undo(line)
    await settled(model)

    assert list(model.items.ids()) == before
    assert "One." in texts_seen(desk, model)


async def test_it_is_still_deleted_after_the_chat_was_opened_again(desk: Desk) -> None:
    model = await desk.chat()
    await talk(model, "First")
    model.delete(model.items.ids()[0])
    await settled(model)

    again = await desk.chat(model.id)

    assert again.items.ids()[0].startswith(DELETED)


async def test_a_deleted_question_is_not_called_unanswered(desk: Desk) -> None:
    model = await desk.chat()
    await talk(model, "First")

    model.delete(model.items.ids()[1])
    await settled(model)
    model.delete(model.items.ids()[0])
    await settled(model)

    assert FAILURE not in model.items.ids()
    assert len(model.items.ids()) == 2


async def test_the_chat_goes_on_after_its_last_message_was_deleted(desk: Desk) -> None:
    model = await desk.chat()
    desk.gateway.say(answer("One."), answer("Two."))
    await talk(model, "First")
    model.delete(model.items.ids()[1])
    await settled(model)

    await talk(model, "Second")

    assert [entry.text for entry in model.state.path] == ["First", "One.", "Second", "Two."]
    assert "One." not in str(desk.gateway.requests[-1].messages)


async def test_the_focused_message_is_deleted_by_the_delete_key_or_from_its_menu(
    desk: Desk, view: ChatView
) -> None:
    """U13."""
    model = await desk.chat()
    await talk(model, "First", "Second")
    view.show_chat(model)
    first, answered, second, _ = model.items.ids()

    view.transcript.focus_item(answered)
    press(view.transcript, Qt.Key.Key_Delete)
    await settled(model)
    view.transcript.context_menu_requested.emit(second, QPoint(0, 0))
    menu = next(menu for menu in view.findChildren(QMenu) if menu.isVisible())
    (delete,) = (action for action in menu.actions() if action.data() == (second, "delete"))
    delete.trigger()
    menu.close()
    await settled(model)

    assert [item.startswith(DELETED) for item in model.items.ids()] == [False, True, True, False]
    assert model.items.ids()[0] == first
