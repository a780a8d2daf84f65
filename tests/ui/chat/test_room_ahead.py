"""The line above the composer says what the next turn folds, and what may be done now (U4)."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from app.agent.outlook import Outlook
from app.context.budget import Health, health_of
from app.core.errors import Action
from tests.fakes import until
from tests.ui.chat.conftest import Desk
from tests.ui.chat.test_switch import LARGE, SMALL, a_talk, outlook
from tests.ui.chat.test_view_model import talk
from tests.ui.kit.heard import heard
from tests.ui.widgets import unnamed
from ui.chat.ahead import Ahead, RoomAhead, room_ahead
from ui.chat.room_bar import RoomBar
from ui.chat.view import ChatView


def planned(use: float, *, compresses: bool = False, waits: bool = False, folds: int = 0) -> Outlook:
    found = outlook(round(use * 100_000), 100_000, compresses=compresses)
    return replace(found, waits=waits, folds_tokens=folds)


@pytest.mark.parametrize(
    ("room", "said"),
    [
        (RoomAhead(kind=Ahead.FOLDS, use=0.72, folds_tokens=62_000), "Next turn folds ≈ 62K"),
        (
            RoomAhead(kind=Ahead.WAITS, use=0.55, folds_tokens=30_500),
            "≈ 30.5K could be folded; that waits until it pays",
        ),
        (
            RoomAhead(kind=Ahead.FULL, use=0.769),
            "76% of the window is used, and nothing will be folded by itself",
        ),
    ],
)
def test_the_line_says_how_much_and_when(qtbot: QtBot, room: RoomAhead, said: str) -> None:
    bar = RoomBar()
    qtbot.addWidget(bar)
    pressed = heard(bar.pressed)

    bar.draw(room)
    bar.compress.click()
    bar.fork.click()

    assert not bar.isHidden()
    assert bar.told.text() == bar.told.accessibleName() == said
    assert pressed == [(Action.COMPRESS,), (Action.FORK,)]
    assert unnamed(bar) == []
    bar.draw(None)
    assert bar.isHidden()


@given(st.floats(0.01, 3), st.booleans(), st.booleans(), st.integers(1, 90_000))
def test_a_plan_is_told_with_its_own_figure_and_a_fork_is_suggested_from_the_rings_warning_on(
    use: float, compresses: bool, waits: bool, folds: int
) -> None:
    found = planned(use, compresses=compresses, waits=waits, folds=folds)

    room = room_ahead(found)

    if compresses or waits:
        assert room
        assert room.folds_tokens == folds
        assert (room.kind is Ahead.FOLDS) == compresses
    else:
        assert (room is None) == (health_of(round(use * 100_000), 100_000) is Health.HEALTHY)
    assert room_ahead(None) is None


async def test_what_the_line_announces_is_what_the_next_message_meets(desk: Desk, view: ChatView) -> None:
    """The plan's own figure, within the estimate: what the message adds is not known before."""
    model = await a_talk(desk)
    view.show_chat(model)
    await desk.application.change(
        model_overrides={SMALL: {"window_tokens": 5_000}, LARGE: {"window_tokens": 7_000}}
    )
    await until(lambda: model.state.room is not None)
    room, line = model.state.room, view.foot.room.told.text()

    await talk(model, "And now?")
    (made,) = model.session.conversation.compactions

    assert room
    assert room.kind is Ahead.FOLDS
    assert view.foot.room.isVisible() is False
    assert line.startswith("Next turn folds ≈ ")
    assert room.folds_tokens == pytest.approx(made.tokens_before - made.tokens_after, rel=0.1)


async def test_where_compressing_is_left_to_the_person_the_line_says_that_nothing_happens_by_itself(
    desk: Desk, view: ChatView
) -> None:
    model = await a_talk(desk)
    view.show_chat(model)
    pressed = heard(view.notice_pressed)

    await desk.application.change(
        compresses=False, model_overrides=json.loads('{"acme/gpt-4.1": {"window_tokens": 10000}}')
    )
    await until(lambda: model.state.room is not None)
    view.foot.room.fork.click()

    assert model.state.room
    assert model.state.room.kind is Ahead.FULL
    assert view.foot.room.isVisible()
    assert pressed == [(Action.FORK,)]
