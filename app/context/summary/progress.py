"""Slow is not dead: how long a writer may be silent before its answer is given up (C19, case B34)."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from app.context.ports import Clock, Reply
from app.core.errors import ProviderError

SILENCE_S = 90.0
_TOKENS_PER_SILENCE = 50_000
TOTAL_S = 600.0


class ProgressClock:
    """Runs from its making; any byte of the answer, reasoning and pings included, is a sign of life.

    That the connection opened is none: until the first byte a long prompt is being read.
    """

    def __init__(self, clock: Clock, *, prompt_tokens: int, total_s: float = TOTAL_S) -> None:
        self._clock = clock
        self._began_s = self._last_s = clock.monotonic()
        self._total_s = min(total_s, TOTAL_S)
        self._patience_s = min(TOTAL_S, max(SILENCE_S, SILENCE_S * prompt_tokens / _TOKENS_PER_SILENCE))

    def touch(self) -> None:
        self._last_s = self._clock.monotonic()
        self._patience_s = SILENCE_S

    @property
    def left_s(self) -> float:
        """Until it is given up if nothing more comes; 0 or less: it is."""
        now = self._clock.monotonic()
        return min(self._last_s + self._patience_s, self._began_s + self._total_s) - now

    async def expired(self) -> None:
        while (left := self.left_s) > 0:
            await self._clock.sleep(left)


async def within(work: Coroutine[Any, Any, Reply], progress: ProgressClock) -> Reply | ProviderError | None:
    """The answer, what kept it from coming, or None: the time was up and the work was cancelled."""
    async with asyncio.TaskGroup() as tasks:
        answer = tasks.create_task(_told(work))
        watch = tasks.create_task(progress.expired())
        await asyncio.wait((answer, watch), return_when=asyncio.FIRST_COMPLETED)
        watch.cancel()
        answer.cancel()  # changes nothing where it is there
    return None if answer.cancelled() else answer.result()


async def _told(work: Coroutine[Any, Any, Reply]) -> Reply | ProviderError:
    """A failure is a value here, since a task group would wrap it."""
    try:
        return await work
    except ProviderError as error:
        return error
