"""A summary that a model writes: used when it is one, replaced when it is none, in nobody's way (C18, C21, M9)."""

import asyncio

import pytest

from app.context.budget import Stage
from app.context.fact_check import Receipt
from app.context.facts import Trigger
from app.context.ports import NewEntry
from app.context.summary.fields import KeptSummary
from app.core.entries import Finish, Origin
from app.core.errors import RateLimited
from app.core.events import Accepted, TurnCompleted, TurnStopped
from app.core.ids import EntryId, ModelId
from app.core.parts import TextPart
from app.core.records import Compaction, Fact
from app.core.usage import Usage
from app.settings import Endpoint, Settings
from app.store.store import Store
from app.tasks import TaskScope
from tests.app.agent.opening import CHAT, Opened, opened
from tests.app.agent.test_room import folding_of, settings
from tests.app.context.summary.making import FILLER, PROMPTS
from tests.app.context.summary.making import answer as fields
from tests.fakes import Step, answer, until

GOOD = answer(fields(user_goal="Tidy src/file_3.py", active_state="Twelve files were read"))
WIDE = settings(window_tokens=200_000)
TARGET_TOKENS = 4_000
N_PAIRS = 40


async def long_talk(store: Store, held: Settings, *, laid_down: str = "") -> Opened:
    """Some 15,000 tokens of talk, which no free step may fold: the person said half of it.

    Args:
        laid_down: A rule that the person gives early on.
    """
    await (await opened(store, settings=held)).session.aclose()
    entries: list[NewEntry] = []
    for n in range(2 * N_PAIRS):
        origin = Origin.ASSISTANT if n % 2 else Origin.USER
        text = f"About src/file_{n}.py, which took {n * 37 + 1000} ms: {FILLER * 9}{n}"
        text = f"{laid_down}\n{text}" if n == 4 else text
        above = entries[-1].id if entries else None
        part = TextPart(text=text)
        entries.append(NewEntry(id=EntryId(f"e{n}"), parent_id=above, origin=origin, parts=(part,)))
    await store.append(CHAT, entries)
    chat = await opened(store, settings=held, prompts=PROMPTS)
    chat.gateway.usage = None
    return chat


async def compressed(chat: Opened) -> Compaction:
    return await folding_of(chat).compress(target_tokens=TARGET_TOKENS)


def n_written(chat: Opened) -> int:
    """Requests for a summary."""
    return sum("JSON" in request.prelude.system for request in chat.gateway.requests)


async def test_a_good_summary_stands_for_the_old_part_and_says_what_it_took(store: Store) -> None:
    """C17, C36: model, cost, fields and loss receipt are stored with the compaction."""
    chat = await long_talk(store, WIDE)
    chat.gateway.say(GOOD, GOOD)

    made = await compressed(chat)
    await chat.ask("And now?")

    (stored,) = await store.compactions(CHAT)
    receipt = Receipt.model_validate_json(made.fact_check)
    n = n_written(chat)
    assert stored == made
    assert made.trigger == Trigger.MANUAL
    assert made.model == ModelId("here/m")
    assert made.cost_usd == pytest.approx(0.014 * n)
    assert KeptSummary.model_validate_json(made.summary).user_goal == "Tidy src/file_3.py"
    assert receipt.total >= 20
    assert receipt.n_reachable == receipt.total
    assert any("Tidy src/file_3.py" in text for text in chat.model_saw())


@pytest.mark.parametrize(
    "bad",
    [
        answer(""),
        answer("   \n"),
        answer("I'm sorry, I can't help with that."),
        answer("## Goal\nfix the", finish=Finish.LENGTH),
        (RateLimited("429 rate limit"),),
        answer("Error: service unavailable"),
    ],
)
async def test_a_bad_summary_is_replaced_by_one_by_rule_and_history_stays(
    store: Store, bad: tuple[Step, ...]
) -> None:
    """Case B35, C21: what the model said is nowhere, every entry is as it was, and it can be taken back whole.

    Trap: a summariser that fails, again and again.
    """
    chat = await long_talk(store, WIDE)
    await chat.ask("One")
    whole, entries = chat.model_saw(), await chat.stored()
    chat.gateway.say_first(bad)

    made = await compressed(chat)

    assert KeptSummary.model_validate_json(made.summary).is_offline
    assert made.model is None
    assert await chat.stored() == entries
    await folding_of(chat).undo(made.id)
    await chat.ask("Two")
    assert chat.model_saw()[: len(whole)] == whole


async def test_a_summary_that_is_stopped_leaves_nothing(store: Store) -> None:
    """C34: Cancel."""
    chat = await long_talk(store, WIDE)
    chat.gateway.say((Accepted(), asyncio.Event()))

    async with TaskScope() as tasks:
        tasks.start("compress", _compress(chat))
        await until(lambda: chat.gateway.n_open == 1)

    assert chat.gateway.n_open == 0
    assert await store.compactions(CHAT) == ()
    assert (await store.load(CHAT)).folds == ()


async def test_a_summary_that_takes_too_long_is_completed_by_rule(store: Store) -> None:
    """C19: 90 s without a sign of life."""
    chat = await long_talk(store, WIDE)
    chat.gateway.say((Accepted(), asyncio.Event()))

    async with TaskScope() as tasks:
        tasks.start("compress", _compress(chat))
        await until(lambda: 90.0 in chat.clock.slept)
        chat.clock.advance(90)
        await tasks.wait("compress")

    (made,) = await store.compactions(CHAT)
    assert KeptSummary.model_validate_json(made.summary).is_offline
    assert chat.gateway.n_open == 0


async def test_what_is_said_while_a_summary_is_written_goes_out_at_once_and_stays(store: Store) -> None:
    """Case B33, M9."""
    chat = await long_talk(store, WIDE)
    gate = asyncio.Event()
    chat.gateway.say((Accepted(), gate, *GOOD[1:]), answer("Stopped."), GOOD)

    async with TaskScope() as tasks:
        tasks.start("compress", _compress(chat))
        await until(lambda: chat.gateway.n_open == 1)
        end = await chat.ask("STOP, use port 8443")
        gate.set()
        await tasks.wait("compress")
    await chat.ask("Which port?")

    (made,) = await store.compactions(CHAT)
    assert isinstance(end, TurnCompleted)
    assert end.answer.text == "Stopped."
    assert made.model == ModelId("here/m")
    assert chat.model_saw()[-3:] == ["user: STOP, use port 8443", "assistant: Stopped.", "user: Which port?"]


async def test_what_is_edited_while_a_summary_is_written_is_kept(store: Store) -> None:
    """Case B33: the edit stands on a branch of its own, which the folds don't hang on."""
    chat = await long_talk(store, WIDE)
    gate = asyncio.Event()
    chat.gateway.say((Accepted(), gate, *GOOD[1:]), answer("Yes."), GOOD)

    async with TaskScope() as tasks:
        tasks.start("compress", _compress(chat))
        await until(lambda: chat.gateway.n_open == 1)
        await chat.session.edit(EntryId("e0"), "Look twice.")
        await chat.end()
        gate.set()
        await tasks.wait("compress")
    await chat.ask("And?")

    assert chat.model_saw() == ["user: Look twice.", "assistant: Yes.", "user: And?"]


async def test_a_send_below_90_percent_waits_for_no_model(store: Store) -> None:
    """M9: it runs the free steps itself. Trap: a compaction that blocks."""
    chat = await long_talk(store, settings(window_tokens=22_000))

    end = await chat.ask("What was file 3?")

    (made,) = await store.compactions(CHAT)
    assert isinstance(end, TurnCompleted)
    assert made.trigger == Trigger.SEND
    assert made.summary == ""
    assert n_written(chat) == 0
    await chat.session.aclose()


async def test_a_send_at_90_percent_waits_20_seconds_for_a_model(store: Store) -> None:
    """C18."""
    chat = await long_talk(store, settings(window_tokens=16_000))
    chat.gateway.say((Accepted(), asyncio.Event()))

    await chat.session.send("What was file 3?")
    await until(lambda: bool(chat.gateway.requests) and any(19 < s <= 20 for s in chat.clock.slept))
    chat.clock.advance(20)
    end = await chat.end()

    made = (await store.compactions(CHAT))[0]
    assert isinstance(end, TurnCompleted)
    assert made.trigger == Trigger.EMERGENCY
    assert KeptSummary.model_validate_json(made.summary).is_offline
    assert n_written(chat) == 1


async def test_a_send_whose_plan_was_overtaken_waits_for_no_second_summary(store: Store) -> None:
    """M9: planned once more, within the same 20 s."""
    chat = await long_talk(store, settings(window_tokens=16_000))
    gate = asyncio.Event()
    chat.gateway.say((Accepted(), gate, *GOOD[1:]), GOOD, GOOD, GOOD)

    await chat.session.send("What was file 3?")
    await until(lambda: chat.gateway.n_open == 1)
    await folding_of(chat).pin(EntryId("e5"), is_pinned=True)
    gate.set()
    end = await chat.end()

    made = (await store.compactions(CHAT))[0]
    assert isinstance(end, TurnCompleted)
    assert "A summary was made by rule, without a model." in [step.why for step in made.steps]
    assert any("About src/file_5.py" in text for text in chat.model_saw())
    await chat.session.aclose()


async def test_stop_while_a_send_waits_for_a_summary_stores_nothing(store: Store) -> None:
    chat = await long_talk(store, settings(window_tokens=16_000))
    chat.gateway.say((Accepted(), asyncio.Event()))

    await chat.session.send("What was file 3?")
    await until(lambda: chat.gateway.n_open == 1)
    chat.session.stop()
    end = await chat.end()

    assert isinstance(end, TurnStopped)
    assert chat.gateway.n_open == 0
    assert await store.compactions(CHAT) == ()
    await chat.session.aclose()


async def test_what_is_full_after_a_turn_is_compressed_between_turns(store: Store) -> None:
    """M9: with a model, from 70 % on."""
    chat = await nearly_full(store)
    chat.gateway.say(answer("word " * 12_000, usage=None), GOOD, GOOD)

    await chat.ask("What was file 3?")
    await until(lambda: any(Fact.FOLDS in change.facts for change in chat.changes))

    made = (await store.compactions(CHAT))[-1]
    assert (made.trigger, made.model) == (Trigger.IDLE, ModelId("here/m"))
    await chat.session.aclose()


async def test_compressing_between_turns_is_left_when_something_is_said(store: Store) -> None:
    chat = await nearly_full(store)
    chat.gateway.say(answer("word " * 12_000, usage=None), (Accepted(), asyncio.Event()))
    await chat.ask("What was file 3?")
    await until(lambda: chat.gateway.n_open == 1)

    end = await chat.ask("Never mind.")

    assert isinstance(end, TurnCompleted)
    assert "Never mind." in chat.model_saw()[-1]
    assert all(made.trigger != Trigger.IDLE for made in await store.compactions(CHAT))
    await chat.session.aclose()


async def test_what_is_due_waits_until_the_prompt_cache_has_expired(store: Store) -> None:
    """P9: then rewriting costs nothing more; no model is asked below 70 %."""
    family = Endpoint(id="here", kind="openai", name="Here", models=("gpt-4o",))
    held = Settings.model_validate(
        {
            "endpoints": (family,),
            "model": "here/gpt-4o",
            "model_overrides": {"here/gpt-4o": {"window_tokens": 32_000}},
            "compresses": False,
        }
    )
    chat = await long_talk(store, held)
    chat.gateway.usage = Usage(prompt_tokens=17_800, completion_tokens=2)
    await chat.ask("What was file 3?")
    chat.settings.append(held.model_copy(update={"compresses": True}))

    async with TaskScope() as tasks:
        tasks.start("idle", _idle(chat))
        await until(lambda: bool(chat.clock.slept) and chat.clock.slept[-1] > 200)
        assert await store.compactions(CHAT) == ()
        chat.clock.advance(chat.clock.slept[-1])
        await tasks.wait("idle")

    (made,) = await store.compactions(CHAT)
    assert (made.trigger, made.model) == (Trigger.IDLE, None)
    assert n_written(chat) == 0
    await chat.session.aclose()


async def test_nothing_is_compressed_between_turns_where_the_person_switched_it_off(store: Store) -> None:
    chat = await nearly_full(store, window_tokens=26_000, compresses=False)
    chat.gateway.say(answer("word " * 8_000, usage=None))

    await chat.ask("What was file 3?")
    await chat.session.desk.idle(await chat.session.desk.look())

    fill = chat.session.fill()
    assert fill
    assert fill.stage is Stage.EMERGENCY
    assert await store.compactions(CHAT) == ()
    await chat.session.aclose()


async def nearly_full(store: Store, *, window_tokens: int = 44_000, compresses: bool = True) -> Opened:
    """Below the stage from which a send compresses."""
    return await long_talk(store, settings(window_tokens=window_tokens, compresses=compresses))


async def _compress(chat: Opened) -> None:
    await compressed(chat)


async def _idle(chat: Opened) -> None:
    await chat.session.desk.idle(await chat.session.desk.look())
