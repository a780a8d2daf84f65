"""The simulator in a thread with a loop of its own, for tests whose loop is another one or none."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType

    from tests.simulator.server import Simulator


class SimulatorThread:
    """`with SimulatorThread(Simulator()) as sim:` serves until the block ends.

    Scripts, faults and the clock may be used from the outside: each is one step on a deque or a number.
    """

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="provider simulator", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._done: asyncio.Event | None = None

    def __enter__(self) -> Simulator:
        self._thread.start()
        if not self._ready.wait(timeout=10):
            raise TimeoutError("The simulator did not start within 10 s.")
        return self._simulator

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._loop is not None and self._done is not None:
            self._loop.call_soon_threadsafe(self._done.set)
        self._thread.join(timeout=10)

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop, self._done = asyncio.get_running_loop(), asyncio.Event()
        async with self._simulator:
            self._ready.set()
            await self._done.wait()
