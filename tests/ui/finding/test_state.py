"""Tests of what the palette shows for what is typed (U15, U23)."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.entries import Origin
from app.core.ids import ChatId, EntryId
from app.finding.found import Found, Place
from app.finding.wanted import Snippet
from ui.finding.state import (
    MOST_CHATS,
    MOST_RECENT,
    Caption,
    Kind,
    Option,
    Typed,
    matching,
    message,
    neighbour,
    palette_rows,
)

EVERYTHING = Option(kind=Kind.EVERYTHING, id="", title="x")
_TITLES = st.text(alphabet="abc é你好-", max_size=12)


def option(title: str, kind: Kind = Kind.CHAT, about: str = "") -> Option:
    return Option(kind=kind, id=title, title=title, about=about)


def a_message(entry_id: str = "e") -> Found:
    return Found(
        chat_id=ChatId("c"),
        title="Bills",
        entry_id=EntryId(entry_id),
        origin=Origin.USER,
        place=Place.SAID,
        said_at=datetime(2026, 3, 4, tzinfo=UTC),
        snippet=Snippet(text="round it", marks=((0, 5),)),
    )


@pytest.mark.parametrize(
    ("typed", "best"),
    [
        ("ro", "Rounding"),
        ("round inv", "Rounding the invoice"),
        ("inv rou", "Rounding the invoice"),
        ("REPORT", "The réport"),
        ("账单", "季度账单"),
        ("rdng", "Rounding"),
        ("port", "The réport"),
    ],
)
def test_words_go_with_titles_in_any_order_and_however_they_begin(typed: str, best: str) -> None:
    titles = ("Rounding", "Rounding the invoice", "The réport", "季度账单", "Grounds")

    found = matching(typed, map(option, titles), 9)

    assert found[0].title == best


def test_a_title_that_begins_so_comes_before_one_that_holds_it_in_a_word() -> None:
    found = matching("round", map(option, ("Grounds", "All around", "The round", "Rounding")), 9)

    assert [item.title for item in found] == ["Rounding", "The round", "Grounds", "All around"]


def test_what_a_page_is_about_finds_it_too() -> None:
    (found,) = matching("dark", [option("Appearance", Kind.SETTING, "theme, dark"), option("Data")], 9)

    assert (found.title, found.marks) == ("Appearance", ())


@given(st.lists(_TITLES, max_size=6), _TITLES)
def test_marks_lie_in_the_title_and_no_word_is_left_out(titles: list[str], typed: str) -> None:
    for found in matching(typed, map(option, titles), 9):
        assert all(0 <= start < end <= len(found.title) for start, end in found.marks)
        assert list(found.marks) == sorted(found.marks)
    for title in titles:
        if title.split():
            assert Typed(title).score(option(title)) is not None


def test_nothing_typed_shows_the_chats_used_last_and_no_more() -> None:
    options = [option(f"chat {n}") for n in range(30)] + [option("New chat", Kind.COMMAND)]

    rows = palette_rows("", options, (), everything=EVERYTHING)

    assert rows[0] == Caption(kind=Kind.CHAT)
    assert [row.id for row in rows if isinstance(row, Option)] == [f"chat {n}" for n in range(MOST_RECENT)]


def test_sections_come_in_their_order_and_end_with_the_way_to_everything() -> None:
    options = [option("round", kind) for kind in (Kind.COMMAND, Kind.SETTING)]
    options += [option(f"round {n}") for n in range(9)]

    rows = palette_rows("round", options, (a_message(),), everything=EVERYTHING)

    captions = [row.kind for row in rows if isinstance(row, Caption)]
    assert captions == [Kind.CHAT, Kind.COMMAND, Kind.SETTING, Kind.MESSAGE]
    assert sum(isinstance(row, Option) and row.kind is Kind.CHAT for row in rows) == MOST_CHATS
    assert rows[-2:] == (message(a_message()), EVERYTHING)


@given(st.lists(st.booleans(), max_size=8), st.integers(-1, 9), st.sampled_from((-6, -1, 1, 6)))
def test_the_keys_go_from_option_to_option(kinds: list[bool], at: int, by: int) -> None:
    rows = [option("x") if is_option else Caption(kind=Kind.CHAT) for is_option in kinds]

    found = neighbour(rows, at, by)

    assert found == -1 if not any(kinds) else kinds[found]
