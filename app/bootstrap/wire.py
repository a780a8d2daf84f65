"""A request as its provider gets it, to be read by a person: by the functions that one which leaves goes through."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from pydantic import JsonValue

from app.context.validate import mended
from app.core.errors import OriginalLost
from app.core.parts import Blob, blobs_of
from app.core.requests import Request
from app.models.families import family_of
from app.providers.templates import BUILTIN_ENDPOINTS, template_of
from app.providers.translate import arguments_of
from app.settings import Endpoint


async def wired(
    endpoints: Iterable[Endpoint], read_blob: Callable[[Blob], Awaitable[bytes]], request: Request
) -> JsonValue:
    """Model, tools and messages. A missing original stands there by its sentence.

    Args:
        endpoints: Those that are set up; a model of another one is written as any compatible server takes it.
    """
    place, _, name = request.model.partition("/")
    known = {endpoint.id: endpoint for endpoint in (*BUILTIN_ENDPOINTS, *endpoints)}
    template = template_of(known.get(place) or Endpoint(id=place, kind="compatible", name=place))
    blobs: dict[str, bytes] = {}
    for blob in {blob for message in request.messages for blob in blobs_of(message.parts)}:
        try:
            blobs[blob.sha256] = await read_blob(blob)
        except OriginalLost as error:
            blobs[blob.sha256] = f"[{error.message}]".encode()

    def written() -> JsonValue:
        whole = mended(request, family_of(template.id, name))
        made = arguments_of(whole, template, model=name, blobs=blobs)
        return {"model": name, "tools": made.get("tools", []), "messages": made["messages"]}

    return await asyncio.to_thread(written)
