"""A text is cut into lines, sentences and leaves, and the rare and exact among them come first."""

from collections import Counter
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.filters.telling import Sayings, ranked, units_of, weights, words_of

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=300) | st.text(
    'ab 1,.。！“”《》{}[]":\n中文/_-$%', max_size=300
)


def weighed(words: Iterable[str], used_again: Sequence[str] = ()) -> dict[str, float]:
    return weights(Counter(words), used_again)


def order(texts: Sequence[str], *, covered: Sequence[str] = (), terms: Sequence[str] = ()) -> list[str]:
    """`texts` as units of one size and source, the most telling first."""
    words = {text: words_of(text) for text in texts}
    weight = weighed(word for text in texts for word in words[text])
    found = ranked(texts, [0.1] * len(texts), words, weight, covered=covered, terms=terms)
    return [texts[at] for at in found]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("paid $1,250.50 (12.5%) on 2024-05-27.", ["paid", "$1,250.50", "12.5%", "on", "2024-05-27"]),
        ("see src/app/main.py:12: unused", ["see", "src/app/main.py:12", "unused"]),
        ('{"user_id": "mia_li_3668"}', ["user_id", "mia_li_3668"]),
        ("520,0,3,Pavlovic", ["520", "0", "3", "Pavlovic"]),
        ("我在看《活着》，花了30元", ["我在", "在看", "《活着》", "花了", "30元"]),
    ],
)
def test_values_are_words_of_their_own(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_a_line_is_a_unit_and_a_long_line_is_cut_after_its_sentences() -> None:
    sentence = "This is a sentence of a paragraph that goes on and on for a while, as they do."

    assert units_of("  one\n\n   \ntwo  ") == ["  one", "two"]
    assert units_of(" ".join([sentence] * 4)) == [sentence] * 4


def test_chinese_sentences_are_units_too() -> None:
    sentence = "这是一个很长的段落里的一句话，它说了一些事情，然后结束了。"

    assert units_of(sentence * 8) == [sentence] * 8


def test_json_is_cut_into_small_rows_and_leaves_with_their_keys() -> None:
    text = '{"id": "X1", "items": [{"name": "a", "price": 1.5}, {"name": "b", "price": 2}], "tags": ["p", "q"], "none": {}}'

    assert units_of(text) == [
        "id: X1, none: {}",
        "items: name: a, price: 1.5",
        "items: name: b, price: 2",
        "tags: p, q",
    ]


def test_what_an_object_says_of_itself_stays_together() -> None:
    """A price without the name of what costs it is no fact."""
    text = '{"name": "Laptop", "price": 2530.72, "options": {"ram": "8GB"}, "id": "7401244629"}'

    assert units_of(text) == ["name: Laptop, price: 2530.72, id: 7401244629", "options: ram: 8GB"]


def test_the_line_number_of_a_listing_is_no_value() -> None:
    assert words_of("   277\t  DONE();") == ["DONE"]
    assert words_of("632→  total: 5") == ["total", "5"]


def test_the_rare_goes_before_the_common_and_the_exact_before_the_plain() -> None:
    texts = ["nothing to see here"] * 3 + [
        "nothing to see tomorrow9",
        "reservation HAT253 to see",
        "nothing at all",
    ]

    assert order(texts)[:2] == ["reservation HAT253 to see", "nothing to see tomorrow9"]


def test_a_value_that_was_kept_or_stands_elsewhere_counts_little() -> None:
    texts = ["order W2586676 paid", "order W2586676 again", "order W9999999 paid"]

    assert order(texts)[2] in texts[:2]
    assert order(texts, covered=["W9999999", "order", "paid"])[-1] == texts[2]


def test_of_equal_lines_those_that_tell_or_hold_a_term_come_first() -> None:
    assert order(["alpha seven", "alpha never", "alpha eight"])[0] == "alpha never"
    assert order(["alpha seven", "alpha eight", "alpha nine9"], terms=["eight"]).index("alpha eight") < 2


def test_what_was_used_again_in_a_call_counts_twice() -> None:
    words = ["HAT253", "HAT253", "HAT254", "HAT254"]

    found = weighed(words, ["HAT253"])

    assert found["HAT253"] == 2 * found["HAT254"]


@given(texts=st.lists(TEXTS, max_size=8))
def test_each_unit_comes_once_whatever_the_texts_hold(texts: list[str]) -> None:
    units = [unit for text in texts for unit in units_of(text)]

    assert sorted(order(units)) == sorted(units)
    assert order(units) == order(units)


@given(text=TEXTS)
def test_lines_lose_nothing_but_blanks(text: str) -> None:
    if text.lstrip()[:1] not in ("{", "["):
        assert "".join("".join(units_of(text)).split()) == "".join(text.split())


@given(texts=st.lists(TEXTS, max_size=8), kept=st.sets(st.integers(0, 7)))
def test_what_a_text_says_is_the_same_found_once_kept_and_forgotten(texts: list[str], kept: set[int]) -> None:
    said = Sayings()
    for _ in range(2):
        for text in texts:
            assert said.units[text] == tuple(units_of(text))
            for unit in said.units[text]:
                assert said.words[unit] == tuple(words_of(unit))

        said.keep({text for at, text in enumerate(texts) if at in kept})

        assert set(said.units) == {text for at, text in enumerate(texts) if at in kept}
