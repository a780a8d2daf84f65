"""What the sidebar shows: headings, forks under their parents, what a search leaves."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.chats.library import Period
from app.context.budget import Health
from app.core.entries import Chat
from app.core.ids import ChatId
from ui.sidebar.samples import CHATS, NOW, chat
from ui.sidebar.state import Caption, ChatRow, SidebarState, neighbour, sidebar_state


def told(state: SidebarState) -> list[str]:
    """The rows as a person reads them."""
    return [
        f"# {row.period}" if isinstance(row, Caption) else "  " * row.depth + row.title for row in state.rows
    ]


def test_chats_stand_under_their_headings_and_forks_under_their_parents() -> None:
    """U1."""
    state = sidebar_state(CHATS, now=NOW)

    assert told(state) == [
        "# pinned",
        "House rules for reviews",
        "# today",
        "Migrate billing to ledger v2",
        "  fork · try event sourcing",
        "季度报表里的数字核对",
        "Reading: product_manual.pdf, chapters 3 to 11",
        "# yesterday",
        "Which indexes does the nightly job need?",
        "# week",
        "Flaky e2e on CI",
        "Trip to Kyoto",
        "# older",
        "",
    ]


def test_a_family_stands_where_its_newest_chat_would() -> None:
    chats = (chat("old", 20), chat("middle", 3), chat("new fork", 0, of="old"))

    state = sidebar_state(chats, now=NOW)

    assert told(state) == ["# today", "old", "  new fork", "# week", "middle"]


def test_forks_stand_in_the_order_in_which_they_were_made() -> None:
    first = replace(chat("first", 0, of="root"), created_at=NOW - timedelta(days=9))

    state = sidebar_state((chat("root", 20), chat("second", 3, of="root"), first), now=NOW)

    assert told(state) == ["# today", "root", "  first", "  second"]


def test_forks_of_forks_are_indented_three_times_at_most() -> None:
    chain = [chat("c0", 0), *(chat(f"c{n}", 0, of=f"c{n - 1}") for n in range(1, 6))]

    state = sidebar_state(chain, now=NOW)

    assert [row.depth for row in state.rows if isinstance(row, ChatRow)] == [0, 1, 2, 3, 3, 3]


def test_a_fork_whose_parent_is_gone_stands_for_itself() -> None:
    state = sidebar_state((chat("fork", 0, of="in the trash"),), now=NOW)

    assert told(state) == ["# today", "fork"]


def test_a_pinned_fork_stands_with_the_pinned_ones() -> None:
    state = sidebar_state((chat("root"), chat("fork", of="root", is_pinned=True)), now=NOW)

    assert told(state) == ["# pinned", "fork", "# today", "root"]


def test_every_word_of_a_search_must_be_in_the_title() -> None:
    state = sidebar_state(CHATS, now=NOW, wanted="LEDGER migrate")

    assert told(state) == ["# today", "Migrate billing to ledger v2"]
    assert state.n_chats == len(CHATS)


def test_chinese_titles_are_found_by_a_part_of_them() -> None:
    assert told(sidebar_state(CHATS, now=NOW, wanted="数字")) == ["# today", "季度报表里的数字核对"]


def test_the_dot_follows_the_one_scale_of_health() -> None:
    """U3."""
    found = {
        row.title: (row.use, row.health)
        for row in sidebar_state(CHATS, now=NOW).rows
        if isinstance(row, ChatRow)
    }

    assert found["Trip to Kyoto"] == (None, Health.UNKNOWN)
    assert found["House rules for reviews"] == (0.08, Health.HEALTHY)
    assert found["Migrate billing to ledger v2"] == (0.76, Health.WARNING)
    assert found["Flaky e2e on CI"] == (0.91, Health.CRITICAL)


def test_next_goes_round_the_ends() -> None:
    rows = sidebar_state((chat("a", 0), chat("b", 1), chat("c", 2)), now=NOW).rows

    assert neighbour(rows, ChatId("a"), 1) == "b"
    assert neighbour(rows, ChatId("a"), -1) == "c"
    assert neighbour(rows[:2], ChatId("a"), 1) is None


_IDS = [f"c{n}" for n in range(6)]


@st.composite
def forests(draw: st.DrawFn) -> tuple[Chat, ...]:
    """Chats of which some are forks of earlier ones; parents may be missing."""
    made: list[Chat] = []
    for n in range(draw(st.integers(0, 6))):
        parent = draw(st.sampled_from(["", "gone", *_IDS[:n]]))
        days = draw(st.floats(0, 30))
        made.append(chat(_IDS[n], days, of=parent, is_pinned=draw(st.booleans())))
    return tuple(made)


@given(forests())
def test_every_chat_is_shown_once(chats: tuple[Chat, ...]) -> None:
    rows = sidebar_state(chats, now=NOW).rows

    assert sorted(row.id for row in rows if isinstance(row, ChatRow)) == sorted(each.id for each in chats)
    assert len({row.period for row in rows if isinstance(row, Caption)}) == sum(
        isinstance(row, Caption) for row in rows
    )


def test_yesterday_begins_at_midnight() -> None:
    midnight = NOW.replace(hour=0, minute=0)
    rows = sidebar_state((chat("late", 0),), now=midnight + timedelta(days=1)).rows

    assert rows[0] == Caption(period=Period.YESTERDAY)


def test_a_chat_that_waits_for_the_person_says_so() -> None:
    """A12: it may not be the one that is shown."""
    here, there = CHATS[0], CHATS[1]

    state = sidebar_state((here, there), now=NOW, waiting=frozenset({there.id}))

    assert [row.id for row in state.rows if isinstance(row, ChatRow) and row.is_waiting] == [there.id]
