"""What a turn runs on: one model at one place, its window, its system text; and a name for the whole (A8)."""

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

from app.agent.ports import Target
from app.agent.prompts import Prompts, prelude
from app.agent.tools.skills import SKILL, Skill, skill_tool
from app.agent.tools.tool import Tool
from app.cache.terms import Terms, terms_of
from app.core.entries import Chat
from app.core.errors import Action, AppError
from app.core.ids import ChatId, ModelId
from app.core.requests import Prelude, Sampling
from app.models.families import Family, family_of
from app.models.registry import ModelFacts
from app.models.window import Window, window_of
from app.settings import Endpoint, Hook, Settings

FINGERPRINTED = (
    "lite_model", "fallback_models", "model_overrides", "max_tokens", "temperature", "reasoning_effort",
    "prompt_mode", "instructions", "uses_tools", "tools_off", "workspace", "input_folders", "output_folders",
    "shell_network", "access", "allowed_always", "allowed_here", "mcp_servers", "most_requests", "cache_mode",
    "web_tools", "hooks", "search_engine", "search_url",
)  # fmt: skip


class NoModel(AppError):
    """Nothing is chosen that could answer; caught by the turn, which ends with it."""

    code = "no_model"
    actions = (Action.SETTINGS, Action.MODEL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """Built before a turn when the fingerprint differs from the last one's; never changed while it runs."""

    fingerprint: str
    target: Target
    family: Family
    facts: ModelFacts
    window: Window
    prelude: Prelude
    sampling: Sampling
    fallbacks: tuple[ModelId, ...] = ()
    """Who is asked, in this order, when this one fails before its first word (A6)."""
    tools: tuple[Tool, ...] = ()
    """What its model may call, as the prelude tells it."""
    skills: tuple[Skill, ...] = ()
    """What its tool `skill` can load."""
    server_chars: Mapping[str, int] = field(default_factory=dict[str, int])
    """By MCP server: how long a result of its tools comes in whole (C28 L1)."""
    hooks: tuple[Hook, ...] = ()
    """Commands that are run as the turn goes (A16)."""
    folder: Path = field(default_factory=Path.home)
    """Where they run."""
    most_requests: int = 100
    """So often a turn asks the model before it asks the person."""

    @property
    def model(self) -> ModelId:
        return self.target.model

    def terms(self, prompt_tokens: int) -> Terms:
        """Of the provider's prompt cache, for a prompt of so many tokens."""
        return terms_of(self.family, self.target.name, self.facts, prompt_tokens=prompt_tokens)


def compute_execution_fingerprint(
    settings: Settings,
    target: Target,
    *,
    window: Window,
    language: str,
    tools: Sequence[Tool] = (),
    skills: Sequence[Skill] = (),
) -> str:
    """SHA-256 over all that a request depends on beside the conversation; no secret goes into it."""
    parameters: Mapping[str, object] = {
        **settings.model_dump(include=set(FINGERPRINTED)),
        "endpoint": target.endpoint.model_dump(exclude={"models"}),
        "name": target.name,
        "window_tokens": window.tokens,
        "language": language,
        "tools": sorted((tool.spec.name, tool.spec.description, tool.spec.schema) for tool in tools),
        "skills": sorted((skill.name, skill.sha256) for skill in skills),
    }
    canonical = json.dumps(parameters, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def mode_of(settings: Settings) -> str:
    if settings.prompt_mode != "auto":
        return settings.prompt_mode
    return "full" if settings.workspace and settings.uses_tools else "naked"


async def no_tools(settings: Settings) -> tuple[Tool, ...]:
    return ()


async def no_skills(settings: Settings) -> tuple[Skill, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionPorts:
    settings: Callable[[], Settings]
    chat_settings: Callable[[ChatId], Awaitable[Mapping[str, JsonValue]]]
    save_chat_setting: Callable[[ChatId, str, JsonValue], Awaitable[object]]
    facts: Callable[[str, str], Awaitable[ModelFacts]]
    """Kind of endpoint and name → what the registry says."""
    built_in: tuple[Endpoint, ...]
    """Endpoints that need no set-up, the preferred one first."""
    prompts: Prompts
    language: Callable[[], str]
    """Of the interface: `en` or `zh`."""
    tools: Callable[[Settings], Awaitable[tuple[Tool, ...]]] = no_tools
    """What a chat with these settings offers its model."""
    skills: Callable[[Settings], Awaitable[tuple[Skill, ...]]] = no_skills
    """What lies in the folders of skills that a chat with these settings has."""


def _folder(settings: Settings) -> Path:
    workspace = Path(settings.workspace).expanduser() if settings.workspace else None
    return workspace if workspace and workspace.is_dir() else Path.home()


class ChatAgentExecutionCache:
    """The execution of each chat's last turn, kept until its fingerprint is another one."""

    def __init__(self, ports: ExecutionPorts) -> None:
        self._ports = ports
        self._known: dict[ChatId, Execution] = {}
        self._spoken: set[ChatId] = set()
        """Chats whose language is fixed."""

    def last(self, chat_id: ChatId) -> Execution | None:
        """As of the chat's last turn or look; None before the first."""
        return self._known.get(chat_id)

    async def of(self, chat: Chat, model: ModelId | None = None) -> Execution:
        """What the chat's next turn runs on; `model` goes before the chat's own and the default one.

        Raises:
            NoModel: what is chosen is not set up any more.
        """
        await self._fix_language(chat)
        found, known = await self.would(chat, model), self._known.get(chat.id)
        if known is None or (known.fingerprint, known.fallbacks) != (found.fingerprint, found.fallbacks):
            self._known[chat.id] = known = found
        return known

    async def _fix_language(self, chat: Chat) -> None:
        """A chat keeps the language that its system text began in: another one would break its prompt cache (A9)."""
        if chat.head and chat.id not in self._spoken:
            if "prompt_language" not in await self._ports.chat_settings(chat.id):
                await self._ports.save_chat_setting(chat.id, "prompt_language", self._ports.language())
            self._spoken.add(chat.id)

    async def would(self, chat: Chat, model: ModelId | None = None) -> Execution:
        """As `of`, but the chat goes on with what it has."""
        settings = self._ports.settings().layered(await self._ports.chat_settings(chat.id))
        target = self.target(model or chat.model or ModelId(settings.model), settings)
        facts, window = await self.known(target, settings)
        language = settings.prompt_language or self._ports.language()
        family = family_of(target.endpoint.kind, target.name)
        tools = await self._ports.tools(settings) if facts.tools is not False else ()
        if only := facts.only_tools:
            tools = tuple(tool for tool in tools if tool.spec.name in only)
        takes_skills = tools and not only and SKILL not in settings.tools_off
        skills = await self._ports.skills(settings) if takes_skills else ()
        tools = (*tools, skill_tool(skills)) if skills else tools
        return Execution(
            fingerprint=compute_execution_fingerprint(
                settings, target, window=window, language=language, tools=tools, skills=skills
            ),
            target=target,
            family=family,
            facts=facts,
            window=window,
            prelude=prelude(
                self._ports.prompts,
                mode=mode_of(settings),
                language=language,
                discipline=family.discipline,
                instructions=settings.instructions,
                tools=(tool.spec for tool in tools),
            ),
            sampling=Sampling(
                max_tokens=settings.max_tokens,
                temperature=settings.temperature,
                reasoning_effort=settings.reasoning_effort or None,
            ),
            fallbacks=self._fallbacks(settings, target),
            tools=tools,
            skills=skills,
            server_chars={server.id: server.max_output_chars for server in settings.mcp_servers},
            hooks=self._ports.settings().hooks,
            folder=_folder(settings),
            most_requests=settings.most_requests,
        )

    def _fallbacks(self, settings: Settings, target: Target) -> tuple[ModelId, ...]:
        """Those of the person's list that are another model, and still set up."""
        places = {item.id for item in (*settings.endpoints, *self._ports.built_in)}
        listed = (ModelId(item) for item in settings.fallback_models)
        return tuple(item for item in listed if item != target.model and item.partition("/")[0] in places)

    async def known(self, target: Target, settings: Settings) -> tuple[ModelFacts, Window]:
        """What is known of a model, and what it can read."""
        facts = await self._ports.facts(target.endpoint.kind, target.name)
        override = settings.model_overrides.get(target.model)
        window = window_of(
            override=override.window_tokens if override else None,
            reported=settings.reported_windows.get(target.model),
            registry=facts.window_tokens,
            learned=settings.learned_windows.get(target.model),
        )
        return facts, window

    def target(self, model: ModelId, settings: Settings) -> Target:
        """Where `model` is asked; an empty one is the first that needs no set-up."""
        endpoint_id, _, name = model.partition("/")
        endpoints = (*settings.endpoints, *self._ports.built_in)
        endpoint = next((item for item in endpoints if item.id == endpoint_id), None)
        if endpoint is None and not model:
            endpoint, name = self._ports.built_in[0], self._ports.built_in[0].models[0]
        if endpoint is None:
            raise NoModel(
                f"The model {model!r} is not set up any more.",
                hint="Choose another model, or set its provider up again.",
                model=model,
            )
        return Target(endpoint=endpoint, name=name)
