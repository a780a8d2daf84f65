"""The application: everything but the window, wired."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from pydantic import JsonValue

from app.agent.asides import AsidePorts
from app.agent.breakers import Breakers
from app.agent.commission import Commission
from app.agent.desk import DeskPorts
from app.agent.execution import FINGERPRINTED, ChatAgentExecutionCache, ExecutionPorts
from app.agent.hooks import Outcome, tried
from app.agent.lite_targets import LiteTargets
from app.agent.mcp.setting_up import McpSettings
from app.agent.rates import Rates
from app.agent.session import ChatSession, SessionPorts
from app.agent.subagents import SubAgentPorts, SubAgents
from app.agent.toolbox import BoxPorts, ToolBox
from app.agent.tools.skills import skills_of
from app.agent.tools.tool import Tool
from app.agent.tools.workspace import WorkspaceFiles
from app.agent.turns import TurnPorts
from app.agent.warmth import Attention, WarmthPorts
from app.bootstrap.endpoints import Endpoints, KnownFacts, built_in
from app.bootstrap.metrics_endpoint import MetricsEndpoint, exposed
from app.bootstrap.shipped import shipped_noise, shipped_prompts
from app.bootstrap.uses import Uses
from app.chats.library import Library
from app.context.conversation import Conversation
from app.context.counting import Counter
from app.context.engine import Engine
from app.context.ports import StepPorts, Writer
from app.core.approvals import Consent, Wish
from app.core.entries import Chat, Entry
from app.core.errors import AppError
from app.core.ids import ChatId, ModelId
from app.core.loading import loading
from app.core.parts import Blob
from app.core.records import Changes, Fact, RequestKind
from app.filters.work import FilterWork, readable
from app.health.cache import day_began
from app.providers.gateway import LiteLLMGateway
from app.providers.templates import BUILTIN_ENDPOINTS
from app.providers.web import SearchEngine, Web
from app.settings import Hook, Paths, Settings
from app.store.secrets import Secrets
from app.store.store import Store
from app.tasks import SystemClock, TaskScope, log_bug
from app.tokens.text_work import TextWorker
from app.vault.vault import Vault

log = logging.getLogger(__name__)

_BETWEEN_TEXTS_S = 0.02
"""What else is to be read or written gets in between."""


class Application:
    """Everything but the window. Made in an instant, ready after `prepare`, ended by `aclose`.

    Args:
        settings: As the first screen read them; those of the store hold after `prepare`.
        language: Of the interface, `en` or `zh`; asked anew for each turn.
        turns: Other ports for all turns, for whoever plays them instead of people and models.
        on_error: Told of failures that nobody expected.
    """

    def __init__(
        self,
        paths: Paths,
        settings: Settings | None = None,
        *,
        language: Callable[[], str] = lambda: "en",
        turns: Callable[[TurnPorts], TurnPorts] = lambda ports: ports,
        on_error: Callable[[BaseException], None] = log_bug,
    ) -> None:
        self.paths = paths
        self.settings = settings or Settings()
        self._on_error = on_error
        self._turns = turns
        self.store = Store(paths)
        self.clock = SystemClock()
        self.rates = Rates(self.clock)
        self.attention = Attention(self.clock, returned=self._take_up)
        self.vault = Vault(paths.vault)
        self.secrets = Secrets(paths)
        self.text = TextWorker()
        self.facts = KnownFacts(self.text.call)
        self.gateway = LiteLLMGateway(self.secrets, self.vault)
        self.library = Library(store=self.store, vault=self.vault, clock=self.clock)
        self.endpoints = Endpoints(
            self.secrets, self.facts, settings=lambda: self.settings, change=self.change
        )
        self._prompts = shipped_prompts()
        self.executions = ChatAgentExecutionCache(
            ExecutionPorts(
                settings=lambda: self.settings,
                chat_settings=self.store.chat_settings,
                save_chat_setting=self.store.save_chat_setting,
                facts=self.facts.one,
                built_in=built_in(),
                prompts=self._prompts,
                language=language,
                tools=self._offered,
                skills=partial(skills_of, self.paths.data),
            )
        )
        self._lite = LiteTargets(
            executions=self.executions,
            facts=self.facts,
            settings=lambda: self.settings,
            built_in=BUILTIN_ENDPOINTS,
        )
        self.mcp = McpSettings(
            self.secrets,
            lambda: self.settings,
            lambda servers: self.change(mcp_servers=servers),
            lambda _: self.publish(Changes(facts=frozenset({Fact.SETTINGS}))),
        )
        self.breakers = Breakers(
            self.store,
            self.clock,
            changed=lambda: self.publish(Changes(facts=frozenset({Fact.SETTINGS}))),
        )
        self.sub_agents = SubAgents(
            SubAgentPorts(
                store=self.store,
                clock=self.clock,
                settings=self.settings_of,
                session=self.session,
                on_error=on_error,
            )
        )
        self.tools = ToolBox(
            BoxPorts(
                data=self.paths.data,
                store=self.store,
                vault=self.vault,
                clock=self.clock,
                settings=self.settings_of,
                grant=self._grant,
                delegate=self.sub_agents.follow,
                web=Web(partial(readable, self.text.call), engine=self._search_engine),
            )
        )
        self.metrics = MetricsEndpoint(
            partial(exposed, self.store, since=self.clock.now(), circles=self.tools.circles)
        )
        self.uses = Uses(
            session=self.session,
            executions=self.executions,
            settings=lambda: self.settings,
            library=self.library,
            store=self.store,
            vault=self.vault,
            clock=self.clock,
            publish=self.publish,
        )
        self._sessions: dict[ChatId, ChatSession] = {}
        self._listeners: list[Callable[[Changes], None]] = []
        self._tasks = TaskScope(on_error)
        self._changing = asyncio.Lock()

    @classmethod
    async def open(
        cls, paths: Paths, *, turns: Callable[[TurnPorts], TurnPorts] = lambda ports: ports
    ) -> "Application":
        """An application that is prepared; for all but the window, which shows before that."""
        application = cls(paths, turns=turns)
        await application.prepare()
        return application

    async def prepare(self) -> None:
        """Bring the data folder up to date, and put right what a sudden end left (M8); all else waits for it.

        Raises:
            StoreError: with a sentence that says what can be done.
        """
        await self.store.prepare()
        await self.store.recover()
        await self.breakers.load()
        async with self._changing:  # what was changed meanwhile is stored by then
            self.settings = await self.store.settings()

    async def start(self) -> None:
        """Bring the workers up; called after the window shows."""
        await self.gateway.start()
        self.mcp.servers.sync(self.settings.mcp_servers)
        await self.metrics.serve(self.settings.metrics_port)
        self._tasks.start("upkeep", self._keep_up())
        self._tasks.start("texts", self._read_texts())

    async def aclose(self) -> None:
        """End what runs, keep what had arrived, close everything."""
        for session in tuple(self._sessions.values()):
            await session.aclose()
        await self.tools.aclose()
        await self.metrics.aclose()
        await self._tasks.aclose()
        async with asyncio.TaskGroup() as ending:
            ending.create_task(self.gateway.aclose())
            ending.create_task(self.mcp.servers.aclose())
            ending.create_task(self.text.aclose())
        await self.store.aclose()

    async def _keep_up(self) -> None:
        """What is done once a day, or when there is time: trash that is old enough goes, a backup, the vault swept."""
        for chat in await self.library.expired():
            await self.delete_for_good(chat.id)
        await self.store.back_up_daily()
        await self.store.sweep_vault()

    async def _read_texts(self) -> None:
        """What waits enters the index, a little at a time, as long as the program runs."""
        while True:
            await self.store.has_waiting.wait()
            self.store.has_waiting.clear()
            while await self.store.read_texts():
                await self.clock.sleep(_BETWEEN_TEXTS_S)

    def watch(self, listener: Callable[[Changes], None]) -> Callable[[], None]:
        """Hear of every write. Returns: stop hearing."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def publish(self, changes: Changes) -> None:
        for listener in tuple(self._listeners):
            listener(changes)

    def _take_up(self) -> None:
        """Somebody is here again: what is still warm is kept so."""
        for session in self._sessions.values():
            session.take_up()

    # -- settings

    async def change(self, **values: JsonValue) -> None:
        """Set what is named; holds from the next message on.

        Raises:
            ValidationError: a value is not one that the field takes; nothing was changed.
            StoreError: they could not be stored; nothing was changed.
        """
        async with self._changing:
            settings = Settings.model_validate(self.settings.model_dump() | values)
            changes = await self.store.save_settings(settings.model_dump(mode="json", include=set(values)))
            self.settings = settings
        if "endpoints" in values:
            await self.breakers.settings_changed()
        if "mcp_servers" in values:  # what may not run any more ends at once (A8)
            self.mcp.servers.sync(self.settings.mcp_servers)
        if "metrics_port" in values:
            await self.metrics.serve(self.settings.metrics_port)
        self.publish(changes)
        if values.keys() & {*FINGERPRINTED, "endpoints", "model", "model_overrides"}:
            for session in self._sessions.values():  # its window may be another one, and its ring is seen
                session.take_up()

    # -- chats

    async def end_of(self, chat_id: ChatId, n: int) -> tuple[Chat, tuple[Entry, ...]]:
        """A chat and its last `n` entries, soon, however long it is."""
        return await self.store.chat(chat_id), await self.store.tail(chat_id, n)

    async def session(self, chat_id: ChatId) -> ChatSession:
        """The open chat; opened when it is not, and kept until the program ends."""
        if chat_id not in self._sessions:
            with loading():
                contents = await self.store.load(chat_id)
                requests = await self.store.requests(chat_id)
                compactions = await self.store.compactions(chat_id)
                conversation = await asyncio.to_thread(Conversation, contents, requests, compactions)
            draft = await self.store.draft(chat_id)
            counter = Counter(chat_id, store=self.store, work=self.text, vault=self.vault)
            engine = Engine(conversation, store=self.store, ports=self._step_ports(chat_id))
            session = ChatSession(conversation, draft, counter, engine, self._session_ports())
            session = self._sessions.setdefault(chat_id, session)
            self._tasks.start(f"look {chat_id}", self._look(session))
        return self._sessions[chat_id]

    async def delete_for_good(self, chat_id: ChatId) -> None:
        """Purge a chat (M13); where it is still open its turn ends first."""
        if session := self._sessions.pop(chat_id, None):
            await session.aclose()
        self.publish(await self.library.delete_for_good(chat_id))

    async def keep_blob(self, blob: Blob, *, keep: bool = True) -> None:
        """See `Library.keep_blob`."""
        self.publish(await self.library.keep_blob(blob, keep=keep))

    async def choose_model(self, chat_id: ChatId, model: ModelId) -> None:
        """The chat's next message goes to `model`; so do those of chats begun from now on."""
        changes = await self.store.update_chat(chat_id, model=model)
        if session := self._sessions.get(chat_id):
            session.conversation.chat = replace(session.conversation.chat, model=model)
            await self._look(session)
        await self.change(model=model)
        self.publish(changes)

    async def _look(self, session: ChatSession) -> None:
        try:
            with loading():
                await session.look()
        except AppError as error:  # the next turn tells it where it concerns
            log.info("The model of a chat is not known: %s", error)
        self.publish(Changes(facts=frozenset({Fact.REQUESTS}), chats=frozenset({session.conversation.id})))

    def _session_ports(self) -> SessionPorts:
        return SessionPorts(
            turn=self._turns(
                TurnPorts(
                    store=self.store,
                    gateway=self.gateway,
                    clock=self.clock,
                    execution=self.executions.of,
                    tools=self.tools,
                    rates=self.rates,
                )
            ),
            reply=self.tools.reply,
            publish=self.publish,
            on_error=self._on_error,
            desk=DeskPorts(
                store=self.store,
                clock=self.clock,
                executions=self.executions,
                compresses=lambda: self.settings.compresses,
                writer=self._writer,
                breakers=lambda: self.breakers.states,
            ),
            title_target=self._lite.title,
            noise=shipped_noise,
            warmth=WarmthPorts(
                asides=self._asides,
                executions=self.executions,
                settings=lambda: self.settings,
                attention=self.attention,
                spent_today_usd=self._spent_on_probes_today,
            ),
        )

    async def settings_of(self, chat_id: ChatId) -> Settings:
        """A chat's own on top of the application's, as they are now."""
        return self.settings.layered(await self.store.chat_settings(chat_id))

    async def choose_workspace(self, chat_id: ChatId, folder: str) -> None:
        """The chat works in `folder` from its next message on; empty: in none."""
        self.publish(await self.store.save_chat_setting(chat_id, "workspace", folder or None))
        if session := self._sessions.get(chat_id):
            await self._look(session)

    async def try_hook(self, hook: Hook) -> Outcome:
        """See `agent.hooks.tried`."""
        return await tried(hook)

    async def _grant(self, chat_id: ChatId, wish: Wish, consent: Consent) -> None:
        """Remember a person's "for this chat" or "always"."""
        if consent is Consent.ALWAYS:
            await self.change(allowed_always=[*dict.fromkeys((*self.settings.allowed_always, *wish.rules))])
        elif consent is Consent.CHAT:
            known = (await self.settings_of(chat_id)).allowed_here
            rules: list[JsonValue] = [*dict.fromkeys((*known, *wish.rules))]
            self.publish(await self.store.save_chat_setting(chat_id, "allowed_here", rules))

    @property
    def _asides(self) -> AsidePorts:
        return AsidePorts(store=self.store, gateway=self.gateway, clock=self.clock, rates=self.rates)

    async def _search_engine(self) -> SearchEngine | None:
        kind = self.settings.search_engine
        if not kind:
            return None
        return SearchEngine(
            kind=kind, url=self.settings.search_url, key=await self.secrets.get(f"search-{kind}") or ""
        )

    async def _spent_on_probes_today(self) -> float:
        made = await self.store.requests_since(day_began(self.clock.now()))
        return sum(item.cost_usd or 0.0 for item in made if item.kind is RequestKind.PROBE)

    def _step_ports(self, chat_id: ChatId) -> StepPorts:
        return StepPorts(
            vault=self.vault,
            text=self.text,
            filters=FilterWork(self.text.call),
            files=WorkspaceFiles(
                partial(self.settings_of, chat_id), self.paths.data, self.tools.seen(chat_id)
            ),
            clock=self.clock,
            prompts=self._prompts,
        )

    async def _offered(self, settings: Settings) -> tuple[Tool, ...]:
        from app.agent.mcp.tool import all_offered  # no start waits for tools

        return await all_offered(self.mcp.servers, self.settings.mcp_servers, settings)

    async def _writer(self, commission: Commission) -> Writer | None:
        # No start waits for the form of a summary.
        from app.agent.writer import WriterPorts, writer_for

        ports = WriterPorts(
            asides=self._asides,
            breakers=self.breakers,
            lite=self._lite.lite,
            known=lambda target: self.executions.known(target, self.settings),
        )
        return await writer_for(commission, ports)
