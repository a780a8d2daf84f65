"""Tests of deleting for good (M10, M13)."""

import os
import time
from dataclasses import replace
from pathlib import Path

from app.context.reading import read
from app.context.transcript import Transcript
from app.core.entries import Origin
from app.core.errors import StoreError
from app.core.ids import ChatId, EntryId
from app.core.parts import Blob, TextPart
from app.core.records import Draft
from app.settings import Paths
from app.store.store import Store
from app.store.upgrade import restore
from app.vault.vault import Vault
from tests.app.store.making import (
    CHAT,
    PRELUDE,
    a_chat,
    a_compaction,
    a_partial,
    a_request,
    a_run,
    a_talk,
    called,
    made,
    resulted,
    said,
    sql,
)

CANARY = "CANARY-4711-quick-brown-fox"


def _files_with(canary: str, folder: Path) -> list[str]:
    """Names of the files below `folder` that hold the canary's bytes anywhere."""
    return [
        path.name for path in folder.rglob("*") if path.is_file() and canary.encode() in path.read_bytes()
    ]


async def test_a_purged_chat_is_found_nowhere_on_the_disk(store: Store, paths: Paths) -> None:
    """M13: not in the database, its WAL or the vault."""
    vault = Vault(paths.vault)
    await a_talk(store, 3)
    blob = await vault.put(CANARY.encode(), mime="text/plain", name="log")
    await store.append(CHAT, [made("x", "e2", TextPart(text=f"{CANARY} {'y' * 9_000}"), TextPart(text=blob))])
    await store.commit(
        a_compaction("k", summary=CANARY), [a_run("k", "e0", "e1", "e2", CANARY)], planned_rev=9
    )
    await store.save_draft(CHAT, Draft(text=CANARY, queue=(CANARY,)))
    await store.save_chat_setting(CHAT, "instructions", CANARY)
    await store.update_chat(CHAT, title=CANARY)
    record = replace(a_request("q", "x"), prelude_hash="canary")
    running = a_partial(record, TextPart(text=CANARY))
    await store.begin_request(record, replace(PRELUDE, system=CANARY), running)
    await store.trash_chat(CHAT)
    before = _files_with(CANARY, paths.data)

    await store.purge_chat(CHAT)

    assert before
    assert _files_with(CANARY, paths.data) == []
    assert not [path for path in paths.vault.rglob("*") if path.is_file()]
    assert await store.chats(trash=True) == ()


async def test_what_a_fork_still_shows_survives_the_purge_of_its_parent(store: Store, paths: Paths) -> None:
    vault = Vault(paths.vault)
    blob = await vault.put(b"shared", mime="text/plain", name="log")
    await store.create_chat(a_chat())
    await store.append(CHAT, [made("e0", None, TextPart(text=blob)), said("e1", "e0"), said("e2", "e1")])
    fork = await store.fork_chat(CHAT, EntryId("e1"), title="Fork")
    asked = await store.removal(CHAT)

    await store.purge_chat(CHAT)

    contents = await store.load(fork.id)
    assert (asked.entries, asked.shared_with) == (1, (fork.id,))
    assert [entry.id for entry in contents.entries] == ["e0", "e1"]
    assert await vault.get(blob) == b"shared"
    await store.purge_chat(fork.id)
    assert sql(paths, "SELECT count(*) FROM entries") == [(0,)]
    assert not [path for path in paths.vault.rglob("*") if path.is_file()]


async def test_an_original_that_is_kept_for_ever_outlives_its_chat(store: Store, paths: Paths) -> None:
    """C26, M13: the question says what stays; once it is kept no longer, the next sweep takes it."""
    vault = Vault(paths.vault)
    kept, other = [await vault.put(text, mime="text/plain", name="log") for text in (b"kept", b"other")]
    await store.create_chat(a_chat())
    await store.append(CHAT, [made("e0", None, TextPart(text=kept), TextPart(text=other)), said("e1", "e0")])
    await store.keep_blob(kept, keep=True)
    await store.keep_blob(kept, keep=True)
    asked = await store.removal(CHAT)

    await store.purge_chat(CHAT)
    old_s = time.time() - 7_200
    for path in paths.vault.glob("??/??/*"):
        os.utime(path, (old_s, old_s))
    n_swept = await store.sweep_vault()

    assert asked.kept == await store.kept_blobs() == (kept,)
    assert n_swept == 0
    assert await vault.get(kept) == b"kept"
    assert [path.name for path in paths.vault.glob("??/??/*")] == [kept.sha256]
    await store.keep_blob(kept, keep=False)
    assert await store.sweep_vault() == 1
    assert await store.kept_blobs() == ()


async def test_what_is_deleted_of_a_message_leaves_what_is_kept_for_ever(store: Store, paths: Paths) -> None:
    """C26, M10."""
    vault = Vault(paths.vault)
    blob = await vault.put(b"kept", mime="text/plain", name="log")
    await store.create_chat(a_chat())
    await store.append(CHAT, [made("e0", None, TextPart(text=blob)), said("e1", "e0")])
    await store.keep_blob(blob, keep=True)

    await store.purge_group(CHAT, EntryId("e0"))

    assert await vault.get(blob) == b"kept"


async def test_purging_a_fork_leaves_its_parent_whole(store: Store) -> None:
    talk = await a_talk(store, 3)
    fork = await store.fork_chat(CHAT, EntryId("e1"), title="Fork")
    await store.append(fork.id, [said("x", "e1")])

    asked = await store.removal(fork.id)
    await store.purge_chat(fork.id)

    assert (asked.entries, asked.shared_with) == (1, (CHAT,))
    assert (await store.load(CHAT)).entries == talk


async def test_a_purged_group_is_blank_in_every_chat_that_shares_it(store: Store, paths: Paths) -> None:
    """M10: ids and parents stay; folds over it are undone and blank, and no undo shows it again."""
    await a_talk(store, 2)
    group = [called("c", "e1", "1"), resulted("r", "c", "1", CANARY)]
    await store.append(CHAT, [*group, said("e2", "r", origin=Origin.ASSISTANT)])
    await store.commit(
        a_compaction("k", summary=CANARY), [a_run("k", "e1", "r", "e2", CANARY)], planned_rev=9
    )
    fork = await store.fork_chat(CHAT, EntryId("e2"), title="Fork")
    asked = await store.removal(CHAT, EntryId("c"))

    changes = await store.purge_group(CHAT, EntryId("r"))
    await store.delete_group(CHAT, EntryId("c"), undo=True)

    assert (asked.entries, asked.shared_with) == (2, (fork.id,))
    assert changes.chats == {CHAT, fork.id}
    assert _files_with(CANARY, paths.data) == []
    for chat_id in (CHAT, fork.id):
        contents = await store.load(chat_id)
        path = Transcript(contents.entries).path(contents.chat.head)
        shown = read(path, contents.folds, contents.deletions, rev=contents.chat.rev)
        assert [entry.id for entry in path] == ["e0", "e1", "c", "r", "e2"]
        assert [entry.id for item in shown for entry in item.entries] == ["e0", "e1", "e2"]


async def test_a_fold_elsewhere_is_not_touched_by_a_purge(store: Store) -> None:
    await a_talk(store, 6)
    await store.commit(a_compaction("k"), [a_run("k", "e0", "e1", "e5")], planned_rev=6)

    await store.purge_group(CHAT, EntryId("e3"))

    (fold,) = (await store.load(CHAT)).folds
    assert (fold.undone_rev, fold.replacement) == (None, (TextPart(text="summary"),))


async def test_what_was_deleted_for_good_does_not_come_back_with_a_backup(store: Store, paths: Paths) -> None:
    """M13: ids stay as tombstones; the question names the backups that still hold it."""
    await a_talk(store, 3)
    await a_talk_named(store, "other")
    backup = await store.back_up_daily()
    assert backup is not None
    asked = (await store.removal(ChatId("other"))).backups, (await store.removal(CHAT, EntryId("e1"))).backups
    await store.purge_chat(ChatId("other"))
    await store.purge_group(CHAT, EntryId("e1"))
    await store.aclose()

    restore(paths, backup)

    again = await Store.open(paths)
    chats = [chat.id for chat in await again.chats()]
    parts = [entry.parts for entry in await again.tail(CHAT, 9)]
    await again.aclose()
    assert asked == ((backup.name,), (backup.name,))
    assert chats == [CHAT]
    assert [bool(part) for part in parts] == [True, False, True]


async def a_talk_named(store: Store, chat_id: str) -> None:
    await store.create_chat(a_chat(chat_id))
    await store.append(ChatId(chat_id), [said(f"{chat_id}0")])


async def test_a_blob_that_another_chat_points_at_is_kept(store: Store, paths: Paths) -> None:
    vault = Vault(paths.vault)
    shared = await vault.put(b"twice", mime="text/plain", name="a")
    own = await vault.put(b"once", mime="text/plain", name="b")
    await store.create_chat(a_chat("a"))
    await store.create_chat(a_chat("b"))
    await store.append(ChatId("a"), [made("x", None, TextPart(text=shared), TextPart(text=own))])
    await store.append(ChatId("b"), [made("y", None, TextPart(text=shared))])

    await store.purge_chat(ChatId("a"))

    assert await vault.get(shared) == b"twice"
    assert await _is_gone(vault, own)


async def test_a_blob_in_a_folds_replacement_lives_as_long_as_the_fold(store: Store, paths: Paths) -> None:
    vault = Vault(paths.vault)
    await a_talk(store, 2)
    blob = await vault.put(b"summary", mime="text/plain", name="s")
    run = replace(a_run("k", "e0", "e1", "e1"), replacement=(TextPart(text=blob),))
    await store.commit(a_compaction("k"), [run], planned_rev=2)
    await a_talk_named(store, "other")

    await store.purge_chat(ChatId("other"))
    kept = await vault.get(blob)
    await store.purge_group(CHAT, EntryId("e0"))

    assert kept == b"summary"
    assert await _is_gone(vault, blob)


async def test_blobs_that_nothing_refers_to_are_swept_after_an_hour(store: Store, paths: Paths) -> None:
    """M13: the row decides existence; what was just put may be referred to in a moment."""
    vault = Vault(paths.vault)
    referred, left, young, again = [
        await vault.put(name, mime="text/plain", name="b") for name in (b"ref", b"left", b"young", b"again")
    ]
    await store.create_chat(a_chat())
    await store.append(CHAT, [made("x", None, TextPart(text=referred))])
    for path in paths.vault.rglob("*"):
        if path.is_file() and path.name != young.sha256:
            os.utime(path, (0, 0))
    await vault.put(b"again", mime="text/plain", name="b")

    swept = await store.sweep_vault()

    assert swept == 1
    assert [await _is_gone(vault, blob) for blob in (referred, left, young, again)] == [
        False,
        True,
        False,
        False,
    ]


async def test_what_is_put_again_while_a_purge_is_under_way_stays_for_who_put_it(
    store: Store, paths: Paths
) -> None:
    vault = Vault(paths.vault)
    await store.create_chat(a_chat())
    blob = await vault.put(b"again", mime="text/plain", name="b")
    await store.append(CHAT, [made("x", None, TextPart(text=blob))])
    (path,) = paths.vault.rglob(blob.sha256)
    os.utime(path, (0, time.time() + 60))  # as whoever puts it in this moment leaves it

    await store.purge_chat(CHAT)

    assert await vault.get(blob) == b"again"


async def test_the_sweep_leaves_nothing_of_a_purge_that_was_killed_after_its_transaction(
    store: Store, paths: Paths
) -> None:
    """M13: no words of it in the WAL either."""
    vault = Vault(paths.vault)
    await store.create_chat(a_chat())
    blob = await vault.put(CANARY.encode(), mime="text/plain", name="b")
    await store.append(CHAT, [made("x", None, TextPart(text=blob), TextPart(text=CANARY))])
    purged = await store._engine.write(lambda at: at.removals.purge_chat(CHAT))  # pyright: ignore[reportPrivateUsage]  # the half that was done
    (path,) = paths.vault.rglob(blob.sha256)
    os.utime(path, (0, 0))
    before = _files_with(CANARY, paths.data)

    swept = await store.sweep_vault()

    assert purged.blobs == (blob.sha256,)
    assert before
    assert (swept, _files_with(CANARY, paths.data)) == (1, [])
    assert not path.exists()


async def _is_gone(vault: Vault, blob: Blob) -> bool:
    try:
        await vault.get(blob)
    except StoreError:
        return True
    return False
