"""Who writes summaries: main or lite model, what its breaker does, and what a restart keeps (C17, C20, A5)."""

import asyncio
from collections.abc import Coroutine
from dataclasses import replace

import pytest

from app.agent.breakers import WriterLeftAlone
from app.agent.execution import Execution
from app.agent.ports import Target
from app.context.breaker import BreakerState
from app.context.ports import Reply, Writer
from app.context.summary.progress import SILENCE_S
from app.core.entries import Finish
from app.core.errors import ContextTooLong, ProviderError, RateLimited
from app.core.events import Accepted, Finished, ReasoningArrived, TextArrived
from app.core.ids import ModelId
from app.core.records import RequestKind, RequestState
from app.settings import Settings
from app.store.store import Store
from app.tasks import TaskScope
from tests.app.agent import opening
from tests.app.agent.opening import HERE, Opened, opened
from tests.fakes import USAGE, Step, answer, until

MAIN, LITE = ModelId("here/m"), ModelId("here/n")


async def lite_is_n(execution: Execution) -> Target | None:
    return Target(endpoint=HERE, name="n")


async def writer_of(chat: Opened, text_tokens: int = 1_000) -> Writer:
    found = await chat.session.desk.writer(text_tokens)
    assert found
    return found


async def written(writer: Writer, told: list[str] | None = None) -> Reply:
    heard: list[str] = [] if told is None else told
    return await writer.write("Sum up.", "A talk.", max_tokens=500, on_progress=lambda: heard.append("x"))


async def fail(chat: Opened, error: Exception) -> None:
    chat.gateway.say_first((error,))
    with pytest.raises(ProviderError):
        await written(await writer_of(chat))


def auth() -> ProviderError:
    error = ProviderError("The key was refused.")
    error.code = "key_wrong"
    return error


async def test_a_writer_asks_one_request_and_tells_what_it_cost(chat: Opened) -> None:
    chat.gateway.say(answer("It ", "went well."))

    reply = await written(await writer_of(chat))

    request = chat.gateway.requests[-1]
    assert reply == Reply(text="It went well.", finish=Finish.STOP, model=MAIN, usage=USAGE, cost_usd=0.014)
    assert (request.prelude.system, chat.model_saw(), request.sampling.max_tokens) == (
        "Sum up.",
        ["user: A talk."],
        500,
    )


async def test_a_text_that_is_too_long_is_no_failing_of_its_writer(chat: Opened) -> None:
    for _ in range(3):
        await fail(chat, ContextTooLong("Too long."))
    chat.gateway.say(answer("It went well."))

    reply = await written(await writer_of(chat))

    assert reply.text == "It went well."


async def test_thinking_is_progress_and_an_open_connection_is_none(chat: Opened) -> None:
    """C19, case B34."""
    chat.gateway.say(
        (Accepted(), ReasoningArrived(text="Hm."), TextArrived(text="So."), Finished(finish=Finish.STOP))
    )
    told: list[str] = []

    reply = await written(await writer_of(chat), told)

    assert reply.text == "So."
    assert len(told) == 3


async def test_a_model_that_is_built_in_writes_no_summaries(store: Store) -> None:
    chat = await opened(
        store, settings=Settings(endpoints=(HERE,), model="builtin/extractive"), lite=lite_is_n
    )

    assert await chat.session.desk.writer(1_000) is None


async def test_the_lite_model_writes_where_its_window_allows(store: Store) -> None:
    """C17: one piece up to 80 % of its window, two up to twice its window, else the main model."""
    held = Settings.model_validate(
        {"endpoints": (HERE,), "model": "here/m", "model_overrides": {"here/n": {"window_tokens": 40_000}}}
    )
    chat = await opened(store, settings=held, lite=lite_is_n)

    assert (await writer_of(chat, 80_000)).model == LITE
    assert (await writer_of(chat, 81_000)).model == MAIN


async def test_a_lite_model_that_fails_is_tried_once(store: Store) -> None:
    """A5."""
    chat = await opened(store, lite=lite_is_n)
    writer = await writer_of(chat)
    chat.gateway.say((RateLimited("Slow down."),))

    replies = [await written(writer), await written(writer)]

    assert [reply.model for reply in replies] == [MAIN, MAIN]
    assert [target.model for target in chat.gateway.targets] == [LITE, MAIN, MAIN]


async def test_three_failures_open_the_breaker_and_a_minute_later_one_probe_goes(chat: Opened) -> None:
    """C20. Trap: a summariser that fails, again and again."""
    for _ in range(3):
        await fail(chat, RateLimited("Slow down."))

    n_asked = len(chat.gateway.requests)
    assert await chat.session.desk.writer(1_000) is None
    assert chat.session.desk.breakers == {MAIN: BreakerState.OPEN}
    chat.clock.advance(60)
    assert chat.session.desk.breakers == {MAIN: BreakerState.HALF_OPEN}
    probe, other = await writer_of(chat), await writer_of(chat)
    gate = asyncio.Event()
    chat.gateway.say((Accepted(), gate, *answer("Fine.")[1:]))
    async with TaskScope() as tasks:
        tasks.start("probe", _ignoring(written(probe)))
        await until(lambda: chat.gateway.n_open == 1)
        with pytest.raises(WriterLeftAlone):
            await written(other)
        gate.set()
        await tasks.wait("probe")
    assert len(chat.gateway.requests) == n_asked + 1
    assert chat.session.desk.breakers == {}


async def test_a_probe_that_fails_opens_it_for_five_minutes(chat: Opened) -> None:
    for _ in range(3):
        await fail(chat, RateLimited("Slow down."))
    chat.clock.advance(60)

    await fail(chat, RateLimited("Slow down."))

    chat.clock.advance(299)
    assert await chat.session.desk.writer(1_000) is None
    chat.clock.advance(1)
    assert await chat.session.desk.writer(1_000) is not None


async def test_a_refused_key_opens_it_at_once_until_the_settings_change(chat: Opened) -> None:
    await fail(chat, auth())

    chat.clock.advance(10_000)
    assert await chat.session.desk.writer(1_000) is None
    await chat.breakers.settings_changed()
    assert await chat.session.desk.writer(1_000) is not None


async def test_an_open_breaker_is_open_after_a_restart(store: Store) -> None:
    before = await opened(store)
    await fail(before, auth())
    await before.session.aclose()

    after = await opened(store)

    assert after.session.desk.breakers == {MAIN: BreakerState.OPEN}
    assert await after.session.desk.writer(1_000) is None


@pytest.mark.parametrize("bad", [answer(""), answer("Half a", finish=Finish.LENGTH)])
async def test_an_answer_that_is_none_counts_as_a_failure(chat: Opened, bad: tuple[Step, ...]) -> None:
    chat.gateway.say(bad, bad, bad)

    for _ in range(3):
        await written(await writer_of(chat))

    assert chat.session.desk.breakers == {MAIN: BreakerState.OPEN}


@pytest.mark.parametrize(("silent_s", "n_failures"), [(5.0, 0), (SILENCE_S, 3)])
async def test_only_a_long_silence_counts_against_a_cancelled_writer(
    chat: Opened, silent_s: float, n_failures: int
) -> None:
    """Stop says nothing of the model; no sign of life for 90 s does. The socket is closed either way."""
    for _ in range(3):
        chat.gateway.say((Accepted(), asyncio.Event()))
        async with TaskScope() as tasks:
            tasks.start("write", _ignoring(written(await writer_of(chat))))
            await until(lambda: chat.gateway.n_open == 1)
            chat.clock.advance(silent_s)

    assert chat.gateway.n_open == 0
    assert chat.session.desk.breakers == ({MAIN: BreakerState.OPEN} if n_failures else {})


async def test_a_thinking_model_gets_room_to_think(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Providers count thinking as part of the answer."""
    monkeypatch.setattr(opening, "FACTS", replace(opening.FACTS, reasoning=True, max_output_tokens=4_000))
    chat = await opened(store)

    await written(await writer_of(chat))

    assert chat.gateway.requests[-1].sampling.max_tokens == 4_000
    await chat.session.aclose()


async def _ignoring(work: Coroutine[object, object, Reply]) -> None:
    await work


async def test_how_each_request_ended_is_written_down_and_no_full_disk_keeps_one_from_being_made(
    chat: Opened,
) -> None:
    """P6: what failed or was stopped may have cost, too."""
    await written(await writer_of(chat))
    await fail(chat, RateLimited("Slow down."))
    chat.gateway.say((Accepted(), asyncio.Event()))
    async with TaskScope() as tasks:
        tasks.start("write", _ignoring(written(await writer_of(chat))))
        await until(lambda: chat.gateway.n_open == 1)

    records = await chat.store.requests(opening.CHAT)
    assert [(one.kind, one.state, one.cost_usd, one.error) for one in records] == [
        (RequestKind.SUMMARY, RequestState.FINISHED, 0.014, ""),
        (RequestKind.SUMMARY, RequestState.FAILED, None, "rate_limited"),
        (RequestKind.SUMMARY, RequestState.STOPPED, None, ""),
    ]
    writer = await writer_of(chat)
    await chat.store.purge_chat(opening.CHAT)
    assert (await written(writer)).text == "Fine."
