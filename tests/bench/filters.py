"""Q9: what filtering leaves of each kind of output, and what 10 MB cost. `python -m tests.bench.filters`."""

import json
import random
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

from app.filters.filter import filter_text
from app.tokens.estimate import estimate
from app.tokens.exact import Vocabularies, vocabulary_folder
from tests.app.filters.outputs import NAMES, kind_of, rules, text_of
from tests.bench.measures import Measure, tell

_N_CHARS = 10 << 20
LIMIT = 5_000
_WANTED_S = 1.0
_WANTED_TIMES = 12


def _log(chance: random.Random) -> Iterator[str]:
    levels = ["INFO"] * 30 + ["DEBUG"] * 10 + ["WARN"] * 2 + ["ERROR"]
    while True:
        yield (
            f"2026-01-01T00:{chance.randrange(60):02}:{chance.randrange(60):02}Z [{chance.choice(levels)}] "
            f"worker-{chance.randrange(9)} step {chance.randrange(99_999)} {chance.randbytes(6).hex()} done"
        )


def _bad_log(chance: random.Random) -> Iterator[str]:
    return (line.replace("INFO", "ERROR").replace("DEBUG", "ERROR") for line in _log(chance))


def _row(chance: random.Random) -> str:
    return json.dumps(
        {
            "id": chance.randrange(10**9),
            "email": f"u{chance.randrange(9_999)}@example.com",
            "status": chance.choice(["ok"] * 50 + ["failed"]),
            "price": chance.random() * 100,
            "tags": ["a", "b"],
            "nested": {"x": 1, "y": [1, 2, 3], "z": None},
        }
    )


def _json(chance: random.Random) -> Iterator[str]:
    yield '{"meta": {"page": 1}, "items": ['
    while True:
        yield f"{_row(chance)},"


def _json_lines(chance: random.Random) -> Iterator[str]:
    while True:
        yield _row(chance)


def _csv(chance: random.Random) -> Iterator[str]:
    yield "id,name,city,amount,date,note"
    while True:
        yield (
            f"{chance.randrange(10**6)},name{chance.randrange(999)},city{chance.randrange(50)},"
            f"{chance.random() * 1000:.2f},2026-01-{chance.randrange(1, 29):02},note text here"
        )


LARGE: dict[str, tuple[Callable[[random.Random], Iterator[str]], str]] = {
    "JSON": (_json, '"end"]}'),
    "JSON Lines": (_json_lines, ""),
    "log": (_log, ""),
    "log of errors": (_bad_log, ""),
    "CSV": (_csv, ""),
}


def large(make: Callable[[random.Random], Iterator[str]], end: str) -> str:
    """10 MB of what `make` gives, closed by `end`."""
    lines, size = list[str](), 0
    for line in make(random.Random(9)):
        lines.append(line)
        size += len(line) + 1
        if size >= _N_CHARS:
            break
    return "\n".join((*lines, end)) if end else "\n".join(lines)


def _large_measures() -> Iterator[Measure]:
    for what, (make, end) in LARGE.items():
        text = large(make, end)
        took = min(_time_s(text) for _ in range(3))
        tracemalloc.start()
        filter_text(text, limit_tokens=LIMIT, count=estimate, rules=rules())
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        yield Measure(what=f"Q9 filter 10 MB of {what}", value=took, unit="s", target=_WANTED_S)
        yield Measure(
            what=f"Q9 memory for 10 MB of {what}", value=peak / len(text), unit="×", target=_WANTED_TIMES
        )


def _time_s(text: str) -> float:
    begun = time.process_time()
    filter_text(text, limit_tokens=LIMIT, count=estimate, rules=rules())
    return time.process_time() - begun


def _kind_measures() -> Iterator[Measure]:
    vocabularies = Vocabularies(vocabulary_folder() or Path())

    def count(text: str) -> int:
        return vocabularies.count(text, "o200k")

    by_kind: dict[str, list[float]] = {}
    print(
        f"{'output':<46}{'filter':<18}{'bytes':>9}{'after':>8}{'tokens':>9}{'after':>8}{'share':>7}{'ms':>7}",
        file=sys.stderr,
    )
    for name in NAMES:
        text = text_of(name)
        before = count(text)
        begun = time.process_time()
        found = filter_text(text, limit_tokens=min(LIMIT, max(60, before // 2)), count=count, rules=rules())
        took_ms = (time.process_time() - begun) * 1000
        after = count(found.text)
        by_kind.setdefault(kind_of(name), []).append(after / before)
        print(
            f"{name:<46}{found.kind:<18}{len(text.encode()):>9,}{len(found.text.encode()):>8,}{before:>9,}{after:>8,}"
            f"{after / before:>7.2f}{took_ms:>7.0f}",
            file=sys.stderr,
        )
    for kind, shares in by_kind.items():
        yield Measure(
            what=f"tokens left of {kind} ({len(shares)}), median", value=statistics.median(shares), unit="×"
        )
    every = [share for shares in by_kind.values() for share in shares]
    yield Measure(
        what=f"tokens left of all ({len(every)}), median",
        value=statistics.median(every),
        unit="×",
        target=0.5,
    )


if __name__ == "__main__":
    raise SystemExit(tell([*_kind_measures(), *_large_measures()]))
