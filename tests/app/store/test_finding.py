"""Tests of finding what chats hold (U15, Q10, M13): every word and every Chinese pair, and nothing after a purge."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from app.core.entries import Origin
from app.core.ids import ChatId, EntryId
from app.core.parts import TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from app.finding.found import Findings, Place, texts_in
from app.finding.terms import fold, runs_of
from app.settings import Paths
from app.store.store import Store
from app.store.upgrade import migrate
from app.vault.vault import Vault
from tests.app.chats.reading import conversation, imported
from tests.app.store.making import CHAT, NOW, a_chat, called, made, resulted, said, sql

_ALL = 10_000
_LOOKED_AT, _EACH = 40, 7
"""Messages of a conversation, and each so-manieth of their words: a search is some milliseconds."""


def _ids(findings: Findings) -> list[str]:
    return [item.entry_id for item in findings.found]


async def _found(store: Store, typed: str) -> list[str]:
    return sorted(_ids(await store.find(typed, limit=_ALL)))


async def _read_all(store: Store) -> None:
    while await store.read_texts():
        pass


async def test_every_kind_of_text_is_found_by_its_words_and_says_what_it_is(store: Store) -> None:
    await store.create_chat(a_chat(title="Bills"))
    call = ToolCallPart(call_id="c", name="grep", arguments='{"pattern": "needle"}')
    result = ToolResultPart(call_id="c", name="grep", text="a haystack")
    await store.append(
        CHAT,
        [
            said("a", None, "Round the invoice once, 季度账单"),
            made("b", "a", ThinkingPart(text="musing about it"), TextPart(text="Done."), call),
            made("c", "b", result, origin=Origin.TOOL),
        ],
    )

    places = {
        typed: [(item.entry_id, item.place) for item in (await store.find(typed, limit=9)).found]
        for typed in ("invoice", "账单", "账", "musing", "needle", "haystack", "invo rou")
    }
    (found,) = (await store.find("invoice", limit=9)).found

    assert places == {
        "invoice": [("a", Place.SAID)],
        "账单": [("a", Place.SAID)],
        "账": [("a", Place.SAID)],
        "musing": [("b", Place.REASONING)],
        "needle": [("b", Place.CALL)],
        "haystack": [("c", Place.RESULT)],
        "invo rou": [("a", Place.SAID)],
    }
    assert (found.title, found.chat_id, found.origin, found.is_shown) == ("Bills", CHAT, Origin.USER, True)
    assert [found.snippet.text[start:end] for start, end in found.snippet.marks] == ["invoice"]


@pytest.mark.parametrize("name", ["memorybank-zh", "glaive-toolcall-zh-150", "aider-history-a"])
async def test_every_word_and_every_pair_of_a_real_conversation_finds_its_message(
    store: Store, name: str
) -> None:
    """U15: what two Chinese signs find is what people type; FTS5's trigrams find nothing for them."""
    entries = imported(conversation(name).read_bytes()).entries
    await store.create_chat(a_chat())
    await store.append(CHAT, entries)
    wanted = {
        (entry.id, piece)
        for entry in entries[-_LOOKED_AT:]
        for _, text in texts_in(entry.parts)
        for piece in _words_and_pairs(text[:600])
    }
    by_piece: dict[str, set[str]] = {}
    for entry_id, piece in wanted:
        by_piece.setdefault(piece, set()).add(entry_id)

    missed = {
        piece: lost
        for piece, ids in sorted(by_piece.items())[::_EACH]
        if (lost := ids - set(await _found(store, f'"{piece}"')))
    }

    assert len(by_piece) > 100
    assert missed == {}


def _words_and_pairs(text: str) -> set[str]:
    found = set[str]()
    for run, is_unspaced in runs_of(fold(text)):
        found.update({run} if not is_unspaced else {run[at : at + 2] for at in range(len(run) - 1)})
    return found


async def test_the_newest_and_what_says_most_come_first(store: Store) -> None:
    await store.create_chat(a_chat())
    old = NOW - timedelta(days=400)
    await store.append(
        CHAT,
        [
            replace(said("often", None, "ledger and ledger, the ledger"), created_at=NOW),
            replace(said("once", "often", "a word on the ledger"), created_at=NOW),
            replace(said("old", "once", "a word on the ledger"), created_at=old),
            replace(resulted("tool", "old", "c", "a word on the ledger"), created_at=NOW),
        ],
    )

    assert _ids(await store.find("ledger", limit=9)) == ["often", "once", "old", "tool"]


async def test_a_page_says_that_there_is_more(store: Store) -> None:
    await store.create_chat(a_chat())
    await store.append(CHAT, [said(f"m{i}", f"m{i - 1}" if i else None, f"word {i}") for i in range(5)])

    first, all_ = await store.find("word", limit=2), await store.find("word", limit=5)

    assert (len(first.found), first.has_more) == (2, True)
    assert (len(all_.found), all_.has_more) == (5, False)


async def test_a_branch_that_is_not_shown_is_found_and_says_so(store: Store) -> None:
    await store.create_chat(a_chat())
    await store.append(CHAT, [said("a"), said("b", "a", "first answer"), said("c", "b")])
    await store.append(CHAT, [said("b2", "a", "second answer")])

    shown = {item.entry_id: item.is_shown for item in (await store.find("answer", limit=9)).found}

    assert shown == {"b": False, "b2": True}


async def test_what_is_deleted_or_in_the_trash_is_not_found_until_it_comes_back(store: Store) -> None:
    await store.create_chat(a_chat())
    await store.append(CHAT, [said("a"), called("b", "a", "x"), resulted("c", "b", "x", "needle")])

    before = await _found(store, "needle")
    await store.delete_group(CHAT, EntryId("b"))
    deleted = await _found(store, "needle")
    await store.delete_group(CHAT, EntryId("b"), undo=True)
    again = await _found(store, "needle")
    await store.trash_chat(CHAT)
    trashed = await _found(store, "needle")
    await store.trash_chat(CHAT, restore=True)

    assert (before, deleted, again, trashed) == (["c"], [], ["c"], [])
    assert await _found(store, "needle") == ["c"]


async def test_what_a_fork_still_shows_is_found_in_it_when_its_parent_is_gone(store: Store) -> None:
    await store.create_chat(a_chat())
    await store.append(CHAT, [said("a", None, "needle"), said("b", "a", "needle too")])
    fork = await store.fork_chat(CHAT, EntryId("a"), title="Fork")

    before = (await store.find("needle", limit=9)).found
    await store.purge_chat(CHAT)
    after = (await store.find("needle", limit=9)).found

    assert [(item.entry_id, item.chat_id) for item in before] == [("a", CHAT), ("b", CHAT)]
    assert [(item.entry_id, item.chat_id, item.title) for item in after] == [("a", fork.id, "Fork")]


async def test_what_a_sub_agent_said_leads_to_the_call_that_made_it(store: Store) -> None:
    await store.create_chat(a_chat())
    await store.append(CHAT, [said("a"), called("b", "a", "x")])
    await store.create_chat(replace(a_chat("sub"), called_by=EntryId("b")))
    await store.append(ChatId("sub"), [said("s", None, "needle")])

    (found,) = (await store.find("needle", limit=9)).found

    assert (found.chat_id, found.entry_id, found.is_delegated) == (CHAT, "b", True)


async def test_a_text_in_the_vault_is_found_once_it_was_read(store: Store) -> None:
    await store.create_chat(a_chat())
    long = f"{'hay ' * 300_000}季度账单 needle"
    await store.append(CHAT, [made("a", None, TextPart(text="see"), TextPart(text=long))])
    early = await _found(store, "needle")

    assert store.has_waiting.is_set()
    await _read_all(store)
    (found,) = (await store.find("账单", limit=9)).found

    assert early == []
    assert (found.entry_id, found.place, found.snippet.marks != ()) == ("a", Place.ORIGINAL, True)


async def test_an_older_database_is_searchable_after_it_was_read_and_newest_first(paths: Paths) -> None:
    """Q25: nothing waits for it, and what is said meanwhile is found at once."""
    store = await Store.open(paths)
    await store.create_chat(a_chat())
    await store.append(CHAT, [said(f"m{i}", f"m{i - 1}" if i else None, f"word {i}") for i in range(150)])
    await store.aclose()
    migrate(paths.database, to="0006", is_down=True)

    again = await Store.open(paths)
    unread = await _found(again, "word")
    await again.append(CHAT, [said("new", "m149", "word new")])
    said_now = await _found(again, "word")
    await again.read_texts()
    part = await _found(again, "word")
    await _read_all(again)
    whole = await _found(again, "word")
    await again.aclose()

    assert (unread, said_now) == ([], ["new"])
    assert {"new", "m149"} <= set(part)
    assert "m0" not in part
    assert len(whole) == 151


CANARY = "canary4711 秘密"


def _holds(folder: Path, word: str) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file() and word.encode() in path.read_bytes()]


@pytest.mark.parametrize("is_whole_chat", [True, False])
async def test_nothing_finds_what_was_deleted_for_good_and_no_file_holds_its_words(
    store: Store, paths: Paths, is_whole_chat: bool
) -> None:
    """M13: SQLite's index keeps words that were taken out until its parts are merged."""
    await store.create_chat(a_chat())
    await store.create_chat(a_chat("other"))
    await store.append(ChatId("other"), [said(f"o{i}", None, f"other words {i}") for i in range(300)])
    long = f"{'hay ' * 30_000}{CANARY} deep"
    await store.append(CHAT, [said("a", None, CANARY), made("b", "a", TextPart(text=long))])
    for i in range(30):
        await store.append(ChatId("other"), [said(f"p{i}", None, f"more words {i}")])
    await _read_all(store)
    before = await _found(store, "canary4711")

    if is_whole_chat:
        await store.purge_chat(CHAT)
    else:
        await store.purge_group(CHAT, EntryId("a"))
        await store.purge_group(CHAT, EntryId("b"))

    assert before == ["a", "b"]
    for typed in ("canary4711", "canary", "秘密", "秘", "deep", "hay"):
        assert await _found(store, typed) == []
    assert len(await _found(store, "words")) == 330
    assert _holds(paths.data, "canary") == []
    assert _holds(paths.data, "秘密") == []
    assert sql(paths, "SELECT word FROM vocabulary WHERE word IN ('canary4711', 'deep', 'hay')") == []


async def test_a_purge_whose_original_is_lost_has_the_index_made_anew(store: Store, paths: Paths) -> None:
    await store.create_chat(a_chat())
    await store.create_chat(a_chat("other"))
    await store.append(ChatId("other"), [said("o", None, "other words")])
    await store.append(CHAT, [made("a", None, TextPart(text=f"{'hay ' * 30_000} canary4711"))])
    await _read_all(store)
    for path in paths.vault.rglob("*"):
        if path.is_file():
            path.unlink()

    await store.purge_chat(CHAT)
    await _read_all(store)

    assert await _found(store, "other") == ["o"]
    assert _holds(paths.data, "canary4711") == []


async def test_an_original_that_two_messages_hold_is_found_until_the_last_of_them_is_gone(
    store: Store, paths: Paths
) -> None:
    blob = await Vault(paths.vault).put(b"a needle", mime="text/plain", name="log")
    await store.create_chat(a_chat())
    await store.append(CHAT, [made("a", None, TextPart(text=blob)), made("b", "a", TextPart(text=blob))])
    await _read_all(store)

    both = await _found(store, "needle")
    await store.purge_group(CHAT, EntryId("b"))
    one = await _found(store, "needle")
    await store.purge_group(CHAT, EntryId("a"))

    assert (both, one, await _found(store, "needle")) == (["b"], ["a"], [])


async def test_the_index_agrees_with_itself_after_all_of_this(store: Store, paths: Paths) -> None:
    await store.create_chat(a_chat())
    await store.append(CHAT, [said(f"m{i}", None, f"word {i} 数据") for i in range(50)])
    for i in range(0, 50, 2):
        await store.purge_group(CHAT, EntryId(f"m{i}"))

    with closing(sqlite3.connect(paths.database)) as connection:
        connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
    assert len(await _found(store, "数据")) == 25


@pytest.mark.parametrize(
    "typed", ["", "  ", "->", '"', '""', "*", "(", "NEAR(", "a AND", "'", "😀", "a" * 500]
)
async def test_nothing_that_is_typed_is_an_error(store: Store, typed: str) -> None:
    await store.create_chat(a_chat())
    await store.append(CHAT, [said("a", None, "a NEAR and")])

    assert isinstance(await store.find(typed, limit=9), Findings)
