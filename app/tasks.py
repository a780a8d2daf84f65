"""Every task has an owner: a scope that names it, keeps it, hears of its failure, and ends it."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from types import TracebackType
from typing import TypeVar

log = logging.getLogger(__name__)
T = TypeVar("T")


class TaskScope:
    """Owns tasks by key; starting a key anew cancels the earlier one, so that no late answer wins.

    Args:
        on_error: Told of each failure; `CancelledError` is the person's will and no failure.
    """

    def __init__(self, on_error: Callable[[BaseException], None] | None = None) -> None:
        self._on_error = on_error or log_bug
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._ending: set[asyncio.Task[None]] = set()

    def start(self, key: str, work: Coroutine[object, object, None]) -> None:
        """Run `work`; what runs under the same key is cancelled and its end awaited by `aclose`."""
        self.cancel(key)
        task = asyncio.get_running_loop().create_task(work, name=key)
        self._tasks[key] = task
        task.add_done_callback(self._done)

    def cancel(self, key: str) -> None:
        if task := self._tasks.pop(key, None):
            self._ending.add(task)
            task.cancel()

    def is_running(self, key: str) -> bool:
        """Whether the task under `key` runs, or was cancelled and has not ended yet."""
        return key in self._tasks or self.is_ending(key)

    def is_ending(self, key: str) -> bool:
        return any(task.get_name() == key for task in self._ending)

    async def wait(self, key: str) -> None:
        """Wait until what runs under `key` has ended, however it ends; at once if nothing does."""
        ending = [task for task in self._ending if task.get_name() == key]
        if task := self._tasks.get(key):
            ending.append(task)
        if ending:
            await asyncio.wait(ending)

    async def aclose(self) -> None:
        """Cancel everything and wait for it; what a task starts as it ends is cancelled, too."""
        while self._tasks or self._ending:
            for key in tuple(self._tasks):
                self.cancel(key)
            await asyncio.wait(self._ending)

    async def __aenter__(self) -> "TaskScope":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def _done(self, task: asyncio.Task[None]) -> None:
        self._ending.discard(task)
        if self._tasks.get(task.get_name()) is task:
            del self._tasks[task.get_name()]
        if not task.cancelled() and (error := task.exception()):
            self._on_error(error)


class SystemClock:
    """`context.ports.Clock` as it is."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def uncancelled(work: Coroutine[object, object, T]) -> T:
    """Run `work` to its end; a cancel waits for it and goes on then. For saving, which is never left half done."""
    task = asyncio.get_running_loop().create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


def log_bug(error: BaseException) -> None:
    log.error("A task failed", exc_info=error)
