"""What is found, as values: a message in a chat, the line that tells it, and whether it stands on the screen there."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from app.core.entries import Origin
from app.core.ids import ChatId, EntryId
from app.core.parts import (
    Blob,
    MediaPart,
    OpaquePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    clean_text,
)
from app.finding.wanted import Snippet

_TEXT_MIMES = ("text/", "application/json")
_OPAQUE_CHARS = 2_000
"""Of a block of a kind that we don't know; the window shows no more either."""


class Place(StrEnum):
    """What of a message holds the words."""

    SAID = "said"
    REASONING = "reasoning"
    CALL = "call"
    RESULT = "result"
    ORIGINAL = "original"
    """A long text that lies in the vault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    chat_id: ChatId
    title: str
    """The chat's; may be empty."""
    entry_id: EntryId
    origin: Origin
    place: Place
    said_at: datetime
    snippet: Snippet
    is_shown: bool = True
    """Whether the branch that is shown in its chat holds it."""
    is_delegated: bool = False
    """Whether a sub-agent's chat holds it; chat and entry are then those of the call that made it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """Best first."""

    found: tuple[Found, ...] = ()
    has_more: bool = False
    """Whether more messages hold the words than were looked at."""


def texts_in(parts: tuple[Part, ...]) -> Iterator[tuple[Place, str]]:
    """The texts of an entry that lie in it, as they are stored."""
    for part in parts:
        match part:
            case TextPart(text=str(text)):
                yield Place.SAID, clean_text(text)
            case ThinkingPart(text=str(text), redacted=False):
                yield Place.REASONING, clean_text(text)
            case ToolCallPart(name=name, arguments=arguments):
                yield Place.CALL, clean_text(f"{name} {arguments if isinstance(arguments, str) else ''}")
            case ToolResultPart(text=str(text)):
                yield Place.RESULT, clean_text(text)
            case MediaPart(source=Blob(name=name)):
                yield Place.SAID, clean_text(name)
            case OpaquePart(json=json):
                yield Place.SAID, clean_text(json[:_OPAQUE_CHARS])
            case _:
                pass


def originals_in(parts: tuple[Part, ...]) -> Iterator[Blob]:
    """The texts of an entry that lie in the vault."""
    for part in parts:
        match part:
            case (
                TextPart(text=Blob() as blob)
                | ThinkingPart(text=Blob() as blob, redacted=False)
                | ToolCallPart(arguments=Blob() as blob)
                | ToolResultPart(text=Blob() as blob)
            ) if blob.mime.startswith(_TEXT_MIMES):
                yield blob
            case _:
                pass
