"""Setting up hooks: each is shown before it is turned on, and can be tried with an example."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from typing import Protocol

from pydantic import JsonValue
from PySide6.QtCore import QObject, Signal

from app.agent.hooks import Outcome
from app.core.errors import AppError
from app.core.ids import new_id
from app.core.records import Changes, Fact
from app.settings import Hook, Settings
from app.tasks import TaskScope
from ui.settings.hooks.state import HookForm, HooksState, Tried, form_of, problem_in, with_form


class HooksPort(Protocol):
    """What the page needs of the application."""

    @property
    def settings(self) -> Settings: ...

    async def change(self, **settings: JsonValue) -> None: ...

    async def try_hook(self, hook: Hook) -> Outcome: ...

    def watch(self, listener: Callable[[Changes], None]) -> Callable[[], None]: ...


class HooksViewModel(QObject):
    """Signals:
    changed(HooksState): the whole new state.
    """

    changed = Signal(object)

    def __init__(self, port: HooksPort, tasks: TaskScope, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._port, self._tasks = port, tasks
        self._doing = asyncio.Lock()
        self.state = HooksState(hooks=port.settings.hooks)
        self.stop_watching = port.watch(self._note)

    def begin(self) -> None:
        """Open the form for a new hook."""
        self._fold(replace(self.state, form=HookForm(), problem="", failure=None))

    def edit(self, index: int) -> None:
        self._fold(replace(self.state, form=form_of(self.state.hooks[index], index), problem=""))

    def type(self, form: HookForm) -> None:
        """The form as it now stands."""
        self._fold(replace(self.state, form=form))

    def close_form(self) -> None:
        self._fold(replace(self.state, form=None, problem=""))

    def save(self) -> None:
        """Store the form as a hook; or say at the field what is missing."""
        if form := self.state.form:
            problem = problem_in(form)
            self._fold(replace(self.state, problem=problem))
            if not problem:
                self._do(self._save(with_form(self.state.hooks, form)))

    def switch(self, index: int, *, is_on: bool) -> None:
        """Turn off at once; on after a yes to the command (`allow`)."""
        if is_on:
            self._fold(replace(self.state, allowing=index, removing=None))
        else:
            self._do(self._set(index, is_on=False))

    def allow(self) -> None:
        """Yes: the command that was shown may run."""
        if self.state.allowing is not None:
            self._do(self._set(self.state.allowing, is_on=True))

    def ask_removal(self, index: int) -> None:
        self._fold(replace(self.state, removing=index, allowing=None))

    def leave(self) -> None:
        """Not after all."""
        self._fold(replace(self.state, removing=None, allowing=None))

    def remove(self) -> None:
        if (index := self.state.removing) is not None:
            hooks = self.state.hooks
            self._do(self._save((*hooks[:index], *hooks[index + 1 :])))

    def try_out(self, index: int) -> None:
        """Run it once, with an example on its standard input."""
        self._fold(replace(self.state, trying=index))
        self._tasks.start("try a hook", self._try(index, self._port.try_hook(self.state.hooks[index])))

    def stop(self) -> None:
        """End the one that is tried."""
        self._tasks.cancel("try a hook")

    async def _try(self, index: int, running: Awaitable[Outcome]) -> None:
        now = asyncio.get_running_loop().time
        began_s = now()
        try:
            done = await running
            if self.state.hooks[index : index + 1] == (done.hook,):
                tried = {**self.state.tried, index: Tried(outcome=done, took_s=now() - began_s)}
                self._fold(replace(self.state, tried=tried))
        finally:
            self._fold(replace(self.state, trying=None))

    async def _set(self, index: int, *, is_on: bool) -> None:
        hooks = list(self.state.hooks)
        hooks[index] = hooks[index].model_copy(update={"enabled": is_on})
        await self._store(tuple(hooks))

    async def _save(self, hooks: tuple[Hook, ...]) -> None:
        await self._store(hooks)
        self._fold(replace(self.state, form=None, tried={}))

    async def _store(self, hooks: tuple[Hook, ...]) -> None:
        await self._port.change(hooks=[hook.model_dump(mode="json") for hook in hooks])
        self._fold(replace(self.state, hooks=self._port.settings.hooks, allowing=None, removing=None))

    def _do(self, work: Coroutine[object, object, None]) -> None:
        """One after another: each changes what the one before it left."""
        self._tasks.start(new_id("hook"), self._told(work))

    async def _told(self, work: Coroutine[object, object, None]) -> None:
        try:
            async with self._doing:
                await work
        except AppError as error:
            self._fold(replace(self.state, failure=error))
        else:
            self._fold(replace(self.state, failure=None))

    def _note(self, changes: Changes) -> None:
        if Fact.SETTINGS in changes.facts and self._port.settings.hooks != self.state.hooks:
            self._fold(HooksState(hooks=self._port.settings.hooks, form=self.state.form))

    def _fold(self, state: HooksState) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit(state)
