"""How the worker reaches a server: a child's pipes or HTTP, with a limit to what one message may hold.

The SDK's own pipes hold an endless line in memory, copying it with every chunk; so they are laid here.
"""

import asyncio
import contextlib
import os
import shutil
import signal
import sys
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
import httpx2
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.stdio import get_default_environment
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

if TYPE_CHECKING:
    from mcp.client import Transport

MOST_BYTES = 16 * 1024 * 1024
"""Of one message; escaped for our own pipe it is at most three times as long."""
_MOST_GARBAGE_LINES = 200
"""In a row: a program that writes on is no server."""
_TAIL_CHARS = 4_000
_CHUNK_BYTES = 64 * 1024
_GRACE_S = 1.0

Streams = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]


class WireBroken(Exception):
    """The way to a server is closed for good; the text is a sentence for people."""


class Tail:
    """The last that a server said beside the protocol."""

    def __init__(self) -> None:
        self._pieces: deque[str] = deque()
        self._n_chars = 0

    def add(self, text: str) -> None:
        self._pieces.append(text)
        self._n_chars += len(text)
        while self._n_chars - len(self._pieces[0]) >= _TAIL_CHARS:
            self._n_chars -= len(self._pieces.popleft())

    @property
    def text(self) -> str:
        return "".join(self._pieces)[-_TAIL_CHARS:].strip()


@asynccontextmanager
async def by_pipes(
    command: str,
    args: list[str],
    *,
    env: Mapping[str, str],
    cwd: str,
    tail: Tail,
    started: Callable[[int], None],
    broken: Callable[[str], None],
) -> AsyncGenerator[Streams, None]:
    """A server as a child, which is ended with all that it started.

    Args:
        env: Beside the few variables that any program needs; ours are not handed on.
        started: Told of its process, which leads a group.
        broken: Told, in a sentence, when nothing more will come.
    Raises:
        WireBroken: it can't be started.
    """
    process = await _started(command, args, env={**get_default_environment(), **env}, cwd=cwd)
    started(process.pid)
    arrived, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, leaving = anyio.create_memory_object_stream[SessionMessage](0)
    pipes = _Pipes(process, tail, broken)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(pipes.read, arrived)
            group.start_soon(pipes.write, leaving)
            group.start_soon(pipes.listen)
            try:
                yield read, write
            finally:
                group.cancel_scope.cancel()
    finally:
        for stream in (arrived, read, write, leaving):
            stream.close()
        with anyio.CancelScope(shield=True):
            await _end(process)


async def _started(
    command: str, args: list[str], *, env: Mapping[str, str], cwd: str
) -> asyncio.subprocess.Process:
    program = shutil.which(command, path=env.get("PATH"))
    if program is None:
        raise WireBroken(f"There is no program {command!r} here.")
    try:
        return await asyncio.create_subprocess_exec(
            program,
            *args,
            env=env,
            cwd=cwd or None,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=MOST_BYTES,
            start_new_session=True,  # so that what it starts is ended with it
            creationflags=0x08000000 if sys.platform == "win32" else 0,  # no console window
        )
    except (OSError, ValueError) as error:
        raise WireBroken(f"{command!r} could not be started: {error}") from error


class _Pipes:
    def __init__(
        self, process: asyncio.subprocess.Process, tail: Tail, broken: Callable[[str], None]
    ) -> None:
        self._process = process
        self._tail = tail
        self._broken = broken

    async def read(self, arrived: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        assert self._process.stdout
        n_garbage = 0
        async with arrived:
            while line := await self._line(self._process.stdout):
                try:
                    message = jsonrpc_message_adapter.validate_json(line, by_name=False)
                except ValueError:
                    n_garbage += bool(line.strip())
                    self._tail.add(line[:500].decode(errors="replace"))
                    if n_garbage == _MOST_GARBAGE_LINES:
                        self._broken("It writes what are no messages of the protocol.")
                        return
                    await asyncio.sleep(0)
                    continue
                n_garbage = 0
                with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                    await arrived.send(SessionMessage(message))

    async def _line(self, source: asyncio.StreamReader) -> bytes:
        """Empty: there is none."""
        try:
            line = await source.readline()
        except ValueError:
            self._broken(f"It sent a message of more than {MOST_BYTES // 1024**2} MB.")
            return b""
        if not line:
            self._broken(await self._how_it_ended())
        return line

    async def _how_it_ended(self) -> str:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_GRACE_S):
                code = await self._process.wait()
                return f"It ended by signal {-code}." if code < 0 else f"It ended with exit code {code}."
        return "It closed its output."

    async def write(self, leaving: MemoryObjectReceiveStream[SessionMessage]) -> None:
        assert self._process.stdin
        async with leaving:
            async for item in leaving:
                data = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                try:
                    self._process.stdin.write(data.encode() + b"\n")
                    await self._process.stdin.drain()
                except OSError:
                    return  # it ended; its reader says so

    async def listen(self) -> None:
        """To its standard error, however much that is."""
        assert self._process.stderr
        while chunk := await self._process.stderr.read(_CHUNK_BYTES):
            self._tail.add(chunk.decode(errors="replace"))
            await asyncio.sleep(0)


async def _end(process: asyncio.subprocess.Process) -> None:
    """By the end of its input, then by a request, then for sure; and whatever of its group is left."""
    assert process.stdin
    process.stdin.close()
    for stop in (lambda: None, lambda: _kill(process, hard=False), lambda: _kill(process, hard=True)):
        stop()
        if await _ended(process):
            break
    _kill(process, hard=True)
    # Its pipes may be held open by what it started; nothing public closes them.
    transport: object = getattr(process, "_transport", None)
    if isinstance(transport, asyncio.SubprocessTransport):
        transport.close()


async def _ended(process: asyncio.subprocess.Process) -> bool:
    """`wait` would wait for the pipes, too, which something else may hold."""
    until = anyio.current_time() + _GRACE_S
    while process.returncode is None and anyio.current_time() < until:  # noqa: ASYNC110  # see above
        await asyncio.sleep(0.01)
    return process.returncode is not None


def _kill(process: asyncio.subprocess.Process, *, hard: bool) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL if hard else signal.SIGTERM)


@asynccontextmanager
async def by_http(url: str, headers: Mapping[str, str], *, tail: Tail) -> AsyncGenerator["Transport"]:
    """A server at an address; what it refuses is noted in `tail`."""

    async def look(response: httpx2.Response) -> None:
        """No answer but a stream of events may be longer than a message."""
        if response.status_code >= 400:
            tail.add(f"HTTP {response.status_code} {response.reason_phrase}\n")
        if not response.headers.get("content-type", "").startswith("text/event-stream"):
            response.stream = _Limited(response.stream)

    timeout = httpx2.Timeout(30.0, connect=15.0, read=None)  # each call has a patience of its own
    async with httpx2.AsyncClient(
        headers=dict(headers), timeout=timeout, event_hooks={"response": [look]}
    ) as client:
        yield streamable_http_client(url, http_client=client, max_sse_event_size=MOST_BYTES)


class _Limited(httpx2.AsyncByteStream):
    def __init__(self, source: object) -> None:
        assert isinstance(source, httpx2.AsyncByteStream)
        self._source = source

    async def __aiter__(self) -> AsyncIterator[bytes]:
        n_bytes = 0
        async for chunk in self._source:
            n_bytes += len(chunk)
            if n_bytes > MOST_BYTES:
                raise httpx2.StreamError(f"An answer of more than {MOST_BYTES // 1024**2} MB")
            yield chunk

    async def aclose(self) -> None:
        await self._source.aclose()
