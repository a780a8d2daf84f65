"""Q6: what a turn costs as its chat grows; all but a tail lies under one fold. `python -m tests.bench.turn_cost`."""

# pyright: reportPrivateUsage=false

import asyncio
import math
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass

from app.agent.session import ChatSession
from app.store.store import Store
from tests.bench.measures import Measure, percentile, tell
from tests.bench.sessions import opened
from tests.bench.stages import ToldGateway, fold_all_but, furnish, paths_in, words, write_chat

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
_TAIL = 60
_N_TURNS = 30
_WARM = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    to_wire_ms: tuple[float, ...]
    """Time from Enter until the request is handed to the gateway, the append on the disk included."""
    to_wire_cpu_ms: tuple[float, ...]
    """Work of this process meanwhile, whatever else the machine does."""
    whole_cpu_ms: tuple[float, ...]
    """Work of this process until the answer is stored and counted."""


async def cost(n: int, *, is_folded: bool = True, n_turns: int = _N_TURNS, n_chars: int = 310) -> Cost:
    """A chat of `n` messages that goes on for `n_turns` turns."""
    with tempfile.TemporaryDirectory() as folder:
        paths, gateway = paths_in(folder), ToldGateway()
        store = Store(paths)
        await store.prepare()
        await furnish(store)
        chat_id = await write_chat(store, "long", n)
        if is_folded:
            await fold_all_but(store, chat_id, n, _TAIL)
        await store.aclose()
        async with opened(paths, gateway) as session:
            return await _turns(session, gateway, n_turns, n_chars)


async def _turns(session: ChatSession, gateway: ToldGateway, n_turns: int, n_chars: int) -> Cost:
    wall, cpu, whole = list[float](), list[float](), list[float]()
    for turn in range(n_turns + _WARM):
        text = words(2 * turn, n_chars)
        began, began_cpu = time.perf_counter(), time.process_time()
        await session.send(text)
        await session.settled()
        wall.append((gateway.handed_at - began) * 1000)
        cpu.append((gateway.handed_cpu - began_cpu) * 1000)
        await session._scope.wait("count")
        whole.append((time.process_time() - began_cpu) * 1000)
    return Cost(
        to_wire_ms=tuple(wall[_WARM:]), to_wire_cpu_ms=tuple(cpu[_WARM:]), whole_cpu_ms=tuple(whole[_WARM:])
    )


def slope(sizes: Sequence[int], values: Sequence[float]) -> float:
    """Of the straight line through the logarithms: 0 is flat, 1 is linear."""
    return statistics.linear_regression([math.log(n) for n in sizes], [math.log(v) for v in values]).slope


async def measures() -> list[Measure]:
    sizes = tuple(map(int, os.environ.get("BENCH_SIZES", "").split())) or SIZES
    costs = [await cost(n) for n in sizes]
    found: list[Measure] = []
    for n, item in zip(sizes, costs, strict=True):
        name = f"Q6 a turn at {n:,} messages"
        found += [
            Measure(
                what=f"{name}: Enter to gateway, median", value=percentile(item.to_wire_ms, 0.5), unit="ms"
            ),
            Measure(
                what=f"{name}: Enter to gateway, work", value=percentile(item.to_wire_cpu_ms, 0.5), unit="ms"
            ),
            Measure(what=f"{name}: whole turn, work", value=percentile(item.whole_cpu_ms, 0.5), unit="ms"),
        ]
    for what, figures in (
        ("Enter to gateway", [percentile(item.to_wire_cpu_ms, 0.5) for item in costs]),
        ("whole turn", [percentile(item.whole_cpu_ms, 0.5) for item in costs]),
    ):
        found.append(
            Measure(
                what=f"Q6 slope of {what} over {sizes[0]:,} … {sizes[-1]:,} messages",
                value=slope(sizes, figures),
                unit="",
                target=0.1,
                baseline=1.0,
                against="all is done anew",
            )
        )
    return found


if __name__ == "__main__":
    raise SystemExit(tell(asyncio.run(measures())))
