"""A summary that a chat wants written, before anything of how summaries are written is loaded."""

from dataclasses import dataclass

from app.agent.execution import Execution
from app.core.ids import ChatId
from app.core.requests import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefix:
    """A chat's next request as it stands, of which its provider holds the beginning in its cache."""

    request: Request
    tokens: int
    """As the provider counts."""
    cached_tokens: int
    cached_usd: float
    """Of one cached token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commission:
    """A summary that is to be written."""

    chat_id: ChatId
    execution: Execution
    """What the chat runs on."""
    text_tokens: int
    prefix: Prefix | None = None
    """None: the cache is cold, or there is none."""
