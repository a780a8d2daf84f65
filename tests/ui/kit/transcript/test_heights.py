"""Sums of many heights, whatever was set, added and taken away."""

from hypothesis import given
from hypothesis import strategies as st

from ui.kit.transcript.heights import Heights

SIZES = st.integers(0, 500).map(float)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("append"), st.just(0), SIZES),
        st.tuples(st.just("set"), st.integers(0, 99), SIZES),
        st.tuples(st.just("pop"), st.just(0), SIZES),
    ),
    max_size=60,
)


@given(st.lists(SIZES, max_size=40), STEPS)
def test_tops_are_the_sums_of_what_stands_above(
    start: list[float], steps: list[tuple[str, int, float]]
) -> None:
    heights, plain = Heights(start), list(start)

    for name, index, size in steps:
        if name == "append":
            heights.append(size)
            plain.append(size)
        elif plain and name == "pop":
            heights.pop()
            plain.pop()
        elif plain:
            heights.set(index % len(plain), size)
            plain[index % len(plain)] = size

    assert [heights.top(index) for index in range(len(plain) + 1)] == [
        sum(plain[:index]) for index in range(len(plain) + 1)
    ]
    assert (heights.total, len(heights)) == (sum(plain), len(plain))


@given(st.lists(SIZES, min_size=1, max_size=40), st.floats(-10, 30_000))
def test_the_one_at_a_height_is_where_the_height_falls(sizes: list[float], y: float) -> None:
    heights = Heights(sizes)

    index = heights.index_at(y)

    if y < 0:
        assert heights.top(index) <= 0 or index == 0
    elif y < heights.total:
        assert heights.top(index) <= y < heights.top(index) + heights[index]
    else:
        assert index == len(sizes) - 1
