"""Tests of the store's door, on the real file."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from app.context import ports
from app.context.ports import NewEntry, Outcome
from app.core.entries import Finish, Origin
from app.core.errors import StoreError
from app.core.folds import FoldKind
from app.core.ids import ChatId, CompactionId, EntryId, ModelId
from app.core.ledger import LedgerItem, LedgerKind
from app.core.parts import Blob, MediaPart, TextPart
from app.core.records import Changes, Draft, Fact, RequestState
from app.core.usage import Usage
from app.settings import Paths, Settings
from app.store.secrets import Secrets
from app.store.store import Store
from app.vault.vault import Vault
from tests.app.store.making import (
    CHAT,
    NOW,
    PRELUDE,
    a_chat,
    a_compaction,
    a_partial,
    a_request,
    a_run,
    a_talk,
    called,
    resulted,
    said,
    sql,
)


async def test_what_was_appended_is_there_after_the_store_was_closed(paths: Paths) -> None:
    store = await Store.open(paths)
    talk = await a_talk(store, 4)
    await store.aclose()

    again = await Store.open(paths)
    contents = await again.load(CHAT)
    await again.aclose()

    assert contents.entries == talk
    assert (contents.chat.head, contents.chat.rev) == ("e3", 4)


async def test_each_entry_takes_the_next_number_and_its_depth(store: Store) -> None:
    """M1."""
    talk = await a_talk(store, 3)
    edited = await store.append(CHAT, [said("x", "e1")])

    assert [(entry.rev, entry.depth) for entry in (*talk, *edited)] == [(1, 0), (2, 1), (3, 2), (4, 2)]


async def test_an_entry_that_is_stored_already_is_returned_and_nothing_moves(store: Store) -> None:
    """An answer that was lost on its way is asked for again; the message is saved once."""
    talk = await a_talk(store, 3)

    again = await store.append(CHAT, [said("e0", text="another text")])

    chat = await store.chat(CHAT)
    assert again == (talk[0],)
    assert (chat.head, chat.rev) == ("e2", 3)


async def test_an_entry_without_its_parent_is_refused_and_nothing_is_written(store: Store) -> None:
    await a_talk(store, 1)

    with pytest.raises(StoreError, match="before this one does not exist"):
        await store.append(CHAT, [said("x", "e0"), said("y", "nowhere")])

    contents = await store.load(CHAT)
    assert ([entry.id for entry in contents.entries], contents.chat.rev) == (["e0"], 1)


async def test_a_chat_that_does_not_exist_is_told_in_words(store: Store) -> None:
    for ask in (store.chat(CHAT), store.load(CHAT), store.append(CHAT, [said("x")])):
        with pytest.raises(StoreError, match="This chat does not exist any more"):
            await ask


async def test_the_tail_is_the_end_of_the_shown_path_in_order(store: Store) -> None:
    await a_talk(store, 6)
    await store.append(CHAT, [said("x", "e2"), said("y", "x")])

    tail = await store.tail(CHAT, 3)

    assert [entry.id for entry in tail] == ["e2", "x", "y"]
    assert await store.tail(CHAT, 99) == (await store.load(CHAT)).entries[:3] + tail[1:]


async def test_the_chosen_child_is_remembered_by_id_at_each_branch(store: Store) -> None:
    """Case B81: regenerating adds a sibling to that message only, and no other branch moves."""
    await a_talk(store, 4)
    await store.append(CHAT, [said("b", "e0", origin=Origin.ASSISTANT)])
    await store.move_head(CHAT, EntryId("e3"))
    first = await store.chat(CHAT)
    await store.append(CHAT, [said("c", "e2", origin=Origin.ASSISTANT)])

    chat = await store.chat(CHAT)

    assert (first.head, first.chosen) == ("e3", {"e0": "e1"})
    assert (chat.head, chat.chosen) == ("c", {"e0": "e1", "e2": "c"})


async def test_chats_are_listed_by_their_last_entry_and_the_trash_apart(store: Store) -> None:
    for name in ("a", "b", "c"):
        await store.create_chat(a_chat(name))
    await store.append(ChatId("a"), [said("x")])
    await store.trash_chat(ChatId("b"))

    listed = [chat.id for chat in await store.chats()]
    trash = [chat.id for chat in await store.chats(trash=True)]
    await store.trash_chat(ChatId("b"), restore=True)

    assert (listed, trash) == (["a", "c"], ["b"])
    assert [chat.id for chat in await store.chats()] == ["a", "c", "b"]


async def test_an_import_keeps_its_own_times(store: Store) -> None:
    await store.create_chat(replace(a_chat(), updated_at=NOW.replace(year=2001)))

    (entry,) = await store.append(CHAT, [replace(said("x"), created_at=NOW.replace(year=2002))])

    assert entry.created_at.year == 2002
    assert (await store.chat(CHAT)).updated_at.year == 2002


async def test_only_what_is_given_of_a_chat_changes(store: Store) -> None:
    await store.create_chat(a_chat(title="Old"))

    changes = await store.update_chat(CHAT, title="New \ud83d", fill=(100, 1000))
    await store.update_chat(CHAT, is_pinned=True, model=ModelId("own/model"))

    chat = await store.chat(CHAT)
    assert changes == Changes(facts=frozenset({Fact.CHATS}), chats=frozenset({CHAT}))
    assert (chat.title, chat.prompt_tokens, chat.window_tokens) == ("New \ufffd", 100, 1000)
    assert (chat.is_pinned, chat.is_title_manual, chat.model) == (True, False, "own/model")


async def test_a_head_that_is_gone_gives_way_to_the_newest_leaf(store: Store, paths: Paths) -> None:
    """TS1: a dangling head never keeps a chat from opening."""
    await a_talk(store, 3)
    await store.append(CHAT, [said("x", "e1")])
    sql(paths, "UPDATE chats SET head = 'nowhere'")

    assert (await store.chat(CHAT)).head == "x"
    assert [entry.id for entry in await store.tail(CHAT, 2)] == ["e1", "x"]


# ---- folds


async def test_a_compaction_is_stored_with_its_folds_and_undone_as_one(store: Store) -> None:
    await a_talk(store, 6)
    keep = replace(a_run("k", "e1", "e1", "e5"), kind=FoldKind.WHOLE, replacement=())

    folds = await store.commit(a_compaction("k"), [a_run("k", "e0", "e3", "e5"), keep], planned_rev=6)
    undone = await store.undo(CHAT, CompactionId("k"))
    again = await store.undo(CHAT, CompactionId("k"))

    contents = await store.load(CHAT)
    assert folds is not None
    assert [fold.rev for fold in folds] == [7, 8]
    assert contents.folds == tuple(replace(fold, undone_rev=9) for fold in folds)
    assert await store.compactions(CHAT) == (replace(a_compaction("k"), rev=7),)
    assert (undone.facts, again) == (frozenset({Fact.FOLDS}), Changes())


@pytest.mark.parametrize("what", ["deleted", "pinned", "folded", "undone", "unpinned"])
async def test_a_plan_is_refused_when_its_cover_changed_since(store: Store, what: str) -> None:
    """M9."""
    await a_talk(store, 6)
    await store.commit(a_compaction("old"), [a_run("old", "e2", "e2", "e5")], planned_rev=6)
    await store.pin(CHAT, EntryId("e0"))
    planned = (await store.chat(CHAT)).rev
    match what:
        case "deleted":
            await store.delete_group(CHAT, EntryId("e1"))
        case "pinned":
            await store.pin(CHAT, EntryId("e3"))
        case "folded":
            await store.commit(a_compaction("x"), [a_run("x", "e1", "e1", "e5")], planned_rev=planned)
        case "undone":
            await store.undo(CHAT, CompactionId("old"))
        case _:
            await store.pin(CHAT, EntryId("e0"), undo=True)
    rev = (await store.chat(CHAT)).rev

    refused = await store.commit(a_compaction("k"), [a_run("k", "e0", "e3", "e5")], planned_rev=planned)

    assert refused is None
    assert (await store.chat(CHAT)).rev == rev
    assert "k" not in [compaction.id for compaction in await store.compactions(CHAT)]


async def test_a_plan_stands_when_only_other_entries_changed_since(store: Store) -> None:
    await a_talk(store, 6)
    await store.append(CHAT, [said("e6", "e5")])
    await store.delete_group(CHAT, EntryId("e5"))
    await store.pin(CHAT, EntryId("e4"))

    assert await store.commit(a_compaction("k"), [a_run("k", "e0", "e3", "e5")], planned_rev=6)


async def test_pins_and_deletions_take_numbers_and_can_be_undone(store: Store) -> None:
    await a_talk(store, 2)
    await store.append(CHAT, [called("c", "e1", "1"), resulted("r", "c", "1")])

    await store.pin(CHAT, EntryId("e0"))
    await store.delete_group(CHAT, EntryId("r"))
    twice = await store.delete_group(CHAT, EntryId("c"))
    await store.delete_group(CHAT, EntryId("c"), undo=True)
    await store.pin(CHAT, EntryId("e0"), undo=True)

    contents = await store.load(CHAT)
    assert twice == Changes()
    assert [(pin.rev, pin.undone_rev) for pin in contents.pins] == [(5, 8)]
    assert [(item.rev, item.undone_rev) for item in contents.deletions] == [(6, 7)]


# ---- requests


async def test_a_request_and_its_empty_answer_are_written_before_it_leaves(store: Store) -> None:
    """M7."""
    await a_talk(store, 1)
    record = a_request("q", "e0")

    await store.begin_request(record, PRELUDE, a_partial(record))

    assert await store.requests(CHAT) == (record,)
    assert await store.prelude("p1") == PRELUDE


async def test_what_becomes_known_of_a_request_is_added_and_never_lost(store: Store) -> None:
    await a_talk(store, 1)
    record = a_request("q", "e0")
    usage = Usage(prompt_tokens=5, completion_tokens=6)
    await store.begin_request(record, PRELUDE, a_partial(record))

    await store.mark_request(record.id, Outcome(state=RequestState.ACCEPTED, time_to_first_token_s=0.5))
    answer = said("a", "e0", origin=Origin.ASSISTANT)
    outcome = Outcome(state=RequestState.FINISHED, usage=usage, cost_usd=0.1)
    entry = await store.end_request(CHAT, record.id, outcome, answer)

    expected = replace(
        record, state=RequestState.FINISHED, usage=usage, cost_usd=0.1, time_to_first_token_s=0.5
    )
    assert await store.requests(CHAT) == (expected,)
    assert entry is not None
    assert (await store.chat(CHAT)).head == entry.id == "a"
    assert await store.recover() == ()


async def test_only_the_newest_requests_are_read_when_asked_so(store: Store) -> None:
    await a_talk(store, 1)
    for i in range(4):
        record = replace(a_request(f"q{i}", "e0"), created_at=NOW.replace(hour=10 + i))
        await store.begin_request(record, PRELUDE, a_partial(record))

    assert [record.id for record in await store.requests(CHAT, newest=2)] == ["q2", "q3"]


async def test_a_late_flush_does_not_bring_back_an_answer_that_has_ended(store: Store) -> None:
    await a_talk(store, 1)
    record = a_request("q", "e0")
    await store.begin_request(record, PRELUDE, a_partial(record))
    await store.end_request(CHAT, record.id, Outcome(state=RequestState.STOPPED), None)

    await store.save_partial(a_partial(record, TextPart(text="late")))

    assert await store.recover() == ()
    assert [entry.id for entry in (await store.load(CHAT)).entries] == ["e0"]


async def test_a_late_flush_of_a_request_does_not_touch_the_answer_of_its_retry(store: Store) -> None:
    await a_talk(store, 1)
    first = a_request("q1", "e0")
    retry = replace(a_request("q2", "e0"), turn_id=first.turn_id)
    for record in (first, retry):
        await store.begin_request(record, PRELUDE, a_partial(record))

    await store.save_partial(a_partial(retry, TextPart(text="new")))
    await store.save_partial(a_partial(first, TextPart(text="late")))
    await store.recover()

    assert [entry.text for entry in await store.tail(CHAT, 9)] == ["text of e0", "new"]


# ---- small things


async def test_drafts_and_counts_are_kept(store: Store) -> None:
    await a_talk(store, 2)
    blob = Blob(sha256="a" * 64, n_bytes=9, mime="image/png", name="a.png")
    shot = MediaPart(source=blob, mime="image/png", width_px=3)
    draft = Draft(text="half \ud83d a thought", queue=("next",), media=(shot,))

    await store.save_draft(CHAT, draft)
    await store.save_token_counts("o200k", {EntryId("e0"): (1, 2), EntryId("purged"): (3,)})
    await store.save_token_counts("o200k", {EntryId("e0"): (4,), EntryId("e1"): ()})

    assert await store.draft(CHAT) == Draft(text="half \ufffd a thought", queue=("next",), media=(shot,))
    assert await store.draft(ChatId("other")) == Draft()
    assert await store.token_counts(CHAT, "o200k") == {"e0": (4,), "e1": ()}
    assert await store.token_counts(CHAT, "cl100k") == {}


async def test_settings_are_layered_and_each_is_checked(store: Store) -> None:
    """A7."""
    await store.create_chat(a_chat())

    await store.save_setting("theme", "dark")
    await store.save_chat_setting(CHAT, "temperature", 1.5)
    await store.save_chat_setting(CHAT, "instructions", "Be kind.")
    await store.save_chat_setting(CHAT, "instructions", None)

    assert await store.settings() == Settings(theme="dark")
    assert await store.chat_settings(CHAT) == {"temperature": 1.5}
    with pytest.raises(StoreError, match="'temperature' does not take this value"):
        await store.save_setting("temperature", 9)
    with pytest.raises(StoreError, match="There is no setting 'colour'"):
        await store.save_setting("colour", "red")


@pytest.mark.expected_warnings("Stored settings that cannot be used: theme")
async def test_a_stored_value_that_no_longer_fits_gives_way_to_its_default(
    store: Store, paths: Paths
) -> None:
    await store.save_setting("theme", "dark")
    sql(paths, "UPDATE settings SET value = '\"beige\"'")

    assert await store.settings() == Settings()


# ---- the contract


async def test_the_doors_are_what_the_engine_asks_for(store: Store, paths: Paths) -> None:
    """The type checker holds it; here it is named."""
    asked: tuple[ports.Store, ports.Vault, ports.Secrets] = (store, Vault(paths.vault), Secrets(paths))

    assert len(asked) == 3


# ---- the threads


async def test_reads_go_on_while_a_write_waits_for_its_turn(store: Store) -> None:
    await a_talk(store, 3)
    large = [said(f"x{i}", "e2" if i == 0 else f"x{i - 1}", "y" * 2_000) for i in range(500)]

    write = asyncio.get_running_loop().create_task(store.append(CHAT, large))
    during = await store.tail(CHAT, 1)
    await write

    assert during[0].id in ("e2", "x499")
    assert (await store.chat(CHAT)).head == "x499"


async def test_a_write_whose_wait_was_cancelled_is_whole(store: Store) -> None:
    await a_talk(store, 1)
    task = asyncio.get_running_loop().create_task(store.append(CHAT, [said("a", "e0"), said("b", "a")]))
    await asyncio.sleep(0)

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert [entry.id for entry in await store.tail(CHAT, 9)] in (["e0"], ["e0", "a", "b"])
    await store.append(CHAT, [said("c", "e0")])
    assert [entry.id for entry in (await store.load(CHAT)).entries] == ["e0", "a", "b", "c"]


async def test_a_closed_store_says_so(paths: Paths) -> None:
    store = await Store.open(paths)
    await store.aclose()

    with pytest.raises(StoreError, match="closed"):
        await store.chats()


async def test_blobs_are_noted_with_the_entries_that_point_at_them(store: Store, paths: Paths) -> None:
    """M6."""
    await store.create_chat(a_chat())
    blob = Blob(sha256="ab" * 32, n_bytes=9, mime="text/plain", name="log")
    entry = NewEntry(
        id=EntryId("x"),
        parent_id=None,
        origin=Origin.USER,
        parts=(TextPart(text=blob),),
        finish=Finish.STOP,
    )

    await store.append(CHAT, [entry])

    assert sql(paths, "SELECT sha256, entry_id FROM blob_refs") == [(blob.sha256, "x")]


async def test_the_folder_and_its_files_are_for_this_user_alone(store: Store, paths: Paths) -> None:
    """Q22."""
    await a_talk(store, 1)

    modes = {path.name: path.stat().st_mode & 0o777 for path in paths.data.iterdir()}

    assert paths.data.stat().st_mode & 0o777 == 0o700
    assert modes == dict.fromkeys(modes, 0o600)
    assert {Path(name).name for name in modes} >= {"palimpsest.sqlite3", "palimpsest.sqlite3-wal"}


_LINE = LedgerItem(id="", kind=LedgerKind.DECISION, text="", entry_id=None, rev=1)


@pytest.mark.parametrize(
    "later",
    [
        ("a", "b", "c"),
        ("a", "b", "c", "d"),
        ("a", "x", "b", "c"),
        ("b", "c"),
        ("a", "b!", "c"),
        ("a!", "x", "c", "d"),
        (),
    ],
)
async def test_a_ledger_is_read_in_the_order_in_which_it_was_saved_last(
    store: Store, later: tuple[str, ...]
) -> None:
    """C38; a line with a mark has other words."""
    await store.create_chat(a_chat())

    for ids in (("a", "b", "c"), later):
        items = tuple(replace(_LINE, id=name.rstrip("!"), text=name) for name in ids)
        await store.save_ledger(CHAT, items)

        assert await store.ledger(CHAT) == items
