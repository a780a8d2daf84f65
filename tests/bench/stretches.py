"""What a loop's thread works at a stretch: ms of each callback, on asyncio's loop and Qt's alike."""

# pyright: reportPrivateUsage=false

import asyncio
import time
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def stretches() -> Generator[list[float]]:
    """Every callback from now on adds what it worked; what other threads do meanwhile is not in it."""
    run = asyncio.Handle._run
    found: list[float] = []

    def timed(self: asyncio.Handle) -> None:
        began = time.thread_time()
        run(self)
        found.append((time.thread_time() - began) * 1000)

    asyncio.Handle._run = timed
    try:
        yield found
    finally:
        asyncio.Handle._run = run
