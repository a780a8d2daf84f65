"""Before a message goes to another model, what it will meet there is known (A6)."""

from dataclasses import replace

import pytest

from app.agent import desk
from app.agent.outlook import fresh_usd
from app.core.events import RoomMade
from app.core.ids import ModelId
from app.core.usage import Usage
from app.models.families import ANTHROPIC, OPENAI
from app.models.registry import ModelFacts, Prices
from app.settings import ModelOverride, Settings
from app.store.store import Store
from tests.app.agent.opening import HERE, Opened, opened
from tests.fakes import answer

LARGE, SMALL = ModelId("here/gpt-4.1"), ModelId("here/gpt-4.1-mini")


async def switched(chat: Opened, model: ModelId = SMALL) -> None:
    """The chat's next message goes to `model`, as when the person chose it."""
    chat.session.conversation.chat = replace(chat.session.conversation.chat, model=model)
    await chat.session.look()


def settings(window_tokens: int) -> Settings:
    return Settings(
        endpoints=(HERE.model_copy(update={"kind": "openai", "models": ("gpt-4.1", "gpt-4.1-mini")}),),
        model=LARGE,
        model_overrides={SMALL: ModelOverride(window_tokens=window_tokens)},
    )


async def talked(store: Store, given: Settings, n: int = 6) -> Opened:
    chat = await opened(store, settings=given)
    for i in range(n):
        chat.gateway.say(answer("\n".join(f"line {j} of {i}: value_{i}_{j}" for j in range(100)), usage=None))
        await chat.ask(f"What are the values of file {i}?")
    return chat


async def test_the_outlook_has_the_figures_of_the_ring_after_the_switch(store: Store) -> None:
    """C3: one formula; also with what stands in the composer."""
    chat = await talked(store, settings(100_000))
    draft = "And what of this? " * 50

    outlook = await chat.session.outlook(SMALL, draft)
    before = chat.session.fill()
    await switched(chat)
    await chat.session.settled()

    assert outlook
    assert outlook.fill == chat.session.fill(draft)
    assert before != outlook.fill
    assert not outlook.compresses


async def test_looking_at_another_model_changes_nothing(store: Store) -> None:
    chat = await talked(store, settings(5_000))
    await chat.session.desk.count(
        await chat.session.desk.look()
    )  # looking elsewhere counts what is not counted yet
    before = (chat.session.fill(), chat.session.conversation.folds, chat.session.is_switched)

    outlook = await chat.session.outlook(SMALL)

    assert outlook
    assert outlook.compresses
    assert (chat.session.fill(), chat.session.conversation.folds, chat.session.is_switched) == before
    assert await store.compactions(chat.session.conversation.id) == ()


async def test_what_the_outlook_says_is_what_the_next_message_meets(store: Store) -> None:
    """A smaller window is looked at first, and room is made there before the request leaves."""
    chat = await talked(store, settings(5_000))
    await chat.ask("Go on.")
    outlook = await chat.session.outlook(SMALL)
    await switched(chat)
    assert chat.session.is_switched

    await chat.ask("And now?")

    assert outlook
    assert outlook.compresses
    assert any(isinstance(event, RoomMade) for event in chat.events)
    assert chat.gateway.targets[-1].name == "gpt-4.1-mini"
    assert not chat.session.is_switched


async def test_of_a_long_chat_the_outlook_plans_nothing_and_says_about_the_same(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Q8: a plan of 10,000 messages took 60 MB for a line beside the ring."""
    chat = await talked(store, settings(5_000))
    planned = await chat.session.outlook(SMALL)
    monkeypatch.setattr(desk, "_SURELY_FOLDED", 5)

    estimated = await chat.session.outlook(SMALL)

    assert planned
    assert planned.prompt_usd
    assert estimated
    assert estimated.compresses
    assert estimated.prompt_usd == pytest.approx(planned.prompt_usd, rel=0.3)


async def test_where_nothing_can_be_folded_nothing_is_promised(store: Store) -> None:
    """A plan is due above 30 % of the window, but two messages have nothing to fold."""
    chat = await opened(store, settings=settings(2_000))
    await chat.ask("What is the value? " * 200)

    outlook = await chat.session.outlook(SMALL)

    assert outlook
    assert outlook.fill.use
    assert outlook.fill.use > 0.3
    assert not outlook.compresses


async def test_a_chat_in_which_nothing_was_said_has_no_outlook(store: Store) -> None:
    chat = await opened(store, settings=settings(5_000))

    assert await chat.session.outlook(SMALL) is None


async def test_a_cache_that_holds_the_chat_is_not_written_anew(store: Store) -> None:
    chat = await talked(store, settings(100_000), n=1)
    chat.gateway.usage = Usage(prompt_tokens=1900, completion_tokens=2)
    await chat.ask("And now?")

    own = await chat.session.outlook(LARGE)
    other = await chat.session.outlook(SMALL)
    chat.clock.advance(3600)
    later = await chat.session.outlook(LARGE)

    assert own
    assert other
    assert later
    assert (own.writes_cache, other.writes_cache, later.writes_cache) == (False, True, True)
    assert other.prompt_usd == other.fill.projection.projected_tokens * 0.001


def test_a_prompt_that_is_written_into_a_cache_by_marks_costs_more() -> None:
    facts = ModelFacts(prices=Prices(input_usd=3e-6, output_usd=15e-6, cache_write_usd=3.75e-6))

    assert fresh_usd(facts, ANTHROPIC, 100_000) == 0.375
    assert fresh_usd(facts, OPENAI, 100_000) == 0.3
    assert fresh_usd(ModelFacts(), OPENAI, 100_000) is None
