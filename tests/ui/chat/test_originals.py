"""The cards of originals that lie beside the context (U9, C26)."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.core.artifacts import PartKey, Sight
from app.core.folds import FoldKind
from app.core.parts import Blob
from tests.app.chats.test_artifacts import LOG, with_log
from tests.fakes import until
from tests.ui.chat.conftest import Desk, desk_at
from tests.ui.kit.heard import heard
from ui.chat.item_ids import CARD
from ui.chat.view import ChatView
from ui.chat.view_model import ChatViewModel
from ui.kit.items import ItemId, NoticeItem, Tone


@pytest.fixture
async def desk(qapp: QApplication, tmp_path: Path) -> AsyncIterator[Desk]:
    desk = await desk_at(tmp_path / "data")
    yield desk
    await desk.aclose()
    assert desk.errors == []


async def opened(desk: Desk, tmp_path: Path) -> ChatViewModel:
    return await desk.chat(await with_log(desk.application, tmp_path, line_range="100:120"))


def card(model: ChatViewModel) -> tuple[ItemId, NoticeItem]:
    (item,) = [item for item in model.items.ids() if item.startswith(CARD)]
    shown = model.items.content(item)
    assert isinstance(shown, NoticeItem)
    return item, shown


async def read_card(model: ChatViewModel) -> tuple[ItemId, NoticeItem]:
    card(model)  # it is asked for when it is drawn
    await until(lambda: card(model)[1].excerpt.startswith("1 GET") or card(model)[1].tone is Tone.CRITICAL)
    return card(model)


async def test_a_result_in_the_vault_has_a_card_below_its_row_with_its_first_lines(
    desk: Desk, tmp_path: Path
) -> None:
    model = await opened(desk, tmp_path)

    assert card(model)[1].excerpt == "Reading …"
    item, shown = await read_card(model)

    ids = model.items.ids()
    assert ids[ids.index(item) - 1].endswith("/ToolCallPart0")
    assert (shown.title, shown.chip, shown.text) == ("message-3.txt", "text/plain", "")
    assert shown.address.startswith("vault://")
    assert shown.figures.replace(",", "").endswith(" · 12000 lines")
    assert shown.excerpt.splitlines() == LOG.splitlines()[:3]
    assert [action.id for action in shown.actions] == ["open", "copy_link", "save_original", "reveal"]


async def test_one_that_is_gone_says_so_in_its_place(desk: Desk, tmp_path: Path) -> None:
    model = await opened(desk, tmp_path)
    blob = model.items.original_of(card(model)[0])
    for path in (tmp_path / "data" / "vault").rglob("*"):
        if path.is_file():
            path.unlink()

    _, shown = await read_card(model)

    assert blob
    assert shown.tone is Tone.CRITICAL
    assert "is not in the vault any more" in shown.text
    assert "open" not in [action.id for action in shown.actions]


async def test_what_was_folded_says_what_the_model_sees_and_comes_back_at_its_price(
    desk: Desk, tmp_path: Path, view: ChatView
) -> None:
    model = await opened(desk, tmp_path)
    view.show_chat(model)
    await (await desk.application.uses.folding(model.id)).sum_up()
    await until(lambda: any(sight.fate for sight in model.state.sights.values()))
    item, shown = await read_card(model)
    assert shown.text
    assert [action.id for action in shown.actions][1] == "put_back"
    assert "(+" in shown.actions[1].label

    view.transcript.action_triggered.emit(item, "put_back")
    await until(lambda: all(sight.fate is None for sight in _of_blobs(model).values()))

    assert "put_back" not in [action.id for action in card(model)[1].actions]


async def test_its_buttons_open_link_and_hand_out_the_very_original(
    desk: Desk, tmp_path: Path, view: ChatView
) -> None:
    model = await opened(desk, tmp_path)
    view.show_chat(model)
    item, shown = card(model)
    opens, saves, reveals = map(heard, (view.original_opened, view.original_saved, view.original_revealed))

    for action in ("open", "copy_link", "save_original", "reveal"):
        view.transcript.action_triggered.emit(item, action)

    ((blob,),) = saves
    assert isinstance(blob, Blob)
    assert await asyncio.to_thread(desk.application.vault.reader(blob), 0, blob.n_bytes) == LOG.encode()
    assert (opens, reveals) == ([(shown.address,)], [(blob,)])
    assert QGuiApplication.clipboard().text() == shown.address


def _of_blobs(model: ChatViewModel) -> Mapping[PartKey, Sight]:
    parts = {(entry.id, at): part for entry in model.state.path for at, part in enumerate(entry.parts)}
    return {
        key: sight
        for key, sight in model.state.sights.items()
        if sight.fate is not FoldKind.WHOLE and isinstance(getattr(parts[key], "text", None), Blob)
    }
