"""U14: files and pictures are put into a message as chips, sent as parts, and kept with the draft."""

from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from app.core.parts import Blob, MediaPart, TextPart
from tests.fakes import until
from tests.ui.chat.conftest import Desk, desk_at
from tests.ui.chat.test_view import press
from tests.ui.chat.test_view_model import said
from ui.chat.media_dialog import MediaDialog
from ui.chat.view import ChatView
from ui.kit.items import PasteItem, UserItem


def picture() -> QImage:
    image = QImage(640, 480, QImage.Format.Format_RGB32)
    image.fill(QColor("teal"))
    return image


def dropped(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def pasted_picture() -> QMimeData:
    data = QMimeData()
    data.setImageData(picture())
    return data


def names(view: ChatView) -> list[str]:
    return [chip.paste.name for chip in view.composer.input.chips()]


def height(view: ChatView) -> int:
    QApplication.sendPostedEvents()
    return view.composer.height()


def hint(view: ChatView) -> str:
    return " ".join(label.text() for label in view.composer.findChildren(QLabel))


async def test_files_become_chips_that_say_their_price_and_are_sent_in_their_place(
    desk: Desk, view: ChatView, tmp_path: Path
) -> None:
    model = await desk.chat()
    view.show_chat(model)
    field = view.composer.input
    shot, notes = tmp_path / "shot.png", tmp_path / "笔记.md"
    assert picture().save(str(shot))
    notes.write_text("# Notes\n\nNever on a Friday.", encoding="utf-8")

    field.insertPlainText("Look: ")
    field.insertFromMimeData(dropped(shot, notes))
    await until(lambda: len(names(view)) == 2)
    field.insertPlainText(" What is wrong?")
    fill = model.session.fill(*model.drafting.parted())
    prices = [chip.paste.n_tokens for chip in field.chips()]
    press(field, Qt.Key.Key_Return)
    await until(lambda: len(said(model)) == 2 and not model.session.is_running)

    first, media, text, last = model.state.path[0].parts
    assert isinstance(media, MediaPart)
    assert isinstance(media.source, Blob)
    assert (media.mime, media.width_px, media.height_px, media.source.name) == (
        "image/png",
        640,
        480,
        "shot.png",
    )
    assert (first, last) == (TextPart(text="Look:"), TextPart(text="What is wrong?"))
    assert text == TextPart(text="File: 笔记.md\n\n# Notes\n\nNever on a Friday.", is_paste=True)
    assert all(prices)
    assert fill
    assert fill.projection.projected_tokens >= sum(prices)
    assert media in desk.gateway.requests[0].messages[-1].parts
    shown = [model.items.content(item) for item in model.items.ids()[:3]]
    assert [type(item) for item in shown] == [UserItem, PasteItem, UserItem]
    assert isinstance(shown[0], UserItem)
    assert shown[0].attachments == ("shot.png · 640×480",)
    assert isinstance(shown[1], PasteItem)
    assert shown[1].title == "笔记.md"


async def test_a_screenshot_stays_with_the_draft_over_a_restart_and_in_an_edit(
    qapp: QApplication, tmp_path: Path, view: ChatView
) -> None:
    desk = await desk_at(tmp_path)
    model = await desk.chat()
    view.show_chat(model)
    view.composer.input.insertFromMimeData(pasted_picture())
    await until(lambda: len(names(view)) == 1)
    view.leave()
    await desk.aclose()

    again = await desk_at(tmp_path)
    await again.application.store.sweep_vault()
    model = await again.chat(model.id)
    view.show_chat(model)
    kept = names(view)
    press(view.composer.input, Qt.Key.Key_Return)
    await until(lambda: len(said(model)) == 2 and not model.session.is_running)
    model.edit_last()
    edited = names(view)
    press(view.composer.input, Qt.Key.Key_F2)
    dialog = next(found for found in view.findChildren(MediaDialog) if found.isVisible())
    await until(lambda: not dialog.picture.pixmap().isNull())
    next(button for button in dialog.findChildren(QPushButton) if button.text() == "Remove").click()

    assert (kept, edited, names(view)) == (["image.png"], ["image.png"], [])
    view.leave()
    await again.aclose()


async def test_what_no_model_could_read_is_told_in_a_sentence(
    desk: Desk, view: ChatView, tmp_path: Path
) -> None:
    view.show_chat(await desk.chat())
    program, empty = tmp_path / "a.out", tmp_path / "empty.txt"
    program.write_bytes(b"\x7fELF\0\0\0\1")
    empty.write_text("  \n")
    told: list[str] = []

    for path in (program, empty, tmp_path, tmp_path / "gone.txt"):
        view.composer.input.insertFromMimeData(dropped(path))
        await until(lambda path=path: path.name in hint(view))
        told.append(hint(view))

    assert names(view) == []
    assert len(set(told)) == 4


async def test_a_message_is_written_over_the_whole_chat_and_enter_is_a_new_line_there(
    desk: Desk, view: ChatView
) -> None:
    model = await desk.chat()
    view.show_chat(model)
    view.composer.write_large()
    field = view.composer.input
    QTest.keyClicks(field, "One")
    press(field, Qt.Key.Key_Return)
    QTest.keyClicks(field, "two")
    await until(lambda: height(view) > 500)
    press(field, Qt.Key.Key_Escape)
    await until(lambda: height(view) < 200)
    view.composer.write_large()
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await until(lambda: len(said(model)) == 2 and not model.session.is_running)

    assert (said(model)[0], view.transcript.isVisible()) == ("One\ntwo", True)
