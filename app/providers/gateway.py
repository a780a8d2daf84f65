"""Every model behind one door (A1): LiteLLM in its worker, the embedded model, the built-in responder."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Protocol

from app.context.ports import Secrets
from app.core.events import GatewayEvent
from app.core.parts import Blob, blobs_of
from app.core.requests import Request
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
        blobs = await self._blobs(request)
        if target.endpoint.kind == "builtin":
            return responder.stream(request, blobs)
        if target.endpoint.kind == "embedded":
            return self._embedded.stream(request, blobs)
        payload = await self._payload(request, target, blobs)
        n_tokens = len(payload) // _BYTES_PER_TOKEN
        return self._link.stream(payload, patience=self._patience, prompt_tokens=n_tokens)

    async def _blobs(self, request: Request) -> Blobs:
        found = {blob.sha256: blob for message in request.messages for blob in blobs_of(message.parts)}
        return {sha256: await self._vault.get(blob) for sha256, blob in found.items()}

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
