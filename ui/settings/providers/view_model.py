"""Setting up endpoints: the form, its test, keys, and servers found on this computer."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from app.core.errors import SecretsError
from app.core.records import Changes, Fact
from app.providers.endpoints import ConnectionReport
from app.settings import Endpoint, Settings
from app.store.secrets import SecretsState
from app.tasks import TaskScope
from ui.settings.providers.state import (
    Check,
    EndpointForm,
    ProvidersState,
    blank_form,
    endpoint_of,
    form_of,
    problem_in,
    with_check,
    with_form,
)

HINT_CHARACTERS = 4


class SecretsPort(Protocol):
    """What keeps the keys; see `app.store.secrets.Secrets`."""

    @property
    def state(self) -> SecretsState: ...

    async def get(self, name: str) -> str | None: ...

    async def use_file(self, passphrase: str, *, start_over: bool = False) -> None:
        """
        Raises:
            SecretsError: the passphrase is not the file's.
        """
        ...

    def try_keyring_again(self) -> None: ...


class EndpointsPort(Protocol):
    """What sets providers up; see `app.bootstrap.endpoints.Endpoints`."""

    async def test(self, endpoint: Endpoint, key: str | None = None) -> ConnectionReport:
        """`key` None: the stored one."""
        ...

    async def find_local(self) -> tuple[Endpoint, ...]: ...

    async def add(self, endpoint: Endpoint, key: str | None = None) -> None:
        """Store, in place of one with the same id; `key` None: the stored one stays.

        Raises:
            SecretsError: the key cannot be kept.
        """
        ...

    async def remove(self, endpoint_id: str) -> None:
        """With its key."""
        ...


class ProvidersPort(Protocol):
    """What the page needs of the application."""

    @property
    def settings(self) -> Settings: ...

    @property
    def secrets(self) -> SecretsPort: ...

    @property
    def endpoints(self) -> EndpointsPort: ...

    def watch(self, listener: Callable[[Changes], None]) -> Callable[[], None]: ...


class ProvidersViewModel(QObject):
    """Signals:
    changed(ProvidersState): the whole new state.
    """

    changed = Signal(object)

    def __init__(self, port: ProvidersPort, tasks: TaskScope, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._port = port
        self._tasks = tasks
        self.state = ProvidersState(endpoints=port.settings.endpoints, secrets=port.secrets.state)
        self.stop_watching = port.watch(self._note)

    def refresh(self) -> None:
        """Look for local servers and at what is stored: when the page opens."""
        self._tasks.start("providers found", self._find())
        self._tasks.start("providers hints", self._read_hints())

    def begin(self, kind: str) -> None:
        """Open the form for a new endpoint of `kind`."""
        self._fold(with_form(self.state, blank_form(kind)))
        self._tasks.start("providers hints", self._read_hints())

    def edit(self, endpoint_id: str) -> None:
        if endpoint := self._port.settings.endpoint(endpoint_id):
            hint = self.state.key_hints.get(endpoint_id, "")
            self._fold(with_form(self.state, form_of(endpoint, hint)))

    def type(self, form: EndpointForm) -> None:
        """The form as it now stands; emits nothing of its own but the fall of an old test's answer."""
        if form != self.state.form:
            self._tasks.cancel("provider test ")
            self._fold(with_form(self.state, form))

    def close_form(self) -> None:
        self._tasks.cancel("provider test ")
        self._fold(with_form(self.state, None))

    def save(self) -> None:
        """Store the form as an endpoint and test it; or say at the field what is missing."""
        form = self.state.form
        if form and self._is_sound(form):
            self._tasks.start("provider save", self._save(form))

    def test_form(self) -> None:
        form = self.state.form
        if form and self._is_sound(form):
            endpoint = endpoint_of(form, self.state.endpoints)
            self._tasks.start("provider test ", self._test("", endpoint, form.key or None))

    def test(self, endpoint_id: str) -> None:
        if endpoint := self._port.settings.endpoint(endpoint_id):
            self._tasks.start(f"provider test {endpoint_id}", self._test(endpoint_id, endpoint, None))

    def add_found(self, endpoint: Endpoint) -> None:
        self._tasks.start("provider save", self._add(endpoint, None))

    def ask_removal(self, endpoint_id: str) -> None:
        """Ask first; `remove` does it. Empty: not after all."""
        self._fold(replace(self.state, removing=endpoint_id))

    def remove(self) -> None:
        if self.state.removing:
            self._tasks.start("provider remove", self._remove(self.state.removing))

    def give_passphrase(self, passphrase: str) -> None:
        self._tasks.start("provider keeping", self._keep(passphrase, start_over=False))

    def start_over(self, passphrase: str) -> None:
        """A new file for keys, in place of one whose passphrase is lost."""
        self._tasks.start("provider keeping", self._keep(passphrase, start_over=True))

    def ask_keyring_again(self) -> None:
        self._port.secrets.try_keyring_again()
        self._tasks.start("providers hints", self._read_hints())

    def _is_sound(self, form: EndpointForm) -> bool:
        problem = problem_in(form)
        self._fold(replace(self.state, problem=problem))
        return problem is None

    async def _save(self, form: EndpointForm) -> None:
        endpoint = endpoint_of(form, self.state.endpoints)
        check = self.state.checks.get("")
        if check and check.report and not check.report.error:
            endpoint = check.report.endpoint  # with the address that answered, and its models
        try:
            await self._add(endpoint, form.key or None)
        except SecretsError as error:
            self._fold(replace(self.state, secrets_error=error))
        else:
            self._fold(with_form(self.state, None))

    async def _add(self, endpoint: Endpoint, key: str | None) -> None:
        await self._port.endpoints.add(endpoint, key)
        found = tuple(item for item in self.state.found if item.base_url != endpoint.base_url)
        self._fold(replace(self.state, endpoints=self._port.settings.endpoints, found=found))
        await self._read_hints()
        self.test(endpoint.id)

    async def _test(self, name: str, endpoint: Endpoint, key: str | None) -> None:
        self._fold(with_check(self.state, name, Check()))
        report = await self._port.endpoints.test(endpoint, key)
        if name and not report.error and report.endpoint != endpoint:
            await self._port.endpoints.add(report.endpoint)  # its models, and the address that answered
        self._fold(with_check(self.state, name, Check(report=report)))

    async def _remove(self, endpoint_id: str) -> None:
        await self._port.endpoints.remove(endpoint_id)
        state = with_check(self.state, endpoint_id, None)
        self._fold(replace(state, removing="", endpoints=self._port.settings.endpoints))

    async def _find(self) -> None:
        servers = await self._port.endpoints.find_local()
        known = {item.base_url for item in self._port.settings.endpoints}
        self._fold(replace(self.state, found=tuple(item for item in servers if item.base_url not in known)))

    async def _read_hints(self) -> None:
        """Also finds out how keys are kept: that shows when one is asked for, so the form asks for one."""
        hints: dict[str, str] = {}
        names = [item.id for item in self._port.settings.endpoints if item.needs_key]
        for endpoint_id in (*names, "") if self.state.form else names:
            if key := await self._port.secrets.get(endpoint_id):
                hints[endpoint_id] = key[-HINT_CHARACTERS:]
        self._fold(replace(self.state, key_hints=hints, secrets=self._port.secrets.state))

    async def _keep(self, passphrase: str, *, start_over: bool) -> None:
        try:
            await self._port.secrets.use_file(passphrase, start_over=start_over)
        except SecretsError as error:
            self._fold(replace(self.state, secrets_error=error))
        else:
            self._fold(replace(self.state, secrets_error=None))
            await self._read_hints()

    def _note(self, changes: Changes) -> None:
        if Fact.SETTINGS in changes.facts:
            self._fold(replace(self.state, endpoints=self._port.settings.endpoints))

    def _fold(self, state: ProvidersState) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit(state)
