"""A burst of 5,000 chunks through the worker: how long the window's loop is held (Q7's neighbour).

`python -m tests.bench.bench_gateway` prints one line.
"""

import asyncio
import time

from app.core.events import TextArrived
from app.providers.gateway import LiteLLMGateway
from app.tasks import TaskScope
from tests.app.providers.asking import Keys, Originals, asking, events_of, target_at
from tests.simulator import Simulator, SimulatorThread, Turn

N_CHUNKS = 5_000


async def longest_gap_ms(gateway: LiteLLMGateway, simulator: Simulator) -> tuple[float, int, float]:
    """The longest time between two turns of the loop during one burst, its events, and its seconds."""
    simulator.script.say(Turn(text="word " * N_CHUNKS))
    gaps: list[float] = []

    async def beat() -> None:
        last = time.perf_counter()
        while True:
            await asyncio.sleep(0.001)
            now = time.perf_counter()
            gaps.append(now - last)
            last = now

    begun = time.perf_counter()
    async with TaskScope() as tasks:
        tasks.start("beat", beat())
        events = await events_of(gateway, asking("Go"), target_at(simulator))
    n_text = sum(isinstance(event, TextArrived) for event in events)
    return max(gaps) * 1000, n_text, time.perf_counter() - begun


async def main() -> None:
    with SimulatorThread(Simulator()) as simulator:
        gateway = LiteLLMGateway(Keys(), Originals())
        await events_of(gateway, asking("Warm up"), target_at(simulator))
        gap_ms, n_events, took_s = await longest_gap_ms(gateway, simulator)
        await gateway.aclose()
    print(f"burst of {N_CHUNKS} chunks: longest gap {gap_ms:.1f} ms, {n_events} events, {took_s:.2f} s")


if __name__ == "__main__":
    asyncio.run(main())
