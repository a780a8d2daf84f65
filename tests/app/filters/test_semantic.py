"""Descriptions by a model: every character is in some request, and a part without an answer is told anyway (C25)."""

from hypothesis import given
from hypothesis import strategies as st

from app.filters.filtered import Focus
from app.filters.semantic import PART_CHARS, asks, merged

_TEXT = "\n".join(f"Paragraph {n} says that the invoice is {n * 7} euros." for n in range(2_000))


@given(st.integers(0, 200_000), st.integers(1, 5_000))
def test_the_requests_cover_the_text_in_parts(n_chars: int, every: int) -> None:
    text = "".join("\n" if n % every == every - 1 else "x" for n in range(n_chars))

    found = asks(text, Focus(topic="what?"), limit_tokens=500)

    bodies = [ask.text.partition(f"of={len(found)}>\n")[2].removesuffix("\n</output>") for ask in found]
    assert "".join(bodies) == text
    assert max(map(len, bodies)) <= PART_CHARS


def test_a_part_names_its_lines() -> None:
    first, second, *_ = asks(_TEXT, Focus(), limit_tokens=500)

    assert (first.first, second.first) == (1, first.last + 1)


def test_a_part_without_an_answer_is_told_by_what_says_most_of_it() -> None:
    focus = Focus(terms=("paragraph 1999",))
    asked = asks(_TEXT, focus, limit_tokens=500)

    found = merged(
        _TEXT,
        asked,
        ["The first part is about invoices."] + [None] * (len(asked) - 1),
        focus,
        limit_chars=4_000,
    )

    assert "The first part is about invoices." in found
    assert "Paragraph 1999 says that the invoice is 13993 euros." in found
