"""The models that a person can choose from: what endpoints list, with what the registry knows of each (A2)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from app.core.ids import ModelId
from app.models.families import Family, family_of
from app.models.registry import ModelFacts
from app.models.window import Window, window_of
from app.providers.endpoints import ListedModel
from app.settings import Endpoint, ModelOverride


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedModel:
    """One model of one endpoint."""

    id: ModelId
    name: str
    endpoint: Endpoint
    window: Window
    facts: ModelFacts
    """Prices and abilities."""
    family: Family

    @property
    def title(self) -> str:
        """Its name with its provider's."""
        return f"{self.name} · {self.endpoint.name}"


class Facts(Protocol):
    """`models.registry.FactsBook`."""

    async def facts(self, kind: str, names: Iterable[str]) -> dict[str, ModelFacts]: ...


async def offered(
    endpoint: Endpoint,
    facts: Facts,
    *,
    listed: Iterable[ListedModel] = (),
    overrides: dict[str, ModelOverride] | None = None,
) -> tuple[OfferedModel, ...]:
    """The models of `endpoint`: those just listed, then those it had before or the person typed.

    Args:
        listed: By `endpoints.list_models`; empty where it was not asked.
        overrides: `Settings.model_overrides`.
    """
    reported = {model.name: model.window_tokens for model in listed}
    names = tuple(dict.fromkeys((*reported, *endpoint.models)))
    known = await facts.facts(endpoint.kind, names)
    return tuple(
        _offer(
            endpoint, name, known[name], reported.get(name), (overrides or {}).get(f"{endpoint.id}/{name}")
        )
        for name in names
    )


def _offer(
    endpoint: Endpoint, name: str, facts: ModelFacts, reported: int | None, override: ModelOverride | None
) -> OfferedModel:
    window = window_of(
        override=override.window_tokens if override else None,
        reported=reported,
        registry=facts.window_tokens,
        learned=None,
    )
    return OfferedModel(
        id=ModelId(f"{endpoint.id}/{name}"),
        name=name,
        endpoint=endpoint,
        window=window,
        facts=facts,
        family=family_of(endpoint.kind, name),
    )


def found(models: Iterable[OfferedModel], words: str) -> tuple[OfferedModel, ...]:
    """Those whose name or provider holds every one of `words`, in their order."""
    wanted = words.casefold().split()
    return tuple(
        model
        for model in models
        if all(word in f"{model.endpoint.name} {model.name}".casefold() for word in wanted)
    )
