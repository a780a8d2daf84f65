"""What the program holds of its servers of tools: one session each, shared by all chats, opened again when it ends.

A server that is gone keeps its tools, which answer with a sentence, so that no prompt changes by its death (P1).
The worker that holds the sessions is started with the first of them, and ended with the last.
"""

import asyncio
import base64
import contextlib
import logging
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from pydantic import JsonValue

from app.agent.mcp.pipe_form import LISTED, ListedTool, Opening
from app.agent.tools.failing import ToolFailed
from app.agent.tools.tool import Given, Picture
from app.processes import ChildProcess, Message
from app.settings import McpServer
from app.tasks import TaskScope, uncancelled

log = logging.getLogger(__name__)

PAUSES_S = (1.0, 5.0, 30.0, 60.0, 120.0)
"""Before a server that ended is started again; after the last of them it is left alone."""
_STEADY_S = 60.0
"""A server that lived so long may fail anew as often."""
_WORKER_S = 5.0
"""For the worker to end its servers, which have three seconds each, at the same time."""


class Status(StrEnum):
    OFF = "off"
    """Switched off, or not there."""
    UNCONFIRMED = "unconfirmed"
    """The person has not let it start yet (Q23)."""
    STARTING = "starting"
    RUNNING = "running"
    WAITING = "waiting"
    """It ended, and will be started again."""
    FAILED = "failed"
    """It ended too often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerState:
    status: Status = Status.OFF
    who: str = ""
    """Its own name and version."""
    tools: tuple[ListedTool, ...] = ()
    """As last listed, also when it is gone."""
    why: str = ""
    """Why it is not there, a sentence."""
    said: str = ""
    """The last of its standard error."""
    n_tries: int = 0
    """Starts since it last ran steadily."""


@dataclass(slots=True)
class _Held:
    server: McpServer
    state: ServerState
    session: int = 0
    """0: none is open."""
    news: asyncio.Queue[Message | None] = field(default_factory=asyncio.Queue[Message | None])
    """Of its session; None: the worker ended."""
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    """It is up, or has failed once."""


class McpServers:
    """
    Args:
        secrets: The values of a server's `env` and `headers`.
        changed: Told of a server whose state is another one.
        command: Started in place of the worker; for tests.
    """

    def __init__(
        self,
        secrets: Callable[[McpServer], Awaitable[tuple[Mapping[str, str], Mapping[str, str]]]],
        *,
        changed: Callable[[str], None] = lambda server_id: None,
        pauses_s: Sequence[float] = PAUSES_S,
        up_s: float = 30.0,
        command: Sequence[str] | None = None,
    ) -> None:
        self._secrets = secrets
        self._changed = changed
        self._pauses_s = pauses_s
        self._up_s = up_s
        self._command = command
        self._held: dict[str, _Held] = {}
        self._calls: dict[int, asyncio.Queue[Message | None]] = {}
        self._tasks = TaskScope()
        self._worker: ChildProcess | None = None
        self._starting = asyncio.Lock()
        self._n = 0
        self._is_closed = False

    @property
    def pid(self) -> int | None:
        """Of the worker, while it runs."""
        return self._worker.pid if self._worker else None

    def state(self, server_id: str) -> ServerState:
        held = self._held.get(server_id)
        return held.state if held else ServerState()

    def sync(self, servers: Iterable[McpServer]) -> None:
        """Hold a session of each server that may start, and of no other; one whose start differs begins anew."""
        if self._is_closed:
            return
        wanted = {server.id: server for server in servers}
        for gone in self._held.keys() - wanted.keys():
            self._stop(gone)
            del self._held[gone]
            self._changed(gone)
        for server in wanted.values():
            held = self._held.get(server.id)
            if held and (held.server.start_hash, held.server.may_start) == (
                server.start_hash,
                server.may_start,
            ):
                held.server = server
            else:
                self._begin(server, tools=held.state.tools if held else ())
        if self._worker and not any(held.server.may_start for held in self._held.values()):
            self._tasks.start("worker", self._end_worker())

    async def restart(self, server_id: str) -> float:
        """Begin anew with a server, at once. Returns: after so many seconds it was up, or had failed (`state`)."""
        began_s = time.monotonic()
        if held := self._held.get(server_id):
            self._begin(held.server, tools=held.state.tools)
            if held.server.may_start:
                await self._held[server_id].settled.wait()
        return time.monotonic() - began_s

    async def settled(self, within_s: float) -> None:
        """Wait until each server is up or has failed once; no longer than `within_s`."""
        waiting = [held.settled.wait() for held in self._held.values() if held.server.may_start]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await asyncio.gather(*waiting)

    async def call(
        self, server_id: str, tool: str, arguments: bytes, *, say: Callable[[str], None] = lambda text: None
    ) -> Given:
        """Cancelled, the server is told.

        Args:
            arguments: A JSON object.
        Raises:
            ToolFailed: with what the model is told.
        """
        held, worker = self._held.get(server_id), self._worker
        if held is None or worker is None or held.state.status is not Status.RUNNING:
            raise ToolFailed(self._absence(server_id))
        self._n += 1
        number, news = self._n, asyncio.Queue[Message | None]()
        self._calls[number] = news
        is_over = False
        try:
            await worker.send(
                {"do": "call", "call": number, "session": held.session, "tool": tool}, arguments
            )
            given = await _answer(news, say)
            is_over = True
        except ConnectionError as error:
            raise ToolFailed(self._absence(server_id)) from error
        finally:
            del self._calls[number]
            if not is_over:
                self._tasks.start(f"cancel {number}", self._tell({"do": "cancel", "call": number}))
        if isinstance(given, Given):
            return given
        raise ToolFailed(f"{held.server.name}: {given}")

    async def aclose(self) -> None:
        """End every server and the worker."""
        self._is_closed = True
        for server_id in self._held:
            self._stop(server_id)
        await self._tasks.wait("worker")
        await self._end_worker()
        await self._tasks.aclose()

    def _absence(self, server_id: str) -> str:
        held = self._held.get(server_id)
        if held is None:
            return "The server of this tool was removed."
        why = f" {held.state.why}" if held.state.why else ""
        match held.state.status:
            case Status.STARTING:
                return f"The server {held.server.name!r} is still starting; try again in a moment."
            case Status.OFF | Status.UNCONFIRMED:
                return f"The person has not let the server {held.server.name!r} run."
            case Status.WAITING | Status.RUNNING:
                return (
                    f"The server {held.server.name!r} is not there just now.{why} It will be started again."
                )
            case Status.FAILED:
                return (
                    f"The server {held.server.name!r} is not there.{why} Only the person can start it again."
                )

    def _begin(self, server: McpServer, *, tools: tuple[ListedTool, ...]) -> None:
        self._stop(server.id)
        is_off = Status.UNCONFIRMED if server.enabled else Status.OFF
        status = Status.STARTING if server.may_start else is_off
        self._held[server.id] = held = _Held(server, ServerState(status=status, tools=tools))
        if server.may_start:
            self._tasks.start(f"server {server.id}", self._keep(held))
        self._changed(server.id)

    def _stop(self, server_id: str) -> None:
        if held := self._held.get(server_id):
            held.settled.set()
        self._tasks.cancel(f"server {server_id}")

    def _set(self, held: _Held, state: ServerState) -> None:
        held.state = state
        if self._held.get(held.server.id) is held:
            self._changed(held.server.id)

    async def _keep(self, held: _Held) -> None:
        """Have a session of a server as long as it is wanted."""
        n_tries = 0
        while True:
            n_tries += 1
            self._set(held, replace(held.state, status=Status.STARTING, n_tries=n_tries))
            began_s = time.monotonic()
            try:
                why, said = await self._live(held)
            finally:
                held.session = 0
            held.settled.set()
            if time.monotonic() - began_s > _STEADY_S:
                n_tries = 1
            is_last = n_tries > len(self._pauses_s)
            status = Status.FAILED if is_last else Status.WAITING
            self._set(held, replace(held.state, status=status, why=why, said=said, n_tries=n_tries))
            log.info("The server %r ended: %s", held.server.id, why)
            if is_last:
                return
            await asyncio.sleep(self._pauses_s[n_tries - 1])

    async def _live(self, held: _Held) -> tuple[str, str]:
        """One session, from its opening to its end. Returns: why it ended, and what it said last."""
        env, headers = await self._secrets(held.server)
        held.news = asyncio.Queue()
        try:
            worker = await self._running()
        except OSError as error:
            return f"The process that talks to servers did not start: {error}", ""
        self._n += 1
        held.session = session = self._n
        opening = Opening(
            **held.server.model_dump(include={"kind", "command", "args", "cwd", "url", "timeout_s"}),
            env=dict(env),
            headers=dict(headers),
            up_s=self._up_s,
        )
        try:
            await worker.send({"do": "open", "session": session}, opening.model_dump_json().encode())
            while message := await held.news.get():
                match message:
                    case {"up": rows, "who": str(who)}:
                        tools = LISTED.validate_python(rows)
                        state = replace(
                            held.state, status=Status.RUNNING, who=who, tools=tools, why="", said=""
                        )
                        self._set(held, state)
                        held.settled.set()
                    case {"listed": rows}:
                        self._set(held, replace(held.state, tools=LISTED.validate_python(rows)))
                    case {"down": str(why), "said": str(said)}:
                        return why, said
                    case _:
                        raise ValueError(f"No message of the worker: {message!r}")
        except ConnectionError:
            pass
        except asyncio.CancelledError:
            self._tasks.start(f"close {session}", self._tell({"do": "close", "session": session}))
            raise
        return "The process that talks to servers ended.", ""

    async def _tell(self, message: Mapping[str, JsonValue]) -> None:
        if self._worker:
            with contextlib.suppress(ConnectionError):
                await self._worker.send(message)

    async def _running(self) -> ChildProcess:
        await self._tasks.wait("worker")  # the last one, where it is ending
        async with self._starting:
            if self._worker is None:
                self._worker = await ChildProcess.spawn("mcp", command=self._command)
                self._tasks.start(f"read {self._worker.pid}", self._read(self._worker))
            return self._worker

    async def _read(self, worker: ChildProcess) -> None:
        """Hand out what it says; its end ends every session and call."""
        pids: dict[int, int] = {}
        try:
            async for message in worker:
                self._hand_out(message, pids)
                await asyncio.sleep(0)  # a long result comes in many pieces
        finally:
            if self._worker is worker:
                self._worker = None
                if not self._is_closed:
                    log.warning("The worker that talks to servers of tools ended unasked")
                for held in self._held.values():
                    held.news.put_nowait(None)
                await worker.aclose(patience_s=_WORKER_S)
            for pid in pids.values():
                _end(pid)
            if self._worker is None:
                for news in self._calls.values():
                    news.put_nowait(None)

    def _hand_out(self, message: Message, pids: dict[int, int]) -> None:
        match message:
            case {"session": int(number), "pid": int(pid)}:
                pids[number] = pid
            case {"session": int(number), "gone": True}:
                pids.pop(number, None)
            case {"session": int(number)}:
                for held in self._held.values():
                    if held.session == number:
                        held.news.put_nowait(message)
            case {"call": int(number)}:
                if news := self._calls.get(number):
                    news.put_nowait(message)
            case _:
                pass  # it is ready

    async def _end_worker(self) -> None:
        worker, self._worker = self._worker, None
        if worker:
            await uncancelled(worker.aclose(patience_s=_WORKER_S))


def _end(pid: int) -> None:
    """A program whose worker did not end it, and all of its group."""
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            os.kill(pid, signal.SIGTERM)
        else:
            os.killpg(pid, signal.SIGKILL)


async def _answer(news: asyncio.Queue[Message | None], say: Callable[[str], None]) -> Given | str:
    """What a call gave, or why it gave nothing."""
    pieces: list[str] = []
    pictures: list[Picture] = []
    while message := await news.get():
        match message:
            case {"text": str(text)}:
                pieces.append(text)
            case {"picture": str(mime), "data": str(data)}:
                with contextlib.suppress(ValueError):  # no Base64
                    read = await asyncio.to_thread(base64.b64decode, data, validate=True)
                    pictures.append(Picture(mime=mime, data=read))
            case {"progress": str(text)}:
                say(text)
            case {"end": True, "is_error": bool(is_error)}:
                return Given(text="".join(pieces), is_error=is_error, pictures=tuple(pictures))
            case {"fault": str(fault)}:
                return fault
            case _:
                raise ValueError(f"No message of the worker: {message!r}")
    return "The process that talks to servers ended in the middle of the call; it may have been carried out."
