"""A fork from anywhere reads as the chat did there, whatever was folded and undone, and every provider takes it."""

import random
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from app.chats.formats import Imported
from app.context.context import Context
from app.context.ports import NewEntry, NewFold
from app.context.reading import read
from app.context.transcript import Transcript
from app.core.entries import Entry, Origin
from app.core.folds import Fold
from app.core.ids import ChatId, EntryId
from app.core.parts import TextPart
from app.settings import Paths
from app.store.store import Store
from tests.app.chats.reading import stored
from tests.app.context.folding import Folding
from tests.app.context.test_validity import (
    MODEL,
    N_QUICK,
    PRELUDE,
    Provider,
    all_take,
    conversation,
    provider,
    short,
)
from tests.app.store.conftest import empty_database, paths
from tests.app.store.making import CHAT, a_chat, a_compaction
from tests.story import seen

__all__ = ("conversation", "empty_database", "paths", "provider")

pytestmark = pytest.mark.asyncio(loop_scope="module")

_N_STEPS, _N_FORKS = 4, 4


@pytest_asyncio.fixture(loop_scope="module")
async def store(paths: Paths) -> AsyncIterator[Store]:
    opened = await Store.open(paths)
    yield opened
    await opened.aclose()


async def _append(store: Store, entries: tuple[Entry, ...]) -> None:
    new = [
        NewEntry(
            id=entry.id,
            parent_id=entry.parent_id,
            origin=entry.origin,
            parts=entry.parts,
            provider_fields=entry.provider_fields,
        )
        for entry in entries
    ]
    await store.append(CHAT, new)


async def _fold(store: Store, path: tuple[Entry, ...], seed: int) -> None:
    """A sequence of folds by chance, through the store."""
    held = await store.load(CHAT)
    folding = Folding(path, seed)
    folding.folds, folding.rev = list(held.folds), held.chat.rev
    for _ in range(_N_STEPS):
        before = list(folding.folds)
        folding.step()
        for old, now in zip(before, folding.folds, strict=False):
            if old != now:
                await store.undo(CHAT, now.compaction_id)
        for fold in folding.folds[len(before) :]:
            await _commit(store, fold)


async def _commit(store: Store, fold: Fold) -> None:
    new = NewFold(
        compaction_id=fold.compaction_id,
        kind=fold.kind,
        first=fold.first,
        last=fold.last,
        part=fold.part,
        replacement=fold.replacement,
        anchor=fold.anchor,
    )
    assert await store.commit(a_compaction(fold.compaction_id), [new], planned_rev=fold.rev)


async def test_a_fork_reads_as_the_chat_did_there_and_every_provider_takes_it(
    provider: Provider, conversation: Imported, store: Store
) -> None:
    """M11, C31: from any point, before a compaction too; nothing of the chat it came from changes."""
    path = tuple(short(entry) for entry in stored(conversation).entries[:N_QUICK])
    chance = random.Random(len(path))
    await store.create_chat(a_chat())
    middle = len(path) // 2
    await _append(store, path[:middle])
    await _fold(store, path[:middle], seed=1)
    await _append(store, path[middle:])
    await _fold(store, (await store.load(CHAT)).entries, seed=2)
    source = await store.load(CHAT)

    for n in range(_N_FORKS):
        at = path[middle - 1] if n == 0 else chance.choice(path)
        fork = await store.fork_chat(CHAT, at.id, title="Fork")

        assert fork.head
        shared = Transcript(source.entries).path(fork.head)
        after = source.entries[len(shared) :]
        moment = after[0].rev - 1 if after else source.chat.rev
        copy = await store.load(fork.id)
        there = read(copy.entries, copy.folds, rev=copy.chat.rev)
        assert seen(there) == seen(read(shared, source.folds, rev=moment))
        assert await store.load(CHAT) == source
        await all_take(provider, await _going_on(store, fork.id), seed=n)
        await _undone_as_there(store, fork.id, chance)


async def _going_on(store: Store, fork_id: ChatId) -> Context:
    """The fork's next request."""
    head = (await store.chat(fork_id)).head
    more = NewEntry(
        id=EntryId(f"{fork_id}+"), parent_id=head, origin=Origin.USER, parts=(TextPart(text="Go on."),)
    )
    await store.append(fork_id, [more])
    copy = await store.load(fork_id)
    return Context(copy.entries, copy.folds, rev=copy.chat.rev, model=MODEL, prelude=PRELUDE)


async def _undone_as_there(store: Store, fork_id: ChatId, chance: random.Random) -> None:
    """M4 in a fork: what is undone reads as without it, in whatever order."""
    left = list((await store.load(fork_id)).folds)
    chance.shuffle(left)
    while left:
        await store.undo(fork_id, left[0].compaction_id)
        left = [fold for fold in left if fold.compaction_id != left[0].compaction_id]
        copy = await store.load(fork_id)
        kept = [fold for fold in copy.folds if fold in left]
        without = read(copy.entries, kept, rev=copy.chat.rev)
        assert seen(read(copy.entries, copy.folds, rev=copy.chat.rev)) == seen(without)
