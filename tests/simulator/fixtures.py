"""Fixtures for other tests: import `simulator` or `simulator_thread` into a conftest or a test module."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.simulator.server import Simulator
from tests.simulator.thread import SimulatorThread


@pytest.fixture
async def simulator() -> AsyncIterator[Simulator]:
    """In the test's own asyncio loop."""
    async with Simulator() as running:
        yield running


@pytest.fixture
def simulator_thread() -> Iterator[Simulator]:
    """In a thread, for tests on Qt's loop or with the app in another process."""
    with SimulatorThread(Simulator()) as running:
        yield running
