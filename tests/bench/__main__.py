"""`python -m tests.bench [NAME…] [--json FILE]`: every bench, each in a process of its own, in one table.

Ends with 1 where a target is missed or a bench fails.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from tests.bench.measures import Measure, from_json, table

_NO_BENCH = {"__init__", "__main__", "beats", "desks", "measures", "sessions", "stages", "stretches"}


def names() -> tuple[str, ...]:
    folder = Path(__file__).parent
    found = (path.stem for path in sorted(folder.glob("*.py")))
    return tuple(name for name in found if name not in _NO_BENCH and not name.startswith("test_"))


def run(name: str) -> list[Measure]:
    """
    Raises:
        ValueError: the bench wrote no measures.
    """
    print(f"… {name}", file=sys.stderr, flush=True)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONUTF8": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # nobody's program compiles itself at each start
    done = subprocess.run(
        [sys.executable, "-m", f"tests.bench.{name}", "--json"],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        check=False,
    )
    *_, last = done.stdout.strip().splitlines() or ("",)
    return from_json(last)


def main(arguments: Iterable[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(names())}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the measures there too")
    options = parser.parse_args(list(arguments))
    if unknown := set(options.names) - set(names()):
        parser.error(f"no such bench: {', '.join(sorted(unknown))}")
    found: dict[str, list[Measure]] = {}
    failed: list[str] = []
    for name in options.names or names():
        try:
            found[name] = run(name)
        except ValueError:
            failed.append(name)
    measures = [item for items in found.values() for item in items]
    print(table(measures))
    if failed:
        print(f"Failed: {', '.join(failed)}")
    if options.json:
        dumped = {name: [asdict(item) for item in items] for name, items in found.items()}
        options.json.write_text(json.dumps(dumped, indent=1), encoding="utf-8")
    return 0 if not failed and all(item.is_ok for item in measures) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
