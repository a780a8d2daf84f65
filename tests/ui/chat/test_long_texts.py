"""Texts that lie in the vault: shown, copied, saved and edited whole, and told where one is lost (M6)."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.core.parts import Blob, TextPart, blobs_of
from tests.fakes import answer, until
from tests.ui.chat.conftest import Desk, desk_at
from tests.ui.kit.heard import heard
from ui.chat.parts import LONGEST_SHOWN_BYTES
from ui.chat.view_model import ChatViewModel
from ui.kit.items import AssistantItem, NoticeItem, UserItem

LINES = [f"{n:06} GET /orders 200" for n in range(15_000)]
SHOWN, TOO_LONG = ("\n".join(LINES[:n]) for n in (4_000, 15_000))
"""Longer than an entry holds; longer than the window does."""


def _message(paste: str) -> str:
    return f"Read this log:\n\n{paste}\n\nNever restart the server."


async def talk(model: ChatViewModel, text: str) -> None:
    n = len(model.state.path)
    model.send(text)
    await until(lambda: len(model.state.path) >= n + 2 and not model.session.is_running)


async def shown(model: ChatViewModel, at: int, wanted: str) -> bool:
    """Wait until the item of an entry shows `wanted`."""
    item = model.state.path[at].id

    def is_shown() -> bool:
        content = model.items.content(item)
        return isinstance(content, UserItem | AssistantItem | NoticeItem) and wanted in content.text

    await until(is_shown)
    return True


@pytest.fixture
async def reopened(qapp: QApplication, tmp_path: Path) -> AsyncIterator[Desk]:
    """A program that was started again over a chat with a message of each length."""
    desk = await desk_at(tmp_path)
    model = await desk.chat()
    desk.gateway.say(answer(f"It says:\n{SHOWN}"))
    await talk(model, _message(SHOWN))
    await talk(model, _message(TOO_LONG))
    await desk.aclose()
    again = await desk_at(tmp_path)
    yield again
    await again.aclose()


async def _opened(desk: Desk) -> ChatViewModel:
    (chat,) = await desk.application.library.chats()
    return await desk.chat(chat.id)


async def test_a_message_from_the_vault_is_shown_whole_and_in_order(reopened: Desk) -> None:
    model = await _opened(reopened)

    assert await shown(model, 0, _message(SHOWN))
    assert await shown(model, 1, f"It says:\n{SHOWN}")
    content = model.items.content(model.state.path[0].id)
    assert isinstance(content, UserItem)
    assert content.attachments == ()


async def test_one_that_is_too_long_for_the_window_has_a_chip_and_can_be_saved(reopened: Desk) -> None:
    model = await _opened(reopened)
    item = model.state.path[2].id
    saved, copied = heard(model.copies.saved), heard(model.copies.copied)

    content = model.items.content(item)
    model.copies.save(item)
    await until(lambda: bool(saved))
    model.copies.copy(item)
    await until(lambda: bool(copied))

    assert len(TOO_LONG) > LONGEST_SHOWN_BYTES
    assert isinstance(content, UserItem)
    assert content.text == "Read this log:\n\nNever restart the server."
    assert len(content.attachments) == 1
    assert [action.id for action in content.footer.actions] == ["copy", "edit", "fork", "save"]
    assert (saved, copied) == ([(_message(TOO_LONG),)], [(_message(TOO_LONG),)])


async def test_editing_one_opens_the_whole_text_and_keeps_what_was_being_written(reopened: Desk) -> None:
    model = await _opened(reopened)
    replaced = heard(model.drafting.replaced)
    model.drafting.type("A draft")

    model.begin_edit(model.state.path[2].id)
    await until(lambda: model.state.editing is not None)
    model.send(_message(TOO_LONG).replace("000000", "EDITED"))
    await until(lambda: model.state.editing is None and not model.session.is_running)

    assert replaced[0] == (_message(TOO_LONG),)
    assert replaced[-1] == ("A draft",)
    told = heard(model.copies.copied)
    model.copies.copy(model.state.path[2].id)
    await until(lambda: bool(told))
    assert told == [(_message(TOO_LONG).replace("000000", "EDITED"),)]


async def test_an_edit_that_is_given_up_while_it_is_read_opens_nothing(reopened: Desk) -> None:
    model = await _opened(reopened)
    replaced = heard(model.drafting.replaced)

    model.begin_edit(model.state.path[2].id)
    model.cancel_edit()
    model.copies.copy(model.state.path[2].id)
    told = heard(model.copies.copied)
    await until(lambda: bool(told))

    assert (model.state.editing, replaced) == (None, [])


async def test_an_answer_that_was_just_streamed_stays_on_the_screen(desk: Desk) -> None:
    """Its words are here: nothing of it turns into a card while the vault is read."""
    model = await desk.chat()
    desk.gateway.say(answer(SHOWN, " End."))

    await talk(model, "Write it down.")

    content = model.items.content(model.state.path[1].id)
    assert isinstance(content, AssistantItem)
    assert content.text == f"{SHOWN} End."


async def test_a_damaged_text_is_told_in_its_place_and_the_chat_goes_on(reopened: Desk) -> None:
    model = await _opened(reopened)
    (blob,) = blobs_of(model.state.path[0].parts)
    (path,) = reopened.application.paths.vault.rglob(blob.sha256)
    path.write_bytes(b"damaged")

    assert await shown(model, 0, "'message.md' in the vault is damaged. The rest of the chat is not touched.")
    assert await shown(model, 0, "Never restart the server.")
    await talk(model, "Go on.")
    assert model.state.path[-1].parts == (TextPart(text="Fine."),)


async def test_a_long_answer_is_a_card_with_ways_to_it(desk: Desk) -> None:
    model = await desk.chat()
    desk.gateway.say(answer(TOO_LONG))

    await talk(model, "Write it down.")

    (part,) = model.state.path[1].parts
    content = model.items.content(model.state.path[1].id)
    assert isinstance(part, TextPart)
    assert isinstance(part.text, Blob)
    assert isinstance(content, NoticeItem)
    assert [action.id for action in content.actions] == [
        "open",
        "copy_link",
        "save_original",
        "reveal",
        "copy",
        "retry",
        "fork",
    ]
