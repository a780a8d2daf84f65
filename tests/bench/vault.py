"""Q11: write 100 MB into the vault, read a range of it. `python -m tests.bench.vault`."""

import asyncio
import os
import random
import statistics
import tempfile
import time
from pathlib import Path

from app.vault.vault import Vault
from tests.bench.measures import Measure, tell

N_BYTES = 100 << 20
WANTED_MB_S = 200
WANTED_MS = 5.0


def _like_a_log(n_bytes: int) -> bytes:
    lines = [
        f"2026-01-01T00:00:{i % 60:02} worker-{i % 7} step {i} {os.urandom(8).hex()} ok"
        for i in range(40_000)
    ]
    block = "\n".join(lines).encode()
    return (block * (n_bytes // len(block) + 1))[:n_bytes]


async def _measure(name: str, data: bytes) -> list[Measure]:
    with tempfile.TemporaryDirectory() as folder:
        vault = Vault(Path(folder))
        before = time.perf_counter()
        blob = await vault.put(data, mime="application/octet-stream", name=name)
        write_s = time.perf_counter() - before
        ranges_ms: list[float] = []
        for _ in range(50):
            start = random.randrange(len(data) - 65_536)
            before = time.perf_counter()
            found = await vault.read_range(blob, start, start + 65_536)
            ranges_ms.append((time.perf_counter() - before) * 1000)
            assert found == data[start : start + 65_536]
    mb_s, range_ms = len(data) / 1e6 / write_s, statistics.median(ranges_ms)
    return [
        Measure(
            what=f"Q11 vault: write 100 MB of {name}",
            value=mb_s,
            unit="MB/s",
            target=WANTED_MB_S,
            is_floor=True,
        ),
        Measure(what=f"Q11 vault: read a range of {name}", value=range_ms, unit="ms", target=WANTED_MS),
    ]


async def measures() -> list[Measure]:
    return [*await _measure("log", _like_a_log(N_BYTES)), *await _measure("noise", os.urandom(N_BYTES))]


if __name__ == "__main__":
    raise SystemExit(tell(asyncio.run(measures())))
