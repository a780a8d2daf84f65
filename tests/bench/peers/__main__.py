"""`python -m tests.bench.peers [--python FILE] [--only NAME…] [--on CONVERSATION…] [--json FILE]`: ours beside others.

Each library runs in a process of its own, the others' under the Python that `make bench-peers` sets up. One that is
not there, or fails, is named with the reason. Ends with 1 where another has more probes than ours at our size.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from threading import Timer

from tests.bench.filters import LARGE
from tests.bench.peers import large
from tests.bench.peers.judging import Case, Verdict, case_of, names, providers, verdict_of
from tests.bench.peers.large import Filtered, asked_of, filtered
from tests.bench.peers.pipe import Asked, Counting, Ready, Told, line
from tests.bench.peers.report import ahead, lines_of
from tests.bench.peers.roster import FILTERS, PEERS, Peer

_PATIENCE_S = 300.0
_PYTHON = Path(".venv-peers") / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


class Child:
    """One library's process; begun anew for the next conversation where it did not survive one."""

    def __init__(self, peer: Peer, python: Path, log: Path) -> None:
        self._python = sys.executable if peer.is_own else python
        self._name = peer.name
        self._log = log
        self._process = self._begun()
        self.ready = self._ready()

    def ask(self, asked: Asked) -> Told:
        if self._process.poll() is not None:
            self._process = self._begun()
            self._ready()
        assert self._process.stdin
        try:
            print(line(asked), file=self._process.stdin, flush=True)
            text = self._line()
        except OSError:
            text = ""
        return Told(**json.loads(text)) if text else Told(messages=[], failed=self._end())

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _begun(self) -> subprocess.Popen[str]:
        with self._log.open("a", encoding="utf-8") as errors:
            return subprocess.Popen(
                [self._python, "-m", "tests.bench.peers.child", self._name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
            )

    def _ready(self) -> Ready:
        text = self._line()
        return Ready(**json.loads(text)) if text else Ready(failed=self._end())

    def _line(self) -> str:
        assert self._process.stdout
        watch = Timer(_PATIENCE_S, self._process.kill)
        watch.start()
        try:
            return self._process.stdout.readline()
        finally:
            watch.cancel()

    def _end(self) -> str:
        code = self._process.wait()
        return f"no answer within {_PATIENCE_S:.0f} s, or its process ended by itself ({code})"


async def measured(
    peers: Sequence[Peer], cases: Sequence[Case], python: Path, folder: Path
) -> tuple[list[Verdict], dict[str, Ready]]:
    verdicts: list[Verdict] = []
    versions: dict[str, Ready] = {}
    counting = Counting()
    async with providers() as there:
        for peer in peers:
            print(f"… {peer.name}", file=sys.stderr, flush=True)
            child = await asyncio.to_thread(Child, peer, python, folder / f"{peer.name}.log")
            versions[peer.name] = child.ready
            for case in () if child.ready.failed else cases:
                told = await asyncio.to_thread(child.ask, case.asked)
                verdicts.append(await verdict_of(case, told, peer.name, there, counting))
                print(f"  {case.name}: {told.failed or f'{told.ms:,.0f} ms'}", file=sys.stderr, flush=True)
            child.close()
    return verdicts, versions


def measured_on_large(python: Path, folder: Path) -> list[Filtered]:
    found: list[Filtered] = []
    for peer in FILTERS.values():
        child = Child(peer, python, folder / f"{peer.name}.log")
        for kind in LARGE:
            asked = asked_of(kind)
            told = Told(messages=[], failed=child.ready.failed) if child.ready.failed else child.ask(asked)
            found.append(filtered(kind, asked, told, peer.name))
        child.close()
    return found


def main(arguments: Iterable[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.peers", description=__doc__)
    parser.add_argument("--python", type=Path, default=_PYTHON, help="whose packages are the others'")
    parser.add_argument("--only", nargs="+", choices=tuple(PEERS), default=tuple(PEERS), metavar="NAME")
    parser.add_argument("--on", nargs="+", choices=names(), metavar="CONVERSATION", help="and without Q9")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure there")
    given = parser.parse_args(list(arguments))
    counting = Counting()
    cases = [case_of(name, counting) for name in given.on or names()]
    with tempfile.TemporaryDirectory() as folder:
        peers = [PEERS[name] for name in given.only]
        verdicts, versions = asyncio.run(measured(peers, cases, given.python, Path(folder)))
        on_large = [] if given.on else measured_on_large(given.python, Path(folder))
    for text in (*lines_of(verdicts, versions), "", *large.lines_of(on_large)):
        print(text)
    if given.json:
        value = {
            "libraries": {
                name: {**asdict(ready), "settings": PEERS[name].settings} for name, ready in versions.items()
            },
            "verdicts": [asdict(verdict) for verdict in verdicts],
            "large": [asdict(item) for item in on_large],
        }
        given.json.write_text(json.dumps(value, indent=1), encoding="utf-8")
    return 1 if ahead(verdicts) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
