"""What the model sees, request by request: the same as was sent, and the same as the next one will be (U6)."""

import json

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest

from app.context.budget import Category
from app.core.parts import body_of
from app.core.usage import Usage
from app.health.lens import Look, strip_of
from tests.fakes import until
from tests.ui.kit.heard import heard
from tests.ui.lens.conftest import Looking
from tests.ui.widgets import unnamed


def shape(look: Look) -> list[tuple[object, ...]]:
    """What can be compared of messages."""
    return [
        (band.kind, band.entry_id, band.fate, band.n_entries, band.tokens)
        for index in range(look.n)
        if (band := look.band(index)).entry_id
    ]


async def test_the_strip_is_the_next_request_and_adds_up_to_the_ring(looking: Looking) -> None:
    """The trap of a breakdown that does not add up to the total (research 2.4)."""
    await looking.opened()

    look = looking.state.look
    fill = looking.chat.session.fill()
    assert look
    assert fill
    assert look.is_next
    assert look.total_tokens == fill.projection.projected_tokens
    assert sum(look.tokens(index) for index in range(look.n)) == look.total_tokens
    ours = fill.projection.estimated_tokens
    assert look.ours(look.n) == pytest.approx(ours, rel=0.02)
    assert [look.band(index).entry_id for index in range(look.n) if look.place(index)] == [
        entry.id for entry in looking.chat.state.path if entry.origin != "system"
    ]


async def test_each_request_is_shown_as_it_was_whatever_was_folded_since(looking: Looking) -> None:
    """Time travel: one strip serves all requests between two compressions, and each shows what it held."""
    await looking.ask("One")
    await looking.compress()
    await looking.ask("Two")
    await looking.ask("Three")
    line = next(item for item in looking.chat.items.ids() if item.startswith("compressed/"))
    looking.chat.undo(line)
    await until(lambda: looking.chat.state.compressed[0].is_undone)
    await looking.ask("Four")
    await looking.opened()
    here, lens = looking.chat.session.conversation, looking.lens
    standing = await looking.desk.application.executions.of(here.chat)

    looks = [await lens.look(index) for index in range(len(lens.moments))]

    assert len(looks) == 5
    for look, moment in zip(looks, lens.moments, strict=True):
        alone = strip_of(
            here.transcript.path(moment.head),
            here.folds,
            here.deletions,
            rev=moment.rev,
            tokens=lambda part: looking.chat.session.desk._counter.tokens(part, standing.family),  # pyright: ignore[reportPrivateUsage]
            family=standing.family,
        )
        bands = [(b.kind, b.entry_id, b.fate, b.n_entries, b.tokens) for b in alone.bands]
        assert shape(look) == bands
        assert sum(look.tokens(index) for index in range(look.n)) == look.total_tokens
    folded = [any(look.band(index).fate for index in range(look.n)) for look in looks]
    assert folded == [False, True, True, False, False]


async def test_the_copied_json_is_what_the_provider_got(looking: Looking) -> None:
    """M7: rebuilt from what is stored, word for word."""
    await looking.ask("One")
    await looking.compress()
    await looking.ask("Two")
    await looking.opened()
    copied = heard(looking.model.copied)

    looking.model.go(2)
    await looking.read()
    looking.model.copy_json()
    await until(lambda: len(copied) == 1)

    sent = looking.desk.gateway.requests[-1]
    (text,) = copied[0]
    value = json.loads(str(text))
    told = [message["content"] for message in value["messages"] if message["role"] != "system"]
    said = ["\n\n".join(str(body_of(part)) for part in message.parts) for message in sent.messages]
    assert len(told) == len(said)
    assert told[-1] == said[-1]
    assert value["messages"][0]["content"] == sent.prelude.system


async def test_what_was_served_from_the_cache_is_hatched(looking: Looking) -> None:
    await looking.ask("One", Usage(prompt_tokens=9_000, completion_tokens=5, cached_tokens=4_500))
    await looking.opened()

    looking.model.go(1)
    await looking.read()

    look = looking.state.look
    assert look
    assert look.total_tokens == 9_000
    cached = [look.is_cached(index) for index in range(look.n)]
    assert cached[0]
    assert not cached[-1]
    assert cached == sorted(cached, reverse=True)
    assert "served from cache" in looking.view.strip.told(0)


async def test_keys_walk_the_bands_and_the_requests(looking: Looking) -> None:
    await looking.ask("One")
    await looking.ask("Two")
    await looking.opened()
    strip, n = looking.view.strip, looking.state.look.n if looking.state.look else 0

    QTest.keyClick(strip, Qt.Key.Key_Home)
    QTest.keyClick(strip, Qt.Key.Key_Down)
    assert looking.state.selected == 1
    QTest.keyClick(strip, Qt.Key.Key_End)
    assert looking.state.selected == n - 1
    QTest.keyClick(strip, Qt.Key.Key_Left)
    await looking.read()
    assert (looking.state.n, looking.state.of) == (2, 3)
    assert looking.view._request.text() == "Request 2 of 3"  # pyright: ignore[reportPrivateUsage]
    QTest.keyClick(strip, Qt.Key.Key_Right)
    QTest.keyClick(strip, Qt.Key.Key_Right)
    await looking.read()
    assert looking.state.n == 3
    assert unnamed(looking.view) == []


async def test_what_is_folded_is_shown_beside_its_original_and_put_back(looking: Looking) -> None:
    """C34: with its price; undone like any compression."""
    await looking.compress()
    await looking.opened()
    look = looking.state.look
    assert look
    folded = next(index for index in range(look.n) if look.band(index).fate)
    before = look.total_tokens

    looking.model.select(folded)
    await looking.read()
    item = looking.state.item
    assert item
    assert item.original
    assert item.original.tokens > item.seen.tokens
    assert item.why
    assert item.why.compaction
    assert looking.view.put_back.isVisible()
    price = item.put_back_tokens
    looking.view.put_back.click()
    await until(lambda: is_whole(looking, item.first))
    looking.model.open()
    await until(lambda: looking.state.look is not look)

    after = looking.state.look
    assert after
    assert after.total_tokens - before == pytest.approx(price, rel=0.1, abs=20)


def is_whole(looking: Looking, entry_id: object) -> bool:
    folds = looking.chat.session.conversation.folds
    return any(fold.kind == "whole" and fold.first == entry_id for fold in folds)


async def test_a_message_is_pinned_and_jumped_to(looking: Looking) -> None:
    await looking.opened()
    jumped = heard(looking.model.jumped)
    entry = looking.chat.state.path[-2]
    looking.model.select_entry(entry.id)
    await looking.read()

    looking.view.pin.click()
    await until(lambda: bool(looking.chat.session.conversation.pins))
    was = looking.state.look
    looking.model.open()
    await until(lambda: looking.state.look is not was and looking.is_read)
    QTest.keyClick(looking.view.strip, Qt.Key.Key_Return)

    look = looking.state.look
    assert look
    assert looking.state.selected is not None
    assert look.band(looking.state.selected).is_pinned
    assert jumped == [(looking.state.item.first,)] if looking.state.item else False


async def test_the_draft_is_a_band_of_the_next_request(looking: Looking) -> None:
    await looking.opened()
    look = looking.state.look
    assert look
    n = look.n

    looking.chat.drafting.type("A question that is not asked yet, and is counted all the same.")
    looking.model.measure()

    now = looking.state.look
    assert now
    assert now.n == n + 1
    assert now.band(n).kind is Category.DRAFT
    assert sum(now.tokens(index) for index in range(now.n)) == now.total_tokens


async def test_a_click_goes_to_the_band_below_it_and_a_reader_hears_its_name(looking: Looking) -> None:
    await looking.opened()
    strip = looking.view.strip
    rect = strip.band_rect(3)

    QTest.mouseClick(strip.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())

    assert looking.state.selected == 3
    access = QAccessible.queryAccessibleInterface(strip)
    assert access.childCount() == strip.layout_of_bands.n
    assert access.child(3).text(QAccessible.Text.Name) == strip.told(3)
    where = strip.viewport().mapToGlobal(rect.center())
    assert access.indexOfChild(access.childAt(where.x(), where.y())) == 3
    assert strip.index_at(QPoint(5, -4)) is None
