"""Requests, targets and stand-ins for keys and vault, shared by these tests."""

import asyncio
from collections.abc import Callable

from app.agent.ports import Target
from app.core.errors import OriginalLost
from app.core.events import GatewayEvent, TextArrived
from app.core.ids import ModelId
from app.core.parts import Blob, Part, TextPart
from app.core.requests import Message, Prelude, Request, Role, Sampling, ToolSpec
from app.providers.gateway import LiteLLMGateway
from app.settings import Endpoint
from tests.simulator import Simulator

KEY = "sk-CANARY-1234567890"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x08\0\0\0\x08\x08\x02\0\0\0"
FIND = ToolSpec(
    name="find", description="Looks up.", schema='{"type":"object","properties":{"q":{"type":"string"}}}'
)


class Keys:
    def __init__(self, key: str | None = KEY) -> None:
        self._key = key

    async def get(self, name: str) -> str | None:
        return self._key

    async def put(self, name: str, value: str) -> None:
        self._key = value

    async def delete(self, name: str) -> None:
        self._key = None


class Originals:
    """A vault that holds a picture for every image, and for every text its own name; nothing called "lost"."""

    async def get(self, blob: Blob) -> bytes:
        if blob.name == "lost":
            raise OriginalLost("'lost' in the vault is damaged.")
        return PNG if blob.mime == "image/png" else blob.name.encode()


def user(*parts: Part | str) -> Message:
    return Message(
        role=Role.USER, parts=tuple(TextPart(text=part) if isinstance(part, str) else part for part in parts)
    )


def assistant(*parts: Part | str) -> Message:
    return Message(
        role=Role.ASSISTANT,
        parts=tuple(TextPart(text=part) if isinstance(part, str) else part for part in parts),
    )


def tool(*parts: Part) -> Message:
    return Message(role=Role.TOOL, parts=parts)


def asking(
    *messages: Message | str,
    system: str = "",
    tools: tuple[ToolSpec, ...] = (),
    sampling: Sampling | None = None,
    cache_key: str = "",
) -> Request:
    return Request(
        model=ModelId("e/m"),
        prelude=Prelude(system=system, tools=tools),
        messages=tuple(user(item) if isinstance(item, str) else item for item in messages),
        sampling=sampling or Sampling(),
        cache_key=cache_key,
    )


def target_at(simulator: Simulator, kind: str = "openai", name: str = "gpt-4o") -> Target:
    url = simulator.base_url if kind == "anthropic" else simulator.openai_url
    return Target(endpoint=Endpoint(id="e", kind=kind, name="Simulated", base_url=url), name=name)


async def events_of(gateway: LiteLLMGateway, request: Request, target: Target) -> list[GatewayEvent]:
    return [event async for event in gateway.stream(request, target)]


def text_of(events: list[GatewayEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextArrived))


async def until(condition: Callable[[], bool], *, within_s: float = 2.0) -> None:
    """Wait until `condition` holds, looking every 10 ms."""
    for _ in range(int(within_s * 100)):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise TimeoutError
