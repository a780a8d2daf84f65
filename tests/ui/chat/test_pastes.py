"""A long paste is a chip, from the clipboard over a restart to the transcript (U14)."""

from pathlib import Path
from time import thread_time

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from app.core.parts import TextPart
from tests.fakes import until
from tests.ui.chat.conftest import Desk, desk_at
from tests.ui.chat.test_view import press
from tests.ui.chat.test_view_model import said
from ui.chat.message_input import CHIP, MessageInput
from ui.chat.paste_dialog import PasteDialog
from ui.chat.view import ChatView
from ui.kit.items import PasteItem, UserItem

LOG = "\n".join(f"{n:06} GET /orders 200" for n in range(400))
OTHER = LOG.replace("GET", "PUT")
WHOLE = f"Look at this:\n\n{LOG}\n\nWhat is wrong?"


def as_mime(text: str) -> QMimeData:
    data = QMimeData()
    data.setText(text)
    return data


def paste(field: MessageInput, text: str) -> None:
    field.insertFromMimeData(as_mime(text))


def write(field: MessageInput) -> None:
    """The message `WHOLE`."""
    field.insertPlainText("Look at this: ")
    paste(field, LOG)
    field.insertPlainText(" What is wrong?")


@pytest.fixture
def field(view: ChatView) -> MessageInput:
    view.composer.input.setFocus()
    return view.composer.input


def dialog(view: ChatView) -> PasteDialog:
    return next(found for found in view.findChildren(PasteDialog) if found.isVisible())


def click(view: ChatView, name: str) -> None:
    button = next(button for button in dialog(view).findChildren(QPushButton) if button.text() == name)
    button.click()


# ---- in the composer


@pytest.mark.parametrize(("length", "n_chips"), [(4_000, 0), (4_001, 1)])
def test_only_a_paste_of_more_than_4000_characters_becomes_a_chip(
    field: MessageInput, length: int, n_chips: int
) -> None:
    paste(field, "x" * length)

    assert len(field.chips()) == n_chips
    assert field.text() == "x" * length


def test_a_chip_stands_where_it_was_pasted_and_says_its_extent(field: MessageInput) -> None:
    write(field)

    (chip,) = field.chips()
    assert field.toPlainText() == f"Look at this: {CHIP} What is wrong?"
    assert field.text() == WHOLE
    assert (chip.paste.n_lines, 4_000 < chip.paste.n_tokens < 8_000) == (400, True)


def test_the_sign_of_a_chip_in_a_text_is_no_chip(field: MessageInput) -> None:
    paste(field, f"a{CHIP}b")

    assert (field.text(), field.chips()) == (f"a{CHIP}b", ())


def test_backspace_takes_a_chip_out_and_undo_brings_it_back(field: MessageInput) -> None:
    paste(field, LOG)
    press(field, Qt.Key.Key_Backspace)
    assert field.text() == ""

    field.undo()

    assert field.text() == LOG


def test_what_is_copied_out_of_the_composer_has_the_words(field: MessageInput) -> None:
    write(field)

    field.selectAll()
    field.copy()

    assert QGuiApplication.clipboard().text() == WHOLE


def test_windows_line_ends_and_half_an_emoji_do_not_outlive_the_clipboard(field: MessageInput) -> None:
    paste(field, LOG.replace("\n", "\r\n") + "\x00")

    assert field.text() == LOG + "\u2400"


def test_a_megabyte_is_pasted_within_two_frames_and_typed_beside_within_one(field: MessageInput) -> None:
    """Qt laid out all of it at each key: 70 to 350 ms."""
    data = as_mime("some words of a log\n" * 50_000)
    began_s = thread_time()
    field.insertFromMimeData(data)
    pasted_s = thread_time() - began_s
    began_s = thread_time()
    QTest.keyClicks(field, "and ten it")
    typed_s = thread_time() - began_s

    assert pasted_s < 0.066
    assert typed_s < 0.16


def test_a_chip_is_opened_by_f2_and_changed(view: ChatView, field: MessageInput) -> None:
    write(field)
    field.undo()
    field.moveCursor(field.textCursor().MoveOperation.End)
    press(field, Qt.Key.Key_F2)

    dialog(view).area.setPlainText(OTHER)
    dialog(view).area.document().setModified(True)
    press(dialog(view).area, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)

    assert field.text() == f"Look at this:\n\n{OTHER}"
    assert len(field.chips()) == 1


def test_a_chip_is_opened_by_a_click(view: ChatView, field: MessageInput) -> None:
    paste(field, LOG)

    place = field.cursorRect().center()
    place.setX(30)
    QTest.mouseClick(field.viewport(), Qt.MouseButton.LeftButton, pos=place)

    assert dialog(view).area.toPlainText() == LOG


def test_an_opened_chip_is_turned_back_into_text_or_removed(view: ChatView, field: MessageInput) -> None:
    write(field)
    field.opened.emit(field.chips()[0])
    click(view, "Turn into text")
    assert field.toPlainText() == f"Look at this: {LOG} What is wrong?"
    field.clear()
    paste(field, LOG)

    field.opened.emit(field.chips()[0])
    click(view, "Remove")

    assert field.text() == ""


def test_the_keyboard_is_told_what_it_stands_beside(view: ChatView, field: MessageInput) -> None:
    write(field)
    button = next(each for each in view.composer.findChildren(QPushButton) if each.text() == "Open (F2)")
    seen = [button.isVisible()]

    field.moveCursor(field.textCursor().MoveOperation.Start)
    for _ in "Look at this: ":
        field.moveCursor(field.textCursor().MoveOperation.Right)
    seen.append(button.isVisible())

    assert seen == [False, True]
    assert button.accessibleName() == "Open what is attached"


# ---- sent and kept


async def test_it_is_sent_in_its_place_and_shown_folded(desk: Desk, view: ChatView) -> None:
    model = await desk.chat()
    view.show_chat(model)

    write(view.composer.input)
    press(view.composer.input, Qt.Key.Key_Return)
    await until(lambda: len(said(model)) == 2 and not model.session.is_running)

    own = model.state.path[0]
    items = [model.items.content(item) for item in model.items.ids()[:3]]
    assert own.parts == (
        TextPart(text="Look at this:"),
        TextPart(text=LOG, is_paste=True),
        TextPart(text="What is wrong?"),
    )
    assert [type(item) for item in items] == [UserItem, PasteItem, UserItem]
    assert isinstance(items[1], PasteItem)
    assert items[1].figures.startswith("400 ")
    assert items[1].text == LOG
    assert model.items.source(model.items.ids()[2]) == ("Look at this:", LOG, "What is wrong?")
    assert model.state.title == "Look at this: What is wrong?"
    assert desk.gateway.requests[0].messages[-1].parts[-len(own.parts) :] == own.parts
    assert (view.composer.input.text(), (await desk.application.store.draft(model.id)).pastes) == ("", ())


async def test_a_draft_with_a_chip_is_there_after_a_restart(
    qapp: QApplication, tmp_path: Path, view: ChatView
) -> None:
    desk = await desk_at(tmp_path)
    model = await desk.chat()
    view.show_chat(model)
    write(view.composer.input)
    view.leave()
    await desk.aclose()

    again = await desk_at(tmp_path)
    view.show_chat(await again.chat(model.id))

    field = view.composer.input
    assert (field.text(), [chip.paste.text for chip in field.chips()]) == (WHOLE, [LOG])
    view.leave()
    await again.aclose()


async def test_editing_a_message_has_its_chip_again(desk: Desk, view: ChatView) -> None:
    model = await desk.chat()
    view.show_chat(model)
    write(view.composer.input)
    press(view.composer.input, Qt.Key.Key_Return)
    await until(lambda: len(said(model)) == 2 and not model.session.is_running)

    model.edit_last()

    field = view.composer.input
    assert (field.text(), [chip.paste.text for chip in field.chips()]) == (WHOLE, [LOG])


async def test_a_queued_message_keeps_its_chip(desk: Desk) -> None:
    model = await desk.chat()
    await model.session.save_draft(model.session.draft.but(queue=(WHOLE,), pastes=(LOG,)))

    model.resume_queue()
    await until(lambda: len(said(model)) == 2 and not model.session.is_running)

    assert [part.is_paste for part in model.state.path[0].parts if isinstance(part, TextPart)] == [
        False,
        True,
        False,
    ]
    assert model.session.draft.pastes == ()
