"""An open chat in memory: what the store holds, whatever was said, edited, retried or shown."""

import asyncio
import random
from dataclasses import replace

import pytest

from app.context.conversation import Conversation
from app.context.ports import ChatContents, Marks
from app.core.entries import Chat, Entry, Origin
from app.core.folds import Deletion
from app.core.ids import EntryId, ModelId
from app.core.parts import TextPart
from app.core.requests import Prelude
from app.store.store import Store
from tests.app.context.counts import entry
from tests.app.context.histories import MODEL, NOW, PRELUDE, path_of, sample
from tests.app.store.conftest import empty_database, paths, store
from tests.app.store.making import CHAT, a_chat, said

__all__ = ["empty_database", "paths", "store"]


def contents(
    chat: Chat | None = None, n: int | None = None, path: tuple[Entry, ...] | None = None
) -> ChatContents:
    path = path or sample()[:n]
    chat = chat or replace(a_chat(), head=path[-1].id, rev=len(path))
    return ChatContents(chat=chat, entries=path, folds=(), pins=(), deletions=())


@pytest.mark.parametrize("seed", range(4))
async def test_what_is_in_memory_is_what_a_restart_would_load(store: Store, seed: int) -> None:
    """Case B81, M4: paths, versions and the branch that each version leads to, after any sequence of steps."""
    dice = random.Random(seed)
    await store.create_chat(a_chat())
    here = Conversation(await store.load(CHAT))

    for n in range(25):
        entries = list(here.transcript)
        step = dice.choice(["say", "say", "edit", "show"]) if entries else "say"
        if step == "show":
            chosen = dice.choice(entries).id
            head = here.transcript.leaf(chosen, here.chat.chosen) if dice.random() < 0.7 else chosen
            await store.move_head(CHAT, head)
            here.show(head)
        else:
            parent = here.chat.head if step == "say" else dice.choice(entries).parent_id
            origin = Origin.ASSISTANT if parent and n % 2 else Origin.USER
            (entry,) = await store.append(CHAT, [said(f"e{n}", parent, origin=origin)])
            here.add(entry)
        here.context(model=MODEL, prelude=PRELUDE)

        there = Conversation(await store.load(CHAT))
        assert here.path == there.path
        assert (here.chat.head, here.chat.rev) == (there.chat.head, there.chat.rev)
        assert [here.transcript.leaf(item.id, here.chat.chosen) for item in here.transcript] == [
            there.transcript.leaf(item.id, there.chat.chosen) for item in there.transcript
        ]
        grown, anew = (found.context(model=MODEL, prelude=PRELUDE) for found in (here, there))
        assert (grown.messages, grown.tip, grown.rev) == (anew.messages, anew.tip, anew.rev)


def test_an_entry_beside_the_shown_branch_is_read_with_its_own_path_only() -> None:
    """Also when nobody looked at the context in between."""
    conversation = Conversation(contents())
    conversation.context(model=MODEL, prelude=PRELUDE)
    beside, below = path_of(
        ((Origin.USER, (TextPart(text="Other."),)), (Origin.ASSISTANT, (TextPart(text="Yes."),)))
    )
    beside = replace(beside, id=EntryId("beside"), rev=50)

    conversation.add(beside)
    conversation.add(replace(below, id=EntryId("below"), parent_id=beside.id, rev=51))

    found = conversation.context(model=MODEL, prelude=PRELUDE)
    assert [message.sources for message in found.messages] == [("beside",), ("below",)]


def test_the_context_is_the_same_object_while_entries_are_appended() -> None:
    """Q6."""
    conversation = Conversation(contents(n=5))
    before = conversation.context(model=MODEL, prelude=PRELUDE)

    for said_next in sample()[5:7]:
        conversation.add(said_next)

    assert conversation.context(model=MODEL, prelude=PRELUDE) is before


def test_another_model_prelude_or_branch_is_another_context() -> None:
    conversation = Conversation(contents())
    first = conversation.context(model=MODEL, prelude=PRELUDE)

    others = [
        conversation.context(model=ModelId("own/other"), prelude=PRELUDE),
        conversation.context(model=MODEL, prelude=Prelude(system="Be long.")),
    ]
    conversation.show(sample()[1].id)
    others.append(conversation.context(model=MODEL, prelude=PRELUDE))

    assert len({found.tip for found in (first, *others)}) == 4


def test_a_system_entry_that_is_appended_changes_the_prelude() -> None:
    system, *_ = sample()
    conversation = Conversation(ChatContents(chat=a_chat(), entries=(), folds=(), pins=(), deletions=()))
    conversation.context(model=MODEL, prelude=PRELUDE)

    conversation.add(system)

    assert conversation.context(model=MODEL, prelude=PRELUDE).prelude.system == "Be brief.\n\nYou are terse."


def test_a_chat_with_a_dangling_head_opens_at_its_newest_leaf() -> None:
    """TS1."""
    conversation = Conversation(contents(chat=replace(a_chat(), head=EntryId("gone"))))

    assert conversation.path == list(sample())


def test_the_empty_beginning_can_be_shown() -> None:
    conversation = Conversation(contents())

    conversation.show(None)

    assert conversation.path == []
    assert conversation.context(model=MODEL, prelude=PRELUDE).messages == []


def test_what_was_deleted_is_gone_from_the_context_once_it_is_renewed() -> None:
    conversation = Conversation(contents())
    before = len(conversation.context(model=MODEL, prelude=PRELUDE).messages)
    gone = Deletion(entry_id=sample()[4].id, rev=20, deleted_at=NOW)

    conversation.take_marks(Marks(rev=20, folds=(), pins=(), deletions=(gone,)))

    assert len(conversation.context(model=MODEL, prelude=PRELUDE).messages) == before - 4


def long_contents() -> ChatContents:
    path = tuple(entry(i, (Origin.USER, Origin.ASSISTANT)[i % 2], TextPart(text=f"{i}")) for i in range(300))
    return contents(replace(a_chat(), head=path[-1].id, rev=300), path=path)


async def test_a_long_context_is_built_beside_the_loop() -> None:
    """Q8: of 10,000 messages it takes 0.2 s."""
    conversation, beside = Conversation(long_contents()), Conversation(long_contents())
    was_quick = beside.is_quick(model=MODEL, prelude=PRELUDE)

    await beside.build(model=MODEL, prelude=PRELUDE)

    anew = conversation.context(model=MODEL, prelude=PRELUDE)
    assert (was_quick, beside.is_quick(model=MODEL, prelude=PRELUDE)) == (False, True)
    assert beside.context(model=MODEL, prelude=PRELUDE).tip == anew.tip


async def test_that_of_another_model_is_built_beside_the_loop_too() -> None:
    """It took the window's time when the model of a long chat was switched."""
    conversation, other = Conversation(long_contents()), ModelId("acme/other")
    await conversation.build(model=MODEL, prelude=PRELUDE)
    was_quick = conversation.is_quick(model=other, prelude=PRELUDE)

    await conversation.build(model=other, prelude=PRELUDE)

    assert (was_quick, conversation.is_quick(model=other, prelude=PRELUDE)) == (False, True)
    assert conversation.context(model=other, prelude=PRELUDE).model == other


async def test_what_is_said_while_a_context_is_built_is_in_the_next_one() -> None:
    conversation = Conversation(long_contents())

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(conversation.build(model=MODEL, prelude=PRELUDE))
        await asyncio.sleep(0)
        conversation.add(entry(300, Origin.USER, TextPart(text="And now?")))

    assert conversation.context(model=MODEL, prelude=PRELUDE).head == EntryId("e300")


def test_where_an_entry_stands_on_the_shown_branch_is_found_from_the_head() -> None:
    """Q6: a sealed head is near the end, so a turn of a long chat looks at what came since, not at the chat."""
    here = Conversation(contents())
    path = here.path

    assert [here.n_until(item.id) for item in path] == list(range(1, len(path) + 1))
    assert here.n_until(EntryId("elsewhere")) == 0
    looked = here.path = LookedAt(path)
    assert here.n_until(path[-3].id) == len(path) - 2
    assert looked.n_looked == 3


class LookedAt(list[Entry]):
    """A path that counts how many of its entries are looked at."""

    n_looked = 0

    def __getitem__(self, at: object) -> Entry:  # pyright: ignore[reportIncompatibleMethodOverride]  # of one entry only
        assert isinstance(at, int)
        self.n_looked += 1
        return super().__getitem__(at)
