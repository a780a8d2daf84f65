"""The circuit breakers of the models that write summaries: asked before each request, kept through restarts (C20)."""

import logging
from collections.abc import Callable, Mapping

from app.context.breaker import Breaker, BreakerState
from app.context.ports import Clock, Store
from app.core.errors import AppError, ProviderError, StoreError
from app.core.ids import ModelId

log = logging.getLogger(__name__)

_AUTH_CODES = frozenset({"key_missing", "key_wrong", "forbidden"})


class WriterLeftAlone(ProviderError):
    """The model failed lately and is not asked; caught like any failure of a writer."""

    code = "writer_left_alone"


class Breakers:
    """One breaker per model at an endpoint.

    Args:
        changed: Told when a state became another one.
    """

    def __init__(self, store: Store, clock: Clock, *, changed: Callable[[], None]) -> None:
        self._store = store
        self._clock = clock
        self._changed = changed
        self._known: dict[ModelId, Breaker] = {}

    async def load(self) -> None:
        """As they were when the program ended."""
        self._known = {model: breaker.restored() for model, breaker in (await self._store.breakers()).items()}

    @property
    def states(self) -> Mapping[ModelId, BreakerState]:
        """Of those that are not closed."""
        now = self._clock.now()
        states = {model: breaker.state(now) for model, breaker in self._known.items()}
        return {model: state for model, state in states.items() if state is not BreakerState.CLOSED}

    def allows(self, model: ModelId) -> bool:
        return self._of(model).allows(self._clock.now())

    def begin(self, model: ModelId) -> None:
        """A request leaves.

        Raises:
            WriterLeftAlone: none may.
        """
        if not self.allows(model):
            raise WriterLeftAlone(f"{model!r} failed lately and is left alone for a while.", model=model)
        self._known[model] = self._of(model).begun(self._clock.now())

    async def succeed(self, model: ModelId) -> None:
        await self._take(model, self._of(model).succeeded())

    async def fail(self, model: ModelId, error: AppError | None = None) -> None:
        is_auth = error is not None and error.code in _AUTH_CODES
        await self._take(model, self._of(model).failed(self._clock.now(), is_auth=is_auth))

    def give_up(self, model: ModelId) -> None:
        """The request was cancelled and says nothing of the model; a probe may go again."""
        if model in self._known:
            self._known[model] = self._known[model].restored()

    async def settings_changed(self) -> None:
        """A key or an address is another one: what was refused is tried at once."""
        for model, breaker in tuple(self._known.items()):
            await self._take(model, breaker.settings_changed())

    def _of(self, model: ModelId) -> Breaker:
        return self._known.get(model, Breaker())

    async def _take(self, model: ModelId, breaker: Breaker) -> None:
        if breaker == self._of(model):
            return
        self._known[model] = breaker
        try:
            await self._store.save_breaker(model, breaker)
        except StoreError as error:  # it holds until the program ends
            log.info("The state of a writer was not stored: %s", error)
        self._changed()
