"""The worker that talks to providers: LiteLLM's only process, started after the window shows.

Its import takes seven seconds and 200 MB, and a burst of chunks holds a thread for a second; here neither is
felt (architecture.md, concurrency). In come `start`, with a call as payload, and `cancel`; back go `ready`,
and for each request `sent`, `events`, then `end` or `fault`.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Protocol, cast

from pydantic import BaseModel, JsonValue

from app.core.events import Accepted, GatewayEvent
from app.processes import ParentPipe
from app.providers.errors import Fault
from app.providers.faults import fault_of
from app.providers.pipe_form import Call, fault_to_row, merged, to_row
from app.providers.rate_headers import rates_in
from app.providers.translate import ChunkReader
from app.providers.ways import Way, client_for
from app.tasks import TaskScope

if TYPE_CHECKING:
    import httpx2
    from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler

COALESCE_S = 0.03
_NO_KEY = "no-key"
"""Sent to servers that want none; the clients refuse to go without."""

ENVIRONMENT = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # else it fetches a price list at import, three times (case B77)
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_LOCAL_BLOG_POSTS": "True",
    "REPEATED_STREAMING_CHUNK_LIMIT": "1000000000",  # a hundred equal chunks are no error
    "LITELLM_MODE": "PRODUCTION",  # else it reads a .env of the working folder
}


async def serve() -> None:
    """Answer requests until the parent closes our input."""
    pipe = ParentPipe()
    adapter = Adapter()
    pipe.send({"ready": True})
    async with TaskScope() as tasks:
        async for message, payload in pipe.frames():
            match message:
                case {"do": "start", "id": int(number)}:
                    tasks.start(
                        str(number), _answer(adapter, _Outbox(pipe, number), Call.from_bytes(payload))
                    )
                case {"do": "cancel", "id": int(number)}:
                    tasks.cancel(str(number))
                case _:
                    raise ValueError(f"No message of ours: {message!r}")
    await adapter.aclose()


class Chunks(Protocol):
    """What LiteLLM and the OpenAI client stream: values of pydantic models."""

    def __aiter__(self) -> AsyncIterator[BaseModel]: ...


class Adapter:
    """LiteLLM, loaded, and the connections it goes through: one per way out, kept open for the next request."""

    def __init__(self) -> None:
        os.environ.update(ENVIRONMENT)
        gc.disable()  # an import of 3,000 modules with full collections between takes a tenth longer
        import litellm

        gc.enable()
        gc.freeze()
        litellm.suppress_debug_info = True
        litellm.modify_params = False
        litellm.drop_params = False
        self._complete = cast(
            Callable[..., Awaitable[Chunks]],
            litellm.acompletion,  # pyright: ignore[reportUnknownMemberType]  # untyped upstream
        )
        self._handlers: dict[Way, AsyncHTTPHandler] = {}
        self._openai_ways: dict[Way, httpx2.AsyncClient] = {}

    async def open(self, call: Call) -> Chunks:
        """Send one request; returns when its answer has begun."""
        route = str(call.arguments["model"]).partition("/")[0]
        stream = await self._complete(
            **call.arguments,
            **(self._through_openai(call) if route == "openai" else self._through_litellm(call, route)),
            api_key=call.key or _NO_KEY,
            api_base=call.base_url or None,
            extra_headers=dict(call.headers) or None,
        )
        # The client's own stream where there is one: LiteLLM's wrapper invents a reason to end where none came.
        own: object = getattr(stream, "completion_stream", None)
        return cast(Chunks, own) if type(own).__module__.partition(".")[0] == "openai" else stream

    async def aclose(self) -> None:
        from litellm.llms.custom_httpx.async_client_cleanup import close_litellm_async_clients

        for handler in self._handlers.values():
            await handler.client.aclose()
        for client in self._openai_ways.values():
            await client.aclose()
        await close_litellm_async_clients()

    def _through_openai(self, call: Call) -> Mapping[str, object]:
        """By OpenAI's client, which has an HTTP library of its own."""
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout

        way, timeout = call.way, Timeout(call.read_s, connect=call.connect_s)
        if way not in self._openai_ways:
            self._openai_ways[way] = DefaultAsyncHttpxClient(
                proxy=way.proxy_url,
                trust_env=way.trusts_environment,
                verify=way.tls(),
                follow_redirects=False,
            )
        client = AsyncOpenAI(
            api_key=call.key or _NO_KEY,
            base_url=call.base_url or None,
            http_client=self._openai_ways[way],
            max_retries=0,
            timeout=timeout,
        )
        return {"client": client, "timeout": timeout}

    def _through_litellm(self, call: Call, route: str) -> Mapping[str, object]:
        import httpx
        from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler

        timeout, way = httpx.Timeout(call.read_s, connect=call.connect_s), call.way
        if route == "azure":  # LiteLLM makes Azure's client of its own arguments
            return {"timeout": timeout}
        if way not in self._handlers:
            self._handlers[way] = AsyncHTTPHandler()
            self._handlers[way].client = client_for(way)
        return {"client": self._handlers[way], "timeout": timeout}


async def _answer(adapter: Adapter, outbox: _Outbox, call: Call) -> None:
    reader = ChunkReader()
    outbox.send({"sent": True})
    try:
        stream = await adapter.open(call)
        try:
            is_first = True
            async for chunk in stream:
                events = reader.read(chunk.model_dump(warnings=False))
                outbox.add((Accepted(rates=rates_in(_headers(stream))), *events) if is_first else events)
                is_first = False
        finally:
            await _close(stream)
    except Exception as error:  # noqa: BLE001  # whatever a library raises is told, as a fault
        outbox.flush()
        fault = fault_of(error, has_tokens=reader.has_tokens, secrets=call.secrets)
        outbox.send({"fault": fault_to_row(call.way.blamed(fault))})
        return
    if reader.is_empty or reader.is_cut:
        outbox.flush()
        outbox.send({"fault": fault_to_row(Fault(code="garbage" if reader.is_empty else "cut"))})
        return
    outbox.add(reader.end())
    outbox.flush()
    outbox.send({"end": True})


def _headers(stream: Chunks) -> Mapping[str, str]:
    """Of the answer, as far as the stream holds it: the client's own, or what LiteLLM's wrapper keeps of another's."""
    own: object = getattr(getattr(stream, "response", None), "headers", None)
    found: object = own or getattr(stream, "_response_headers", None)
    return cast(Mapping[str, str], found) if isinstance(found, Mapping) else {}


async def _close(stream: Chunks) -> None:
    """End the connection: leaving the loop alone does not (LiteLLM), and the two streams name it differently."""
    close = getattr(stream, "aclose", None) or getattr(stream, "close", None)
    if close:
        await cast(Callable[[], Awaitable[None]], close)()


class _Outbox:
    """One request's events on their way to the parent, at most one line each 30 ms."""

    def __init__(self, pipe: ParentPipe, number: int) -> None:
        self._pipe = pipe
        self._number = number
        self._loop = asyncio.get_running_loop()
        self._waiting: list[GatewayEvent] = []
        self._timer: asyncio.TimerHandle | None = None
        self._flushed_at = 0.0

    def add(self, events: Iterable[GatewayEvent]) -> None:
        """Even no event is told: it is progress."""
        self._waiting += events
        rest_s = self._flushed_at + COALESCE_S - self._loop.time()
        if rest_s <= 0:
            self.flush()
        elif self._timer is None:
            self._timer = self._loop.call_later(rest_s, self.flush)

    def flush(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        self._flushed_at = self._loop.time()
        self.send({"events": [to_row(event) for event in merged(self._waiting)]})
        self._waiting.clear()

    def send(self, message: Mapping[str, JsonValue]) -> None:
        self._pipe.send({"id": self._number, **message})
