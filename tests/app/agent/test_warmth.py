"""The prompt cache on the wire: kept, probed and told of, with the simulator's and the program's clock moved at once."""

import itertools
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio

from app.agent.tools.offered import ALWAYS, IN_A_WORKSPACE
from app.cache.warmth import Warmth
from app.core.entries import Chat
from app.core.ids import EntryId
from app.store.store import Store
from tests.app.agent.opening import CHAT
from tests.app.agent.test_room import folding_of
from tests.app.agent.warming import (  # pyright: ignore[reportPrivateUsage]
    PROSE,
    TTL_S,
    Warm,
    _simulator,
    gateway,
    replace_settings,
    simulator,
    store,
    warm,
)
from tests.app.providers.test_marks import unmarked
from tests.fakes import until
from tests.simulator import Fault, Kind
from tests.simulator.wire import mappings, string

__all__ = ["_simulator", "gateway", "simulator", "store", "warm"]
pytestmark = pytest.mark.asyncio(loop_scope="session")


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
    """P8: proven by what comes back. Trap: keep-alive that does nothing."""
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
    await warm.advance(1800 + 40)  # it looks each half minute
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
    card = await warm.chat.session.cache_card()
    assert card
    assert (warm.chat.session.keep_alive.has_met_limit, card.has_met_limit, card.next_probe_at) == (
        True,
        True,
        None,
    )

    warm.chat.settings.append(replace_settings(warm, cache_mode="always", cache_limit_usd=1.0))
    await warm.ask("And then?")
    assert not warm.chat.session.keep_alive.has_met_limit


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


async def test_what_a_compaction_left_is_warmed_up_as_the_beginning_of_the_next_request(warm: Warm) -> None:
    """P7, P1: tools, system text and messages of the probe, as they stand on the wire, begin the real one's."""
    warm.offers.extend((*IN_A_WORKSPACE, *ALWAYS))
    await warm.talk()
    n_before = len(warm.simulator.chats)
    made = await folding_of(warm.chat).compress(target_tokens=14_000)
    warm.chat.session.keep_warm()
    await until(lambda: bool(warm.probes))

    after = await warm.ask("And now?")

    probe, real = (record.body for record in warm.simulator.chats[n_before:])
    sent = mappings(probe["messages"])
    assert made.tokens_after < made.tokens_before
    assert len(mappings(probe["tools"])) == len(warm.offers)
    assert (probe["tools"], probe["system"]) == (real["tools"], real["system"])
    assert [unmarked(message) for message in mappings(real["messages"])][: len(sent)] == [
        unmarked(message) for message in sent
    ]
    assert after.usage
    assert warm.probes[0].usage
    assert after.usage.cached_tokens == warm.probes[0].usage.prompt_tokens


async def test_the_card_counts_down_from_the_last_request_of_the_log(warm: Warm) -> None:
    """U5: state and countdown, reckoned from the simulator's clock alone."""
    await warm.ask(PROSE)
    await warm.advance(100)

    card = await warm.chat.session.cache_card()

    now = warm.chat.clock.now()
    age_s = warm.simulator.clock.now() - warm.simulator.chats[-1].at
    assert card
    assert age_s == pytest.approx(100, abs=1)
    assert card.warmth(now) is Warmth.WARM
    assert card.left_s(now) == pytest.approx(TTL_S - age_s, abs=1)
    assert card.next_probe_at
    assert (card.next_probe_at - now).total_seconds() == pytest.approx(TTL_S - 60 - age_s, abs=1)
    just_before, just_after = (now + timedelta(seconds=TTL_S - age_s + by_s) for by_s in (-2, 2))
    assert card.warmth(just_before) is Warmth.WARM
    assert card.warmth(just_after) is Warmth.COLD


async def test_what_is_held_is_told_as_it_is(warm: Warm) -> None:
    execution = await warm.chat.session.desk.look()
    before = warm.chat.session.desk.held(execution)[1].warmth
    await warm.ask(PROSE)
    after = warm.chat.session.desk.held(execution)[1]

    assert before is Warmth.UNKNOWN
    assert (after.warmth, after.left_s) == (Warmth.WARM, TTL_S)


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
