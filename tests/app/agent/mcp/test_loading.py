"""What the window's process loads of all this."""

import subprocess
import sys


def test_the_sdk_is_not_loaded_by_what_holds_the_servers() -> None:
    """It takes seconds and seventy megabytes."""
    script = "import sys, app.bootstrap, app.agent.mcp.tool; print('mcp' in sys.modules, 'starlette' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False False"
