"""Child processes of this program: JSON lines over pipes, a death that is noticed, an end when ours closes.

A frame is one line of JSON. Where its `n_bytes` is set, as many raw bytes follow it: long texts travel so,
since escaping and parsing them as JSON would hold the window's thread.
"""

import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue

from app.tasks import TaskScope

log = logging.getLogger(__name__)

Message = dict[str, JsonValue]

LONGEST_LINE_BYTES = 64 * 1024 * 1024
_PATIENCE_S = 0.5
"""How long a child may take to end by itself after its input ended; most have nothing to save, and one that
still imports its libraries does not hear of it."""


def _kill(process: asyncio.subprocess.Process) -> None:
    """At once. `Process.kill` looks first whether it lives, which may take its end from whoever waits for it."""
    if sys.platform == "win32":
        process.kill()
        return
    with contextlib.suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGKILL)


class ChildProcess:
    """One running child; made by `spawn`, ended by `aclose`. Messages are read by one task only."""

    def __init__(self, name: str, process: asyncio.subprocess.Process) -> None:
        self._name = name
        self._process = process
        self._tasks = TaskScope()
        self._tasks.start(f"stderr of {name}", self._log_stderr())

    @classmethod
    async def spawn(cls, name: str, *, command: Sequence[str] | None = None) -> "ChildProcess":
        """Start the worker `name` of `app/worker.py`, or `command`.

        Raises:
            OSError: it can't be started.
        """
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *(command or worker_command(name)),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            limit=LONGEST_LINE_BYTES,
            env=_environment(),
            creationflags=0x08000000 if sys.platform == "win32" else 0,  # no console window
        )
        return cls(name, process)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        return self._process.returncode is not None

    async def send(self, message: Mapping[str, JsonValue], payload: bytes = b"") -> None:
        """Raises:
        ConnectionError: the child has died.
        """
        pipe = self._process.stdin
        assert pipe is not None
        if self._process.returncode is not None or pipe.is_closing():
            raise ConnectionResetError(f"The worker {self._name!r} has ended")
        pipe.write(_frame(message, payload))
        await pipe.drain()

    async def __aiter__(self) -> AsyncIterator[Message]:
        """What it says, until it has died or was closed."""
        pipe = self._process.stdout
        assert pipe is not None
        while line := await pipe.readline():
            yield json.loads(line)

    async def aclose(self, *, patience_s: float = _PATIENCE_S) -> None:
        """End it: by the end of its input, by force where it takes longer than `patience_s`."""
        pipe = self._process.stdin
        assert pipe is not None
        pipe.close()
        try:
            async with asyncio.timeout(patience_s):
                await self._process.wait()
        except TimeoutError:
            _kill(self._process)
            await self._process.wait()
        finally:
            if self._process.returncode is None:
                _kill(self._process)  # cancelled while waiting
        await self._tasks.aclose()

    async def _log_stderr(self) -> None:
        pipe = self._process.stderr
        assert pipe is not None
        while line := await pipe.readline():
            log.info("%s: %s", self._name, line.decode(errors="replace").rstrip())


class DeathLimit:
    """Tells a child that dies once from one that can't live: three deaths within 60 s are enough."""

    def __init__(self, *, deaths: int = 3, within_s: float = 60.0) -> None:
        self._times: deque[float] = deque(maxlen=deaths)
        self._within_s = within_s

    def note(self, now_s: float) -> None:
        self._times.append(now_s)

    def is_reached(self, now_s: float) -> bool:
        return len(self._times) == self._times.maxlen and now_s - self._times[0] < self._within_s


class ParentPipe:
    """The child's side: frames from the parent, messages back. Made once, before anything prints.

    Its input is read by a thread: no event loop reads a pipe on every system.
    """

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "wb", buffering=0)
        os.dup2(2, 1)  # what a library prints must not land among the frames
        self._loop = asyncio.get_running_loop()
        self._arrived: asyncio.Queue[tuple[Message, bytes] | None] = asyncio.Queue()
        threading.Thread(target=self._read, name="parent", daemon=True).start()

    async def frames(self) -> AsyncIterator[tuple[Message, bytes]]:
        """Each message with its payload; ends when the parent has closed its end or died."""
        while frame := await self._arrived.get():
            yield frame

    def send(self, message: Mapping[str, JsonValue]) -> None:
        """Blocks while the pipe is full, so that a busy parent slows its child instead of losing words.

        Raises:
            BrokenPipeError: the parent has gone.
        """
        rest = memoryview(_frame(message, b""))
        while rest:
            rest = rest[self._out.write(rest) :]

    def _read(self) -> None:
        source = sys.stdin.buffer
        try:
            while line := source.readline():
                message: Message = json.loads(line)
                n_bytes = message.get("n_bytes", 0)
                payload = source.read(n_bytes) if isinstance(n_bytes, int) and n_bytes else b""
                self._loop.call_soon_threadsafe(self._arrived.put_nowait, (message, payload))
        finally:
            self._loop.call_soon_threadsafe(self._arrived.put_nowait, None)


def worker_command(name: str) -> list[str]:
    """How this program is run as its own worker, also when frozen (architecture.md, concurrency)."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--worker", name]
    return [sys.executable, "-P", "-m", "app.worker", "--worker", name]


def _environment() -> dict[str, str]:
    """Ours, with the place of this package first: the working folder may be anywhere, and isn't trusted (-P)."""
    here = str(Path(__file__).resolve().parent.parent)
    paths = [here, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def _frame(message: Mapping[str, JsonValue], payload: bytes) -> bytes:
    header = {**message, "n_bytes": len(payload)} if payload else message
    return json.dumps(header, separators=(",", ":")).encode() + b"\n" + payload
