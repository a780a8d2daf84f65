"""Workers that are up at once: forks of one process that has imported what a worker imports.

What runs is `app.worker`, as ever. The one that talks to providers takes seven seconds of work to import its
library, and a few hundred tests start one: half of the suite's time. `@pytest.mark.cold_workers` has them started
as the program does, and so are the others (whose children tests look at), and all on other systems than Linux.
"""

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Generator, Sequence
from pathlib import Path

import pytest

import app.processes

TEMPLATE = "--template"
_SHIM = Path(__file__).with_name("worker_shim.py")
_IMPORTS = {
    "text": ("app.filters.work", "app.models.registry", "app.tokens.exact", "app.tokens.text_work"),
    "llm": ("app.providers.llm_work", "litellm", "openai", "litellm.llms.custom_httpx.http_handler"),
}


class Templates:
    """One process a kind of worker, begun when the first is wanted."""

    def __init__(self) -> None:
        self._cold = app.processes.worker_command
        self._running: dict[str, tuple[str, subprocess.Popen[bytes]]] = {}

    def command(self, worker: str) -> list[str]:
        """In place of `app.processes.worker_command`."""
        if worker not in _IMPORTS or getattr(sys, "frozen", False):
            return self._cold(worker)
        if worker not in self._running:
            self._running[worker] = self._begun(worker)
        return [sys.executable, "-S", "-E", str(_SHIM), self._running[worker][0]]

    def close(self) -> None:
        for _, process in self._running.values():
            process.communicate()  # its input ends

    @staticmethod
    def _begun(worker: str) -> tuple[str, subprocess.Popen[bytes]]:
        address = f"palimpsest-{worker}-{os.getpid()}"
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
            listening.bind("\0" + address)
            listening.listen(64)
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.ready_workers", TEMPLATE, worker, str(listening.fileno())],
                cwd=_SHIM.parents[1],
                stdin=subprocess.PIPE,
                pass_fds=[listening.fileno()],
            )
        return address, process


@contextlib.contextmanager
def ready_workers() -> Generator[None]:
    """What this process starts as a worker is a fork from now on."""
    templates = Templates()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app.processes, "worker_command", templates.command)
        yield
    templates.close()


# ---- the template's side


def serve(worker: str, descriptor: int) -> None:
    """Fork a worker for each shim that calls, until our input ends."""
    listening = socket.socket(fileno=descriptor)
    if worker == "llm":
        from app.providers.llm_work import ENVIRONMENT

        os.environ.update(ENVIRONMENT)
    for name in ("app.worker", *_IMPORTS[worker]):
        importlib.import_module(name)
    assert threading.active_count() == 1, "a fork has no other thread"
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    while True:
        readable, _, _ = select.select([listening, sys.stdin], [], [])
        if sys.stdin in readable:
            return
        shim, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            _work(worker, shim)
        shim.close()


def _work(worker: str, shim: socket.socket) -> None:
    """Be the worker in the shim's place; never returns."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    first, pipes, _, _ = socket.recv_fds(shim, 1 << 16, 3)
    stated = first[4:]
    while len(stated) < int.from_bytes(first[:4], "big"):
        stated += shim.recv(1 << 16)
    for target, pipe in enumerate(pipes):
        os.dup2(pipe, target)
        os.close(pipe)
    state = json.loads(stated)
    os.environ.clear()
    os.environ.update(state["environment"])
    os.chdir(state["folder"])
    threading.Thread(target=_end_with, args=(shim,), daemon=True).start()
    shim.sendall(bytes([_ended(lambda: _main(worker))]))
    os._exit(0)


def _main(worker: str) -> None:
    from app.worker import main

    sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115  # as long as this process
    main(("--worker", worker))


def _ended(work: Callable[[], None]) -> int:
    """How it ended, as an exit status."""
    try:
        work()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except BaseException:  # noqa: BLE001  # what a process of its own would say and end with
        traceback.print_exc()
        return 1
    return 0


def _end_with(shim: socket.socket) -> None:
    """Whoever kills the shim kills us: nothing is said, so that it reads nothing before it is gone."""
    shim.recv(1)
    os._exit(1)


def main(arguments: Sequence[str]) -> None:
    flag, worker, descriptor = arguments
    assert flag == TEMPLATE
    serve(worker, int(descriptor))


if __name__ == "__main__":
    main(sys.argv[1:])
