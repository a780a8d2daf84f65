"""The request as the engine sees it: messages of typed parts, before any provider's wire form."""

from dataclasses import dataclass
from enum import StrEnum

from app.core.ids import EntryId, ModelId
from app.core.parts import Part


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of the wire; `sources` are the entries it was read from, for the Lens."""

    role: Role
    parts: tuple[Part, ...]
    provider_fields: str = ""
    sources: tuple[EntryId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    name: str
    description: str
    schema: str
    """Canonical JSON of the parameters' schema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prelude:
    """Tools and system text: what stands before every message, stored once per hash (M7)."""

    system: str
    tools: tuple[ToolSpec, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How the model is asked; None: the provider's own default."""

    max_tokens: int | None = None
    temperature: float | None = None
    reasoning_effort: str | None = None


class Layer(StrEnum):
    """What stands before the messages."""

    TOOLS = "tools"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakpoint:
    """Up to where a provider that wants to be told shall keep the prompt (P3)."""

    after: Layer | int
    """The end of a layer, or of the message with this index."""
    ttl_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    model: ModelId
    prelude: Prelude
    messages: tuple[Message, ...]
    sampling: Sampling = Sampling()
    cache_key: str = ""
    """Given to providers that route by one (P4); empty: none."""
    allowed_tools: tuple[str, ...] = ()
    """Of those in the prelude, which stays as it is (P1); empty: all of them. Never stored."""
    breakpoints: tuple[Breakpoint, ...] = ()
    """In the order of the prompt; never stored."""
