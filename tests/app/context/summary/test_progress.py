"""Slow is not dead, and dead is not waited for."""

import asyncio

from app.context.ports import Reply
from app.context.summary.progress import ProgressClock, within
from app.core.errors import ProviderError
from tests.app.context.summary.making import reply
from tests.fakes import FakeClock, until


def _progress(clock: FakeClock, *, prompt_tokens: int = 1_000, total_s: float = 600.0) -> ProgressClock:
    return ProgressClock(clock, prompt_tokens=prompt_tokens, total_s=total_s)


def test_silence_before_the_first_byte_is_borne_as_long_as_the_prompt_is() -> None:
    """C19."""
    clock = FakeClock()

    assert _progress(clock).left_s == 90
    assert _progress(clock, prompt_tokens=100_000).left_s == 180
    assert _progress(clock, prompt_tokens=10_000_000).left_s == 600


def test_a_model_that_thinks_for_two_and_a_half_minutes_is_let_live() -> None:
    """Case B34: reasoning at 150 s after a long prompt, then content, is a healthy run."""
    clock = FakeClock()
    progress = _progress(clock, prompt_tokens=100_000)

    for seconds in (150, 50, 1):
        clock.advance(seconds)
        assert progress.left_s > 0
        progress.touch()

    assert progress.left_s == 90


def test_pings_are_signs_of_life() -> None:
    """Case B34: 150 s with only comment lines."""
    clock = FakeClock()
    progress = _progress(clock)

    for _ in range(10):
        clock.advance(15)
        assert progress.left_s > 0
        progress.touch()


def test_ten_minutes_are_the_end_whatever_comes() -> None:
    clock = FakeClock()
    progress = _progress(clock)

    for _ in range(60):
        clock.advance(10)
        progress.touch()

    assert progress.left_s == 0


async def test_an_answer_that_does_not_come_is_given_up_and_its_work_cancelled() -> None:
    clock = FakeClock()
    ended: list[str] = []

    async def never() -> Reply:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")
        raise AssertionError

    async def watch() -> None:
        await until(lambda: bool(clock.slept))
        clock.advance(90)

    result, _ = await asyncio.gather(within(never(), _progress(clock)), watch())

    assert result is None
    assert ended == ["cancelled"]


async def test_an_answer_in_time_is_the_answer_and_a_failure_a_value() -> None:
    async def good() -> Reply:
        return reply("fine")

    async def bad() -> Reply:
        raise ProviderError("It failed")

    assert await within(good(), _progress(FakeClock())) == reply("fine")
    assert isinstance(await within(bad(), _progress(FakeClock())), ProviderError)
