"""Who can be asked: providers and servers as they are set up, and the models that they offer."""

from collections.abc import Callable, Iterable
from typing import Protocol

from pydantic import JsonValue, TypeAdapter

from app.models.registry import FactsBook, ModelFacts
from app.providers import embedded
from app.providers.catalogue import OfferedModel, offered
from app.providers.embedded_reading import TOOLS
from app.providers.endpoints import ConnectionReport, find_local, test_connection
from app.providers.local_server import CONTEXT_TOKENS
from app.providers.templates import BUILTIN, EMBEDDED
from app.settings import Endpoint, Settings
from app.store.secrets import Secrets

_ENDPOINTS = TypeAdapter(list[Endpoint])


class KnownFacts(FactsBook):
    """The registry's facts, and those of the model that we bring along ourselves."""

    async def facts(self, kind: str, names: Iterable[str]) -> dict[str, ModelFacts]:
        if kind == EMBEDDED.kind:
            own = ModelFacts(window_tokens=CONTEXT_TOKENS, only_tools=TOOLS, vision=False)
            return dict.fromkeys(names, own)
        return await super().facts(kind, names)

    async def one(self, kind: str, name: str) -> ModelFacts:
        return (await self.facts(kind, (name,)))[name]


def built_in() -> tuple[Endpoint, ...]:
    """Endpoints that need neither a key nor a network, the better one first (Q1)."""
    return (EMBEDDED, BUILTIN) if embedded.is_installed() else (BUILTIN,)


class Change(Protocol):
    async def __call__(self, **values: JsonValue) -> None:
        """See `Application.change`."""
        ...


class Endpoints:
    """Setting providers up, trying them, and listing what they offer."""

    def __init__(
        self, secrets: Secrets, facts: KnownFacts, *, settings: Callable[[], Settings], change: Change
    ) -> None:
        self._secrets = secrets
        self._facts = facts
        self._settings = settings
        self._change = change

    async def add(self, endpoint: Endpoint, key: str | None = None) -> None:
        """Set up a provider, or change one; the key goes to the keyring, None leaves it as it is."""
        if key is not None:
            await self._secrets.put(endpoint.id, key)
        others = [item for item in self._settings().endpoints if item.id != endpoint.id]
        await self._change(endpoints=_ENDPOINTS.dump_python([*others, endpoint], mode="json"))

    async def remove(self, endpoint_id: str) -> None:
        await self._secrets.delete(endpoint_id)
        kept = [item for item in self._settings().endpoints if item.id != endpoint_id]
        await self._change(endpoints=_ENDPOINTS.dump_python(kept, mode="json"))

    def built_in(self) -> tuple[Endpoint, ...]:
        """See the function."""
        return built_in()

    async def offers(self) -> tuple[OfferedModel, ...]:
        """Every model that can be chosen."""
        overrides = dict(self._settings().model_overrides)
        found: list[OfferedModel] = []
        for endpoint in (*self._settings().endpoints, *built_in()):
            found.extend(await offered(endpoint, self._facts, overrides=overrides))
        return tuple(found)

    async def test(self, endpoint: Endpoint, key: str | None = None) -> ConnectionReport:
        """Ask it for its models; what it says of their windows is kept."""
        known = key if key is not None else await self._secrets.get(endpoint.id)
        report = await test_connection(endpoint, known or "")
        windows = {
            f"{endpoint.id}/{model.name}": model.window_tokens
            for model in report.models
            if model.window_tokens
        }
        if windows:
            await self._change(reported_windows={**self._settings().reported_windows, **windows})
        return report

    async def find_local(self) -> tuple[Endpoint, ...]:
        return tuple(report.endpoint for report in await find_local())
