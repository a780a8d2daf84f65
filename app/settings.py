"""Typed settings and the places on disk; layered defaults < app < chat (A7)."""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator


class Endpoint(BaseModel):
    """A provider or server that the person set up; its key is in the keyring under `id`."""

    model_config = ConfigDict(frozen=True)

    id: str
    """Short, unique, never shown: the provider part of a `ModelId`."""
    kind: str
    """Id of a template in app/providers/templates.py: `openai`, `anthropic`, `ollama`, `compatible` …"""
    name: str
    base_url: str = ""
    """Empty: the provider's own."""
    headers: dict[str, str] = Field(default_factory=dict)
    needs_key: bool = True
    proxy: str = ""
    """Empty: as the system says; `direct`: none; else its URL."""
    ca_file: str = ""
    models: tuple[str, ...] = ()
    """Names as last listed by the endpoint, or typed by the person."""

    @field_validator("base_url")
    @classmethod
    def _is_http(cls, value: str) -> str:
        if value and not value.startswith(("http://", "https://")):
            raise ValueError("An address starts with http:// or https://")
        return value.rstrip("/")


class ModelOverride(BaseModel):
    """What the person knows better about a model than any registry."""

    model_config = ConfigDict(frozen=True)

    window_tokens: int | None = Field(default=None, ge=256)
    max_output_tokens: int | None = Field(default=None, ge=1)


class McpServer(BaseModel):
    """A server of tools that the person set up (A11); what `env` and `headers` name is in the keyring."""

    model_config = ConfigDict(frozen=True)

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,19}$")
    """Unique, never changed: part of its tools' names and of the rules that allow them."""
    name: str
    kind: Literal["stdio", "http"] = "stdio"
    command: str = ""
    args: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    """Names of what is added to its environment."""
    cwd: str = ""
    url: str = ""
    headers: tuple[str, ...] = ()
    """Names of what goes with each request."""
    secrets_version: int = 0
    """Counts the changes of values in the keyring."""
    enabled: bool = True
    tools_off: tuple[str, ...] = ()
    """Names as the server has them."""
    max_output_chars: int = Field(default=100_000, ge=1_000, le=16_000_000)
    """A longer result is cut, its original kept (C28 L1)."""
    timeout_s: float = Field(default=60.0, ge=1, le=3_600, allow_inf_nan=False)
    """Without an answer, or word of its progress."""
    approval: Literal["ask", "allow"] = "ask"
    """Whether its tools are asked about; those that may destroy something always are."""
    confirmed: str = ""
    """What the person was shown and let start, as its `start_hash` then was; empty: nothing yet (Q23)."""

    @field_validator("url")
    @classmethod
    def _is_http(cls, value: str) -> str:
        if value and not value.startswith(("http://", "https://")):
            raise ValueError("An address starts with http:// or https://")
        return value

    @property
    def start_hash(self) -> str:
        """Of all that a start depends on."""
        fields = {"kind", "command", "args", "env", "cwd", "url", "headers", "secrets_version"}
        canonical = json.dumps(self.model_dump(mode="json", include=fields), sort_keys=True)
        return hashlib.sha256(canonical.encode()).hexdigest()

    @property
    def rule(self) -> str:
        """What its tools' rules begin with: what was allowed to one program, another of its name may not do."""
        return f"mcp:{self.id}@{self.start_hash[:8]}"

    @property
    def may_start(self) -> bool:
        return self.enabled and self.confirmed == self.start_hash


HookEvent = Literal["before_send", "after_answer", "before_tool", "after_tool", "after_compaction"]


class Hook(BaseModel):
    """A command of the person's that is run when something happens in a turn (A16)."""

    model_config = ConfigDict(frozen=True)

    event: HookEvent
    command: str = Field(min_length=1)
    """As for sh."""
    timeout_s: float = Field(default=10.0, gt=0, le=600)
    enabled: bool = False


class Prompt(BaseModel):
    """Words that the person keeps, to be put into a message by `/name`; `{{variable}}` in them is filled in there."""

    model_config = ConfigDict(frozen=True)

    name: str = Field(min_length=1, max_length=40, pattern=r"^[^\s/]+$")
    text: str = Field(min_length=1)


class Settings(BaseModel):
    """One snapshot of everything that can be set; a turn keeps the one it began with."""

    model_config = ConfigDict(frozen=True)

    # Models
    endpoints: tuple[Endpoint, ...] = ()
    model: str = ""
    """Default `ModelId`; empty: none chosen yet."""
    lite_model: str = ""
    """Empty: chosen by price (A5)."""
    fallback_models: tuple[str, ...] = ()
    model_overrides: dict[str, ModelOverride] = Field(default_factory=dict)
    reported_windows: dict[str, int] = Field(default_factory=dict)
    """Tokens by model id, as its endpoint last said."""
    learned_windows: dict[str, int] = Field(default_factory=dict)
    """Tokens by model id, from the text of an overflow error (C1)."""
    # Chat
    max_tokens: int | None = Field(default=None, ge=1)
    temperature: float | None = Field(default=None, ge=0, le=2)
    reasoning_effort: Literal["", "low", "medium", "high"] = ""
    prompt_mode: Literal["auto", "full", "lean", "naked", "search"] = "auto"
    """Auto: full in a workspace, else naked (A9)."""
    prompt_language: Literal["", "en", "zh"] = ""
    """Of a chat's system text, fixed with its first message; empty: the interface's."""
    instructions: str = ""
    write_titles: bool = True
    compresses: bool = True
    """Compress by itself (C2); off: only when asked, and where a request would be refused."""
    cache_mode: Literal["off", "smart", "always"] = "smart"
    """Whether the prompt cache is kept warm by probes: never, while that pays, or up to the limit (P8)."""
    cache_limit_usd: float = Field(default=1.0, ge=0, allow_inf_nan=False)
    """What probes may cost a day in mode `always`."""
    enter_sends: bool = True
    prompts: tuple[Prompt, ...] = ()
    metrics_port: int = Field(default=0, ge=0, le=65_535)
    """Where metrics can be read on this machine; 0: nowhere (A18)."""
    # Tools
    uses_tools: bool = True
    """Whether models are given tools at all."""
    tools_off: tuple[str, ...] = ()
    """Names of tools that are not given."""
    workspace: str = ""
    """The folder that a chat works in, read and write; empty: none, and no tool for files."""
    input_folders: tuple[str, ...] = ()
    """Read only."""
    output_folders: tuple[str, ...] = ()
    """Written to with approval."""
    shell_network: bool = True
    """Whether commands reach the network, where a sandbox could keep them from it."""
    access: dict[str, Literal["ask", "allow", "refuse"]] = Field(default_factory=dict)
    """By `Access`: what is done without a question, or never."""
    allowed_always: tuple[str, ...] = ()
    """Rules of wishes that the person allows in every chat (A12)."""
    allowed_here: tuple[str, ...] = ()
    """The same, of one chat."""
    web_tools: bool = False
    """Whether models may ask for pages; each host is asked about first."""
    search_engine: Literal["", "searxng", "tavily", "brave"] = ""
    """Empty: no web search. The key of the others is in the keyring, under its name."""
    search_url: str = ""
    """Of a SearXNG server."""
    mcp_servers: tuple[McpServer, ...] = ()
    most_requests: int = Field(default=100, ge=1, le=10_000)
    """A turn asks the model so often before it asks the person whether to go on."""
    hooks: tuple[Hook, ...] = ()
    """The application's alone: a chat's own are not run."""
    # Appearance
    theme: Literal["system", "light", "dark"] = "system"
    zoom_percent: int = Field(default=100, ge=80, le=200)
    reduce_motion: bool = False
    notifies: bool = True
    """Whether the system tells of an answer that took long, and of what waits, while another program is in front (U18)."""
    language: Literal["system", "en", "zh_CN"] = "system"
    shortcuts: dict[str, str] = Field(default_factory=dict)
    """Keys that the person gave to commands, by id, as Qt's portable text; empty: none."""
    confirmed_hosts: tuple[str, ...] = ()
    """Hosts whose links open without a question."""
    window_layout: dict[str, int] = Field(default_factory=dict)
    """Where the window stood and which panes it showed; read and written by `ui.shell.layout`."""
    # Start
    has_started: bool = False
    last_chat: str = ""
    """The chat that was open last; empty: none."""

    def layered(self, chat: Mapping[str, JsonValue]) -> "Settings":
        """These settings with a chat's own on top.

        Raises:
            ValidationError: a value is not one that the field takes.
        """
        return Settings.model_validate(self.model_dump() | dict(chat)) if chat else self

    def endpoint(self, endpoint_id: str) -> Endpoint | None:
        return next((item for item in self.endpoints if item.id == endpoint_id), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths:
    """Where a run keeps what it keeps; everything hangs below one folder, so that runs stay apart."""

    data: Path

    @classmethod
    def default(cls) -> "Paths":
        """The folder of this system's user, or `PALIMPSEST_DATA` where that is set."""
        own = os.environ.get("PALIMPSEST_DATA")
        return cls(data=Path(own) if own else Path(platformdirs.user_data_dir("palimpsest", appauthor=False)))

    @property
    def database(self) -> Path:
        return self.data / "palimpsest.sqlite3"

    @property
    def vault(self) -> Path:
        return self.data / "vault"

    @property
    def backups(self) -> Path:
        return self.data / "backups"

    @property
    def log(self) -> Path:
        return self.data / "palimpsest.log"
