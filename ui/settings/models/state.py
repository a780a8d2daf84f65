"""What the models page draws: the models on offer, those found, and the one that is looked at."""

from dataclasses import dataclass, replace

from app.core.errors import AppError
from app.core.ids import ModelId
from app.providers.catalogue import OfferedModel, found


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


def offer(state: ModelsState, model: str | None) -> OfferedModel | None:
    return next((item for item in state.offers if item.id == model), None)


def with_offers(state: ModelsState, offers: tuple[OfferedModel, ...]) -> ModelsState:
    return replace(state, offers=offers, is_loading=False, error=None)
