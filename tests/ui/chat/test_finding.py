"""Tests of Ctrl+F: all hits of a chat are counted, marked where they are seen, and gone to (U15)."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.chats.importing import store_imported
from app.core.ids import ChatId
from tests.app.chats.reading import conversation, imported
from tests.fakes import answer, until
from tests.ui.chat.conftest import Desk
from tests.ui.chat.test_view_model import talk
from ui.chat.hits import Hits, look_through
from ui.chat.view import ChatView
from ui.chat.view_model import ChatViewModel
from ui.kit.items import ItemId

_LINES = st.lists(st.text(alphabet="ab 你好", max_size=30), max_size=6)


@given(_LINES, st.text(alphabet="ab你好", min_size=1, max_size=3))
def test_every_hit_of_every_item_is_counted_and_has_its_place(lines: list[str], typed: str) -> None:
    held = [(ItemId(f"i{n}"), (line,)) for n, line in enumerate(lines)]

    hits, find, _ = look_through(typed, held, {})

    places = [hits.place(at) for at in range(hits.n)]
    assert places == [(f"i{n}", k) for n, line in enumerate(lines) for k in range(line.count(typed))]
    assert hits.n == sum(len(find(line)) for line in lines)


def test_words_that_stand_nowhere_together_are_looked_for_one_by_one() -> None:
    held = [(ItemId("a"), ("rounded invoices",)), (ItemId("b"), ("an invoice",))]

    together, _, _ = look_through("rounded invoice", held, {})
    apart, find, within = look_through("invoice rounded", held, {}, entry_id=None)

    assert together == Hits(items=("a",), ends=(1,))
    assert (apart, within) == (Hits(items=("a", "b"), ends=(2, 3)), ())
    assert [held[0][1][0][start:end] for start, end in find(held[0][1][0])] == ["rounded", "invoice"]


async def _real(desk: Desk) -> ChatViewModel:
    """A conversation of tests/data, imported."""
    app = desk.application
    found = imported(conversation("aider-history-a").read_bytes())
    chat_id, _ = await store_imported(found, store=app.store, vault=app.vault, clock=app.clock)
    model = await desk.chat(chat_id)
    for key in ("sights", "kin"):  # what a chat looks for when it opens would make its items anew
        await model._tasks.wait(key)  # pyright: ignore[reportPrivateUsage]  # nobody else waits for them
    return model


async def _looked_for(model: ChatViewModel, view: ChatView, typed: str) -> None:
    view.finding.open()
    view.find_bar.field.setText(typed)
    await until(lambda: model.finding.state.typed == typed)


async def test_hits_are_counted_where_nothing_is_laid_out_and_typing_moves_nothing(
    desk: Desk, view: ChatView
) -> None:
    model = await _real(desk)
    view.show_chat(model)
    view.finding.open()
    await asyncio.sleep(0)  # the bar takes its room
    before = view.transcript.position()

    await _looked_for(model, view, "the")

    texts = [text for _, bodies in model.items.texts()() for text in bodies if isinstance(text, str)]
    assert model.finding.state.hits.n == sum(text.lower().count("the") for text in texts)
    assert model.finding.state.hits.n > 100
    assert view.transcript.position() == before
    assert view.transcript.is_following


async def test_enter_goes_from_hit_to_hit_round_the_end_and_each_is_on_the_screen(
    desk: Desk, view: ChatView
) -> None:
    model = await _real(desk)
    view.show_chat(model)
    await _looked_for(model, view, "import")
    n = model.finding.state.hits.n
    seen: list[int | None] = []

    for _ in range(min(n, 12)):
        QTest.keyClick(view.find_bar.field, Qt.Key.Key_Return)
        state = model.finding.state
        assert state.current is not None
        item, _ = state.hits.place(state.current)
        spotted = view.transcript.found.current_in(item)
        assert spotted, (item, n, model.items.content(item))
        index = view.transcript.column.index_of(item)
        assert index is not None
        y = view.transcript.column.heights.top(index) + spotted.y - view.transcript.top
        assert -1 <= y < view.transcript.page
        seen.append(state.current)
    start = seen[0] or 0
    assert seen == [(start + k) % n for k in range(len(seen))]
    QTest.keyClick(view.find_bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert model.finding.state.current == seen[-2]


async def test_escape_closes_the_bar_and_takes_the_marks_away(desk: Desk, view: ChatView) -> None:
    model = await desk.chat()
    view.show_chat(model)
    desk.gateway.say(answer("Rounded."))
    await talk(model, "round it")
    await _looked_for(model, view, "round")
    told = view.find_bar.count.text()

    QTest.keyClick(view.find_bar.field, Qt.Key.Key_Escape)

    assert told.endswith("2")
    assert view.find_bar.isHidden()
    assert view.transcript.found.find is None


async def test_what_is_said_meanwhile_is_counted_and_the_reader_stays(desk: Desk, view: ChatView) -> None:
    model = await desk.chat()
    view.show_chat(model)
    desk.gateway.say(answer("Rounded."))
    await talk(model, "round it")
    await _looked_for(model, view, "round")

    desk.gateway.say(answer("A round number."))
    await talk(model, "and round again")
    await until(lambda: model.finding.state.hits.n == 4)

    assert model.finding.state.current == 0


async def test_enter_that_is_quicker_than_the_search_goes_to_its_first_hit(
    desk: Desk, view: ChatView
) -> None:
    model = await desk.chat()
    view.show_chat(model)
    desk.gateway.say(answer("Rounded."))
    await talk(model, "round it")
    view.finding.open()
    view.find_bar.field.setText("rounded")
    item = ItemId(model.state.path[1].id)

    QTest.keyClick(view.find_bar.field, Qt.Key.Key_Return)

    await until(lambda: view.transcript.found.current_in(item) is not None)


async def test_a_hidden_branch_is_shown_for_what_was_found_in_it(desk: Desk, view: ChatView) -> None:
    model = await desk.chat()
    view.show_chat(model)
    desk.gateway.say(answer("The first answer."))
    await talk(model, "round it")
    first = model.state.path[1].id
    desk.gateway.say(answer("The second one."))
    model.retry()
    await until(
        lambda: len(model.state.path) == 2 and model.state.path[1].id != first and not model.state.live
    )
    await until(lambda: not model.session.is_running and not model.state.is_busy)

    is_reached = await model.reach(first)
    view.finding.go_to("first answer", first)
    await until(lambda: model.finding.state.hits.n > 0)

    assert is_reached
    assert model.state.path[1].id == first
    assert view.transcript.found.current_in(ItemId(first)) is not None


async def test_a_closed_tool_row_is_opened_for_the_hit_in_it(desk: Desk, view: ChatView) -> None:
    model = await _real_tools(desk)
    view.show_chat(model)
    item = next(
        item
        for item, bodies in model.items.texts()()
        if "/ToolCallPart" in item and any(isinstance(body, str) and "path" in body for body in bodies)
    )
    await _looked_for(model, view, "path")
    at = model.finding.state.hits.first_in(item)
    assert at is not None

    view.transcript.found.show(*model.finding.state.hits.place(at))

    assert view.transcript.is_open(item)
    assert view.transcript.found.current_in(item) is not None


async def _real_tools(desk: Desk) -> ChatViewModel:
    app = desk.application
    found = imported(conversation("pi-mono-refactor-session").read_bytes())
    chat_id, _ = await store_imported(found, store=app.store, vault=app.vault, clock=app.clock)
    return await desk.chat(ChatId(chat_id))
