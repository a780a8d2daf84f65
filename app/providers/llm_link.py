"""The window's side of the worker that talks to providers: requests go in, batches of events come out.

What a death of the worker means for a request is decided here: not yet sent, it goes out once more by the
next worker; sent, its outcome is unknown; begun, its answer is cut (architecture.md, concurrency).
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field

from app.core.events import Accepted, GatewayEvent
from app.processes import ChildProcess, DeathLimit, Message
from app.providers.errors import Failed, Fault
from app.providers.pipe_form import fault_from_row, from_row
from app.tasks import TaskScope

log = logging.getLogger(__name__)

SENDS = 2
"""How often a request is handed to a worker that dies before sending it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a provider may take; seconds."""

    connect_s: float = 15.0
    first_s: float = 90.0
    """Until the first token of a short prompt; longer in proportion above 50,000 tokens (C19)."""
    first_at_most_s: float = 600.0
    stall_s: float = 90.0
    """Without any progress after the first token."""

    def first_token_s(self, prompt_tokens: int) -> float:
        return min(max(self.first_s, self.first_s * prompt_tokens / 50_000), self.first_at_most_s)


@dataclass(frozen=True, slots=True)
class _Sent:
    """The worker is about to send the request."""


@dataclass(frozen=True, slots=True)
class _End:
    pass


_News = list[GatewayEvent] | Fault | _Sent | _End


@dataclass(slots=True, kw_only=True)
class _Running:
    number: int
    payload: bytes
    n_handed: int = 0
    is_sent: bool = False
    has_begun: bool = False
    news: asyncio.Queue[_News] = field(default_factory=asyncio.Queue[_News])


class LlmLink:
    """Keeps one worker alive and hands requests to it.

    Args:
        command: Started in place of the worker; for tests.
    """

    def __init__(self, *, command: Sequence[str] | None = None) -> None:
        self._command = command
        self._tasks = TaskScope()
        self._deaths = DeathLimit()
        self._child: ChildProcess | None = None
        self._is_ready = False
        self._running: dict[int, _Running] = {}
        self._n_requests = 0

    @property
    def is_ready(self) -> bool:
        return self._is_ready

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child else None

    def start(self) -> None:
        """Bring a worker up, in the background; nothing where one runs."""
        if not self._tasks.is_running("worker"):
            self._tasks.start("worker", self._keep_alive())

    async def aclose(self) -> None:
        await self._tasks.aclose()

    async def stream(
        self, payload: bytes, *, patience: Patience, prompt_tokens: int
    ) -> AsyncGenerator[GatewayEvent, None]:
        """The events of one request; closing it closes its connection.

        Raises:
            Failed: with what went wrong.
        """
        if self._deaths.is_reached(time.monotonic()):
            raise Failed(Fault(code="worker_died"))
        self.start()
        self._n_requests += 1
        running = _Running(number=self._n_requests, payload=payload)
        self._running[running.number] = running
        try:
            await self._hand_over(running)
            async for event in _events(running, patience, patience.first_token_s(prompt_tokens)):
                yield event
        finally:
            del self._running[running.number]
            if running.n_handed:
                await self._tell({"do": "cancel", "id": running.number})

    async def _hand_over(self, running: _Running) -> None:
        if self._is_ready:
            running.n_handed += 1
            await self._tell({"do": "start", "id": running.number}, running.payload)

    async def _tell(self, message: Message, payload: bytes = b"") -> None:
        """A child that has just died is noticed by its reader, which decides about each request."""
        if self._child:
            with contextlib.suppress(ConnectionError):
                await self._child.send(message, payload)

    async def _keep_alive(self) -> None:
        while True:
            try:
                self._child = await ChildProcess.spawn("llm", command=self._command)
                await self._read(self._child)
            except OSError as error:
                log.warning("The worker that talks to providers did not start: %s", error)
            finally:
                self._is_ready = False
                child, self._child = self._child, None
                if child:
                    await child.aclose()
            self._deaths.note(time.monotonic())
            log.warning("The worker that talks to providers ended")
            has_enough = self._deaths.is_reached(time.monotonic())
            for running in tuple(self._running.values()):
                if fault := _after_death(running, can_resend=not has_enough):
                    running.news.put_nowait(fault)
            if has_enough:
                return

    async def _read(self, child: ChildProcess) -> None:
        async for message in child:
            if "ready" in message:
                self._is_ready = True
                for running in tuple(self._running.values()):
                    await self._hand_over(running)
                continue
            number = message.get("id")
            running = self._running.get(number) if isinstance(number, int) else None
            if running:
                _take(running, message)


def _take(running: _Running, message: Message) -> None:
    match message:
        case {"events": list(rows)}:
            events = [from_row(row) for row in rows]
            running.has_begun = running.has_begun or any(not isinstance(event, Accepted) for event in events)
            running.news.put_nowait(events)
        case {"sent": True}:
            running.is_sent = True
            running.news.put_nowait(_Sent())
        case {"fault": fault}:
            running.news.put_nowait(fault_from_row(fault))
        case {"end": True}:
            running.news.put_nowait(_End())
        case _:
            raise ValueError(f"No message of the worker: {message!r}")


def _after_death(running: _Running, *, can_resend: bool) -> Fault | None:
    """What the worker's death means for a request; None: the next worker sends it."""
    if running.has_begun:
        return Fault(code="cut")
    if running.is_sent:
        return Fault(code="unknown_outcome")
    return None if can_resend and running.n_handed < SENDS else Fault(code="worker_died")


async def _events(
    running: _Running, patience: Patience, first_token_s: float
) -> AsyncGenerator[GatewayEvent, None]:
    while True:
        limit_s = None  # the worker is still coming up
        if running.has_begun:
            limit_s = patience.stall_s
        elif running.is_sent:
            limit_s = first_token_s
        try:
            async with asyncio.timeout(limit_s):
                news = await running.news.get()
        except TimeoutError:
            code = "stalled" if running.has_begun else "timeout"
            raise Failed(Fault(code=code)) from None
        match news:
            case list():
                for event in news:
                    yield event
            case Fault():
                raise Failed(news)
            case _End():
                return
            case _Sent():
                pass
