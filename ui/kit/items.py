"""What a transcript shows: one frozen value per item, and the small protocol by which a view asks for them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Protocol

ItemId = str

PREVIOUS_VERSION = "version_previous"
NEXT_VERSION = "version_next"
WorkState = Literal["waiting", "running", "asking", "done", "failed", "stopped"]
"""How far a call, or whoever works on one, has got."""


class Tone(StrEnum):
    """How serious a card is; drawn as colour and, since not everyone sees colour, as a sign."""

    PLAIN = "plain"
    HEALTHY = "healthy"
    WARNING = "warning"
    CRITICAL = "critical"


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Something a person can do with an item; `icon` is a name of `ui.kit.icons`, empty for none."""

    id: str
    label: str
    icon: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Footer:
    """The row under a message: ‹ version/n_versions ›, actions, then `figures` in small print.

    `version` counts from 1; the switcher is drawn when `n_versions` > 1 and reports the actions
    `PREVIOUS_VERSION` and `NEXT_VERSION`.
    """

    actions: tuple[Action, ...] = ()
    figures: str = ""
    version: int = 1
    n_versions: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class UserItem:
    """The person's own message, a tinted bubble; `attachments` are drawn as chips above the text."""

    text: str
    attachments: tuple[str, ...] = ()
    footer: Footer = Footer()


@dataclass(frozen=True, slots=True, kw_only=True)
class PasteItem:
    """What the person put into a message whole: a row at their side; opened, it shows `text` as it is."""

    title: str
    figures: str = ""
    text: str = ""
    actions: tuple[Action, ...] = ()
    """Buttons below the opened text."""
    footer: Footer = Footer()


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantItem:
    """An answer in Markdown. While `is_streaming`, text may only be appended to."""

    text: str
    is_streaming: bool = False
    footer: Footer = Footer()


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeItem:
    """A card: an inline error with its buttons, an artifact, a question. All but `text` may be empty.

    `icon` is a name of `ui.kit.icons`; `excerpt` is shown as it is, below the words, a row per line.
    """

    text: str = ""
    icon: str = ""
    excerpt: str = ""
    title: str = ""
    chip: str = ""
    figures: str = ""
    address: str = ""
    tone: Tone = Tone.PLAIN
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DividerItem:
    """A line across the column with a sentence in it; `actions` are drawn as links after the sentence."""

    text: str
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusItem:
    """What is going on right now: "thinking 12 s"."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasoningItem:
    """Reasoning folded to its `title` line; opened, it shows `text` as Markdown."""

    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolItem:
    """One tool call as a row; opened, it shows `body` as code in `language`, and `actions` as buttons."""

    title: str
    state: WorkState = "done"
    figures: str = ""
    body: str = ""
    language: str = ""
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentCard:
    """One that works on a part of the whole: what it does, in `text`, and what that took so far."""

    title: str
    state: WorkState = "running"
    text: str = ""
    figures: str = ""
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentsItem:
    """Those that a call sent off, as cards side by side where there is room."""

    cards: tuple[AgentCard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedItem:
    """Room for a widget that `TranscriptView.host` was given under the item's id; `title` is what it is about."""

    title: str


Item = (
    UserItem
    | PasteItem
    | AssistantItem
    | NoticeItem
    | DividerItem
    | StatusItem
    | ReasoningItem
    | ToolItem
    | AgentsItem
    | HostedItem
)


class ItemModel(Protocol):
    """What a transcript view shows. Nothing here may block: the view asks while it paints."""

    def ids(self) -> Sequence[ItemId]:
        """All ids, oldest first, each once."""
        ...

    def revision(self, item: ItemId) -> int:
        """Another number whenever `content(item)` differs from before."""
        ...

    def n_chars(self, item: ItemId) -> int:
        """About how long the item is, for its estimated height; 0 when that is not known cheaply."""
        ...

    def content(self, item: ItemId) -> Item:
        """The item's value; asked only for items on or near the screen."""
        ...

    def is_own(self, item: ItemId) -> bool:
        """Whether the person wrote it: Alt+↑/↓ goes from one of these to the next."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingPosition:
    """Where a person reads: `offset_px` of the view's top below the top of `item`. Stored per chat."""

    item: ItemId | None = None
    offset_px: float = 0.0
    is_following: bool = True
