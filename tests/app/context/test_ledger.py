"""What the person laid down is found by rule, word for word, and what contradicts it supersedes it."""

from dataclasses import replace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.gleaned import Gleaned
from app.context.ledger import (
    LineRefused,
    active,
    added,
    edited,
    found_in,
    is_ban,
    removed,
    superseded,
    undone,
    updated,
    within_budget,
)
from app.core.entries import Origin
from app.core.ids import EntryId
from app.core.ledger import LedgerItem, LedgerKind
from app.tokens.estimate import estimate
from tests.app.context.counts import conversation
from tests.app.context.histories import Said, path_of
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
    first = LedgerItem(
        id="m1", kind=LedgerKind.CONSTRAINT, text="Never sleep", entry_id=None, rev=3, is_manual=True
    )

    items = added((), "  Never   sleep ", kind=LedgerKind.CONSTRAINT, item_id="m1", rev=3)
    items = edited(items, "m1", "Sleep at night.", new_id="m2", rev=4)

    assert items == (
        replace(first, superseded_rev=4),
        replace(first, id="m2", text="Sleep at night.", rev=4),
    )


def test_other_words_for_a_line_that_was_found_keep_its_source_and_stay() -> None:
    path = path_of([user("The server port is 8080."), user("The server port is 9090.")])
    (old, *_) = updated((), path[:1])

    items = updated(edited((old,), old.id, "The server port is 8081.", new_id="m1", rev=7), path)

    mine = next(item for item in items if item.id == "m1")
    assert (mine.entry_id, mine.kind, mine.superseded_rev) == (old.entry_id, old.kind, None)
    assert next(item for item in items if item.id == old.id).superseded_rev == 7


def test_a_line_gives_way_to_another_that_the_person_names() -> None:
    first, second = updated((), path_of([user("Do not push."), user("Only use tabs.")]))

    items = superseded((first, second), first.id, by=second.id, rev=5)

    assert active(items) == (second,)
    with pytest.raises(LineRefused):
        superseded(items, second.id, by=first.id, rev=6)


@pytest.mark.parametrize(
    ("text", "told"), [(" \n ", "can't be empty"), ("x" * 161, "at most 160 characters; this one has 161")]
)
def test_a_line_that_is_none_is_refused_in_words(text: str, told: str) -> None:
    """C38: nothing is cut without a word."""
    items = added((), "One.", kind=LedgerKind.VALUE, item_id="m1", rev=1)

    with pytest.raises(LineRefused, match=told):
        added(items, text, kind=LedgerKind.VALUE, item_id="m2", rev=2)
    with pytest.raises(LineRefused, match=told):
        edited(items, "m1", text, new_id="m2", rev=2)
    with pytest.raises(LineRefused, match="not in the ledger any more"):
        removed(items, "m2", rev=2)


def test_what_the_person_wrote_is_not_pushed_out() -> None:
    """C38: ≤ 40 items; a 41st of one's own is refused, not another one dropped."""
    items: tuple[LedgerItem, ...] = updated((), path_of([user("Do not push.")]))
    for at in range(40):
        items = added(items, f"Own line {at}a {at}b.", kind=LedgerKind.VALUE, item_id=f"m{at}", rev=at + 2)

    assert [item.text for item in items if item.superseded_rev] == ["Do not push."]
    with pytest.raises(LineRefused, match="40 lines of yours"):
        added(items, "One more.", kind=LedgerKind.VALUE, item_id="more", rev=99)


_SAID = ("Do not push.", "The server port is 8080.", "The server port is 9090.", "Always run tests x1 y1.")
_edits = st.lists(
    st.tuples(st.sampled_from(["add", "edit", "remove", "supersede"]), st.integers(0, 9)), max_size=6
)


def _changed(items: tuple[LedgerItem, ...], edit: tuple[str, int], rev: int) -> tuple[LedgerItem, ...]:
    what, n = edit
    lines = active(items)
    if what == "add" or not lines:
        return added(items, _SAID[n % 4], kind=LedgerKind.VALUE, item_id=f"m{rev}", rev=rev)
    line, other = lines[n % len(lines)], lines[(n + 1) % len(lines)]
    match what:
        case "edit":
            return edited(items, line.id, f"Line {n} of {rev}.", new_id=f"m{rev}", rev=rev)
        case "remove":
            return removed(items, line.id, rev=rev)
        case _:
            return superseded(items, line.id, by=other.id, rev=rev)


@given(_edits)
def test_changes_undone_from_the_newest_leave_the_ledger_as_it_was(edits: list[tuple[str, int]]) -> None:
    path = path_of(map(user, _SAID))
    before = [updated((), path)]
    for at, edit in enumerate(edits, start=10):
        before.append(updated(_changed(before[-1], edit, at), path))

    items = before.pop()
    for at in reversed(range(10, 10 + len(edits))):
        items = undone(items, at)

        assert items == before.pop()


_TOLD = (*_SAID, "You may push now.", "Go ahead and run the tests x1 y1.", "Hello.")
_happenings = st.lists(
    st.sampled_from(_TOLD).map(user)
    | st.sampled_from(["I suggest we go with MySQL.", "We could avoid the port 8080."]).map(assistant)
    | st.just(user("Yes."))
    | st.tuples(st.sampled_from(["add", "edit", "remove", "supersede"]), st.integers(0, 9))
    | st.just("asked"),
    max_size=14,
)


@given(_happenings)
def test_what_was_read_is_not_read_again_and_the_ledger_is_the_same(
    happenings: list[Said | tuple[str, int] | str],
) -> None:
    """Q6: whatever is said, changed by the person, or asked for without being stored."""
    gleaned = Gleaned()
    items: tuple[LedgerItem, ...] = ()
    said: list[Said] = []
    revs: list[int] = []
    for rev, happening in enumerate(happenings, start=1):
        path = [replace(entry, rev=at) for entry, at in zip(path_of(said), revs, strict=True)]
        if happening == "asked":
            updated(items, path, gleaned)
        elif isinstance(happening[0], Origin):
            said.append(cast("Said", happening))
            revs.append(rev)
        else:
            items = _changed(updated(items, path, gleaned), cast("tuple[str, int]", happening), rev)
    path = [replace(entry, rev=at) for entry, at in zip(path_of(said), revs, strict=True)]

    assert updated(items, path, gleaned) == updated(items, path)


def test_another_branch_is_read_from_its_beginning() -> None:
    gleaned = Gleaned()
    one, other = (
        path_of(map(user, said)) for said in (("Hello.", "Do not push."), ("Hello.", "Always run x1."))
    )
    other = (other[0], replace(other[1], id=EntryId("other")))
    updated((), one, gleaned)

    assert updated((), other, gleaned) == updated((), other)


@given(_edits, st.integers(10, 15))
def test_a_change_undone_out_of_order_leaves_the_later_ones(edits: list[tuple[str, int]], rev: int) -> None:
    """No line is lost, and none that was changed later comes back beside its later words."""
    items = updated((), path_of(map(user, _SAID)))
    for at, edit in enumerate(edits, start=10):
        items = _changed(items, edit, at)

    after = undone(items, rev)

    assert {item.id for item in items} - {item.id for item in after} <= {f"m{rev}"}
    later = [item for item in active(items) if item.rev > rev and item.rev >= 10]
    assert all(item in active(after) for item in later)
    assert undone(after, rev) == after


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
