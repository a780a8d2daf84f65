"""What is freed goes back to the system (Q8)."""

import subprocess
import sys
from pathlib import Path

import pytest

_RISE = """
import threading
from pathlib import Path
from ui.shell.allocating import give_back

def resident_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) / 256

give_back()
before = resident_mb()
def work():  # many pieces of a size that glibc keeps in a thread's own arena
    held = [bytearray(100_000) for _ in range(400)]
    del held
for _ in range(4):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
print(resident_mb() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="tells nothing of its memory")
def test_what_a_thread_has_freed_is_given_back() -> None:
    told = subprocess.run([sys.executable, "-c", _RISE], check=True, capture_output=True, text=True)

    assert float(told.stdout) < 4
