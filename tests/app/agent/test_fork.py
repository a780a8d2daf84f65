"""Going on in a new chat: the whole, or summary, ledger and tail; the chat it came from stays as it is (U10, C34)."""

import asyncio
from dataclasses import replace

from app.chats.folding import Folding
from app.chats.forking import Forked, Forking, ForkKind
from app.chats.library import Library
from app.context.ports import ChatContents
from app.core.events import Accepted
from app.core.folds import FoldKind
from app.core.ids import ChatId, EntryId
from app.core.records import Fact
from app.store.store import Store
from app.tasks import SystemClock, TaskScope
from tests.app.agent.opening import CHAT, NoVault, Opened, opened
from tests.app.agent.test_room import folding_of, settings, with_long_tool_work
from tests.app.agent.test_summary import GOOD, WIDE, long_talk, n_written
from tests.app.context.summary.making import PROMPTS
from tests.fakes import Step, until

BAN = "Do not push to main."


class Forks:
    """Forks of one open chat, each opened as a chat of its own."""

    def __init__(self, chat: Opened, *answers: tuple[Step, ...]) -> None:
        self.chat = chat
        self.opened: dict[ChatId, Opened] = {}
        self._answers = answers
        library = Library(store=chat.store, vault=NoVault(), clock=SystemClock())
        self._forking = Forking(library, folding=self._folding, publish=chat.changes.append)

    async def of(self, chat_id: ChatId) -> Opened:
        if chat_id not in self.opened:
            found = await opened(
                self.chat.store, settings=self.chat.settings[-1], prompts=PROMPTS, chat_id=chat_id
            )
            found.gateway.usage = None
            found.gateway.say(*self._answers)
            self.opened[chat_id] = found
        return self.opened[chat_id]

    async def _folding(self, chat_id: ChatId) -> Folding:
        return folding_of(await self.of(chat_id))

    async def fork(self, at: str | None = None, kind: ForkKind = ForkKind.FULL) -> tuple[Forked, Opened]:
        end = self.chat.session.conversation.path[-1].id
        made = await self._forking.fork(CHAT, EntryId(at) if at else end, title="Fork", kind=kind)
        return made, await self.of(made.chat_id)


async def contents(store: Store) -> ChatContents:
    """The chat that is forked, but for the figures of its list entry, which come a moment after each turn."""
    found = await store.load(CHAT)
    return replace(found, chat=replace(found.chat, prompt_tokens=0, window_tokens=0))


async def test_a_full_copy_shows_the_model_what_it_saw(store: Store) -> None:
    chat = await with_long_tool_work(store, settings(window_tokens=200_000))
    await folding_of(chat).compress(target_tokens=6_000)
    await chat.ask("One")
    before = await contents(store)

    made, fork = await Forks(chat).fork()
    await fork.ask("Two")

    assert made.compaction is None
    assert fork.model_saw()[:-2] == chat.model_saw()
    assert await contents(store) == before
    assert (await store.chat(made.chat_id)).parent_id == CHAT


async def test_a_copy_from_before_a_compaction_shows_what_was_folded_since(store: Store) -> None:
    """Case B79."""
    chat = await with_long_tool_work(store, settings(window_tokens=200_000))
    await chat.ask("One")
    whole = chat.model_saw()
    await folding_of(chat).compress(target_tokens=6_000)
    await chat.ask("Two")

    _, fork = await Forks(chat).fork("end")
    await fork.ask("One")

    assert chat.model_saw() != whole
    assert fork.model_saw() == whole


async def test_summary_ledger_and_tail_free_room_and_change_nothing_elsewhere(store: Store) -> None:
    chat = await long_talk(store, WIDE, laid_down=BAN)
    before, ledger = await store.load(CHAT), await store.ledger(CHAT)
    await chat.ask("One")
    whole = chat.model_saw()

    made, fork = await Forks(chat, GOOD, GOOD).fork("e79", ForkKind.SUMMARY)
    await fork.ask("And now?")

    seen = fork.model_saw()
    after = await store.load(CHAT)
    assert made.compaction
    assert made.compaction.tokens_after <= 0.5 * made.compaction.tokens_before
    assert "Tidy src/file_3.py" in seen[0]
    assert BAN in seen[0]  # word for word, in the ledger
    assert seen[-2:] == [whole[-2], "user: And now?"]
    assert (after.entries[: len(before.entries)], after.folds) == (before.entries, before.folds)
    assert (await store.compactions(CHAT), await store.ledger(CHAT)) == ((), ledger)
    assert n_written(chat) == 0


async def test_a_summary_stands_in_a_fork_although_the_window_has_room(store: Store) -> None:
    """Nothing but the old part is folded: what stays is whole."""
    chat = await long_talk(store, WIDE, laid_down=BAN)

    made, _ = await Forks(chat).fork("e79", ForkKind.SUMMARY)

    folds = (await store.load(made.chat_id)).folds
    assert {fold.kind for fold in folds} <= {FoldKind.SUMMARISED, FoldKind.WHOLE}
    assert any(fold.kind is FoldKind.SUMMARISED for fold in folds)


async def test_where_little_was_said_a_summary_is_a_full_copy(store: Store) -> None:
    chat = await opened(store, settings=WIDE)
    await chat.ask("Hi")

    made, fork = await Forks(chat).fork(kind=ForkKind.SUMMARY)

    assert made.compaction is None
    assert fork.said == chat.said


async def test_a_fork_whose_summary_is_cancelled_leaves_no_chat(store: Store) -> None:
    chat = await long_talk(store, WIDE, laid_down=BAN)
    forks = Forks(chat, (Accepted(), asyncio.Event()))
    before = await store.chats()

    async def fork() -> None:
        await forks.fork("e79", ForkKind.SUMMARY)

    async with TaskScope() as tasks:
        tasks.start("fork", fork())
        await until(lambda: any(one.gateway.n_open for one in forks.opened.values()))

    assert await store.chats() == before
    assert await store.chats(trash=True) == ()
    assert any(Fact.CHATS in change.facts for change in chat.changes)


async def test_a_summary_is_undone_in_its_fork_alone(store: Store) -> None:
    chat = await long_talk(store, WIDE, laid_down=BAN)
    await chat.ask("One")
    whole = chat.model_saw()
    made, fork = await Forks(chat, GOOD, GOOD).fork("e79", ForkKind.SUMMARY)
    assert made.compaction

    await folding_of(fork).undo(made.compaction.id)
    await fork.ask("One")

    assert fork.model_saw() == whole
