"""The tree of a chat: paths, versions, leaves, groups; and chats that are damaged open all the same."""

from dataclasses import replace

from hypothesis import given

from app.context.transcript import Transcript, groups
from app.core.entries import Entry, Origin
from app.core.ids import EntryId
from app.core.parts import TextPart
from tests.app.context.histories import History, histories, path_of


def entry(entry_id: str, parent: str | None, rev: int) -> Entry:
    (plain,) = path_of(((Origin.USER, (TextPart(text=entry_id),)),))
    return replace(plain, id=EntryId(entry_id), parent_id=EntryId(parent) if parent else None, rev=rev)


def tree() -> Transcript:
    """a ─ b ─ c, beside b: d ─ e."""
    made = (("a", None), ("b", "a"), ("c", "b"), ("d", "a"), ("e", "d"))
    return Transcript(entry(name, parent, rev) for rev, (name, parent) in enumerate(made, 1))


def ids(*names: str) -> tuple[EntryId, ...]:
    return tuple(map(EntryId, names))


def test_a_path_leads_from_the_root_to_the_head() -> None:
    assert tuple(item.id for item in tree().path(EntryId("e"))) == ids("a", "d", "e")
    assert tree().path(None) == ()


def test_versions_are_told_in_the_order_they_were_made() -> None:
    assert tree().siblings(EntryId("d")) == ids("b", "d")
    assert tree().siblings(EntryId("a")) == ids("a")


def test_a_branch_is_shown_as_it_was_last_seen_else_at_its_newest() -> None:
    """Case B81."""
    a, b = ids("a", "b")

    assert tree().leaf(a, {}) == EntryId("e")
    assert tree().leaf(a, {a: b}) == EntryId("c")
    assert tree().leaf(a, {a: EntryId("gone")}) == EntryId("e")


def test_an_entry_that_is_added_twice_is_there_once() -> None:
    transcript = tree()

    transcript.add(entry("b", "a", 2))

    assert (len(transcript), transcript.siblings(EntryId("b"))) == (5, ids("b", "d"))


def test_a_missing_parent_and_a_circle_end_a_path() -> None:
    """TS1: any chat opens."""
    torn = Transcript([entry("b", "lost", 1), entry("c", "b", 2)])
    circle = Transcript([entry("x", "y", 1), entry("y", "x", 2)])

    assert tuple(item.id for item in torn.path(EntryId("c"))) == ids("b", "c")
    assert {item.id for item in circle.path(EntryId("x"))} == set(ids("x", "y"))


def test_a_chat_whose_head_is_gone_opens_at_the_newest_leaf() -> None:
    assert tree().newest_leaf() == EntryId("e")
    assert Transcript().newest_leaf() is None


@given(histories())
def test_groups_cut_a_path_without_losing_or_tearing_anything(history: History) -> None:
    """M2."""
    found = list(groups(history.path))

    assert tuple(item for group in found for item in group) == history.path
    assert all(len(group) == 1 or group[0].calls for group in found)
    assert all(item.origin is Origin.TOOL for group in found for item in group[1:])
    after = [group for group, before in zip(found[1:], found, strict=False) if before[0].calls]
    assert all(group[0].origin is not Origin.TOOL for group in after)
