"""The lines that say most (C25)."""

import re
import time
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from app.filters.extract import extract


@given(st.text(max_size=3_000), st.integers(0, 1_000), st.lists(st.text(max_size=8), max_size=3))
def test_an_extract_is_about_as_long_as_asked_and_always_the_same(
    text: str, limit: int, terms: list[str]
) -> None:
    found = extract(text, limit, terms=terms)

    assert found == extract(text, limit, terms=terms)
    assert found == text or len(found) <= limit * 1.1 + 8


def test_rare_values_and_what_is_asked_for_go_before_what_fills() -> None:
    text = "\n".join(
        ["It is a day like any other day."] * 300
        + ["Invoice 4711 is due on 2026-03-01.", "The colour of the car is green."]
    )

    found = extract(text, 200, terms=("car",))

    assert "Invoice 4711" in found
    assert "the car is green" in found


def test_a_long_paragraph_is_read_by_its_sentences() -> None:
    text = " ".join(
        ["Nothing happens here."] * 200 + ["The key is K-9931-X."] + ["Nothing happens here."] * 200
    )

    assert "The key is K-9931-X." in extract(text, 300)


def test_values_that_stand_elsewhere_are_not_said_again() -> None:
    seen = {"4711"}

    found = extract("Invoice 4711 exists.\n" + "plain words\n" * 100 + "Order 815 exists.", 60, seen=seen)

    assert "815" in found
    assert "815" in seen


def test_a_text_takes_some_times_what_finding_its_words_takes() -> None:
    """8 ms for a hundred kilobytes where a machine has nothing else to do; told in its own measure."""
    text = "\n".join(
        f"line {n} of a text with value-{n * 37 % 1009} and some words around it" for n in range(1_500)
    )
    extract(text, 2_000)

    took_s = min(_time_s(lambda: extract(text, 2_000, terms=("value-12",))) for _ in range(5))

    assert took_s < 8 * min(_time_s(lambda: re.findall(r"\w+", text)) for _ in range(5))


def _time_s(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun
