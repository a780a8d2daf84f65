"""The worker keeps bursts away from the window's loop; exact figures: `python -m tests.bench.gateway`."""

import pytest

from app.providers.gateway import LiteLLMGateway
from tests.app.providers.asking import Keys, Originals
from tests.bench.gateway import burst, server


@pytest.mark.slow
async def test_a_burst_of_5000_chunks_holds_the_loop_for_a_few_milliseconds() -> None:
    """Measured without a worker: 1.1 s."""
    gateway = LiteLLMGateway(Keys(), Originals())
    with server() as url:
        await burst(gateway, url)
        found = await burst(gateway, url)
    await gateway.aclose()

    assert found.work_ms < 5
    assert found.n_events < 400
