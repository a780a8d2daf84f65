"""One worker and one simulator for all of these tests: LiteLLM takes seconds to come up."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from app.providers.gateway import LiteLLMGateway
from tests.app.providers.asking import Keys, Originals, asking, events_of, target_at
from tests.simulator import Simulator


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def _simulator() -> AsyncIterator[Simulator]:
    async with Simulator() as running:
        yield running


@pytest.fixture
def simulator(_simulator: Simulator) -> Iterator[Simulator]:
    _simulator.reset()
    yield _simulator
    _simulator.tokens_per_s = None


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def gateway(_simulator: Simulator) -> AsyncIterator[LiteLLMGateway]:
    running = LiteLLMGateway(Keys(), Originals())
    await running.start()
    await events_of(running, asking("Are you there?"), target_at(_simulator))  # waits for it to come up
    yield running
    await running.aclose()
