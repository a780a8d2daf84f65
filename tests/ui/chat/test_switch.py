"""Before and after another model is chosen, the window says what the next message meets there (A6)."""

import asyncio
import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.agent.outlook import Outlook
from app.context.budget import Projection, fill_of
from app.context.ports import NewEntry
from app.core.ids import EntryId, ModelId
from app.models.families import OPENAI
from app.models.window import Window
from app.settings import Endpoint
from tests.fakes import answer, until
from tests.ui.chat.conftest import Desk
from tests.ui.chat.test_view_model import talk
from tests.ui.kit.heard import heard
from tests.ui.widgets import unnamed
from ui.chat.live import Live
from ui.chat.model_picker import ModelChoice, ModelPicker
from ui.chat.prospect import Prospect, Switch, pending, switch_of
from ui.chat.state import ChatState
from ui.chat.view import ChatView
from ui.chat.view_model import ChatViewModel
from ui.chat.words import ChatWords
from ui.health.state import ring_state
from ui.kit.controls import ElidedLabel
from ui.kit.showcase import Stage

LARGE, SMALL = ModelId("acme/gpt-4.1"), ModelId("acme/gpt-4.1-mini")
CHOICES = (
    ModelChoice(id=LARGE, name="gpt-4.1", group="Acme", window_tokens=1_000_000),
    ModelChoice(id=SMALL, name="gpt-4.1-mini", group="Acme", window_tokens=5_000),
    ModelChoice(id=ModelId("builtin/extractive"), name="extractive", group="Built in"),
)


def outlook(
    used_tokens: int = 124_000,
    window_tokens: int = 128_000,
    *,
    answered_by: ModelId | None = LARGE,
    compresses: bool = True,
    writes_cache: bool = True,
    prompt_usd: float | None = 0.31,
) -> Outlook:
    projection = Projection(
        estimated_tokens=used_tokens,
        projected_tokens=used_tokens,
        projected_upper_tokens=used_tokens,
        ratio=1.0,
        has_base=False,
    )
    return Outlook(
        model=SMALL,
        answered_by=answered_by,
        fill=fill_of(projection, Window(tokens=window_tokens), OPENAI, max_output_tokens=None, weights={}),
        compresses=compresses,
        writes_cache=writes_cache,
        prompt_usd=prompt_usd,
    )


# ---- what is said


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (outlook(), "124K of 128K: will compress · prompt cache written anew, ≈ $0.31"),
        (outlook(prompt_usd=None), "124K of 128K: will compress · prompt cache written anew"),
        (outlook(window_tokens=1_000_000, compresses=False, prompt_usd=0), "124K of 1M: fits"),
        (outlook(writes_cache=False), "124K of 128K: will compress"),
        (outlook(window_tokens=0, compresses=False, writes_cache=False), "124K, window unknown"),
    ],
)
def test_a_switch_says_what_it_will_do(found: Outlook, said: str) -> None:
    assert ChatWords().switch(switch_of(found)) == said


@given(st.integers(1, 2_000_000), st.integers(0, 2_000_000), st.booleans())
def test_the_tokens_of_a_switch_are_those_of_the_ring(used: int, window: int, compresses: bool) -> None:
    """C3: never a second formula."""
    found = outlook(used, window, compresses=compresses)

    switch, ring = switch_of(found), ring_state(found.fill)

    assert (switch.used_tokens, switch.window_tokens or None) == (ring.used_tokens, ring.window_tokens)
    assert (switch.prospect is Prospect.COMPRESSES) == compresses


def test_only_another_model_is_worth_a_word() -> None:
    assert pending(None) is None
    assert pending(outlook(answered_by=SMALL)) is None
    assert pending(outlook(answered_by=LARGE)) == switch_of(outlook())


def test_after_an_import_only_what_would_be_folded_is_told() -> None:
    assert pending(outlook(answered_by=None, compresses=False)) is None
    assert pending(outlook(answered_by=None)) == switch_of(outlook())


def test_beside_the_ring_what_goes_on_comes_before_what_will_be() -> None:
    words, switch = ChatWords(), switch_of(outlook())
    live = Live(turn="t", compacting="summary", phase_s=4)  # pyright: ignore[reportArgumentType]  # any id

    assert words.beside(ChatState(switch=switch)).startswith("124K of 128K")
    assert (
        words.beside(ChatState(switch=switch, compressing="compress"))
        == "Compressing: lines that say least …"
    )
    assert words.beside(ChatState(switch=switch, live=live)) == "Making room: summary, 4 s"
    assert words.beside(ChatState(live=Live(turn=live.turn))) == ""


# ---- the list of models


@pytest.fixture
def picker(qtbot: QtBot, stage: Stage) -> Iterator[ModelPicker]:
    chip = QPushButton("chip")
    qtbot.addWidget(chip)
    chip.show()
    picker = ModelPicker(stage.theme, CHOICES, LARGE, chip)
    picker.open_at(chip)
    yield picker
    chip.close()


def test_models_are_searched_and_chosen_by_keyboard(picker: ModelPicker) -> None:
    looked_at: list[str] = []
    picker.considered.connect(looked_at.append)

    QTest.keyClicks(picker.search, "acme mini")
    shown = picker.names()
    chosen = heard(picker.chosen)
    QTest.keyClick(picker.search, Qt.Key.Key_Return)

    assert shown == ["gpt-4.1-mini"]
    assert chosen == [(SMALL,)]
    assert looked_at[-1] == SMALL


def test_arrows_go_past_the_headings_and_each_model_is_looked_at(picker: ModelPicker) -> None:
    looked_at: list[str] = []
    picker.considered.connect(looked_at.append)

    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Up):
        QTest.keyClick(picker.search, key)

    assert looked_at == [SMALL, "builtin/extractive", SMALL]  # that in use needs no look


def test_a_late_word_about_another_model_is_not_shown(picker: ModelPicker) -> None:
    QTest.keyClick(picker.search, Qt.Key.Key_Down)

    picker.show_prospect("builtin/extractive", switch_of(outlook()))
    late = picker.prospect.text()
    picker.show_prospect(SMALL, switch_of(outlook()))

    assert late.startswith("Looking")
    assert picker.prospect.text().startswith("124K of 128K: will compress")


def test_words_that_no_model_has_are_told_so(picker: ModelPicker) -> None:
    QTest.keyClicks(picker.search, "nobody")

    assert picker.names() == []
    assert picker.prospect.text() == "No model has these words in its name."


def test_what_becomes_known_of_the_models_is_shown_while_the_list_is_open(picker: ModelPicker) -> None:
    """Within the first second of a start no window is known; the list was short, and stayed so."""
    later = (*CHOICES, ModelChoice(id=ModelId("acme/gpt-5"), name="gpt-5", group="Acme"))
    QTest.keyClick(picker.search, Qt.Key.Key_Down)
    picker.show_prospect(SMALL, switch_of(outlook()))
    height, looked_at = picker.tree.height(), heard(picker.considered)

    picker.show_choices(later)

    assert "gpt-5" in picker.names()
    assert picker.tree.height() > height
    assert picker.prospect.text().startswith("124K of 128K: will compress")
    assert looked_at == []


def test_a_model_that_is_offered_no_longer_is_not_looked_at(picker: ModelPicker) -> None:
    QTest.keyClick(picker.search, Qt.Key.Key_Down)
    picker.show_prospect(SMALL, switch_of(outlook()))

    picker.show_choices(CHOICES[:1])

    assert picker.names() == ["gpt-4.1"]
    assert picker.prospect.text() == ""


def test_escape_closes_the_list(picker: ModelPicker, qtbot: QtBot) -> None:
    with qtbot.waitSignal(picker.destroyed):
        QTest.keyClick(picker.search, Qt.Key.Key_Escape)


def test_every_part_of_the_list_has_a_name(picker: ModelPicker) -> None:
    assert unnamed(picker) == []


# ---- in a real chat


@pytest.fixture
def view(qtbot: QtBot, stage: Stage) -> Iterator[ChatView]:
    view = ChatView(stage.theme, stage.icons, QPushButton("ring"), lambda: CHOICES)
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.show()
    yield view
    view.leave()


async def a_talk(desk: Desk) -> ChatViewModel:
    place = Endpoint(id="acme", kind="openai", name="Acme", models=("gpt-4.1", "gpt-4.1-mini"))
    await desk.application.change(
        endpoints=[json.loads(place.model_dump_json())],
        model=LARGE,
        model_overrides={SMALL: {"window_tokens": 5_000}},
        write_titles=False,
    )
    model = await desk.chat()
    for n in range(6):
        desk.gateway.say(answer("\n".join(f"line {i} of {n}: value_{n}_{i}" for i in range(100)), usage=None))
        await talk(model, f"What are the values of file {n}?")
    return model


async def test_what_choosing_a_model_will_do_is_said_there_and_after_until_the_next_message(
    desk: Desk, view: ChatView
) -> None:
    model = await a_talk(desk)
    view.show_chat(model)
    beside = view.composer.findChild(ElidedLabel)
    assert beside is not None

    view.header.choose()
    picker = view.header.picker
    assert picker
    QTest.keyClick(picker.search, Qt.Key.Key_Down)
    await until(lambda: "will compress" in picker.prospect.text())
    before = picker.prospect.text()
    QTest.keyClick(picker.search, Qt.Key.Key_Return)
    await until(lambda: beside.text() != "")
    after = beside.text()
    fill = model.session.fill()
    await talk(model, "And now?")
    await until(lambda: model.state.switch is None)

    assert before == after
    assert " of 5K: will compress" in after
    assert fill
    assert model.state.model == SMALL
    assert any(told.tokens_after < told.tokens_before for told in model.state.compressed)
    assert beside.text() == ""


async def an_import(desk: Desk) -> ChatViewModel:
    """A chat of 12 messages in which no model of ours has answered."""
    source = await a_talk(desk)
    said = tuple(
        NewEntry(id=EntryId(f"import{n}"), parent_id=parent, origin=entry.origin, parts=entry.parts)
        for n, entry in enumerate(source.state.path)
        for parent in [EntryId(f"import{n - 1}") if n else None]
    )
    chat_id, _ = await desk.application.library.new_chat()
    await desk.application.store.append(chat_id, said)
    await desk.application.store.update_chat(chat_id, model=SMALL)
    return await desk.chat(chat_id)


async def test_an_imported_chat_is_planned_for_when_the_person_writes_and_not_when_it_is_opened(
    desk: Desk, view: ChatView
) -> None:
    """Q8: looking at 10,000 messages took 56 MB of the window's process."""
    model = await an_import(desk)
    looked: list[Switch | None] = []
    model.switching.told.connect(lambda: looked.append(model.switching.switch))

    view.show_chat(model)
    await until(lambda: model.session.fill() is not None)
    await asyncio.sleep(0.5)  # a look begins 0.2 s after the last word
    opened = set(looked)
    model.drafting.type("And now?")
    await until(lambda: model.state.switch is not None)

    assert opened <= {None}
    assert looked[-1] == model.state.switch


async def test_compressing_is_told_beside_the_ring_and_cancelled_there(desk: Desk, view: ChatView) -> None:
    """A reader who has scrolled up saw only Stop, and a dot."""
    model = await a_talk(desk)
    view.show_chat(model)
    n_before = len(await desk.application.store.compactions(model.id))
    cancel = next(
        button
        for button in view.composer.findChildren(QPushButton)
        if button.accessibleName() == "Cancel compressing"
    )
    assert not cancel.isVisible()

    model.compressing.begin()
    await until(lambda: cancel.isVisible())
    cancel.click()
    await until(lambda: model.state.compressing is None)

    assert not cancel.isVisible()
    assert len(await desk.application.store.compactions(model.id)) == n_before


async def test_escape_cancels_compressing(desk: Desk, view: ChatView) -> None:
    model = await a_talk(desk)
    view.show_chat(model)
    n_before = len(await desk.application.store.compactions(model.id))

    model.compressing.begin()
    await until(lambda: model.state.compressing is not None)
    QTest.keyClick(view.composer.input, Qt.Key.Key_Escape)
    await until(lambda: model.state.compressing is None)

    assert len(await desk.application.store.compactions(model.id)) == n_before
