"""A tool: what the model is told of it, what it may do, and its deed."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel, JsonValue, TypeAdapter, ValidationError

from app.agent.paths import Roots
from app.agent.tools.failing import ToolFailed
from app.agent.tools.reach import Web
from app.agent.tools.running import Jobs, Sandbox
from app.agent.tools.seen import SeenFiles
from app.context.originals import Originals
from app.context.ports import Clock, Vault
from app.core.approvals import Consent, Wish
from app.core.entries import Entry
from app.core.ids import ChatId, EntryId
from app.core.requests import ToolSpec
from app.settings import Settings

A = TypeVar("A", bound=BaseModel)
Arguments = Mapping[str, JsonValue]
_OBJECT: TypeAdapter[dict[str, JsonValue]] = TypeAdapter(dict[str, JsonValue])


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An image that a call gave."""

    mime: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a call gave; of any length, the store and S3 see to that."""

    text: str
    is_error: bool = False
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the person said to a wish."""

    consent: Consent
    text: str = ""
    """Their answer to a question, or why they refuse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Handover:
    """What a sub-agent leaves: its last words, and what it did as far as its calls tell."""

    text: str
    path: tuple[Entry, ...]
    is_whole: bool
    """It ended by itself."""
    is_stopped: bool = False
    """The person ended it, and it alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where one call is carried out, and what it may ask of the outside."""

    chat_id: ChatId
    answer_id: EntryId
    index: int
    """Of the call among the answer's."""
    settings: Settings
    """The chat's, as they are now."""
    roots: Roots
    originals: Callable[[], Originals]
    vault: Vault
    seen: SeenFiles
    clock: Clock
    say: Callable[[str], None]
    """Told of output as it comes."""
    ask: Callable[[Wish], Awaitable[Reply]]
    journal: Callable[[Path, bytes | None, bytes], Awaitable[None]]
    """Told of a file before it is changed: what it held, None where there was none; and what it will."""
    jobs: Jobs
    sandbox: Sandbox
    path: Callable[[], Sequence[Entry]]
    """The shown branch, root to head."""
    web: Web
    delegate: Callable[[str, str], Awaitable[Handover]]
    """Have a sub-agent follow a brief, under a title."""


class Tool(Protocol):
    """Built in, or of an MCP server."""

    @property
    def spec(self) -> ToolSpec: ...

    @property
    def is_read_only(self) -> bool:
        """Gives the same again as long as nothing was changed (C29)."""
        ...

    @property
    def is_side_by_side(self) -> bool:
        """Such calls of one answer may run at the same time."""
        ...

    async def wish(self, arguments: Arguments, place: Place) -> Wish | None:
        """What the person has to allow first; None: nothing.

        Raises:
            AppError: the call can't be carried out at all.
        """
        ...

    async def run(self, arguments: Arguments, place: Place) -> Given:
        """Carry out a call. Cancelled when the person stops the turn.

        Raises:
            AppError: told to the model as the call's result.
        """
        ...


async def _nothing(arguments: BaseModel, place: Place) -> Wish | None:
    return None


@dataclass(frozen=True, kw_only=True)
class BuiltIn(Generic[A]):
    """A tool of ours: arguments as a pydantic model, whose docstrings and descriptions are what the model reads."""

    name: str
    description: str
    arguments: type[A]
    deed: Callable[[A, Place], Awaitable[Given]]
    asks: Callable[[A, Place], Awaitable[Wish | None]] = _nothing
    is_read_only: bool = False
    is_side_by_side: bool = False

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(name=self.name, description=self.description, schema=_schema(self.arguments))

    async def wish(self, arguments: Arguments, place: Place) -> Wish | None:
        return await self.asks(self._parsed(arguments), place)

    async def run(self, arguments: Arguments, place: Place) -> Given:
        return await self.deed(self._parsed(arguments), place)

    def _parsed(self, arguments: Arguments) -> A:
        try:
            return self.arguments.model_validate(arguments)
        except ValidationError as error:
            told = "; ".join(
                f"{'.'.join(map(str, item['loc'])) or 'arguments'}: {item['msg']}" for item in error.errors()
            )
            raise ToolFailed(f"{self.name} was called with arguments that don't fit: {told}") from error


def parsed(arguments: str) -> dict[str, JsonValue]:
    """The arguments of a call, as the model wrote them.

    Raises:
        ToolFailed: they are no JSON object.
    """
    try:
        return _OBJECT.validate_json(arguments.strip() or "{}")
    except ValidationError as error:
        raise ToolFailed(
            "The arguments are no JSON object; perhaps they were cut off. Call again with less text, or in parts."
        ) from error


@cache
def _schema(arguments: type[BaseModel]) -> str:
    """Canonical JSON, without the titles that pydantic adds, which say nothing and cost tokens."""
    return json.dumps(
        _plain(arguments.model_json_schema()), ensure_ascii=False, sort_keys=True, separators=(",", ":")
    )


def _plain(schema: JsonValue) -> JsonValue:
    if isinstance(schema, dict):
        is_said = {key: not (key == "title" and isinstance(value, str)) for key, value in schema.items()}
        return {key: _plain(value) for key, value in schema.items() if is_said[key]}
    return [_plain(item) for item in schema] if isinstance(schema, list) else schema
