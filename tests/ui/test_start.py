"""What the first paint does not wait for."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
AFTER_THE_FIRST_PAINT = {
    "alembic",
    "app.context.pipeline",
    "app.filters.filter",
    "httpx",
    "keyring",
    "litellm",
    "pygments",
    "pyqtgraph",
    "regex",
    "sqlalchemy",
    "sqlmodel",
    "yaml",
}

SHOWN = """
import asyncio, linecache, sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop
import ui.main
from app.settings import Paths

async def show():
    workbench = ui.main.build(qt, Paths(data=Path(sys.argv[1])), ui.main.Notices("test"))
    workbench.window.show()
    workbench.window.grab()
    print(*sys.modules, sep="\\n")
    print(*linecache.cache, sep="\\n", file=sys.stderr)
    await workbench.aclose()

qt = QApplication([])
with asyncio.Runner(loop_factory=lambda: QEventLoop(qt)) as runner:
    runner.run(show())
"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """A window that was painted: what is imported, and which files' lines are kept."""
    folder = tmp_path_factory.mktemp("data")
    return subprocess.run(
        [sys.executable, "-c", SHOWN, str(folder)], capture_output=True, text=True, check=True, timeout=60
    )


def test_the_first_paint_waits_for_nothing_that_it_does_not_show(
    shown: subprocess.CompletedProcess[str],
) -> None:
    """Q3: together they take 1 to 10 s."""
    assert AFTER_THE_FIRST_PAINT & set(shown.stdout.split()) == set()


def test_no_source_is_read_of_what_is_imported(shown: subprocess.CompletedProcess[str]) -> None:
    """PySide6 looked into each module for its name, and the lines of all of them stayed in memory."""
    read = [Path(line) for line in shown.stderr.splitlines() if line.endswith(".py")]

    assert [path for path in read if path.is_relative_to(ROOT / "app")] == []
