"""A light client of OpenAI's streaming form, for the embedded model only.

That server is ours and on loopback: going by httpx alone, the first launch answers a second after Send,
while LiteLLM's worker would still be loading for seven.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping

from app.core.events import Accepted, GatewayEvent
from app.core.requests import Request
from app.providers.errors import Failed, Fault
from app.providers.faults import fault_of, fault_of_status
from app.providers.templates import EMBEDDED, template_of
from app.providers.translate import Blobs, ChunkReader, arguments_of
from app.providers.ways import DIRECT, Way, client_for, http_errors


async def stream_completion(
    url: str,
    key: str,
    request: Request,
    blobs: Blobs,
    *,
    response_format: Mapping[str, object] | None = None,
) -> AsyncGenerator[GatewayEvent, None]:
    """The events of one answer of the server at `url`, which ends in `/v1`.

    Args:
        response_format: What the answer is held to, in OpenAI's form; None: nothing.
    Raises:
        Failed: refused, broken, or unreadable.
    """
    template = template_of(EMBEDDED)
    arguments = arguments_of(request, template, model=EMBEDDED.models[0], blobs=blobs)
    wanted = {
        name: arguments[name] for name in ("messages", "max_tokens", "temperature") if name in arguments
    }
    body = (
        wanted
        | {
            "stream": True,
            "stream_options": {"include_usage": True},
            "cache_prompt": True,
        }
        | ({"response_format": response_format} if response_format else {})
    )
    headers = {"Authorization": f"Bearer {key}"}
    reader = ChunkReader()
    client = await asyncio.to_thread(client_for, Way(proxy=DIRECT), timeout_s=300.0)
    try:
        async with (
            client,
            client.stream("POST", f"{url}/chat/completions", json=body, headers=headers) as response,
        ):
            if response.is_error:
                text = (await response.aread()).decode(errors="replace")
                raise Failed(fault_of_status(response.status_code, text, response.headers))
            yield Accepted()
            async for line in response.aiter_lines():
                if line.startswith("data:") and (data := line[5:].strip()) != "[DONE]":
                    for event in reader.read(json.loads(data)):
                        yield event
    except (OSError, ValueError, *http_errors()) as error:
        raise Failed(fault_of(error, has_tokens=reader.has_tokens)) from error
    if reader.is_empty:
        raise Failed(Fault(code="garbage"))
    for event in reader.end():
        yield event
