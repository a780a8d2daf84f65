"""One library in a process of its own: `python -m tests.bench.peers.child NAME`, conversations in, messages out.

A quick one is run three times, and the quickest counts; nothing that was counted before is remembered.
"""

import importlib
import json
import os
import sys
import time
from importlib.metadata import version
from typing import IO

from app.tokens.exact import vocabulary_folder
from tests.bench.peers.pipe import Asked, Counting, Made, Ready, Told, Way, line
from tests.bench.peers.roster import FILTERS, PEERS, Peer

_RUNS, _QUICK_S = 3, 1.0
_WARM_UP = Asked(
    messages=[{"role": role, "content": f"{role} 1: A_1."} for role in ("user", "assistant", "user")],
    budget_tokens=1_000,
    summary_tokens=200,
)


def main(name: str) -> None:
    """What a library prints goes to the error stream, so that lines stay lines."""
    os.environ["TIKTOKEN_CACHE_DIR"] = str(vocabulary_folder())  # nothing is fetched
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        os.dup2(2, 1)
        serve((PEERS | FILTERS)[name], sys.stdin, out)


def serve(peer: Peer, lines: IO[str], out: IO[str]) -> None:
    counting = Counting()
    counting("The vocabulary is read.")
    try:
        way: Way = getattr(importlib.import_module(f"tests.bench.peers.{peer.module}"), peer.way)
        way(_WARM_UP, counting)
    except Exception as error:  # noqa: BLE001 - whatever a library raises is told in the table
        print(line(Ready(failed=_sentence(error))), file=out, flush=True)
        return
    print(line(Ready(version=version(peer.package) if peer.package else "")), file=out, flush=True)
    for text in lines:
        print(line(_answer(way, Asked(**json.loads(text)), counting)), file=out, flush=True)


def _answer(way: Way, asked: Asked, warm: Counting) -> Told:
    best: tuple[float, float, Made] | None = None
    for _ in range(_RUNS):
        counting = Counting(warm.vocabularies)
        began = time.process_time()
        try:
            made = way(asked, counting)
        except Exception as error:  # noqa: BLE001 - as above
            return Told(messages=[], failed=_sentence(error))
        took = time.process_time() - began
        if best is None or took < best[0]:
            best = took, counting.s, made
        if took > _QUICK_S:
            break
    assert best
    took, counted, made = best
    return Told(messages=made.messages, behind=made.behind(), ms=took * 1000, counting_ms=counted * 1000)


def _sentence(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    main(sys.argv[1])
