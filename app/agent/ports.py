"""What a turn asks of the outside beside `context.ports`: the model behind the wire."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Protocol

from app.core.events import GatewayEvent
from app.core.ids import ModelId
from app.core.requests import Request
from app.settings import Endpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a request goes: an endpoint as set up, and the model's own name there."""

    endpoint: Endpoint
    name: str

    @property
    def model(self) -> ModelId:
        return ModelId(f"{self.endpoint.id}/{self.name}")


class Gateway(Protocol):
    """Every model, whatever its provider, behind one door (A1)."""

    def is_ready_for(self, target: Target) -> bool:
        """False while the process that talks to this provider is still coming up; a request waits for it."""
        ...

    def stream(self, request: Request, target: Target) -> AsyncGenerator[GatewayEvent, None]:
        """One request, once: no retry, no repair. Closing the generator closes the socket.

        Yields: `Accepted` first; `UsageReported` at most once; `Finished` last.
        Raises:
            ProviderError: told in words; raised before or after events came.
        """
        ...
