"""The transcript: what was said, for ever (architecture.md, data model).

A chat is a tree of immutable entries; its `head` is the leaf the person looks at. A fork is another
chat that shares its ancestors' entries.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from app.core.ids import ChatId, EntryId, ModelId
from app.core.parts import Part, TextPart, ToolCallPart, ToolResultPart
from app.core.usage import Usage


class Origin(StrEnum):
    """Who made an entry; set when it is made and never guessed from its text (C33)."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    NOTE = "note"
    """Ours, for the model: date, recall, documents; rendered before the user's text (C12)."""
    SYSTEM = "system"
    """A system message that an imported conversation held."""


class Finish(StrEnum):
    """Why an assistant entry ended."""

    STOP = "stop"
    LENGTH = "length"
    TOOL_CALLS = "tool_calls"
    REFUSED = "refused"
    STOPPED = "stopped"
    """The person pressed Stop; what had arrived is kept."""
    FAILED = "failed"
    """The stream broke; what had arrived is kept."""
    INTERRUPTED = "interrupted"
    """The program ended in the middle; what was check-pointed is kept (M8)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    id: EntryId
    parent_id: EntryId | None
    rev: int
    """Taken from the counter of the chat that made it (M1)."""
    depth: int
    """0 for a root; 1 more than the parent's otherwise."""
    origin: Origin
    parts: tuple[Part, ...]
    created_at: datetime
    model: ModelId | None = None
    finish: Finish | None = None
    usage: Usage | None = None
    provider_fields: str = ""
    """JSON object of unread fields that travel with the message; empty: none."""

    @property
    def calls(self) -> tuple[ToolCallPart, ...]:
        return tuple([part for part in self.parts if isinstance(part, ToolCallPart)])

    @property
    def results(self) -> tuple[ToolResultPart, ...]:
        return tuple([part for part in self.parts if isinstance(part, ToolResultPart)])

    @property
    def text(self) -> str:
        """The inline text parts, joined; what lies in blobs is not read."""
        return "\n\n".join(
            part.text for part in self.parts if isinstance(part, TextPart) and isinstance(part.text, str)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    id: ChatId
    title: str
    """Empty until the person or the title writer gives one."""
    created_at: datetime
    updated_at: datetime
    rev: int
    """The last number taken of the chat's counter (M1)."""
    head: EntryId | None
    chosen: dict[EntryId, EntryId] = field(default_factory=dict[EntryId, EntryId])
    """The child shown at each branch point that the person has moved at (case B81)."""
    parent_id: ChatId | None = None
    fork_entry_id: EntryId | None = None
    is_title_manual: bool = False
    is_pinned: bool = False
    deleted_at: datetime | None = None
    """In the trash since; gone for good 30 days later."""
    model: ModelId | None = None
    """The model chosen in this chat; None: the default one."""
    prompt_tokens: int = 0
    window_tokens: int = 0
    """Last projection and window, for the list's dot; 0 when unknown."""
    called_by: EntryId | None = None
    """The answer whose call made this sub-agent's chat; None: a person's own."""
    call_index: int = 0
    """Of that call among the answer's."""
    source: str = ""
    """JSON of what an imported file held beside its messages, for an exact re-export; empty: not imported."""
