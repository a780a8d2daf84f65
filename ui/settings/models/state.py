"""What the models page draws: the models on offer, those found, the one that is looked at, and who is asked instead."""

from dataclasses import dataclass, replace

from app.core.errors import AppError
from app.core.ids import ModelId
from app.providers.catalogue import OfferedModel, found
from app.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsState:
    offers: tuple[OfferedModel, ...] = ()
    words: str = ""
    """What is searched for."""
    selected: ModelId | None = None
    is_loading: bool = False
    error: AppError | None = None

    @property
    def shown(self) -> tuple[OfferedModel, ...]:
        return found(self.offers, self.words)

    @property
    def selection(self) -> OfferedModel | None:
        return offer(self, self.selected)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fallback:
    """A model that is asked when another one fails, as the page shows it."""

    id: ModelId
    name: str
    is_gone: bool = False
    """It is not set up any more, so nobody asks it."""
    is_default: bool = False
    """It became the default model, so it is asked first anyway."""


def fallbacks(state: ModelsState, settings: Settings) -> tuple[Fallback, ...]:
    """In the order in which they are asked; none is called gone before the offers are known."""
    return tuple(_fallback(state, ModelId(model), settings.model) for model in settings.fallback_models)


def _fallback(state: ModelsState, model: ModelId, default: str) -> Fallback:
    known = offer(state, model)
    return Fallback(
        id=model,
        name=known.title if known else model,
        is_gone=known is None and bool(state.offers) and not state.is_loading,
        is_default=model == default,
    )


def refusal(settings: Settings, model: ModelId) -> str:
    """Why `model` can't be one of the fallbacks, as the kind of a `Problem`; empty: it can."""
    if model in settings.fallback_models:
        return "model_twice"
    return "model_itself" if model == settings.model else ""


def moved(models: tuple[str, ...], at: int, by: int) -> tuple[str, ...]:
    """The model at `at`, `by` places later; as they were where there is no such place."""
    to = at + by
    if not (0 <= at < len(models) and 0 <= to < len(models)):
        return models
    rest = [*models[:at], *models[at + 1 :]]
    return (*rest[:to], models[at], *rest[to:])


def offer(state: ModelsState, model: str | None) -> OfferedModel | None:
    return next((item for item in state.offers if item.id == model), None)


def with_offers(state: ModelsState, offers: tuple[OfferedModel, ...]) -> ModelsState:
    return replace(state, offers=offers, is_loading=False, error=None)
