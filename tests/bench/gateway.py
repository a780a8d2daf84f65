"""A burst of 5,000 chunks through the worker: how long it holds the window's loop (architecture.md, concurrency).

`python -m tests.bench.gateway` prints one line.
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from app.agent.ports import Target
from app.core.events import TextArrived
from app.providers.gateway import LiteLLMGateway
from app.settings import Endpoint
from app.tasks import TaskScope
from tests.app.providers.asking import Keys, Originals, asking, events_of
from tests.bench.measures import Measure, tell

N_CHUNKS = 5_000
_SERVER = f"""
import asyncio
from tests.simulator import Simulator, Turn
async def main():
    async with Simulator() as simulator:
        simulator.script.otherwise = lambda body: Turn(text="word " * {N_CHUNKS})
        print(simulator.openai_url, flush=True)
        await asyncio.Event().wait()
asyncio.run(main())
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Burst:
    work_ms: float
    """The longest stretch of work of this thread between two turns of its loop."""
    gap_ms: float
    """The longest time between two turns, which other processes on a busy machine lengthen."""
    n_events: int
    took_s: float


@contextmanager
def server() -> Generator[str, None, None]:
    """The simulator in a process of its own, so that its work is not counted; its address."""
    with subprocess.Popen([sys.executable, "-c", _SERVER], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield process.stdout.readline().strip()
        process.terminate()


async def burst(gateway: LiteLLMGateway, url: str) -> Burst:
    target = Target(endpoint=Endpoint(id="e", kind="openai", name="Simulated", base_url=url), name="gpt-4o")
    works, gaps = list[float](), list[float]()

    async def beat() -> None:
        while True:
            work, at = time.thread_time(), time.perf_counter()
            await asyncio.sleep(0.001)
            works.append(time.thread_time() - work)
            gaps.append(time.perf_counter() - at)

    begun = time.perf_counter()
    async with TaskScope() as tasks:
        tasks.start("beat", beat())
        events = await events_of(gateway, asking("Go"), target)
    return Burst(
        work_ms=max(works) * 1000,
        gap_ms=max(gaps) * 1000,
        n_events=sum(isinstance(event, TextArrived) for event in events),
        took_s=time.perf_counter() - begun,
    )


async def measures() -> list[Measure]:
    gateway = LiteLLMGateway(Keys(), Originals())
    with server() as url:
        await burst(gateway, url)  # brings the worker up
        found = await burst(gateway, url)
    await gateway.aclose()
    what = f"A burst of {N_CHUNKS:,} chunks"
    return [
        Measure(
            what=f"{what}: longest work of the window's loop",
            value=found.work_ms,
            unit="ms",
            target=5,
            baseline=1_103,
            against="without a worker, measured once",
        ),
        Measure(what=f"{what}: longest gap of the loop", value=found.gap_ms, unit="ms"),
        Measure(what=f"{what}: events that reach it", value=found.n_events, unit="", target=400),
    ]


if __name__ == "__main__":
    raise SystemExit(tell(asyncio.run(measures())))
