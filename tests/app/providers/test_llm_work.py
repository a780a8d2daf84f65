"""The worker's own start."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

IMPORT_WITHOUT_NAMES = """
import asyncio, logging, os, socket
logging.basicConfig(level=logging.WARNING)
asked = []
def refuse(host, *more, **named):
    asked.append(host)
    raise socket.gaierror(-3, "no network")
socket.getaddrinfo = socket.gethostbyname = refuse
from app.providers.llm_work import Adapter
async def main():
    adapter = Adapter()
    await asyncio.sleep(0.5)  # a look-up would come from a thread
    await adapter.aclose()
asyncio.run(main())
print(asked, os.environ.get("FROM_ENV_FILE"))
"""


@pytest.mark.slow
def test_loading_litellm_asks_for_no_name_and_reads_no_env_file(tmp_path: Path) -> None:
    """Case B77: else it fetches a price list at start, and takes settings from the working folder."""
    (tmp_path / ".env").write_text("FROM_ENV_FILE=1")
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_WITHOUT_NAMES],
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
    )

    assert (done.stdout.strip(), done.returncode) == ("[] None", 0)
    assert "WARNING" not in done.stderr
