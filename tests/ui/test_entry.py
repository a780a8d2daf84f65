"""Which program a process is, as `ui/__main__.py` decides it."""

import subprocess
import sys
from pathlib import Path

ENTRY = Path(__file__).parents[2] / "ui" / "__main__.py"

FROZEN = """
import runpy, sys
sys.path.insert(0, sys.argv.pop(1))
entry = sys.argv.pop(1)
try:
    runpy.run_path(entry, run_name="__main__")
finally:
    print(*sys.modules, sep="\\n", file=sys.stderr)
"""
"""An executable runs the file as a script, with no package around it."""


def test_an_executable_is_its_own_worker_and_loads_no_qt_for_it() -> None:
    worker = subprocess.run(
        [sys.executable, "-c", FROZEN, str(ENTRY.parents[1]), str(ENTRY), "--worker", "text"],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=60,
    )

    loaded = set(worker.stderr.split())
    assert (worker.returncode, "app.worker" in loaded, loaded & {"ui", "PySide6"}) == (0, True, set())
