"""The ledger of an open chat is changed by the person, and no request is another one until a compaction (C38)."""

import asyncio

from app.chats.ledger_editing import LedgerEditing
from app.context.ledger import active
from app.core.events import Accepted
from app.core.ids import EntryId
from app.core.ledger import LedgerKind
from app.core.records import Fact
from app.store.store import Store
from app.tasks import TaskScope
from tests.app.agent.opening import CHAT, Opened, opened
from tests.app.agent.test_room import folding_of
from tests.app.agent.test_summary import GOOD, TARGET_TOKENS, WIDE, long_talk
from tests.fakes import until

BAN = "Do not push to main."
OWN = "Every file begins with a licence."


def ledger_of(chat: Opened) -> LedgerEditing:
    return LedgerEditing(chat.session.conversation, chat.session.engine, publish=chat.changes.append)


async def lines(chat: Opened) -> list[str]:
    return [line.text for line in active(await ledger_of(chat).lines())]


async def test_what_was_said_is_in_the_ledger_at_once_and_with_its_source(store: Store) -> None:
    chat = await long_talk(store, WIDE, laid_down=BAN)

    (line,) = active(await ledger_of(chat).lines())

    assert (line.text, line.entry_id) == (BAN, EntryId("e4"))
    assert await store.ledger(CHAT) == ()  # looking stores nothing


async def test_a_changed_ledger_changes_no_request_until_a_compaction_is_made(store: Store) -> None:
    chat = await long_talk(store, WIDE, laid_down=BAN)
    await chat.ask("One")
    before = chat.model_saw()
    ledger = ledger_of(chat)
    (line,) = active(await ledger.lines())

    await ledger.edit(line.id, "Never push to main or release.")
    await ledger.add(OWN, LedgerKind.CONSTRAINT)
    await chat.ask("Two")

    assert chat.model_saw()[: len(before)] == before
    chat.gateway.say(GOOD, GOOD)
    await folding_of(chat).compress(target_tokens=TARGET_TOKENS)
    await chat.ask("Three")
    summary = chat.model_saw()[0]
    assert OWN in summary
    assert "Never push to main or release." in summary
    assert f"- {BAN}" not in summary
    assert any(Fact.LEDGER in change.facts for change in chat.changes)


async def test_changes_are_undone_by_their_numbers_after_a_restart_too(store: Store) -> None:
    chat = await long_talk(store, WIDE, laid_down=BAN)
    ledger = ledger_of(chat)
    (line,) = active(await ledger.lines())
    removed = await ledger.remove(line.id)
    added = await ledger.add(OWN, LedgerKind.CONSTRAINT)
    await chat.session.aclose()

    again = await opened(store, settings=WIDE)
    assert await lines(again) == [OWN]
    await ledger_of(again).undo(removed)
    assert await lines(again) == [BAN, OWN]
    await ledger_of(again).undo(added)

    assert await lines(again) == [BAN]
    assert removed < added <= (await store.chat(CHAT)).rev


async def test_what_is_changed_while_a_summary_is_written_is_kept(store: Store) -> None:
    """The plan knew the ledger as it was when it began."""
    chat = await long_talk(store, WIDE, laid_down=BAN)
    gate = asyncio.Event()
    chat.gateway.say((Accepted(), gate, *GOOD[1:]), GOOD)
    ledger = ledger_of(chat)

    async def compress() -> None:
        await folding_of(chat).compress(target_tokens=TARGET_TOKENS)

    async with TaskScope() as tasks:
        tasks.start("compress", compress())
        await until(lambda: chat.gateway.n_open == 1)
        (line,) = active(await ledger.lines())
        await ledger.remove(line.id)
        await ledger.add(OWN, LedgerKind.CONSTRAINT)
        gate.set()
        await tasks.wait("compress")

    assert len(await store.compactions(CHAT)) == 1
    assert [line.text for line in active(await store.ledger(CHAT))] == [OWN]
