"""What the plots draw: points that can be pointed at, drops where it was compressed, levels of the window (U5)."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from app.health.course import Course, Size
from ui.health.panel.drawing import PLOTS, drawing_of
from ui.health.panel.samples import COURSE


def test_a_compression_is_a_drop_between_two_turns() -> None:
    line = drawing_of(COURSE, "tokens", 200_000).line

    at = line.index((16.5, 124_000))
    assert line[at + 1] == (16.5, 38_000)
    assert line[at - 1][0] == 16
    assert line[at + 2][0] == 17


def test_levels_stand_at_their_shares_of_the_window_and_only_where_they_are_seen() -> None:
    assert drawing_of(COURSE, "tokens", 200_000).levels == ((0.5, 100_000), (0.7, 140_000), (0.9, 180_000))
    assert drawing_of(COURSE, "tokens", 2_000_000).levels == ()
    assert drawing_of(COURSE, "tokens", None).levels == ()


def test_of_money_only_turns_with_a_price_are_drawn() -> None:
    unpriced = replace(COURSE, money=(replace(COURSE.money[0], usd=None), *COURSE.money[1:]))

    assert len(drawing_of(unpriced, "money", None).xs) == len(COURSE.money) - 1


@given(st.lists(st.integers(1, 400_000), max_size=60), st.floats(-10, 80))
def test_what_is_pointed_at_is_the_nearest_point_and_all_lies_within_the_axes(
    sizes: list[int], x: float
) -> None:
    course = Course(sizes=tuple(Size(turn=n, prompt_tokens=size) for n, size in enumerate(sizes, 1)))
    drawing = drawing_of(course, "tokens", 200_000)

    index = drawing.nearest(x)

    assert (index is None) == (not sizes)
    if index is not None:
        assert all(abs(drawing.xs[index] - x) <= abs(other - x) for other in drawing.xs)
    assert all(drawing.left <= at <= drawing.right and 0 <= y <= drawing.top for at, y in drawing.line)


def test_steps_stay_among_the_points() -> None:
    for plot in PLOTS:
        drawing = drawing_of(COURSE, plot, 200_000)
        last = drawing.step(None, -1)

        assert last == len(drawing.xs) - 1
        assert drawing.step(last, 1) == last
        assert drawing.step(0, -1) == 0
