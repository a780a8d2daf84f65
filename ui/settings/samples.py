"""Sample states of the settings, on an application that lives in memory."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Self

from pydantic import JsonValue
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from app.agent.hooks import Outcome
from app.context.ports import Removal
from app.core.entries import Chat
from app.core.errors import AppError, SecretsError
from app.core.ids import ChatId, ModelId
from app.core.records import Changes, Fact, Spending
from app.models.families import family_of
from app.models.registry import ModelFacts, Prices
from app.models.window import Window, WindowSource
from app.providers.catalogue import OfferedModel
from app.providers.endpoints import ConnectionReport, ListedModel
from app.providers.errors import Fault, to_error
from app.settings import Endpoint, Hook, Paths, Settings
from app.store.secrets import Place, Reason, SecretsState
from app.tasks import TaskScope
from ui.kit.showcase import Stage, showcase
from ui.settings.hooks.view_model import HooksViewModel
from ui.settings.mcp.samples import SERVERS, SampleServers
from ui.settings.mcp.view_model import McpViewModel
from ui.settings.models.view_model import ModelsViewModel
from ui.settings.providers.view_model import ProvidersViewModel
from ui.settings.shortcuts.state import Binding
from ui.settings.state import PageId
from ui.settings.storage.state import BackupFile, StorageState
from ui.settings.storage.view_model import StorageViewModel
from ui.settings.tools_model import ToolsViewModel
from ui.settings.trash.state import trash_state
from ui.settings.trash.view import TrashRow
from ui.settings.trash.view_model import TrashViewModel
from ui.settings.usage.view_model import UsageViewModel
from ui.settings.view import Outside, SettingsModels, SettingsView
from ui.settings.view_model import SettingsViewModel

OLLAMA = Endpoint(
    id="ollama",
    kind="ollama",
    name="Ollama",
    base_url="http://127.0.0.1:11434/v1",
    needs_key=False,
    models=("qwen3:8b", "llama3.2:3b"),
)
OPENAI = Endpoint(
    id="openai",
    kind="openai",
    name="OpenAI",
    base_url="https://api.openai.com/v1",
    models=("gpt-4.1", "gpt-4.1-mini"),
)
_DELETED_AT = datetime(2026, 11, 28, 9, 0, tzinfo=UTC)
_PASSPHRASE = "open sesame"


class SampleSecrets:
    """Keys in memory; `state` may be set to any of the places a real one knows."""

    def __init__(self) -> None:
        self.state = SecretsState(place=Place.KEYRING)
        self.values: dict[str, str] = {}

    async def get(self, name: str) -> str | None:
        return self.values.get(name)

    async def put(self, name: str, value: str) -> None:
        self.values[name] = value

    async def delete(self, name: str) -> None:
        self.values.pop(name, None)

    async def use_file(self, passphrase: str, *, start_over: bool = False) -> None:
        if passphrase != _PASSPHRASE and not start_over:
            raise SecretsError("This passphrase does not open the file with the keys.")
        self.state = SecretsState(place=Place.FILE, reason=self.state.reason)

    def try_keyring_again(self) -> None:
        self.state = SecretsState(place=Place.KEYRING)


BINDINGS = (
    Binding(id="new_chat", section="Chat", title="New chat", keys="Ctrl+N"),
    Binding(id="find", section="Chat", title="Find anything", keys="Ctrl+K"),
    Binding(id="zoom_in", section="View", title="Larger text", keys="Ctrl+=; Ctrl++"),
    Binding(id="stop", section="Messages", title="Stop the answer", keys="Esc", is_fixed=True),
    Binding(id="fork", section="Messages", title="Continue in a new chat…", keys=""),
)


async def sample_spending() -> tuple[Spending, ...]:
    """Two days, two models, two chats; one of them has no price."""
    days = (_DELETED_AT.date(), _DELETED_AT.date() - timedelta(days=3))
    priced = [
        Spending(
            day=day,
            model=ModelId("openai/gpt-4.1"),
            chat_id=ChatId(f"c{n}"),
            title=title,
            n_requests=12 + n,
            prompt_tokens=418_220 // (n + 1),
            cached_tokens=380_020 // (n + 1),
            completion_tokens=9_114,
            cost_usd=0.41 + n,
            n_unpriced=0,
        )
        for n, (day, title) in enumerate(zip(days, ("Migrate billing to ledger v2", ""), strict=True))
    ]
    local = replace(priced[0], model=ModelId("ollama/qwen3:8b"), cached_tokens=0, cost_usd=0.0, n_unpriced=12)
    return (*priced, local)


HOOKS = (
    Hook(event="after_answer", command="notify-send Palimpsest 'The answer is there'", enabled=True),
    Hook(event="before_tool", command="python3 ~/hooks/no_pushes.py", timeout_s=5),
)


class SampleApplication:
    """What the settings ask of the application, without a disk and without a network.

    A key that begins with `sk-` works; any other is refused.
    """

    def __init__(self, settings: Settings | None = None, *, servers: tuple[Endpoint, ...] = ()) -> None:
        self.settings = settings or Settings()
        self.secrets = SampleSecrets()
        self.servers = servers
        self.tested: list[Endpoint] = []
        self.mcp = SampleServers(lambda: self.settings, lambda servers: self.change(mcp_servers=[*servers]))
        self._listeners: list[Callable[[Changes], None]] = []

    async def change(self, **settings: JsonValue) -> None:
        self.settings = Settings.model_validate(self.settings.model_dump() | settings)
        for listener in tuple(self._listeners):
            listener(Changes(facts=frozenset({Fact.SETTINGS})))

    def watch(self, listener: Callable[[Changes], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def try_hook(self, hook: Hook) -> Outcome:
        return Outcome(hook=hook, code=3 if "false" in hook.command else 0, text="As it was told.")

    @property
    def endpoints(self) -> Self:
        return self

    async def offers(self) -> tuple[OfferedModel, ...]:
        return tuple(
            self._offer(endpoint, name) for endpoint in self.settings.endpoints for name in endpoint.models
        )

    async def test(self, endpoint: Endpoint, key: str | None = None) -> ConnectionReport:
        self.tested.append(endpoint)
        key = key or self.secrets.values.get(endpoint.id, "")
        if endpoint.needs_key and not key.startswith("sk-"):
            fault = Fault(code="key_wrong" if key else "key_missing")
            return ConnectionReport(endpoint=endpoint, error=to_error(fault, endpoint=endpoint, model=""))
        names = endpoint.models or ("large", "small")
        found = endpoint.model_copy(update={"models": names})
        models = tuple(ListedModel(name=name) for name in names)
        return ConnectionReport(endpoint=found, models=models, latency_ms=214)

    async def find_local(self) -> tuple[Endpoint, ...]:
        return self.servers

    async def add(self, endpoint: Endpoint, key: str | None = None) -> None:
        if key is not None:
            self.secrets.values[endpoint.id] = key
        kept = [item for item in self.settings.endpoints if item.id != endpoint.id]
        await self.change(endpoints=[item.model_dump(mode="json") for item in (*kept, endpoint)])

    async def remove(self, endpoint_id: str) -> None:
        self.secrets.values.pop(endpoint_id, None)
        kept = [item for item in self.settings.endpoints if item.id != endpoint_id]
        await self.change(endpoints=[item.model_dump(mode="json") for item in kept])

    def _offer(self, endpoint: Endpoint, name: str) -> OfferedModel:
        model = ModelId(f"{endpoint.id}/{name}")
        override = self.settings.model_overrides.get(model)
        window = Window()
        facts = ModelFacts()
        if override and override.window_tokens:
            window = Window(tokens=override.window_tokens, source=WindowSource.YOU)
        elif endpoint.needs_key:
            window = Window(tokens=1_047_576, source=WindowSource.REGISTRY)
        if endpoint.needs_key:
            prices = Prices(input_usd=2e-6, output_usd=8e-6, cached_usd=5e-7)
            facts = ModelFacts(name=name, prices=prices, tools=True, vision=True, cache=True)
        family = family_of(endpoint.kind, name)
        return OfferedModel(id=model, name=name, endpoint=endpoint, window=window, facts=facts, family=family)


class SampleTrash:
    """`TrashLibrary` and `TrashPort` in memory."""

    def __init__(self, *titles: str) -> None:
        self.trashed = [
            Chat(
                id=ChatId(f"c{n}"),
                title=title,
                created_at=_DELETED_AT,
                updated_at=_DELETED_AT,
                rev=0,
                head=None,
                deleted_at=_DELETED_AT - timedelta(days=9 * n),
            )
            for n, title in enumerate(titles)
        ]
        self._listeners: list[Callable[[Changes], None]] = []

    async def chats(self, *, trash: bool = False) -> tuple[Chat, ...]:
        return tuple(self.trashed) if trash else ()

    async def restore(self, chat_id: ChatId) -> Changes:
        self.trashed = [chat for chat in self.trashed if chat.id != chat_id]
        return Changes(facts=frozenset({Fact.CHATS}))

    async def removal(self, chat_id: ChatId) -> Removal:
        return Removal(entries=42, shared_with=(), backups=("daily-2026-11-28.sqlite3",))

    async def delete_for_good(self, chat_id: ChatId) -> None:
        self.publish(await self.restore(chat_id))

    def publish(self, changes: Changes) -> None:
        for listener in self._listeners:
            listener(changes)

    def watch(self, listener: Callable[[Changes], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)


async def _sandboxed() -> bool:
    return False


def trash_model(trash: SampleTrash, tasks: TaskScope) -> TrashViewModel:
    return TrashViewModel(trash, trash, tasks, now=lambda: _DELETED_AT + timedelta(days=1))


def sample_view(
    app: SampleApplication, stage: Stage, tasks: TaskScope, trash: SampleTrash | None = None
) -> SettingsView:
    models = SettingsModels(
        settings=SettingsViewModel(app, tasks),
        providers=ProvidersViewModel(app, tasks),
        models=ModelsViewModel(app, tasks),
        storage=StorageViewModel(Paths(data=Path("palimpsest")), tasks),
        trash=trash_model(trash or SampleTrash(), tasks),
        tools=ToolsViewModel(_sandboxed, app.secrets, tasks),
        mcp=McpViewModel(app, tasks),
        hooks=HooksViewModel(app, tasks),
        usage=UsageViewModel(sample_spending, tasks, today=_DELETED_AT.date),
    )
    outside = Outside(
        say=_say,
        open_link=_ignore,
        open_folder=_ignore,
        bindings=lambda: BINDINGS,
        elsewhere=lambda _context, _text: "",
    )
    return SettingsView(models, outside, theme=stage.theme, icons=stage.icons)


def _say(error: AppError) -> str:
    return error.message


def _ignore(target: object) -> None:
    """There is nothing to open."""


def _page(page: PageId, stage: Stage) -> SettingsView:
    app = SampleApplication(
        Settings(
            endpoints=(OPENAI, OLLAMA),
            model="openai/gpt-4.1",
            fallback_models=("openai/gpt-4.1-mini", "acme/large", "ollama/qwen3:8b"),
        ),
        servers=(
            Endpoint(id="jan", kind="jan", name="Jan", base_url="http://127.0.0.1:1337/v1", models=("a",)),
        ),
    )
    app.secrets.values["openai"] = "sk-sample-key-7Qx2"
    view = sample_view(app, stage, TaskScope())
    view.show_page(page)
    return view


def _providers(stage: Stage) -> QWidget:
    view = _page("providers", stage)
    for endpoint_id in ("openai", "ollama"):
        view.providers.cards[endpoint_id].test_button.click()
    return view


def _form(stage: Stage) -> QWidget:
    view = _page("providers", stage)
    view.providers.templates["anthropic"].click()
    view.providers.form.key.setText("not a key")
    view.providers.form.test_button.click()
    return view


def _models(stage: Stage) -> QWidget:
    view = _page("models", stage)
    view.show_window(ModelId("ollama/qwen3:8b"))
    view.models.window_input.setText("eight thousand")
    view.models.set_button.click()
    return view


def _no_fallbacks(stage: Stage) -> QWidget:
    app = SampleApplication(Settings(endpoints=(OLLAMA,), model="ollama/qwen3:8b"))
    view = sample_view(app, stage, TaskScope())
    view.show_page("models")
    return view


def _appearance(stage: Stage) -> QWidget:
    view = _page("appearance", stage)
    view.appearance.motion.click()
    view.appearance.zoom.input.setText("500")
    view.appearance.zoom.input.submitted.emit("500")
    return view


def _tools(stage: Stage) -> QWidget:
    app = SampleApplication(
        Settings(
            allowed_always=("shell:git status", "write:/projects/billing"),
            input_folders=("/projects/manuals",),
            tools_off=("delegate",),
        )
    )
    view = sample_view(app, stage, TaskScope())
    view.show_page("tools")
    return view


def _cache(stage: Stage) -> QWidget:
    view = _page("cache", stage)
    view.cache.mode.modes.chosen.emit("always")
    view.cache.limit.setText("a dollar")
    view.cache.limit.submitted.emit("a dollar")
    return view


def _mcp(stage: Stage, *, server: str = "", imports: bool = False) -> QWidget:
    view = sample_view(SampleApplication(Settings(mcp_servers=SERVERS)), stage, TaskScope())
    view.show_page("mcp")
    view.mcp.cards["git"].tools_button.click()
    if imports:
        view.mcp.import_button.click()
    if server:
        view.mcp.cards[server].edit_button.click()
        view.mcp.form.name.setText("")
        view.mcp.form.save_button.click()
    return view


def _hooks(stage: Stage, *, allows: bool = False, edits: bool = False) -> QWidget:
    view = sample_view(SampleApplication(Settings(hooks=HOOKS)), stage, TaskScope())
    view.show_page("hooks")
    if allows:
        view.hooks.cards[1].switch.click()
    if edits:
        view.hooks.cards[0].edit_button.click()
    return view


def _context(stage: Stage) -> QWidget:
    view = _page("context", stage)
    view.context.why_button.click()
    return view


def _shortcuts(stage: Stage) -> QWidget:
    view = _page("shortcuts", stage)
    view.shortcuts.keys.setKeySequence(QKeySequence("Ctrl+K"))
    return view


def _privacy(stage: Stage) -> QWidget:
    app = SampleApplication(Settings(confirmed_hosts=("docs.python.org", "github.com")))
    view = sample_view(app, stage, TaskScope())
    view.show_page("privacy")
    return view


def _usage(stage: Stage) -> QWidget:
    view = _page("usage", stage)
    view.usage.by.chosen.emit("model")
    return view


def _data(stage: Stage) -> QWidget:
    view = _page("data", stage)
    view.storage.draw(
        StorageState(
            folder=Path("palimpsest"),
            database_bytes=41_200_000,
            vault_bytes=310_000_000,
            backups=tuple(
                BackupFile(name=name, path=Path(name), n_bytes=40_800_000, made_at=_DELETED_AT)
                for name in ("daily-2026-11-28.sqlite3", "upgrade-0006-2026-11-27T08-00-00.sqlite3")
            ),
        )
    )
    return view


def _trash(stage: Stage, *titles: str, asks: bool = False) -> QWidget:
    trash = SampleTrash(*titles)
    view = sample_view(SampleApplication(), stage, TaskScope(), trash)
    view.trash.draw(trash_state(trash.trashed, now=_DELETED_AT + timedelta(days=1)))
    view.show_page("trash")
    if asks:
        view.trash.findChildren(TrashRow)[0].delete_button.click()
    return view


def _trash_full(stage: Stage, *, asks: bool) -> QWidget:
    long = (
        "Why the nightly report of the billing service differs from what the ledger says at the end of March"
    )
    return _trash(stage, "Migrate billing to ledger v2", long, "", "把计费迁移到新账本", asks=asks)


def _about(stage: Stage) -> QWidget:
    return _page("about", stage)


def _no_keyring(stage: Stage) -> QWidget:
    app = SampleApplication()
    app.secrets.state = SecretsState(place=Place.SESSION, reason=Reason.MISSING)
    view = sample_view(app, stage, TaskScope())
    view.providers.templates["compatible"].click()
    view.providers.form.save_button.click()
    return view


def main() -> None:
    showcase(
        {
            "providers": _providers,
            "form": _form,
            "no-keyring": _no_keyring,
            "models": _models,
            "models-alone": _no_fallbacks,
            "tools": _tools,
            "hooks": _hooks,
            "hooks-allow": partial(_hooks, allows=True),
            "hooks-form": partial(_hooks, edits=True),
            "mcp": _mcp,
            "mcp-form": partial(_mcp, server="files"),
            "mcp-import": partial(_mcp, imports=True),
            "cache": _cache,
            "appearance": _appearance,
            "chat": partial(_page, "chat"),
            "context": _context,
            "language": partial(_page, "language"),
            "shortcuts": _shortcuts,
            "privacy": _privacy,
            "usage": _usage,
            "data": _data,
            "trash": partial(_trash_full, asks=False),
            "trash-asks": partial(_trash_full, asks=True),
            "trash-empty": _trash,
            "about": _about,
        }
    )
