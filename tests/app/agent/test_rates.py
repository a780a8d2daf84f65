"""Where a provider takes only so many a minute the person's requests go first, and nothing is sent over its limits (A19)."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.rates import Bucket, Rank, Rates, n_surges, rank_of
from app.core.entries import Chat, Finish
from app.core.events import Accepted, Finished, Rate, RequestQueued, TextArrived, TurnStopped
from app.core.ids import EntryId
from app.core.records import RequestKind, RequestRecord
from app.store.store import Store
from tests.app.agent.opening import CHAT, Opened, opened
from tests.app.store.making import a_request
from tests.fakes import FakeClock, until


def rate(most: int, left: int, of: Literal["requests", "tokens"] = "requests") -> Rate:
    return Rate(of=of, most=most, left=left, period_s=60)


_amounts = st.integers(1, 400)


@given(st.lists(st.tuples(_amounts, st.floats(0, 200)), max_size=40), st.integers(1, 300))
def test_what_is_taken_after_the_wait_never_exceeds_the_limit(
    asked: list[tuple[int, float]], most: int
) -> None:
    """Of any stretch of time: a full bucket and what came back."""
    bucket = Bucket(most=most, period_s=60, left=most, at_s=0)
    now, taken = 0.0, list[tuple[float, int]]()
    for amount, later_s in asked:
        now += later_s
        now += bucket.wait_s(amount, now)
        bucket.take(amount, now)
        taken.append((now, min(amount, most)))
        assert bucket.left >= -1e-6

    for at, (begin, _) in enumerate(taken):
        for end, _ in taken[at:]:
            within = sum(amount for when, amount in taken[at:] if when <= end)
            assert within <= most + (end - begin) * most / 60 + 1e-3 * len(taken)


@given(_amounts, st.integers(1, 300), st.floats(0, 300))
def test_nobody_waits_longer_than_the_whole_bucket_takes(amount: int, most: int, left: float) -> None:
    bucket = Bucket(most=most, period_s=60, left=min(left, most), at_s=0)

    assert 0 <= bucket.wait_s(amount, 0) <= 60


async def go(rates: Rates, name: str, rank: Rank, order: list[str], tokens: int = 1) -> None:
    async with rates.queued("p", tokens, rank) as ticket:
        await ticket.admitted()
        order.append(name)


async def passed(clock: FakeClock, seconds: float) -> None:
    clock.advance(seconds)
    for _ in range(20):
        await asyncio.sleep(0)


@given(st.lists(st.sampled_from(list(Rank)), min_size=1, max_size=12))
def test_the_person_goes_first_and_equals_go_in_their_order(ranks: list[Rank]) -> None:
    async def play() -> list[str]:
        clock = FakeClock()
        rates, order = Rates(clock), list[str]()
        rates.learn("p", [rate(60, 0)])
        async with asyncio.TaskGroup() as group:
            for n, rank in enumerate(ranks):
                group.create_task(go(rates, f"{rank:d} {n:02}", rank, order))
            await passed(clock, 0)
            while len(order) < len(ranks):
                await passed(clock, 1)
        return order

    order = asyncio.run(play())

    assert order == sorted(order)


async def test_nothing_waits_at_a_provider_that_told_of_no_limit() -> None:
    rates, order = Rates(FakeClock()), list[str]()

    await go(rates, "title", Rank.BACKGROUND, order, tokens=10**6)

    assert order == ["title"]


async def test_a_limit_that_is_back_tomorrow_is_the_provider_s_to_refuse() -> None:
    rates, order = Rates(FakeClock()), list[str]()
    rates.learn("p", [Rate(of="requests", most=200, left=0, period_s=86_400)])

    await go(rates, "person", Rank.PERSON, order)

    assert order == ["person"]


async def test_who_comes_later_and_matters_more_overtakes_who_waits() -> None:
    clock = FakeClock()
    rates, order = Rates(clock), list[str]()
    rates.learn("p", [rate(60, 0), rate(6_000, 6_000, "tokens")])

    async with asyncio.TaskGroup() as group:
        group.create_task(go(rates, "title", Rank.BACKGROUND, order))
        await passed(clock, 0)
        group.create_task(go(rates, "person", Rank.PERSON, order))
        await passed(clock, 0)
        await passed(clock, 1)
        first = list(order)
        await passed(clock, 1)

    assert (first, order) == (["person"], ["person", "title"])


async def test_who_gives_up_holds_nobody_up() -> None:
    clock = FakeClock()
    rates, order = Rates(clock), list[str]()
    rates.learn("p", [rate(60, 0)])
    first = asyncio.ensure_future(go(rates, "first", Rank.PERSON, order))  # noqa: TID251  # cancelled below
    second = asyncio.ensure_future(go(rates, "second", Rank.PERSON, order))  # noqa: TID251  # as above
    await passed(clock, 0)

    first.cancel()
    await passed(clock, 0)
    await passed(clock, 1)

    await second
    assert order == ["second"]


async def test_a_turn_tells_that_it_waits_and_stop_ends_the_wait(store: Store) -> None:
    chat = await limited(store)

    await chat.ask("One.")
    await chat.session.send("Two.")
    await chat.hears(RequestQueued)
    assert len(chat.gateway.requests) == 1
    chat.clock.advance(61)
    await chat.end()
    assert len(chat.gateway.requests) == 2

    await chat.session.send("Three.")
    await until(lambda: sum(isinstance(event, RequestQueued) for event in chat.events) == 2)
    chat.session.stop()
    assert isinstance(await chat.end(), TurnStopped)
    assert len(chat.gateway.requests) == 2
    await chat.session.aclose()


def told(left: int) -> tuple[Accepted | TextArrived | Finished, ...]:
    return (
        Accepted(rates=(rate(1, left),)),
        TextArrived(text="So."),
        Finished(finish=Finish.STOP),
    )


async def limited(store: Store) -> Opened:
    """At a provider that takes one request a minute, and says so with its first answer."""
    chat = await opened(store)
    chat.gateway.say(told(0), told(0))
    return chat


def made(at_min: float, tokens: int, kind: RequestKind = RequestKind.ANSWER) -> RequestRecord:
    now = FakeClock().now() + timedelta(minutes=at_min)
    return replace(a_request("r", "e"), created_at=now, projected_tokens=tokens, kind=kind)


def test_a_chat_that_surges_goes_behind_the_others_and_a_helper_behind_its_parent() -> None:
    now = FakeClock().now()
    chat = Chat(id=CHAT, title="", created_at=now, updated_at=now, rev=0, head=None)
    jumps = [made(n, 11_000 * n) for n in range(4)]

    assert rank_of(chat, [], now) is Rank.PERSON
    assert rank_of(replace(chat, called_by=EntryId("e")), [], now) is Rank.SUB_AGENT
    assert rank_of(chat, jumps, now + timedelta(minutes=5)) is Rank.SURGING


@pytest.mark.parametrize(
    ("requests", "expected"),
    [
        ([], 0),
        ([made(0, 10_000), made(1, 21_000), made(2, 32_000), made(3, 43_000)], 3),
        ([made(0, 10_000), made(1, 20_000), made(2, 30_000)], 0),
        ([made(-30, 0), made(-20, 50_000), made(-19, 99_000), made(3, 110_000)], 1),
        ([made(0, 10_000), made(1, 90_000, RequestKind.SUMMARY), made(2, 11_000)], 0),
    ],
)
def test_only_jumps_of_answers_in_the_last_ten_minutes_are_surges(
    requests: list[RequestRecord], expected: int
) -> None:
    """C5."""
    assert n_surges(requests, FakeClock().now() + timedelta(minutes=4)) == expected
