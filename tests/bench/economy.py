"""Q15: what 200 turns of an agent cost, by peers' policies and by ours, priced against the provider simulator.

`python -m tests.bench.economy [--turns N] [--json]`: one table per family. Everything is paid for in all policies alike:
writers of summaries, probes, readings again of what is asked for later and was folded, cut or cleared.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from tests.bench.agents.bill import Bill, table
from tests.bench.agents.conditions import conditions
from tests.bench.agents.ours import play
from tests.bench.agents.rivals import POLICIES, Player
from tests.bench.measures import Measure, tell
from tests.simulator.counting import Counter

_MARKED = "anthropic"
_CACHED_SHARE, _OF_NONE_MARKED, _OF_NONE_AUTOMATIC = 90.0, 0.35, 0.8


def rivals(kind: str, name: str, n_turns: int) -> list[Bill]:
    """The bills of peers' policies; the first is that of no management."""
    given, counter = conditions(), Counter()
    found: list[Bill] = []
    for words, policy, marks in POLICIES:
        player = Player(
            name=words.format(rules=given.rules),
            policy=policy,
            facts=given.models[kind, name],
            model=name,
            rules=given.rules,
            system=given.system,
            counter=counter,
            marks=marks,
        )
        found.append(player.play(given.turns[:n_turns], given.pauses[:n_turns]))
    return found


async def ours(kind: str, name: str, n_turns: int) -> Bill:
    given = conditions()
    with tempfile.TemporaryDirectory() as folder:
        played = await play(
            given.turns[:n_turns],
            given.pauses[:n_turns],
            kind=kind,
            name=name,
            facts=given.models[kind, name],
            system=given.system,
            summary_tokens=given.rules.summary_tokens,
            folder=Path(folder),
        )
    return played.bill


def bills(model: tuple[str, str], *, n_turns: int) -> list[Bill]:
    """Of one family: no management first, ours last."""
    return [*rivals(*model, n_turns), asyncio.run(ours(*model, n_turns))]


def measures(kind: str, found: Sequence[Bill]) -> Iterator[Measure]:
    none, *peers, own = found
    yield Measure(
        what=f"Q15 {kind}: read from the cache, of all input",
        value=100 * own.cached_share,
        unit="%",
        target=_CACHED_SHARE,
        is_floor=True,
        baseline=100 * none.cached_share or None,
        against="no management",
    )
    most = _OF_NONE_MARKED if kind == _MARKED else _OF_NONE_AUTOMATIC
    yield Measure(
        what=f"Q15 {kind}: cost",
        value=own.usd,
        unit="USD",
        target=round(most * none.usd, 2),
        baseline=none.usd,
        against="no management",
    )
    best = min(peers, key=lambda bill: bill.usd)
    yield Measure(
        what=f"Q15 {kind}: cost, against the cheapest peer",
        value=own.usd,
        unit="USD",
        target=round(best.usd, 2) if kind == _MARKED else None,
        baseline=best.usd,
        against=best.policy,
    )
    for bill in found:
        yield Measure(
            what=f"{kind}: {bill.policy}: {bill.cached_share:.1%} cached, {bill.told}",
            value=bill.usd,
            unit="USD",
        )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.economy", description=__doc__)
    parser.add_argument("--turns", type=int, default=len(conditions().turns))
    parser.add_argument(
        "--json", action="store_true", help="the measures, as `python -m tests.bench` reads them"
    )
    options = parser.parse_args()
    models = list(conditions().models)
    with ProcessPoolExecutor(max_workers=2) as pool:
        found = list(pool.map(partial(bills, n_turns=options.turns), models))
    for (kind, name), each in zip(models, found, strict=True):
        print(f"\n{kind}/{name}, {options.turns} turns\n{table(each)}", file=sys.stderr)
    return tell(
        measure for (kind, _), each in zip(models, found, strict=True) for measure in measures(kind, each)
    )


if __name__ == "__main__":
    sys.exit(main())
