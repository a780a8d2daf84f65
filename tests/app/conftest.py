"""The command line as it is run: `python -m app` in a process of its own, with a data folder of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

_ROOT = Path(__file__).parent.parent.parent

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def run(data: Path, tmp_path: Path) -> Run:
    """Everything that could lead to the person's own folders leads nowhere."""
    environment = {
        **os.environ,
        "HOME": str(tmp_path / "home"),
        "XDG_DATA_HOME": str(tmp_path / "xdg"),
        "PYTHONPATH": str(_ROOT),
        "PYTHONIOENCODING": "ascii",  # as bad as a console can be
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    }

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "app", "--data", str(data), *map(str, arguments)]
        return subprocess.run(
            command, capture_output=True, encoding="utf-8", check=False, cwd=tmp_path, env=environment
        )

    return run
