"""Every recorded conversation through the command line: in a window of a quarter of it, and brought down to a quarter.

`python -m tests.bench.acceptance [-v] [--json]`: each for one family in turn; for those that BENCH_FAMILIES names, or
`all`, where it is set, which takes half an hour. BENCH_NAMES chooses conversations. What was written is read as a
stranger would: messages from the file, originals by `vault read`.
"""

import contextlib
import io
import itertools
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from app.cli import main
from tests.app.compressed import FAMILIES, Compressed, compressed
from tests.app.context.counts import CONVERSATIONS
from tests.bench.fidelity import Probe, plain, probes_of
from tests.bench.measures import Measure, tell

_LEAST_WINDOW = 8_000
_SHARE = 4
_N_PROCESSES = 2
_ALL_OF_IT = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    name: str
    family: str
    is_asked_for: bool
    """At a quarter of the tokens; else by itself, in a window of a quarter."""
    code: int
    before: int
    after: int
    most: int
    faults: Sequence[str]
    probes: int
    direct: int
    reachable: int


def runs(pair: tuple[str, str]) -> list[Run]:
    name, family = pair
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        whole = compressed(name, Path(folder, "whole"), *_options(family, _ALL_OF_IT, "auto"))
        said = plain(_text(whole))
        probes = [probe for probe in probes_of(name) if probe.stands_in(said)]
        tokens = whole.report["tokens_before"]
        quarter = tokens // _SHARE
        small, full = max(_LEAST_WINDOW, quarter), max(_LEAST_WINDOW, tokens)
        by_itself = compressed(name, Path(folder, "a"), *_options(family, small, "auto"))
        asked_for = compressed(
            name, Path(folder, "b"), *_options(family, full, "manual"), "--target", quarter
        )
        return [
            _run(name, family, found, probes, most=most, is_asked_for=is_asked_for)
            for found, most, is_asked_for in ((by_itself, small, False), (asked_for, quarter, True))
        ]


def _options(family: str, window: int, trigger: str) -> tuple[str | int, ...]:
    return ("--family", family, "--window", window, "--trigger", trigger, "--offline")


def _run(
    name: str, family: str, found: Compressed, probes: Sequence[Probe], *, most: int, is_asked_for: bool
) -> Run:
    shown = plain(_text(found))
    missed = [probe for probe in probes if not probe.stands_in(shown)]
    originals = [plain(text) for text in _originals(found)] if missed else []
    unread = [probe for probe in missed if not any(_says(probe, text) for text in originals)]
    return Run(
        name=name,
        family=family,
        is_asked_for=is_asked_for,
        code=found.code,
        before=found.report["tokens_before"],
        after=found.report["tokens_after"],
        most=most,
        faults=tuple(faults(found.messages)),
        probes=len(probes),
        direct=len(probes) - len(missed),
        reachable=len(probes) - len(unread),
    )


def _says(probe: Probe, text: str) -> bool:
    return probe.stands_in(text) or (not probe.is_free and probe.answer in text)


def _text(found: Compressed) -> str:
    """All that the messages say."""

    def leaves(value: JsonValue) -> Iterator[str]:
        match value:
            case str():
                yield value
            case dict():
                yield from itertools.chain.from_iterable(map(leaves, value.values()))
            case list():
                yield from itertools.chain.from_iterable(map(leaves, value))
            case _:
                pass

    return "\n".join(itertools.chain.from_iterable(map(leaves, found.messages)))


def _originals(found: Compressed) -> list[str]:
    if not found.addresses:
        return []
    with contextlib.redirect_stdout(io.StringIO()) as out:
        main(["vault", "read", *found.addresses, "--vault", str(found.folder), "--json"])
    return list(json.loads(out.getvalue()).values())


def faults(messages: Sequence[dict[str, Any]]) -> Iterator[str]:
    """What every provider refuses, read off the wire: order of roles, empty content, calls and their results."""
    said = [message for message in messages if message["role"] != "system"]
    if not said or said[0]["role"] != "user" or said[-1]["role"] not in ("user", "tool"):
        yield "the person does not begin, or the model ends"
    waiting = Counter[str]()
    end: dict[str, Any] = {"role": "end", "content": "."}
    for message in (*said, end):
        calls = message.get("tool_calls") or ()
        if message["role"] == "tool":
            waiting[message["tool_call_id"]] -= 1
            continue
        if any(waiting.values()):
            yield f"calls and results that are no pairs: {sorted(waiting)}"
        waiting = Counter(call["id"] for call in calls)
        if not message["content"] and not calls:
            yield "a message that says nothing"
        if not all(isinstance(json.loads(call["function"]["arguments"]), dict) for call in calls):
            yield "arguments that are no object"


def measures() -> list[Measure]:
    pairs = list(_pairs())
    with ProcessPoolExecutor(_N_PROCESSES) as processes:
        found = [run for both in processes.map(runs, pairs) for run in both]
    if "-v" in sys.argv:
        for run in found:
            print(told(run), file=sys.stderr)
    by_itself = [run for run in found if not run.is_asked_for]
    asked_for = [run for run in found if run.is_asked_for]
    return [
        Measure(
            what=f"{len(by_itself)} in a window of a quarter: those that don't fit, or are no request",
            value=sum(bool(run.code or run.faults or run.after >= run.most) for run in by_itself),
            unit="",
            target=0,
        ),
        Measure(
            what=f"{len(asked_for)} at a quarter: those over it, or no request",
            value=sum(bool(run.code or run.faults or run.after > run.most) for run in asked_for),
            unit="",
            target=0,
        ),
        Measure(
            what="probes directly in context at a quarter",
            value=_percent(asked_for, [run.direct for run in asked_for]),
            unit="%",
            target=60,
            is_floor=True,
        ),
        Measure(
            what="conversations with less than 60 % of theirs",
            value=sum(run.direct < 0.6 * run.probes for run in asked_for),
            unit="",
        ),
        *(
            Measure(
                what=f"probes in context or one `vault read` away, {what}",
                value=_percent(some, [run.reachable for run in some]),
                unit="%",
                target=100,
                is_floor=True,
            )
            for what, some in (("in a window of a quarter", by_itself), ("at a quarter", asked_for))
        ),
    ]


def _pairs() -> Iterator[tuple[str, str]]:
    """Conversation and family."""
    every = sorted(path.stem for path in CONVERSATIONS.glob("*.json"))
    names = os.environ.get("BENCH_NAMES", "").split() or every
    chosen = os.environ.get("BENCH_FAMILIES", "").split()
    families = FAMILIES if chosen == ["all"] else chosen
    for name in names:
        in_turn = FAMILIES[every.index(name) % len(FAMILIES)]
        yield from ((name, family) for family in families or (in_turn,))


def _percent(some: Sequence[Run], hits: Sequence[int]) -> float:
    return 100 * sum(hits) / max(1, sum(run.probes for run in some))


def told(run: Run) -> str:
    bad = " OVER" if run.after > run.most else ""
    return (
        f"{'b' if run.is_asked_for else 'a'} {run.name[:40]:<41}{run.family:<10}{run.before:>9,} → {run.after:>7,}"
        f" of {run.most:>7,}{bad}  {run.direct}/{run.probes} direct, {run.reachable} reachable  {'; '.join(run.faults)}"
    )


if __name__ == "__main__":
    raise SystemExit(tell(measures()))
