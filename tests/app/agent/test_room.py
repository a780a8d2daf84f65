"""Room in the window: made before a request leaves, and after one was refused (C28 L4, L5; M9)."""

import pytest

from app.chats.folding import Folding, TooLittle
from app.context.context import Context
from app.context.engine import Standing
from app.context.ports import NewEntry
from app.core.entries import Origin
from app.core.errors import ContextTooLong
from app.core.events import RoomMade, TurnCompleted, TurnFailed
from app.core.ids import EntryId
from app.core.parts import TextPart, ToolCallPart, ToolResultPart
from app.core.records import Draft
from app.settings import ModelOverride, Settings
from app.store.store import Store
from tests.app.agent.opening import CHAT, HERE, Opened, opened
from tests.bench.stretches import stretches
from tests.fakes import answer

N_CALLS = 12


def settings(window_tokens: int, *, compresses: bool = True) -> Settings:
    override = ModelOverride(window_tokens=window_tokens)
    return Settings(
        endpoints=(HERE,), model="here/m", model_overrides={"here/m": override}, compresses=compresses
    )


async def with_long_tool_work(store: Store, held: Settings, n_calls: int = N_CALLS) -> Opened:
    """A chat that read many long files, in a finished turn; some 15,000 tokens by the tests' count."""
    await (await opened(store, settings=held)).session.aclose()
    entries = [NewEntry(id=EntryId("u"), parent_id=None, origin=Origin.USER, parts=(TextPart(text="Look."),))]
    for n in range(n_calls):
        text = "\n".join(f"line {i} of file {n}: value_{n}_{i} = {i * n}" for i in range(120))
        call = ToolCallPart(call_id=f"c{n}", name="read", arguments=f'{{"path": "file_{n}.py"}}')
        result = ToolResultPart(call_id=f"c{n}", name="read", text=text)
        for name, origin, part in ((f"a{n}", Origin.ASSISTANT, call), (f"t{n}", Origin.TOOL, result)):
            entries.append(NewEntry(id=EntryId(name), parent_id=entries[-1].id, origin=origin, parts=(part,)))
    end = NewEntry(
        id=EntryId("end"), parent_id=entries[-1].id, origin=Origin.ASSISTANT, parts=(TextPart(text="Done."),)
    )
    await store.append(CHAT, [*entries, end])
    chat = await opened(store, settings=held)
    chat.gateway.say(*(answer("Fine.", usage=None) for _ in range(9)))  # our own counts hold
    return chat


async def test_a_request_that_would_fill_the_window_is_preceded_by_a_compaction(store: Store) -> None:
    chat = await with_long_tool_work(store, settings(window_tokens=16_000))

    end = await chat.ask("What was in file 3?")

    made = next(event.compaction for event in chat.events if isinstance(event, RoomMade))
    assert isinstance(end, TurnCompleted)
    assert made.tokens_after < 0.6 * made.tokens_before
    assert (await chat.records())[-1].projected_tokens <= 0.9 * 16_000
    assert len(await chat.stored()) == 2 * N_CALLS + 4  # every word is still there


@pytest.mark.slow
async def test_a_turn_that_makes_room_in_a_long_chat_leaves_the_loop_alone(store: Store) -> None:
    """No code of ours holds the window's thread for a frame."""
    chat = await with_long_tool_work(store, settings(window_tokens=300_000), n_calls=200)

    with stretches() as worked:
        await chat.ask("What was in file 3?")

    assert any(isinstance(event, RoomMade) for event in chat.events)
    assert max(worked) < 16


async def test_the_context_that_a_compaction_leaves_is_the_one_that_is_read_anew(store: Store) -> None:
    """Q5: the plan's reading is taken over, and nobody can tell."""
    chat = await with_long_tool_work(store, settings(window_tokens=20_000))

    await chat.ask("What was in file 3?")

    here = chat.session.conversation
    stands = here._context  # pyright: ignore[reportPrivateUsage]
    assert stands
    assert here.folds
    folds, deletions = here.folds, here.deletions
    anew = Context(
        tuple(here.path), folds, deletions, rev=here.chat.rev, model=stands.model, prelude=stands.asked
    )
    assert (stands.items, stands.messages, stands.chain) == (anew.items, anew.messages, anew.chain)


@pytest.mark.parametrize(("window_tokens", "is_read"), [(24_000, True), (200_000, False)])
async def test_what_fills_the_window_is_read_while_a_message_is_written(
    store: Store, window_tokens: int, *, is_read: bool
) -> None:
    """Q5: so that the send reads only what is new; nothing is kept of a chat that has room."""
    chat = await with_long_tool_work(store, settings(window_tokens=window_tokens))
    await chat.session.look()
    scope, gleaned = chat.session._scope, chat.session.engine._gleaned  # pyright: ignore[reportPrivateUsage]
    await scope.wait("count")

    await chat.session.save_draft(Draft(text="What was"))
    await scope.wait("ahead")

    assert (gleaned.said is not None) is is_read


async def test_a_request_with_room_left_is_sent_as_it_is(store: Store) -> None:
    chat = await with_long_tool_work(store, settings(window_tokens=200_000))

    await chat.ask("What was in file 3?")

    assert not any(isinstance(event, RoomMade) for event in chat.events)
    assert await store.compactions(CHAT) == ()


async def test_a_refusal_for_length_is_answered_by_folding_and_sending_again(store: Store) -> None:
    chat = await with_long_tool_work(store, settings(window_tokens=200_000))
    refusal = ContextTooLong("Too long.")
    refusal.limit_tokens = 9_000
    chat.gateway.say_first((refusal,))

    end = await chat.ask("What was in file 3?")

    sizes = [sum(map(len, chat.model_saw(n))) for n in range(len(chat.gateway.requests))]
    assert isinstance(end, TurnCompleted)
    assert len(sizes) == 2
    assert sizes[1] < 0.7 * sizes[0]


async def test_a_refusal_that_no_folding_can_answer_is_told(store: Store) -> None:
    chat = await opened(store, settings=settings(window_tokens=200_000))
    chat.gateway.say((ContextTooLong("Too long."),))

    end = await chat.ask("Hi")

    assert isinstance(end, TurnFailed)
    assert end.error.code == "context_too_long"
    assert len(chat.gateway.requests) == 1


async def test_nothing_is_compressed_by_itself_where_the_person_switched_it_off(store: Store) -> None:
    """C2: below 90 %."""
    chat = await with_long_tool_work(store, settings(window_tokens=24_000, compresses=False))

    await chat.ask("What was in file 3?")

    assert await store.compactions(CHAT) == ()
    await chat.session.aclose()  # what would be done once the cache has expired still waits


async def test_undoing_a_compaction_shows_the_model_what_it_saw_before(store: Store) -> None:
    """C34, Q14."""
    chat = await with_long_tool_work(store, settings(window_tokens=200_000))
    folding = folding_of(chat)
    await chat.ask("One")
    before = chat.model_saw()
    made = await folding.compress(target_tokens=6_000)
    await chat.ask("Two")

    await folding.undo(made.id)
    await chat.ask("Three")

    assert chat.model_saw(1)[: len(before)] != before
    assert chat.model_saw(2)[: len(before)] == before


async def test_a_preview_says_what_compressing_does_and_changes_nothing(store: Store) -> None:
    """C35."""
    chat = await with_long_tool_work(store, settings(window_tokens=200_000))
    folding = folding_of(chat)
    await chat.ask("One")

    preview = await folding.preview(target_tokens=6_000)

    assert await store.compactions(CHAT) == ()
    made = await folding.compress(target_tokens=6_000)
    assert (preview.tokens_before, preview.tokens_after) == (made.tokens_before, made.tokens_after)
    assert [step.folded for step in preview.planned.reports] == [step.folded for step in made.steps]


async def test_what_was_put_back_is_whole_again(store: Store) -> None:
    chat = await with_long_tool_work(store, settings(window_tokens=200_000))
    folding = folding_of(chat)
    await chat.ask("One")
    whole = next(text for text in chat.model_saw() if "of file 3:" in text)
    await folding.compress(target_tokens=6_000)

    await folding.put_back(EntryId("t3"))
    await chat.ask("Two")

    assert whole in chat.model_saw()


async def test_compressing_where_nothing_is_won_says_the_figure(store: Store) -> None:
    chat = await opened(store, settings=settings(window_tokens=200_000))
    await chat.ask("Hi")

    with pytest.raises(TooLittle, match="nothing to fold"):
        await folding_of(chat).compress()


def folding_of(chat: Opened) -> Folding:
    session = chat.session

    async def standing() -> Standing:
        return await session.desk.standing(await session.desk.look())

    return Folding(
        session.conversation,
        session.engine,
        store=chat.store,
        clock=chat.clock,
        standing=standing,
        writer=session.desk.writer,
        publish=chat.changes.append,
    )
