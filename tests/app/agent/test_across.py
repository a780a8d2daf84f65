"""Undo, edit and delete across compactions (case B80), and groups that go or stay whole (case B01)."""

from app.core.entries import Origin
from app.core.parts import TextPart, ToolCallPart, ToolResultPart
from app.core.requests import Role
from app.store.store import Store
from tests.app.agent.opening import CHAT
from tests.app.agent.test_room import folding_of, settings, with_long_tool_work


async def test_every_call_that_is_still_sent_is_sent_with_all_its_results(store: Store) -> None:
    """Case B01: under any budget."""
    chat = await with_long_tool_work(store, settings(window_tokens=200_000))
    folding = folding_of(chat)

    for target in (9_000, 6_000, 4_000):
        await folding.compress(target_tokens=target)
        await chat.ask(f"At {target}?")

        sent = chat.gateway.requests[-1].messages
        calls = [part.call_id for m in sent for part in m.parts if isinstance(part, ToolCallPart)]
        results = [part.call_id for m in sent for part in m.parts if isinstance(part, ToolResultPart)]
        assert calls == results
        assert sent[0].role is Role.USER


async def test_compactions_taken_back_in_any_order_leave_what_was_there_before_each(store: Store) -> None:
    """Case B80: restore gives the exact list from before."""
    chat = await with_long_tool_work(store, settings(window_tokens=200_000))
    folding = folding_of(chat)
    await chat.ask("One")
    whole = chat.model_saw()
    first = await folding.compress(target_tokens=9_000)
    await chat.ask("Two")
    second = await folding.compress(target_tokens=5_000)
    await chat.ask("Three")

    await folding.undo(first.id)
    await folding.undo(second.id)
    await chat.ask("Four")

    assert chat.model_saw()[: len(whole)] == whole


async def test_an_edit_above_a_compaction_sends_the_originals_of_its_own_branch(store: Store) -> None:
    """Case B80: what was made later counts on its own branch only (M4, M10)."""
    chat = await with_long_tool_work(store, settings(window_tokens=200_000))
    await chat.ask("One")
    await folding_of(chat).compress(target_tokens=5_000)
    await chat.ask("Two")
    first = next(entry for entry in chat.session.conversation.path if entry.origin is Origin.USER)

    await chat.session.edit(first.id, "Look again.")
    await chat.end()

    assert chat.model_saw() == ["user: Look again."]


async def test_what_was_deleted_is_sent_neither_whole_nor_folded_again(store: Store) -> None:
    chat = await with_long_tool_work(store, settings(window_tokens=200_000))
    await chat.ask("The secret word is xylophone.")
    said = chat.last(Origin.USER)
    await store.delete_group(CHAT, said)
    chat.session.conversation.take_marks(await store.marks(CHAT))

    await folding_of(chat).compress(target_tokens=5_000)
    await chat.ask("Two")

    assert not any("xylophone" in text for text in chat.model_saw())
    stored = await store.load(CHAT)
    assert any(
        part == TextPart(text="The secret word is xylophone.") for e in stored.entries for part in e.parts
    )
