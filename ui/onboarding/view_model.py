"""Choosing what to talk to: looks for local servers, tests a key at once, and starts."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from pydantic import JsonValue
from PySide6.QtCore import QObject, Signal

from app.core.errors import SecretsError
from app.core.records import Changes, Fact
from app.providers.endpoints import ConnectionReport
from app.settings import Endpoint, Settings
from app.store.secrets import SecretsState
from app.tasks import TaskScope
from ui.onboarding.state import (
    OnboardingState,
    first_state,
    with_choice,
    with_report,
    with_servers,
    with_typed,
)

PASTED_CHARACTERS = 8
"""Text that grows by so many at once was pasted, so it is whole and can be tested."""


class SecretsPort(Protocol):
    """What keeps the keys; see `app.store.secrets.Secrets`."""

    @property
    def state(self) -> SecretsState: ...

    async def get(self, name: str) -> str | None: ...

    async def use_file(self, passphrase: str, *, start_over: bool = False) -> None: ...

    def try_keyring_again(self) -> None: ...


class EndpointsPort(Protocol):
    """What sets providers up; see `app.bootstrap.endpoints.Endpoints`."""

    def built_in(self) -> tuple[Endpoint, ...]: ...

    async def find_local(self) -> tuple[Endpoint, ...]: ...

    async def test(self, endpoint: Endpoint, key: str | None = None) -> ConnectionReport: ...

    async def add(self, endpoint: Endpoint, key: str | None = None) -> None: ...


class OnboardingPort(Protocol):
    """What the first run needs of the application."""

    @property
    def settings(self) -> Settings: ...

    @property
    def secrets(self) -> SecretsPort: ...

    @property
    def endpoints(self) -> EndpointsPort: ...

    async def change(self, **values: JsonValue) -> None: ...

    def watch(self, listener: Callable[[Changes], None]) -> Callable[[], None]: ...


class OnboardingViewModel(QObject):
    """Signals:
    changed(OnboardingState): the whole new state.
    finished(): a model is chosen, or the person said "later"; the chat may be shown.
    sample_asked(): instead of an empty one they want to see the sample chat.
    """

    changed = Signal(object)
    finished = Signal()
    sample_asked = Signal()

    def __init__(self, port: OnboardingPort, tasks: TaskScope, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._port = port
        self._tasks = tasks
        self.state = first_state(port.settings, port.endpoints.built_in())
        self.stop_watching = port.watch(self._note)

    def look(self) -> None:
        """Look for servers on this computer: when the view shows."""
        self._tasks.start("first run servers", self._look())

    def choose(self, source_id: str) -> None:
        if source_id != self.state.chosen:
            self._tasks.cancel("first run test")
            self._fold(with_choice(self.state, source_id))
            if self.state.source and self.state.source.kind == "provider":
                # Not earlier: a locked keyring may ask for its password.
                self._tasks.start("first run secrets", self._look_at_secrets())

    def type(self, *, key: str, address: str) -> None:
        """What stands in the fields; a pasted key is tested at once."""
        before = self.state
        if (key, address) == (before.key, before.address):
            return
        self._tasks.cancel("first run test")
        self._fold(with_typed(before, key=key, address=address))
        if len(key) - len(before.key) >= PASTED_CHARACTERS:
            self.test()

    def test(self) -> None:
        if self.state.can_test:
            self._tasks.start("first run test", self._test())

    def choose_model(self, name: str) -> None:
        self._fold(replace(self.state, model=name))

    def start(self) -> None:
        """Store the choice and finish; a key that was not tested is tested first."""
        if self.state.can_start:
            self._tasks.start("first run test", self._start())

    def later(self) -> None:
        self._tasks.start("first run later", self._finish({}))

    def look_at_sample(self) -> None:
        self._tasks.start("first run later", self._show_sample())

    def set_language(self, language: str) -> None:
        self._tasks.start("first run language", self._port.change(language=language))

    def set_theme(self, theme: str) -> None:
        self._tasks.start("first run theme", self._port.change(theme=theme))

    def give_passphrase(self, passphrase: str) -> None:
        self._tasks.start("first run secrets", self._keep(passphrase, start_over=False))

    def start_over(self, passphrase: str) -> None:
        self._tasks.start("first run secrets", self._keep(passphrase, start_over=True))

    def ask_keyring_again(self) -> None:
        self._port.secrets.try_keyring_again()
        self._tasks.start("first run secrets", self._look_at_secrets())

    async def _look(self) -> None:
        self._fold(with_servers(self.state, await self._port.endpoints.find_local()))

    async def _look_at_secrets(self) -> None:
        await self._port.secrets.get("")  # the keyring is found by asking it
        self._fold(replace(self.state, secrets=self._port.secrets.state))

    async def _keep(self, passphrase: str, *, start_over: bool) -> None:
        try:
            await self._port.secrets.use_file(passphrase, start_over=start_over)
        except SecretsError as error:
            self._fold(replace(self.state, error=error))
        else:
            self._fold(replace(self.state, error=None, secrets=self._port.secrets.state))

    async def _test(self) -> None:
        endpoint = self.state.endpoint
        if endpoint is None:
            return
        self._fold(replace(self.state, is_testing=True, report=None))
        report = await self._port.endpoints.test(endpoint, self.state.key)
        self._fold(with_report(self.state, report))

    async def _start(self) -> None:
        if not self.state.models:
            await self._test()
        source = self.state.source
        if source is None or not self.state.model:
            return  # the test has said why
        if source.kind != "built_in":
            report = self.state.report
            endpoint = report.endpoint if report else source.endpoint
            try:
                await self._port.endpoints.add(endpoint, self.state.key or None)
            except SecretsError as error:
                self._fold(replace(self.state, error=error))
                return
        await self._finish({"model": f"{source.id}/{self.state.model}"})

    async def _finish(self, values: dict[str, JsonValue]) -> None:
        await self._port.change(**values, has_started=True)
        self.finished.emit()

    async def _show_sample(self) -> None:
        await self._port.change(has_started=True)
        self.sample_asked.emit()

    def _note(self, changes: Changes) -> None:
        if Fact.SETTINGS in changes.facts:
            self._fold(replace(self.state, settings=self._port.settings))

    def _fold(self, state: OnboardingState) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit(state)
