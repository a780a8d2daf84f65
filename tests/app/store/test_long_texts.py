"""Texts over 64 KiB lie in the vault, whoever said them, and every word of them is there (M6)."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.chats.originals import text_of
from app.context.ports import Outcome
from app.core.entries import Entry, Origin
from app.core.errors import OriginalLost
from app.core.parts import (
    INLINE_BYTES,
    Blob,
    OpaquePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    blobs_of,
    body_of,
)
from app.core.records import RequestState
from app.settings import Paths
from app.store.store import Store
from app.vault.vault import Vault
from tests.app.store.making import CHAT, a_chat, a_talk, an_answer_under_way, made, sql

LONG = "A long line, 长行, of a paste. \n" * 3_000
MAKERS: list[Callable[[str], Part]] = [
    lambda text: TextPart(text=text),
    lambda text: ThinkingPart(text=text, signature="s"),
    lambda text: ToolCallPart(call_id="1", name="write", arguments=text),
    lambda text: ToolResultPart(call_id="1", name="run", text=text),
]


async def told(paths: Paths, entry: Entry) -> list[str]:
    """The texts of an entry wherever they lie."""
    vault = Vault(paths.vault)
    bytes_of = {blob.sha256: await vault.get(blob) for blob in blobs_of(entry.parts)}
    return [text_of(body_of(part), bytes_of) for part in entry.parts]


def _filled(piece: str, n: int) -> str:
    return (piece * n)[:n]


def _made(make: Callable[[str], Part], text: str) -> Part:
    return make(text)


_LENGTHS = st.integers(0, 9) | st.integers(INLINE_BYTES - 3, INLINE_BYTES + 3)
_TEXTS = st.builds(_filled, st.sampled_from(["x", "é", "字", "🙂", "two\nlines", "\n\n"]), _LENGTHS)
"""Around the limit, in characters of one to four bytes."""
_PARTS = st.lists(st.builds(_made, st.sampled_from(MAKERS), _TEXTS), max_size=4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(_PARTS)
async def test_no_word_is_lost_and_no_long_text_stays_in_a_part(tmp_path: Path, parts: list[Part]) -> None:
    vault = Vault(tmp_path)

    kept = await vault.take_in(tuple(parts))

    bytes_of = {blob.sha256: await vault.get(blob) for blob in blobs_of(kept)}
    assert list(map(type, kept)) == list(map(type, parts))
    assert [text_of(body_of(part), bytes_of) for part in kept] == [body_of(part) for part in parts]
    inline = [body for part in kept if isinstance(body := body_of(part), str)]
    assert all(len(body.encode()) <= INLINE_BYTES for body in inline)
    assert all(blob.n_bytes > INLINE_BYTES for blob in blobs_of(kept))


@pytest.mark.parametrize("make", MAKERS)
async def test_a_long_text_is_noted_as_a_reference_of_its_entry(
    store: Store, paths: Paths, make: Callable[[str], Part]
) -> None:
    await store.create_chat(a_chat())

    (entry,) = await store.append(CHAT, [made("x", None, make(LONG), TextPart(text="Short."))])

    (blob,) = blobs_of(entry.parts)
    assert sql(paths, "SELECT sha256, entry_id FROM blob_refs") == [(blob.sha256, "x")]
    assert await told(paths, entry) == [LONG, "Short."]
    assert (await store.load(CHAT)).entries == (entry,)
    assert await store.append(CHAT, [made("x", None, make(LONG))]) == (entry,)


async def test_an_answer_longer_than_an_entry_ends_in_the_vault(store: Store, paths: Paths) -> None:
    await a_talk(store, 1)
    record = await an_answer_under_way(store)
    answer = made("a", "e0", TextPart(text=LONG))

    kept = await store.end_request(CHAT, record.id, Outcome(state=RequestState.FINISHED), answer)

    assert kept is not None
    assert isinstance(body_of(kept.parts[0]), Blob)
    assert await told(paths, kept) == [LONG]


async def test_a_long_answer_that_the_end_of_the_program_cut_is_kept_in_the_vault(
    store: Store, paths: Paths
) -> None:
    """M8."""
    await a_talk(store, 1)
    await an_answer_under_way(store, TextPart(text=LONG))

    touched = await store.recover()
    again = await store.recover()

    *_, kept = await store.tail(CHAT, 9)
    assert (touched, again) == ((CHAT,), ())
    assert isinstance(body_of(kept.parts[0]), Blob)
    assert await told(paths, kept) == [LONG]


@pytest.mark.expected_warnings("A long text stays in its entry")
async def test_a_long_text_that_the_vault_refuses_stays_in_its_entry(store: Store, paths: Paths) -> None:
    """C24: what can't be written elsewhere is not taken out, and what was said is stored all the same."""
    paths.vault.write_text("a file where the folder should be")
    await store.create_chat(a_chat())

    (entry,) = await store.append(CHAT, [made("x", None, TextPart(text=LONG), origin=Origin.USER)])

    assert entry.parts == (TextPart(text=LONG),)


async def test_a_block_that_is_carried_unread_stays_where_it_is(store: Store) -> None:
    await store.create_chat(a_chat())
    block = OpaquePart(kind="server_tool", json=f'"{"x" * 100_000}"')

    (entry,) = await store.append(CHAT, [made("x", None, block)])

    assert entry.parts == (block,)


async def test_a_long_text_lives_as_long_as_a_chat_that_shows_it(store: Store, paths: Paths) -> None:
    """M13: neither the sweep nor the end of one of two chats takes it; the end of the other does."""
    await store.create_chat(a_chat())
    (entry,) = await store.append(CHAT, [made("x", None, TextPart(text=LONG))])
    fork = await store.fork_chat(CHAT, entry.id, title="Fork")
    for path in paths.vault.rglob("*"):
        os.utime(path, (0, 0))

    swept = await store.sweep_vault()
    await store.purge_chat(CHAT)
    kept = await told(paths, entry)
    await store.purge_chat(fork.id)

    assert (swept, kept) == (0, [LONG])
    with pytest.raises(OriginalLost):
        await told(paths, entry)
