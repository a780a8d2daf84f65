"""Figures, dates, money, ids, paths, links and bans are found before, and what is lost stands beside the summary."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.summary.exact_values import (
    ExactValue,
    ValueKind,
    as_lines,
    chosen,
    lost,
    values_in,
    values_of,
)
from app.tokens.estimate import estimate
from tests.app.context.histories import path_of
from tests.app.context.summary.making import assistant, case_path, user


def _found(text: str) -> dict[str, str]:
    return {value.text: value.kind.name for value in values_in(text, is_own=True)}


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("It took 12.5 ms in all.", "12.5 ms", "FIGURE"),
        ("蒸10分钟左右", "10分钟", "FIGURE"),
        ("Budget is 1,250.50 EUR, port 8443.", "1,250.50 EUR", "MONEY"),
        ("Budget is 1,250.50 EUR, port 8443.", "8443", "FIGURE"),
        ("a price of $350,000 now", "$350,000", "MONEY"),
        ("on 2026-03-04 at noon", "2026-03-04", "DATE"),
        ("deadline is March 5th, 2026", "March 5th, 2026", "DATE"),
        ("5月12日见面", "5月12日", "DATE"),
        ("commit 4d6bb2b fixed it", "4d6bb2b", "ID"),
        ("ticket #4821 and FLIGHT HAT163", "#4821", "ID"),
        ("in src/app/main.py there", "src/app/main.py", "PATH"),
        ("see https://example.com/a/b?c=1.", "https://example.com/a/b?c=1", "LINK"),
        ("我在看《活着》这本书", "《活着》", "NAME"),
        ("with gpt-4o-mini-2024 today", "gpt-4o-mini-2024", "MODEL"),
        ("Do NOT push, ever.", "Do NOT push, ever.", "BAN"),
    ],
)
def test_a_value_is_found_whole(text: str, value: str, kind: str) -> None:
    """C15."""
    assert _found(text)[value] == kind


def test_a_rounded_figure_is_a_lost_one() -> None:
    """C15: "19,999" never becomes "about 20,000"."""
    values = tuple(values_in("The price is 19,999 CNY and 3.5 kg."))

    missing = lost(values, "The price is about 20,000, and it weighs 3.5 kg or 13.5 kg.")

    assert [value.text for value in missing] == ["19,999 CNY"]
    assert [value.text for value in lost(values_in("port 8443"), "port 84431, 18443, 8443.2")] == ["8443"]
    assert lost(values_in("port 8443"), "on 8443.") == ()


def test_a_value_stands_beside_its_key() -> None:
    (value,) = values_in("After that the timeout of the proxy is 45 s.")

    assert value.line == "After that the timeout of the proxy is 45 s"
    assert as_lines([value, value]) == f"- {value.line}"


def test_a_value_of_data_stands_beside_its_field_alone() -> None:
    """Half of the object before it said nothing of it and took the room of the next value."""
    data = (
        '[{"economy": 109, "price": 538.60, "flight": {"flight_number": "HAT015", "note": "at 10:30 sharp"}}]'
    )

    lines = [value.line for value in values_in(data, is_data=True)]

    assert lines == ["economy: 109", "price: 538.60", "flight_number: HAT015", "note: at 10:30"]


def test_the_persons_own_value_wins_over_the_same_of_a_tool() -> None:
    path = path_of([assistant("It is 8443."), user("Yes, 8443!")])

    (value,) = values_of(path)

    assert (value.text, value.is_own, value.entry_id) == ("8443", True, path[1].id)


def test_bans_are_chosen_whatever_the_room() -> None:
    """Case B37."""
    values = values_of(case_path("B37"))

    kept = chosen(values, 0, estimate)

    assert "Do NOT push, and never edit config/prod.yaml." in [value.text for value in kept]
    assert all(value.kind is ValueKind.BAN for value in kept)


@given(st.lists(st.integers(100, 99_999), max_size=30, unique=True), st.integers(0, 120))
def test_what_is_chosen_fits_and_stands_in_the_order_it_was_said(numbers: list[int], room: int) -> None:
    values = tuple(value for number in numbers for value in values_in(f"item {number}.5 kg"))

    kept = chosen(values, room, estimate)

    assert sum(estimate(value.line) + 2 for value in kept) <= room
    assert [values.index(value) for value in kept] == sorted(values.index(value) for value in kept)


def test_what_stands_beside_it_is_not_chosen() -> None:
    value = ExactValue(ValueKind.FIGURE, "12.5 ms", "it took", None, False)

    assert chosen([value], 100, estimate, beside="it was 12.5 ms") == ()
    assert chosen([value], 100, estimate, beside="it was 112.5 ms") == (value,)


@given(st.text(max_size=200))
def test_every_value_stands_in_its_text(text: str) -> None:
    assert all(value.text in text for value in values_in(text))
