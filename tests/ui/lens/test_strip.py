"""The strip as it is drawn: every band can be hit, and a frame costs the same however many there are (U6)."""

from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.core.ids import EntryId
from app.health.lens import Look, look_at, moments_of
from tests.app.health.test_lens import entries, record, strip
from ui.kit.showcase import Stage
from ui.kit.strip import StripLayout, StripView
from ui.lens.minimap import Minimap
from ui.lens.state import LensState, carried

LONG = 10_000


def a_look(n: int, total: int = 90_000, depth: int | None = None) -> Look:
    (moment,) = moments_of((), head=EntryId(f"e{n - 1}"), rev=n)
    made = strip(entries(n), [], n)
    return look_at(
        moment,
        (),
        made,
        depth=n - 1 if depth is None else depth,
        total_tokens=total,
        cached_tokens=total // 2,
    )


@given(st.integers(1, 60), st.floats(20, 2_000), st.floats(0.5, 9), st.integers(0, 200_000))
def test_every_band_is_hit_where_it_stands(n: int, height: float, least: float, whole: int) -> None:
    layout = StripLayout(a_look(n), height, least, whole)

    middles = [(layout.top(index) + layout.top(index + 1)) / 2 for index in range(n)]

    assert [layout.at(middle) for middle in middles] == list(range(n))
    assert layout.at(-1) is None
    assert layout.at(layout.height + 1) is None
    assert layout.height == pytest.approx(height) or layout.height > height or whole


@pytest.mark.slow
def test_scrubbing_500_requests_of_10_000_messages_draws_each_within_a_frame(
    stage: Stage, qtbot: QtBot
) -> None:
    """≤ 16 ms a step: what was selected is found again, and what is on the screen is painted."""
    made = strip(entries(LONG), [], LONG)
    asked = [record(19 + 20 * at, 20 + 20 * at) for at in range(499)]
    moments = moments_of(asked, head=EntryId(f"e{LONG - 1}"), rev=LONG)
    view = StripView(stage.theme, stage.icons)
    qtbot.addWidget(view)
    view.resize(420, 800)
    image = QImage(420, 800, QImage.Format.Format_RGB32)
    took: list[float] = []
    old: Look | None = None

    for moment in reversed(moments):
        at = thread_time()
        depth = int((moment.head or "e0")[1:])
        look = look_at(moment, (), made, depth=depth, total_tokens=90_000, cached_tokens=40_000)
        view.draw(look, carried(old, view.selected, look))
        view.viewport().render(image)
        took.append((thread_time() - at) * 1000)
        old = look

    late = sorted(took)[int(0.95 * len(took))]
    print(f"a step of scrubbing: p95 {late:.1f} ms, worst {max(took):.1f} ms")
    assert late < 8
    assert sorted(took)[-6] < 16  # 99 %: one loads fonts, others meet whoever else uses the machine
    assert len(view.findChildren(QLabel)) == 0  # no widget a band


def test_what_was_selected_stays_selected_in_an_older_request() -> None:
    made = strip(entries(40), [], 40)
    (moment,) = moments_of((), head=EntryId("e39"), rev=40)
    new = look_at(moment, (), made, depth=39, total_tokens=100, cached_tokens=0)
    old = look_at(moment, (), made, depth=19, total_tokens=100, cached_tokens=0)

    assert carried(None, None, new) == 39
    assert carried(new, 7, old) == 7
    assert carried(new, 30, old) == 19  # that message was not said yet


def test_the_minimap_leaves_what_is_free_of_the_window_empty(stage: Stage, qtbot: QtBot) -> None:
    small = Minimap(stage.theme, stage.icons)
    qtbot.addWidget(small)
    small.resize(52, 600)
    small.show()

    small.draw_state(LensState(n=1, of=1, look=a_look(20, total=50_000), window_tokens=200_000))

    assert small.layout_of_bands.height == pytest.approx(small.viewport().height() / 4, rel=0.01)
    assert small.accessibleName()
