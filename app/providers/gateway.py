"""Every model behind one door (A1): LiteLLM in its worker, the embedded model, the built-in responder."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Protocol

from app.context.ports import Secrets
from app.core.errors import OriginalLost
from app.core.events import GatewayEvent
from app.core.parts import Blob, MediaPart, Part, TextPart, ThinkingPart, ToolCallPart, blobs_of, with_body
from app.core.requests import Message, Request
from app.providers import responder
from app.providers.embedded import EmbeddedModel
from app.providers.errors import Failed, to_error
from app.providers.faults import usable_key
from app.providers.llm_link import LlmLink, Patience
from app.providers.pipe_form import Call
from app.providers.templates import Form, template_of
from app.providers.translate import Blobs, arguments_of
from app.settings import Endpoint

_BYTES_PER_TOKEN = 4


class Target(Protocol):
    """Where a request goes: `agent.ports.Target`, which this room may not import."""

    @property
    def endpoint(self) -> Endpoint: ...

    @property
    def name(self) -> str: ...


class BlobSource(Protocol):
    """The vault, as far as a request needs it."""

    async def get(self, blob: Blob) -> bytes: ...


class LiteLLMGateway:
    """Implements `agent.ports.Gateway`.

    Args:
        secrets: Asked for an endpoint's key by its id; the key goes to the worker through the pipe only (A4).
        vault: Asked for the originals that a request's parts point at.
        command: Started in place of the worker; for tests.
    """

    def __init__(
        self,
        secrets: Secrets,
        vault: BlobSource,
        *,
        patience: Patience | None = None,
        command: Sequence[str] | None = None,
    ) -> None:
        self._secrets = secrets
        self._vault = vault
        self._patience = patience or Patience()
        self._link = LlmLink(command=command)
        self._embedded = EmbeddedModel()

    async def start(self) -> None:
        """Bring the worker up in the background; called after the window shows, since it takes 7 s of a core."""
        self._link.start()

    async def aclose(self) -> None:
        async with asyncio.TaskGroup() as ending:
            ending.create_task(self._link.aclose())
            ending.create_task(self._embedded.aclose())

    @property
    def is_ready(self) -> bool:
        return self._link.is_ready

    def is_ready_for(self, target: Target) -> bool:
        return self.is_ready or template_of(target.endpoint).form is Form.OURS

    @property
    def worker_pid(self) -> int | None:
        """For `doctor` and tests; None: none runs."""
        return self._link.pid

    async def stream(self, request: Request, target: Target) -> AsyncGenerator[GatewayEvent, None]:
        try:
            async with aclosing(await self._route(request, target)) as events:
                async for event in events:
                    yield event
        except Failed as failed:
            raise to_error(failed.fault, endpoint=target.endpoint, model=target.name) from failed

    async def _route(self, request: Request, target: Target) -> AsyncGenerator[GatewayEvent, None]:
        request, blobs = await self._read(request)
        if target.endpoint.kind == "builtin":
            return responder.stream(request, blobs)
        if target.endpoint.kind == "embedded":
            return self._embedded.stream(request, blobs)
        payload = await self._payload(request, target, blobs)
        n_tokens = len(payload) // _BYTES_PER_TOKEN
        return self._link.stream(payload, patience=self._patience, prompt_tokens=n_tokens)

    async def _read(self, request: Request) -> tuple[Request, Blobs]:
        """The originals that it points at; where one is lost the request says so, and the chat goes on."""
        blobs: dict[str, bytes] = {}
        lost: dict[str, str] = {}
        for blob in {blob for message in request.messages for blob in blobs_of(message.parts)}:
            try:
                blobs[blob.sha256] = await self._vault.get(blob)
            except OriginalLost as error:
                lost[blob.sha256] = f"[{error.message}]"
        return (_told(request, lost) if lost else request), blobs

    async def _payload(self, request: Request, target: Target, blobs: Blobs) -> bytes:
        endpoint, template = target.endpoint, template_of(target.endpoint)
        key = usable_key(endpoint, await self._secrets.get(endpoint.id) or "")

        def encode() -> bytes:
            call = Call(
                arguments=arguments_of(request, template, model=target.name, blobs=blobs),
                base_url=endpoint.base_url or template.base_url,
                key=key,
                headers=endpoint.headers,
                proxy=endpoint.proxy,
                ca_file=endpoint.ca_file,
                connect_s=self._patience.connect_s,
                read_s=self._patience.first_at_most_s + self._patience.stall_s,
            )
            return call.to_bytes()

        return await asyncio.to_thread(encode)  # a long history takes longer than a frame


def _told(request: Request, lost: Mapping[str, str]) -> Request:
    """The request with a sentence for each original that is lost."""

    def told(message: Message) -> Message:
        parts = (_told_part(part, lost) for part in message.parts)
        return replace(message, parts=tuple(part for part in parts if part is not None))

    return replace(request, messages=tuple(map(told, request.messages)))


def _told_part(part: Part, lost: Mapping[str, str]) -> Part | None:
    sentence = next((lost[blob.sha256] for blob in blobs_of((part,)) if blob.sha256 in lost), None)
    match part:
        case _ if sentence is None:
            return part
        case ThinkingPart():
            return None  # no provider takes other reasoning than its own
        case MediaPart():
            return TextPart(text=sentence)
        case ToolCallPart():
            return with_body(part, json.dumps({"lost": sentence}))
        case _:
            return with_body(part, sentence)
