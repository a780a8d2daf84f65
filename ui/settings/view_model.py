"""Changes to settings: saved at once, undone one by one, and refused with a reason."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol

from pydantic import JsonValue, ValidationError
from PySide6.QtCore import QObject, Signal

from app.core.records import Changes, Fact
from app.settings import Settings
from app.tasks import TaskScope
from ui.settings.state import (
    PageId,
    Problem,
    SettingsState,
    off_default,
    value_of,
    with_problem,
    with_saved,
    with_undone,
)


class SettingsPort(Protocol):
    """What the settings need of the application."""

    @property
    def settings(self) -> Settings: ...

    async def change(self, **settings: JsonValue) -> None:
        """Validate, store and hold from now on.

        Raises:
            ValidationError: nothing was changed.
        """
        ...

    def watch(self, listener: Callable[[Changes], None]) -> Callable[[], None]:
        """Returns: "stop watching"."""
        ...


class SettingsViewModel(QObject):
    """Signals:
    changed(SettingsState): the whole new state.
    """

    changed = Signal(object)

    def __init__(self, port: SettingsPort, tasks: TaskScope, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._port = port
        self._tasks = tasks
        self.state = SettingsState(settings=port.settings)
        self.stop_watching = port.watch(self._note)

    def change(self, field: str, value: JsonValue) -> None:
        """Save `value` at once; what it replaced can be undone."""
        if value != value_of(self.state.settings, field) or self.state.problem:
            self._tasks.start(f"setting {field}", self._change({field: value}))

    def tell(self, problem: Problem | None) -> None:
        """What a page itself found wrong with a wish; None: nothing any more."""
        self._fold(replace(self.state, problem=problem))

    def undo(self, field: str) -> None:
        """Take back the last change of `field`."""
        if field in self.state.undo:
            self._undo_all({field: self.state.undo[field]})

    def undo_last(self) -> None:
        """Take back the last change, whatever it was of."""
        if self.state.history:
            self._undo_all(self.state.history[-1])

    def _undo_all(self, values: Mapping[str, JsonValue]) -> None:
        self._tasks.start(f"setting {next(iter(values))}", self._undo(values))

    def reset(self, page: PageId) -> None:
        """Everything on `page` as in a new installation; each field can be undone."""
        fresh = Settings()
        if names := off_default(self.state.settings, page):
            self._tasks.start(f"reset {page}", self._change({name: value_of(fresh, name) for name in names}))

    async def _change(self, values: dict[str, JsonValue]) -> None:
        before = {name: value_of(self._port.settings, name) for name in values}
        try:
            await self._port.change(**values)
        except ValidationError as error:
            self._fold(with_problem(self.state, error, next(iter(values))))
        else:
            self._fold(with_saved(self.state, self._port.settings, before))

    async def _undo(self, values: Mapping[str, JsonValue]) -> None:
        await self._port.change(**values)
        self._fold(with_undone(self.state, self._port.settings, values))

    def _note(self, changes: Changes) -> None:
        if Fact.SETTINGS in changes.facts and self._port.settings != self.state.settings:
            self._fold(replace(self.state, settings=self._port.settings))

    def _fold(self, state: SettingsState) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit(state)
