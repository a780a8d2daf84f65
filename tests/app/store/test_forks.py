"""Tests of forks (M11)."""

from dataclasses import replace

from app.context.ledger import active, added, removed, updated
from app.context.reading import Item, read
from app.context.transcript import Transcript
from app.core.ids import ChatId, CompactionId, EntryId
from app.core.ledger import LedgerKind
from app.core.parts import TextPart
from app.store.store import Store
from tests.app.store.making import CHAT, a_chat, a_compaction, a_run, a_talk, called, resulted, said
from tests.story import seen


async def _reading(store: Store, chat_id: ChatId) -> tuple[Item, ...]:
    contents = await store.load(chat_id)
    path = Transcript(contents.entries).path(contents.chat.head)
    return read(path, contents.folds, contents.deletions, rev=contents.chat.rev)


async def test_a_fork_of_a_compacted_chat_reads_as_the_chat_does(store: Store) -> None:
    """Case B78."""
    await a_talk(store, 8)
    await store.commit(a_compaction("k"), [a_run("k", "e0", "e3", "e5")], planned_rev=8)

    fork = await store.fork_chat(CHAT, EntryId("e7"), title="Fork")

    assert seen(await _reading(store, fork.id)) == seen(await _reading(store, CHAT))
    assert (fork.parent_id, fork.fork_entry_id, fork.head) == (CHAT, "e7", "e7")
    assert [item.id for item in await store.compactions(fork.id)] == ["k"]


async def test_a_fork_from_before_a_compaction_has_the_originals(store: Store) -> None:
    """Case B79."""
    await a_talk(store, 30)
    await store.commit(a_compaction("k"), [a_run("k", "e0", "e19", "e29")], planned_rev=30)

    fork = await store.fork_chat(CHAT, EntryId("e6"), title="Fork")

    contents = await store.load(fork.id)
    assert [entry.id for entry in contents.entries] == [f"e{i}" for i in range(7)]
    assert contents.folds == ()
    assert len(await _reading(store, fork.id)) == 7


async def test_a_fork_takes_the_folds_that_stood_when_the_next_entry_came(store: Store) -> None:
    """M11: also one that was undone later; not one made later, nor one undone before."""
    await a_talk(store, 4)
    for name, entry in (("early", "e0"), ("dead", "e1"), ("standing", "e2")):
        await store.commit(a_compaction(name), [a_run(name, entry, entry, "e3")], planned_rev=4)
    await store.undo(CHAT, CompactionId("dead"))
    await store.append(CHAT, [said("e4", "e3")])
    await store.undo(CHAT, CompactionId("early"))
    await store.commit(a_compaction("late"), [a_run("late", "e3", "e3", "e3")], planned_rev=8)

    fork = await store.fork_chat(CHAT, EntryId("e3"), title="Fork")

    folds = (await store.load(fork.id)).folds
    assert [(fold.compaction_id, fold.undone_rev) for fold in folds] == [("early", None), ("standing", None)]


async def test_entries_are_shared_and_what_is_added_belongs_to_one_chat(store: Store) -> None:
    await a_talk(store, 4)
    fork = await store.fork_chat(CHAT, EntryId("e1"), title="Fork")

    (added,) = await store.append(fork.id, [said("x", "e1")])
    await store.append(CHAT, [said("e4", "e3")])

    assert [entry.id for entry in (await store.load(fork.id)).entries] == ["e0", "e1", "x"]
    assert [entry.id for entry in (await store.load(CHAT)).entries] == ["e0", "e1", "e2", "e3", "e4"]
    assert added.rev == fork.rev + 1  # above all that is shared, so that "as of" has one meaning


async def test_a_fork_of_a_fork_shares_the_whole_way_down(store: Store) -> None:
    await a_talk(store, 4)
    first = await store.fork_chat(CHAT, EntryId("e3"), title="1")
    await store.append(first.id, [said("x", "e3"), said("y", "x")])

    second = await store.fork_chat(first.id, EntryId("x"), title="2")
    third = await store.fork_chat(second.id, EntryId("e1"), title="3")

    assert [entry.id for entry in (await store.load(second.id)).entries] == ["e0", "e1", "e2", "e3", "x"]
    assert [entry.id for entry in (await store.load(third.id)).entries] == ["e0", "e1"]


async def test_a_fork_inside_a_group_takes_the_whole_group(store: Store) -> None:
    """M2."""
    await a_talk(store, 1)
    group = [called("c", "e0", "1", "2"), resulted("r1", "c", "1"), resulted("r2", "r1", "2")]
    await store.append(CHAT, [*group, said("e1", "r2")])

    fork = await store.fork_chat(CHAT, EntryId("c"), title="Fork")

    assert [entry.id for entry in (await store.load(fork.id)).entries] == ["e0", "c", "r1", "r2"]
    assert fork.head == "r2"


async def test_what_is_hidden_pinned_and_set_in_a_chat_is_so_in_its_fork_and_apart_from_then_on(
    store: Store,
) -> None:
    await a_talk(store, 4)
    await store.delete_group(CHAT, EntryId("e1"))
    await store.pin(CHAT, EntryId("e0"))
    await store.save_chat_setting(CHAT, "temperature", 0.5)

    fork = await store.fork_chat(CHAT, EntryId("e3"), title="Fork")
    await store.delete_group(fork.id, EntryId("e1"), undo=True)

    contents, other = await store.load(fork.id), await store.load(CHAT)
    assert [(item.entry_id, item.undone_rev is None) for item in contents.deletions] == [("e1", False)]
    assert [(item.entry_id, item.undone_rev is None) for item in other.deletions] == [("e1", True)]
    assert [pin.entry_id for pin in contents.pins] == ["e0"]
    assert await store.chat_settings(fork.id) == {"temperature": 0.5}


async def test_a_fork_on_another_branch_goes_by_that_branch(store: Store) -> None:
    await a_talk(store, 4)
    await store.commit(a_compaction("k"), [a_run("k", "e0", "e0", "e1")], planned_rev=4)
    await store.append(CHAT, [said("x", "e1")])

    shown = await store.fork_chat(CHAT, EntryId("e1"), title="after the fold: x came then")
    await store.move_head(CHAT, EntryId("e3"))
    other = await store.fork_chat(CHAT, EntryId("e1"), title="before it: e2 came first")

    assert len((await store.load(shown.id)).folds) == 1
    assert len((await store.load(other.id)).folds) == 0


async def test_the_copies_of_a_fork_cost_nothing_and_are_undone_apart(store: Store) -> None:
    await a_talk(store, 4)
    run = replace(a_run("k", "e0", "e1", "e3"), replacement=(TextPart(text="once"),))
    await store.commit(a_compaction("k"), [run], planned_rev=4)
    fork = await store.fork_chat(CHAT, EntryId("e3"), title="Fork")

    await store.undo(fork.id, CompactionId("k"))

    assert [item.cost_usd for item in await store.compactions(fork.id)] == [0.0]
    assert [fold.undone_rev for fold in (await store.load(CHAT)).folds] == [None]


async def test_a_fork_has_the_persons_own_lines_of_the_ledger_and_what_was_found_by_then(
    store: Store,
) -> None:
    """C38, M11: what a later message superseded stands again; what the person removed does not."""
    await store.create_chat(a_chat())
    said_so = [
        "The server port is 8080.",
        "Do not push.",
        "Never edit config.yaml.",
        "The server port is 9090.",
    ]
    path = await store.append(
        CHAT, [said(f"e{i}", f"e{i - 1}" if i else None, text) for i, text in enumerate(said_so)]
    )
    found = updated((), path)
    push = next(line for line in found if line.text == "Do not push.")
    found = added(
        removed(found, push.id, rev=5), "Only SQLite.", kind=LedgerKind.CONSTRAINT, item_id="own", rev=6
    )
    await store.save_ledger(CHAT, found)

    fork = await store.fork_chat(CHAT, EntryId("e2"), title="Fork")

    before = [line.text for line in active(found)]
    assert before == ["Never edit config.yaml.", "The server port is 9090.", "Only SQLite."]
    held = await store.ledger(fork.id)
    assert [line.text for line in active(held)] == [
        "The server port is 8080.",
        "Never edit config.yaml.",
        "Only SQLite.",
    ]
    assert updated(held, path[:3]) == held
    assert await store.ledger(CHAT) == found
