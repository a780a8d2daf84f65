"""Originals are read in pieces, and what a question is about is found by its words (C27, Q12)."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.vault.address import address
from app.vault.reading import (
    LONGEST_LINE,
    MOST_LINES,
    MOST_TOKENS,
    Reading,
    numbered_lines,
    question_words,
    read_pattern,
    read_range,
    search_originals,
)

TEN = "\n".join(f"line {n}" for n in range(1, 11))


def count(text: str) -> int:
    return len(text) // 4


@pytest.mark.parametrize(
    ("line_range", "first", "last"),
    [
        ("", 1, 10),
        ("3:5", 3, 5),
        (" 3 : 5 ", 3, 5),
        ("8:", 8, 10),
        ("-3:", 8, 10),
        ("-3", 8, 10),
        (":2", 1, 2),
        ("7", 7, 7),
        ("0:2", 1, 2),
        ("9:99", 9, 10),
        ("-50:", 1, 10),
    ],
)
def test_a_range_counts_from_one_and_holds_both_its_ends(line_range: str, first: int, last: int) -> None:
    text = "\n".join(f"line {n}" for n in range(first, last + 1))

    assert read_range(TEN, line_range, count=count) == Reading(text=text, first=first, last=last, n_lines=10)


@pytest.mark.parametrize("line_range", ["abc", "5:3", "11:12", "1:2:3", "--2", "1e3:"])
def test_what_is_no_range_of_it_is_told_with_how_many_lines_there_are(line_range: str) -> None:
    found = read_range(TEN, line_range, count=count)

    assert (found.text, found.first) == ("", 0)
    assert "There are 10." in found.hint


def test_more_than_a_call_may_bring_is_said_with_the_range_to_go_on() -> None:
    text = "\n".join(f"{n}" for n in range(1, 1001))

    found = read_range(text, count=count)

    assert (found.first, found.last) == (1, MOST_LINES)
    assert found.hint == '[lines 1–400 of 1,000; read on with line_range "401:1000"]'
    assert read_range(text, "401:1000", count=count).first == 401


def test_a_line_without_an_end_counts_as_several() -> None:
    text = "a" * (2 * LONGEST_LINE + 1) + "\nlast"

    assert [len(line) for line in numbered_lines(text)] == [LONGEST_LINE, LONGEST_LINE, 1, 4]
    assert read_range(text, "4", count=count).text == "last"


_texts = st.text(st.sampled_from("ab 中\n"), max_size=300)


@given(st.lists(_texts, max_size=4).map(lambda found: "\n".join(text * 40 for text in found)))
def test_reading_on_as_the_hints_say_brings_all_of_it(text: str) -> None:
    lines: list[str] = []
    line_range = ""
    while True:
        found = read_range(text, line_range, count=count)
        assert count(found.text) <= MOST_TOKENS
        lines += found.text.split("\n")
        if not found.hint:
            break
        line_range = found.hint.split('"')[1]

    assert lines == numbered_lines(text)


def test_a_pattern_shows_its_lines_with_their_numbers_and_what_stands_around() -> None:
    found = read_pattern(TEN, "LINE (2|9)", count=count)

    assert (
        found.text
        == "1: line 1\n2: line 2\n3: line 3\n4: line 4\n…\n7: line 7\n8: line 8\n9: line 9\n10: line 10"
    )
    assert (found.n_found, found.hint) == (2, "")


def test_a_pattern_is_looked_for_within_a_range() -> None:
    assert read_pattern(TEN, "line", "9:10", count=count).n_found == 2
    assert read_pattern(TEN, "line 1$", "9:10", count=count).hint == "[nothing found in 10 lines]"


def test_of_many_lines_those_with_the_rarest_match_are_shown() -> None:
    """Q12: one read with the words of the question holds the answer."""
    lines = [f"the port of service {n} is not set" for n in range(2_000)]
    lines[1_500] = "the port of the gateway is 8443"

    found = read_pattern("\n".join(lines), "port|gateway", count=count)

    assert "1501: the port of the gateway is 8443" in found.text
    assert count(found.text) <= MOST_TOKENS
    assert "more of 2,000 lines match" in found.hint


@pytest.mark.parametrize("pattern", ["(", "[a", "*"])
def test_what_is_no_pattern_is_looked_for_letter_by_letter(pattern: str) -> None:
    assert read_pattern(f"one\ntwo {pattern}", pattern, count=count).n_found == 1


def test_a_pattern_that_never_ends_is_given_up() -> None:
    """Q23."""
    began = time.perf_counter()

    found = read_pattern("a" * 1_900 + "b", "(a+a+)+$", count=count)

    assert found.n_found == 0
    assert time.perf_counter() - began < 2


def test_a_question_leads_to_the_original_and_the_lines_that_answer_it() -> None:
    wanted = address("a" * 64, "deploy.log")
    log = "\n".join(f"step {n} done" for n in range(3_000)) + "\nthe gateway listens on port 8443"
    originals = [(address("b" * 64, "notes.md"), "The gateway is ours.\nstep by step"), (wanted, log)]

    found = search_originals("On which port does the gateway listen?", originals, count=count)

    assert found is not None
    assert found.address == wanted
    assert "port 8443" in read_range(log, found.line_range, count=count).text
    assert "port 8443" in read_pattern(log, found.pattern, count=count).text
    assert search_originals("Quartz?", originals, count=count) is None
    assert search_originals("", originals, count=count) is None


def test_chinese_questions_are_looked_for_by_pairs() -> None:
    assert question_words("网关的端口是 8443 吗") == ("8443", "网关", "关的", "的端", "端口", "口是", "吗")
