"""The prompt cache on the wire: kept, probed, lost and judged, with the simulator's and the program's clock moved at once."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import pytest_asyncio

from app.agent.tools.offered import ALWAYS, IN_A_WORKSPACE
from app.agent.tools.reading import FILE_READ
from app.agent.tools.tool import Tool
from app.cache.warmth import Warmth
from app.core.entries import Chat
from app.core.events import TurnCompleted
from app.core.ids import EntryId
from app.core.records import BreakCause, RequestKind, RequestRecord
from app.models.registry import ModelFacts, Prices
from app.providers.gateway import LiteLLMGateway
from app.settings import Endpoint, Paths, Settings
from app.store.store import Store
from tests.app.agent.opening import CHAT, Opened, opened
from tests.app.agent.test_room import folding_of
from tests.app.providers.conftest import _simulator, gateway, simulator  # pyright: ignore[reportPrivateUsage]
from tests.fakes import until
from tests.simulator import Fault, Kind, Simulator, Turn
from tests.simulator.wire import mappings, string

__all__ = ["_simulator", "gateway", "simulator"]
pytestmark = pytest.mark.asyncio(loop_scope="session")

CLAUDE = ModelFacts(
    window_tokens=200_000,
    prices=Prices(
        input_usd=3e-6, output_usd=15e-6, cached_usd=3e-7, cache_write_usd=3.75e-6, cache_write_1h_usd=6e-6
    ),
)
PROSE = " ".join(f"word{n}" for n in range(1500))
TTL_S = 300


class Warm:
    """An open chat with a Claude behind the simulator, and time that passes for both."""

    def __init__(self, chat: Opened, simulator: Simulator, offers: list[Tool]) -> None:
        self.chat = chat
        self.offers = offers
        self.simulator = simulator

    @property
    def probes(self) -> list[RequestRecord]:
        return [item for item in self.chat.session.conversation.requests if item.kind is RequestKind.PROBE]

    @property
    def last(self) -> RequestRecord:
        return self.chat.session.conversation.requests[-1]

    async def ask(self, text: str) -> RequestRecord:
        """Its record, when all that follows an answer is done."""
        assert isinstance(await self.chat.ask(text), TurnCompleted)
        await self.rest()
        answers = (
            item for item in self.chat.session.conversation.requests if item.kind is RequestKind.ANSWER
        )
        return list(answers)[-1]

    async def talk(self) -> None:
        """Five questions with long answers."""
        for n in range(5):
            self.simulator.script.say(Turn(text=f"{n} {PROSE}"))
            await self.ask(f"Question {n}?")

    async def rest(self) -> None:
        """Until nobody works any more, but for those who sleep."""
        session, clock = self.chat.session, self.chat.clock
        await session._scope.wait("count")  # pyright: ignore[reportPrivateUsage]  # what follows an answer
        await asyncio.sleep(0.02)
        await until(lambda: session.keep_alive.next_at is None or session.keep_alive.next_at > clock.now())

    async def sleep(self, seconds: float) -> None:
        """The machine falls asleep, wakes, and is awake for half a minute."""
        self.simulator.clock.advance(seconds + 30)
        self.chat.clock.fall_asleep(seconds)
        self.chat.clock.advance(30)
        await self.rest()

    async def advance(self, seconds: float) -> None:
        """Let time pass in steps, so that whoever wakes can act in time."""
        while seconds > 0:
            step = min(seconds, 20)
            self.simulator.clock.advance(step)
            self.chat.clock.advance(step)
            seconds -= step
            await self.rest()


@pytest_asyncio.fixture(loop_scope="session")
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.open(Paths(data=tmp_path))
    yield store
    await store.aclose()


@pytest_asyncio.fixture(loop_scope="session")
async def warm(store: Store, gateway: LiteLLMGateway, simulator: Simulator) -> AsyncIterator[Warm]:
    endpoint = Endpoint(id="e", kind="anthropic", name="Simulated", base_url=simulator.base_url)
    settings = Settings(endpoints=(endpoint,), model="e/claude-sonnet-4-5", write_titles=False)
    offers: list[Tool] = []
    chat = await opened(store, settings=settings, wire=gateway, facts=CLAUDE, offers=offers)
    yield Warm(chat, simulator, offers)
    await chat.session.aclose()
    assert chat.errors == []


async def test_each_answer_reads_what_the_one_before_it_left(warm: Warm) -> None:
    """P2, P3"""
    records = [await warm.ask(f"{n} {PROSE if n == 0 else ''}") for n in range(4)]

    usages = [record.usage for record in records]
    assert all(usages)
    for before, now in itertools.pairwise(usages):
        assert before
        assert now
        assert now.cached_tokens == before.prompt_tokens


async def test_a_probe_before_the_end_keeps_the_real_prefix_warm(warm: Warm) -> None:
    """P8: proven by what comes back."""
    asked = await warm.ask(PROSE)
    await warm.advance(TTL_S - 40)
    await warm.advance(TTL_S - 100)  # past the end of the first answer's life

    after = await warm.ask("And then?")

    (probe,) = warm.probes
    assert asked.usage
    assert probe.usage
    assert after.usage
    assert probe.usage.cached_tokens == asked.usage.prompt_tokens == probe.usage.prompt_tokens
    assert after.usage.cached_tokens == asked.usage.prompt_tokens
    assert after.cache_break is None
    sent = [record.body for record in warm.simulator.chats]
    assert sent[1] == {**sent[0], "max_tokens": 1}


async def test_probes_end_where_one_more_would_cost_more_than_a_cold_write(warm: Warm) -> None:
    """P8, B52: about eleven of them, and then none for a whole day."""
    await warm.ask(PROSE)
    for _ in range(30):
        warm.chat.attention.seen()
        await warm.advance(TTL_S - 60)
    await warm.advance(3600)

    assert len(warm.probes) == 11


@pytest.mark.parametrize("end", ["close", "delete", "gone", "off", "switch"])
async def test_no_probe_is_sent_after_the_chat_has_ended(warm: Warm, end: str) -> None:
    """B52"""
    await warm.ask(PROSE)
    match end:
        case "close":
            await warm.chat.session.aclose()
        case "delete":
            await warm.chat.store.trash_chat(CHAT)
        case "gone":
            warm.chat.clock.advance(1800)  # and nobody touched a key
        case "off":
            warm.chat.settings.append(replace_settings(warm, cache_mode="off"))
        case _:
            warm.chat.settings.append(replace_settings(warm, model="e/claude-opus-4-7"))
            await warm.chat.session.look()

    await warm.advance(2 * TTL_S)

    sent = [record.body["model"] for record in warm.simulator.chats]
    assert sent.count("claude-sonnet-4-5") == 1


async def test_who_comes_back_while_it_is_warm_is_kept_warm_again(warm: Warm) -> None:
    """P8: the half hour without a key ended the probes; a key takes them up, once what it finds is still warm."""
    warm.chat.settings.append(replace_settings(warm, cache_mode="always"))
    await warm.ask(PROSE)
    await warm.advance(1800)
    n_sent, planned = len(warm.probes), warm.chat.session.keep_alive.next_at

    warm.chat.attention.seen()
    await until(lambda: warm.chat.session.keep_alive.next_at is not None)
    await warm.advance(TTL_S)

    assert planned is None
    assert len(warm.probes) == n_sent + 1
    assert all(
        probe.usage and probe.usage.cached_tokens == probe.usage.prompt_tokens for probe in warm.probes
    )


async def test_who_comes_back_when_it_has_expired_finds_nothing_sent(warm: Warm) -> None:
    """P8"""
    await warm.ask(PROSE)
    await warm.advance(3600)
    n_sent = len(warm.probes)

    warm.chat.attention.seen()
    warm.chat.session.take_up()
    await warm.advance(TTL_S)

    assert len(warm.probes) == n_sent < 11
    assert warm.chat.session.keep_alive.next_at is None


async def test_a_locked_screen_ends_the_probes_until_somebody_is_there_again(warm: Warm) -> None:
    """P8"""
    await warm.ask(PROSE)
    warm.chat.attention.locked()
    await warm.advance(200)
    while_locked = warm.chat.session.keep_alive.next_at

    warm.chat.attention.seen()
    await until(lambda: warm.chat.session.keep_alive.next_at is not None)
    await warm.advance(60)

    assert while_locked is None
    assert len(warm.probes) == 1


async def test_a_machine_that_slept_too_long_sends_no_probe_when_it_wakes(warm: Warm) -> None:
    """P8: not one for each that it missed, and none for what has expired meanwhile."""
    await warm.ask(PROSE)
    await warm.sleep(8 * 3600)
    await warm.advance(TTL_S)

    assert warm.probes == []
    assert warm.chat.session.keep_alive.next_at is None


async def test_a_machine_that_slept_a_little_probes_in_time(warm: Warm) -> None:
    """P8: the provider's clock went on."""
    asked = await warm.ask(PROSE)
    await warm.sleep(210)

    (probe,) = warm.probes
    assert asked.usage
    assert probe.usage
    assert probe.usage.cached_tokens == asked.usage.prompt_tokens


async def test_whoever_answered_instead_is_kept_warm(warm: Warm) -> None:
    """P8: a fail-over takes the probes along."""
    warm.chat.settings.append(replace_settings(warm, fallback_models=["e/claude-opus-4-7"]))
    warm.simulator.faults.push(Fault(kind=Kind.STATUS, status=401))
    await warm.ask(PROSE)

    await warm.advance(TTL_S - 40)

    (probe,) = warm.probes
    assert probe.model == "e/claude-opus-4-7"
    assert probe.usage
    assert probe.usage.cached_tokens == probe.usage.prompt_tokens


async def test_a_prompt_that_other_instructions_made_is_warmed_up_when_its_person_begins_to_write(
    warm: Warm,
) -> None:
    """P7: an execution was built, and a message is expected."""
    await warm.ask(PROSE)
    warm.chat.settings.append(replace_settings(warm, instructions="Answer in verse."))

    warm.chat.session.take_up()
    await until(lambda: bool(warm.probes))
    after = await warm.ask("And now?")

    (probe,) = warm.probes
    assert probe.usage
    assert after.usage
    assert after.usage.cached_tokens == probe.usage.prompt_tokens


@pytest_asyncio.fixture(loop_scope="session")
async def of_a_sub_agent(store: Store) -> None:
    made = datetime(2026, 1, 2, tzinfo=UTC)
    await store.create_chat(
        Chat(id=CHAT, title="", created_at=made, updated_at=made, rev=0, head=None, called_by=EntryId("e"))
    )


@pytest.mark.usefixtures("of_a_sub_agent")
async def test_the_chat_of_a_sub_agent_is_not_kept_warm(warm: Warm) -> None:
    """P8: it has its answer, and nobody comes back to it."""
    await warm.ask(PROSE)

    await warm.advance(2 * TTL_S)

    assert warm.probes == []


async def test_what_is_too_small_to_be_kept_is_not_probed(warm: Warm) -> None:
    """B46"""
    await warm.ask("Hi.")

    await warm.advance(2 * TTL_S)

    assert warm.probes == []


async def test_a_prompt_that_will_be_compressed_first_is_not_probed(warm: Warm) -> None:
    """C28 L5: what is projected to be too long never leaves the machine, a probe neither."""
    await warm.ask(PROSE)
    small = {"e/claude-opus-4-7": {"window_tokens": 4_000}}
    warm.chat.settings.append(replace_settings(warm, model="e/claude-opus-4-7", model_overrides=small))

    await warm.chat.session.look()
    await warm.rest()

    assert warm.probes == []


async def test_a_probe_that_is_refused_is_the_last_one_and_nobody_is_troubled(warm: Warm) -> None:
    """B53"""
    await warm.ask(PROSE)
    warm.simulator.faults.push(Fault(kind=Kind.STATUS, status=400))
    await warm.advance(TTL_S - 40)

    again = await warm.ask("Still here?")
    await warm.advance(TTL_S - 40)

    assert [probe.error for probe in warm.probes] == ["bad_request"]
    assert again.cache_break is None
    assert len(warm.chat.ends) == 2


async def test_the_always_mode_ends_at_the_days_limit(warm: Warm) -> None:
    warm.chat.settings.append(replace_settings(warm, cache_mode="always", cache_limit_usd=0.005))
    await warm.ask(PROSE)
    for _ in range(30):
        warm.chat.attention.seen()
        await warm.advance(TTL_S - 60)

    spent = sum(probe.cost_usd or 0 for probe in warm.probes)
    assert 0.005 <= spent < 0.005 + 0.002


async def test_what_a_compaction_left_is_warmed_up_while_a_message_is_expected(warm: Warm) -> None:
    """P7"""
    await warm.talk()

    made = await folding_of(warm.chat).compress(target_tokens=12_000)
    warm.chat.session.keep_warm()
    await until(lambda: bool(warm.probes))
    after = await warm.ask("And now?")

    (probe,) = warm.probes
    assert made.tokens_after < made.tokens_before
    assert probe.usage
    assert after.usage
    assert probe.usage.prompt_tokens < 16_000
    assert after.usage.cached_tokens == probe.usage.prompt_tokens


async def test_a_compaction_nobody_waits_for_is_not_warmed_up(warm: Warm) -> None:
    await warm.talk()
    await warm.advance(150)

    await folding_of(warm.chat).compress(target_tokens=12_000)
    warm.chat.session.keep_warm()
    await warm.rest()

    assert warm.probes == []


async def test_a_compaction_is_a_break_by_it_where_nothing_warmed_it_up(warm: Warm) -> None:
    warm.chat.settings.append(replace_settings(warm, cache_mode="off"))
    await warm.talk()

    await folding_of(warm.chat).compress(target_tokens=12_000)
    after = await warm.ask("And now?")

    assert after.cache_break
    # The summary stands in the person's first message.
    assert (after.cache_break.cause, after.cache_break.message) == (BreakCause.COMPACTION, 1)


async def test_an_expired_cache_is_a_break_with_its_price(warm: Warm) -> None:
    warm.chat.settings.append(replace_settings(warm, cache_mode="off"))
    asked = await warm.ask(PROSE)
    await warm.advance(TTL_S + 5)

    after = await warm.ask("And then?")

    assert asked.usage
    assert after.cache_break
    assert after.cache_break.cause is BreakCause.EXPIRED
    assert after.cache_break.missed_tokens == asked.usage.prompt_tokens
    assert after.cache_break.cost_usd == pytest.approx(asked.usage.prompt_tokens * (3.75e-6 - 3e-7))
    assert (await warm.chat.records())[-1].cache_break == after.cache_break


async def test_what_was_said_otherwise_is_a_break_by_an_edit(warm: Warm) -> None:
    await warm.ask("First. " + PROSE)
    await warm.ask("Second. " + PROSE)
    first = warm.chat.session.conversation.path[0]

    await warm.chat.session.edit(first.id, "Another. " + PROSE)
    await warm.chat.end()
    await warm.rest()

    assert warm.last.cache_break
    assert (warm.last.cache_break.cause, warm.last.cache_break.message) == (BreakCause.EDIT, 1)


async def test_another_model_is_a_break_by_the_model(warm: Warm) -> None:
    await warm.ask(PROSE)
    warm.chat.settings.append(replace_settings(warm, model="e/claude-opus-4-7"))

    after = await warm.ask("And you?")

    assert after.cache_break
    assert after.cache_break.cause is BreakCause.MODEL
    assert after.cache_break.detail == "claude-sonnet-4-5"


async def test_other_instructions_are_a_break_by_the_system_text(warm: Warm) -> None:
    await warm.ask(PROSE)
    warm.chat.settings.append(replace_settings(warm, instructions="Answer in verse."))

    after = await warm.ask("And now?")

    assert after.cache_break
    assert after.cache_break.cause is BreakCause.SYSTEM


async def test_a_tool_that_is_described_otherwise_is_a_break_by_its_name(warm: Warm) -> None:
    """P5: as after an update of the program, or of a server that offers tools."""
    warm.offers.append(FILE_READ)
    await warm.ask(PROSE)
    warm.offers[0] = replace(FILE_READ, description="Reads.")

    after = await warm.ask("And now?")

    assert after.cache_break
    assert (after.cache_break.cause, after.cache_break.detail) == (BreakCause.SCHEMA, "file_read")


async def test_a_probe_takes_the_tools_along_in_their_order_and_with_their_mark(warm: Warm) -> None:
    """P1, P3, P7"""
    warm.offers.extend((*IN_A_WORKSPACE, *ALWAYS))
    asked = await warm.ask(PROSE)

    await warm.advance(TTL_S - 40)

    real, probe = (record.body for record in warm.simulator.chats)
    tools = mappings(real["tools"])
    assert probe == {**real, "max_tokens": 1}
    assert [string(tool["name"]) for tool in tools] == sorted(tool.spec.name for tool in warm.offers)
    assert [at for at, tool in enumerate(tools) if "cache_control" in tool] == [len(tools) - 1]
    assert asked.usage
    assert warm.probes[0].usage
    assert warm.probes[0].usage.cached_tokens == asked.usage.prompt_tokens


async def test_a_cache_that_the_provider_lost_is_its_break(warm: Warm) -> None:
    await warm.ask(PROSE)
    warm.simulator.cache.clear()

    after = await warm.ask("And now?")

    assert after.cache_break
    assert after.cache_break.cause is BreakCause.THEIRS


async def test_what_is_held_is_told_as_it_is(warm: Warm) -> None:
    execution = await warm.chat.session.desk.look()
    before = warm.chat.session.desk.held(execution)[1].warmth
    await warm.ask(PROSE)
    after = warm.chat.session.desk.held(execution)[1]

    assert before is Warmth.UNKNOWN
    assert (after.warmth, after.left_s) == (Warmth.WARM, TTL_S)


def replace_settings(warm: Warm, **values: object) -> Settings:
    return Settings.model_validate(warm.chat.settings[-1].model_dump() | values)


async def test_the_card_tells_what_the_provider_said(warm: Warm) -> None:
    """Issue 4, part 7: state, sums and the next probe of a real chat."""
    first = await warm.ask(PROSE)
    second = await warm.ask("And then?")
    await warm.advance(TTL_S - 40)
    (probe,) = warm.probes

    card = await warm.chat.session.cache_card()

    assert card
    assert first.usage
    assert second.usage
    assert probe.cost_usd
    now = warm.chat.clock.now()
    assert card.warmth(now) is Warmth.WARM
    assert card.next_probe_at == warm.chat.session.keep_alive.next_at
    assert card.n_calls == 2
    read = second.usage.cached_tokens / (first.usage.prompt_tokens + second.usage.prompt_tokens)
    assert card.hit_rate == pytest.approx(read)
    spent = [record.cost_usd or 0.0 for record in (first, second, probe)]
    assert card.chat.spent.usd == card.day.spent.usd == pytest.approx(sum(spent))
    assert card.turn.spent.usd == pytest.approx(sum(spent[1:]))
    assert card.chat.probes.usd == probe.cost_usd
    fresh = first.usage.cache_write_tokens + second.usage.cache_write_tokens
    assert card.chat.saved.usd == pytest.approx(2.7e-6 * second.usage.cached_tokens - 0.75e-6 * fresh)
