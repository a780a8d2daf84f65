"""Sample states of the first run, on an application that lives in memory."""

from collections.abc import Callable
from typing import Self

from pydantic import JsonValue
from PySide6.QtWidgets import QWidget

from app.core.errors import AppError, SecretsError
from app.core.records import Changes, Fact
from app.providers.endpoints import ConnectionReport, ListedModel
from app.providers.errors import Fault, to_error
from app.providers.templates import BUILTIN, EMBEDDED
from app.settings import Endpoint, Settings
from app.store.secrets import Place, Reason, SecretsState
from app.tasks import TaskScope
from ui.kit.showcase import Stage, showcase
from ui.onboarding.view import OnboardingView
from ui.onboarding.view_model import OnboardingViewModel

OLLAMA = Endpoint(
    id="ollama",
    kind="ollama",
    name="Ollama",
    base_url="http://127.0.0.1:11434/v1",
    needs_key=False,
    models=("qwen3:8b", "llama3.2:3b", "gemma3:4b", "phi4:14b", "mistral:7b"),
)
PASSPHRASE = "open sesame"


class SampleSecrets:
    def __init__(self) -> None:
        self.state = SecretsState(place=Place.KEYRING)
        self.values: dict[str, str] = {}

    async def get(self, name: str) -> str | None:
        return self.values.get(name)

    async def use_file(self, passphrase: str, *, start_over: bool = False) -> None:
        if passphrase != PASSPHRASE and not start_over:
            raise SecretsError("This passphrase does not open the file with the keys.")
        self.state = SecretsState(place=Place.FILE, reason=self.state.reason)

    def try_keyring_again(self) -> None:
        self.state = SecretsState(place=Place.KEYRING)


class SampleApplication:
    """What the first run asks of the application. A key that begins with `sk-` works; any other is refused."""

    def __init__(self, *, servers: tuple[Endpoint, ...] = ()) -> None:
        self.settings = Settings()
        self.secrets = SampleSecrets()
        self.servers = servers
        self.n_tests = 0
        self._listeners: list[Callable[[Changes], None]] = []

    @property
    def endpoints(self) -> Self:
        return self

    def built_in(self) -> tuple[Endpoint, ...]:
        return (EMBEDDED, BUILTIN)

    async def change(self, **values: JsonValue) -> None:
        self.settings = Settings.model_validate(self.settings.model_dump() | values)
        for listener in tuple(self._listeners):
            listener(Changes(facts=frozenset({Fact.SETTINGS})))

    def watch(self, listener: Callable[[Changes], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def find_local(self) -> tuple[Endpoint, ...]:
        return self.servers

    async def test(self, endpoint: Endpoint, key: str | None = None) -> ConnectionReport:
        self.n_tests += 1
        if endpoint.needs_key and not (key or "").startswith("sk-"):
            error = to_error(Fault(code="key_wrong"), endpoint=endpoint, model="")
            return ConnectionReport(endpoint=endpoint, error=error)
        models = ("claude-large", "claude-small")
        found = endpoint.model_copy(update={"models": models})
        return ConnectionReport(endpoint=found, models=tuple(ListedModel(name=name) for name in models))

    async def add(self, endpoint: Endpoint, key: str | None = None) -> None:
        if key is not None:
            self.secrets.values[endpoint.id] = key
        await self.change(endpoints=[endpoint.model_dump(mode="json")])


def sample_view(app: SampleApplication, stage: Stage, tasks: TaskScope) -> OnboardingView:
    return OnboardingView(
        OnboardingViewModel(app, tasks),
        theme=stage.theme,
        icons=stage.icons,
        say=_say,
        open_link=_ignore,
    )


def _say(error: AppError) -> str:
    return error.message


def _ignore(link: str) -> None:
    """There is nothing to open."""


def _found(stage: Stage) -> QWidget:
    return sample_view(SampleApplication(servers=(OLLAMA,)), stage, TaskScope())


def _works(stage: Stage) -> QWidget:
    view = sample_view(SampleApplication(servers=(OLLAMA,)), stage, TaskScope())
    view.cards["anthropic"].click()
    view.key_card.key.setText("sk-ant-sample-key-7Qx2")
    return view


def _refused(stage: Stage) -> QWidget:
    app = SampleApplication()
    app.secrets.state = SecretsState(place=Place.SESSION, reason=Reason.MISSING)
    view = sample_view(app, stage, TaskScope())
    view.cards["compatible"].click()
    view.key_card.address.setText("llm.example.org")
    view.key_card.key.setText("not a key at all")
    return view


def main() -> None:
    showcase({"first-run": _found, "works": _works, "refused": _refused})
