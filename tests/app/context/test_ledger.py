"""What the person laid down is found by rule, word for word, and what contradicts it supersedes it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.ledger import active, added, edited, found_in, is_ban, removed, updated, within_budget
from app.core.ledger import LedgerItem, LedgerKind
from app.tokens.estimate import estimate
from tests.app.context.counts import conversation
from tests.app.context.histories import path_of
from tests.app.context.summary.making import assistant, case_path, user


def _lines(*texts: str) -> list[tuple[str, str]]:
    items = updated((), path_of(user(text) for text in texts))
    return [(item.kind.value, item.text) for item in active(items)]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Do NOT push.", "constraint"),
        ("Please don't touch the tests.", "constraint"),
        ("You must never edit config/prod.yaml.", "constraint"),
        ("Always answer in French.", "constraint"),
        ("Only use the standard library.", "constraint"),
        ("We go with PostgreSQL.", "decision"),
        ("Agreed, let's use port 8080 then.", "decision"),
        ("The budget is 1,250.50 EUR.", "value"),
        ("不要改动测试文件。", "constraint"),
        ("必须使用 Python 3.11。", "constraint"),
        ("禁止推送到主分支。", "constraint"),
        ("我们选定 PostgreSQL。", "decision"),
        ("预算是 1250 元。", "value"),
    ],
)
def test_a_line_is_found_by_its_cue(said: str, kind: str) -> None:
    """C38."""
    assert _lines(said) == [(kind, said)]


@pytest.mark.parametrize(
    "said",
    [
        "I don't know why it fails.",
        "Why must it be so?",
        "I have decided nothing",
        "```\n# never call this\n```",
        "> you must not do that",
        "好的，我没决定呢",
        "这朵花特别美丽",
    ],
)
def test_talk_is_no_rule(said: str) -> None:
    assert [line for line in _lines(said) if line[0] == "constraint"] == []


def test_only_the_person_lays_down_anything() -> None:
    items = updated((), path_of([user("Hello."), assistant("You must never do that. Do not push.")]))

    assert items == ()


def test_a_proposal_that_is_accepted_is_a_decision_of_both() -> None:
    path = path_of(
        [
            user("Which store?"),
            assistant("There are two. I suggest SQLite with one writer."),
            user("ok, do it"),
        ]
    )

    (item,) = updated((), path)

    assert (item.kind, item.text, item.entry_id) == (
        LedgerKind.DECISION,
        "I suggest SQLite with one writer.",
        path[1].id,
    )


def test_a_proposal_that_is_refused_is_none() -> None:
    path = path_of([user("Which?"), assistant("I suggest SQLite."), user("no, something else")])

    assert updated((), path) == ()


def test_a_later_choice_supersedes_the_earlier_one_and_both_are_kept() -> None:
    items = updated((), path_of([user("The server port is 8080."), user("The server port is 9090.")]))

    assert [item.text for item in active(items)] == ["The server port is 9090."]
    assert [item.superseded_rev for item in items] == [2, None]


def test_a_ban_that_is_lifted_is_not_sent_again() -> None:
    """Case B37: a later lifting removes it."""
    items = updated((), path_of([user("Do not push to origin."), user("You can push to origin now.")]))

    assert active(items) == ()
    assert len(items) == 1


def test_two_bans_stand_beside_each_other() -> None:
    assert len(_lines("Do not push to main.", "Do not push to release.")) == 2


def test_reading_the_same_path_again_changes_nothing() -> None:
    path = case_path("B37")
    once = updated((), path)

    assert updated(once, path) == once
    assert once


def test_what_the_person_removed_does_not_come_back() -> None:
    path = path_of([user("Do not push.")])
    (item,) = updated((), path)

    items = removed((item,), item.id, rev=9)

    assert active(updated(items, path)) == ()


def test_the_person_adds_and_edits_lines() -> None:
    items = added((), "  Never   sleep ", kind=LedgerKind.CONSTRAINT, item_id="m1", rev=3)
    items = edited(items, "m1", "x" * 300)

    (item,) = items
    assert item == LedgerItem(
        id="m1", kind=LedgerKind.CONSTRAINT, text="x" * 160, entry_id=None, rev=3, is_manual=True
    )


@given(st.lists(st.sampled_from(["Do not touch file", "Always run", "We go with", "Hello"]), max_size=60))
def test_there_are_never_more_than_forty_active_lines(cues: list[str]) -> None:
    items = updated((), path_of(user(f"{cue} x{at} y{at} z{at}.") for at, cue in enumerate(cues)))

    assert len(active(items)) <= 40
    assert all(len(item.text) <= 160 for item in items)


def test_a_small_window_sends_bans_and_then_what_fits() -> None:
    """C38: ≤ min(2,000 tokens, 4 % of N); bans are never cut (case B37)."""
    said = [f"Always check the module number {at} with every tool that we have." for at in range(20)]
    items = updated((), path_of([user("Do not push."), *map(user, said)]))

    lines = within_budget(items, 2_000, estimate)

    assert lines[0].text == "Do not push."
    assert sum(estimate(line.text) for line in lines) <= 80 + estimate("Do not push.")
    assert 1 < len(lines) < 21


def test_advice_of_an_assistant_is_no_ban_of_a_chat() -> None:
    assert is_ban("Do NOT push")
    assert not is_ban("Don't worry about it")


def test_chats_of_words_lay_down_little() -> None:
    items = updated((), conversation("memorybank-zh"))

    assert len(items) <= 12


def test_an_entry_tells_its_own_lines() -> None:
    (entry,) = path_of([user("Do not push, and never edit config/prod.yaml.")])

    assert [item.text for item in found_in(entry)] == ["Do not push, and never edit config/prod.yaml."]
