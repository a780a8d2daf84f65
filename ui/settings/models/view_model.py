"""Loads the models on offer, and says when they may have changed."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from app.core.errors import AppError
from app.core.ids import ModelId
from app.core.records import Changes, Fact
from app.providers.catalogue import OfferedModel
from app.tasks import TaskScope
from ui.settings.models.state import ModelsState, with_offers


class OffersPort(Protocol):
    """What lists models; see `app.bootstrap.endpoints.Endpoints`."""

    async def offers(self) -> tuple[OfferedModel, ...]:
        """All models of all endpoints.

        Raises:
            AppError: told in words.
        """
        ...


class ModelsPort(Protocol):
    """What the page needs of the application."""

    @property
    def endpoints(self) -> OffersPort: ...

    def watch(self, listener: Callable[[Changes], None]) -> Callable[[], None]: ...


class ModelsViewModel(QObject):
    """Signals:
    changed(ModelsState): the whole new state.
    """

    changed = Signal(object)

    def __init__(self, port: ModelsPort, tasks: TaskScope, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._port = port
        self._tasks = tasks
        self.state = ModelsState()
        self.stop_watching = port.watch(self._note)

    def refresh(self) -> None:
        """When the page opens."""
        self._tasks.start("models offers", self._load())

    def search(self, words: str) -> None:
        self._fold(replace(self.state, words=words))

    def select(self, model: ModelId | None) -> None:
        self._fold(replace(self.state, selected=model))

    async def _load(self) -> None:
        self._fold(replace(self.state, is_loading=True))
        try:
            offers = await self._port.endpoints.offers()
        except AppError as error:
            self._fold(replace(self.state, is_loading=False, error=error))
        else:
            self._fold(with_offers(self.state, offers))

    def _note(self, changes: Changes) -> None:
        if Fact.SETTINGS in changes.facts and self.state.offers:
            self.refresh()

    def _fold(self, state: ModelsState) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit(state)
