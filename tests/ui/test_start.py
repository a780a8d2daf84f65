"""What the first paint does not wait for."""

import subprocess
import sys
from pathlib import Path

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
import asyncio, sys
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
    await workbench.aclose()

qt = QApplication([])
with asyncio.Runner(loop_factory=lambda: QEventLoop(qt)) as runner:
    runner.run(show())
"""


def test_the_first_paint_waits_for_nothing_that_it_does_not_show(tmp_path: Path) -> None:
    """Q3: together they take 1 to 10 s."""
    shown = subprocess.run(
        [sys.executable, "-c", SHOWN, str(tmp_path)], capture_output=True, text=True, check=True, timeout=60
    )

    assert AFTER_THE_FIRST_PAINT & set(shown.stdout.split()) == set()
