"""Counting the seconds of what takes long."""

import asyncio
from collections.abc import Callable


async def each_second(told: Callable[[int], None]) -> None:
    """Tell the whole seconds since this was called, one by one, until it is cancelled."""
    now = asyncio.get_running_loop().time
    began_s = now()
    while True:
        await asyncio.sleep(1)
        told(round(now() - began_s))
