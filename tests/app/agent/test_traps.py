"""Mistakes of other context meters that are paid for already (research, desktop apps 2.4); others: `tests/test_traps.py`."""

from app.agent.session import ChatSession
from app.core.entries import Origin
from app.core.usage import Usage
from app.store.store import Store
from tests.app.agent.opening import Opened, opened
from tests.app.agent.test_room import folding_of
from tests.fakes import answer

LONG = "\n".join(f"line {n}: the value is {n * 7919}" for n in range(120))


async def talked(store: Store, n: int) -> Opened:
    """Each question is long; the provider reports what it read: 2,000 tokens more each time."""
    chat = await opened(store)
    for at in range(n):
        await tell(chat, at, Usage(prompt_tokens=2_000 * (at + 1), completion_tokens=50))
    await chat.session.look()
    await chat.session.settled()
    return chat


async def tell(chat: Opened, at: int, usage: Usage | None) -> None:
    chat.gateway.say(answer(f"Read part {at}.", usage=usage))
    await chat.ask(f"Part {at}, where key_{at} is {at * 31}:\n{LONG}")


def used(session: ChatSession) -> int:
    fill = session.fill()
    assert fill
    return fill.projection.projected_tokens


async def test_the_meter_shows_the_next_request_and_not_what_all_of_them_cost(store: Store) -> None:
    """Trap: a cumulative figure shown as the present context."""
    chat = await talked(store, 6)

    assert chat.session.last_request_tokens == 12_000
    assert 12_000 < used(chat.session) < 12_500
    assert (
        sum(item.usage.prompt_tokens for item in chat.session.conversation.requests if item.usage) == 42_000
    )


async def test_right_after_a_compression_the_meter_shows_what_is_left(store: Store) -> None:
    """Trap: a stale meter after a compaction."""
    chat = await talked(store, 6)
    before = used(chat.session)

    made = await folding_of(chat).compress(target_tokens=6_000)
    after = used(chat.session)

    assert made.tokens_before > made.tokens_after
    assert after < before
    assert abs(after - made.tokens_after) <= 0.1 * made.tokens_before


async def test_what_one_compression_kept_is_still_said_or_can_be_read_after_the_next(store: Store) -> None:
    """Trap: what compaction 1 kept vanishes in compaction 2."""
    chat = await talked(store, 6)
    await folding_of(chat).compress(target_tokens=8_000)
    for at in range(6, 10):
        await tell(chat, at, None)
    await folding_of(chat).compress(target_tokens=8_000)

    conversation = chat.session.conversation
    said = [entry.text for entry in conversation.path if entry.origin is Origin.USER]
    assert [f"key_{at} is {at * 31}" in text for at, text in enumerate(said)] == [True] * 10
    context = conversation.context(
        model=conversation.requests[-1].model, prelude=(await chat.session.desk.look()).prelude
    )
    covered = [entry.id for item in context.items for entry in item.entries]
    assert sorted(covered) == sorted(entry.id for entry in conversation.path)
    assert len(conversation.compactions) == 2


async def test_a_compression_adds_nothing_to_what_was_said(store: Store) -> None:
    """Trap: a summary that leaks into the chat as an ordinary turn."""
    chat = await talked(store, 6)
    before = [(entry.id, entry.origin, entry.parts) for entry in chat.session.conversation.path]

    await folding_of(chat).compress(target_tokens=6_000)

    assert [(entry.id, entry.origin, entry.parts) for entry in chat.session.conversation.path] == before
    stored = (await store.load(chat.session.conversation.id)).entries
    assert [(entry.id, entry.origin, entry.parts) for entry in stored] == before
