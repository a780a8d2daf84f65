"""What a chat's view model asks of the application."""

from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from dataclasses import dataclass

from app.agent.reverting import Reverted
from app.agent.session import ChatSession
from app.chats.folding import Folding
from app.context.budget import Fill
from app.core.artifacts import PartKey, Sight
from app.core.entries import Chat
from app.core.ids import ChatId, EntryId, ModelId
from app.core.parts import Blob
from app.models.families import Family
from app.settings import Settings
from ui.chat.item_ports import Told
from ui.chat.sub_agents import SubAgentsPort


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPorts:
    read_blob: Callable[[Blob], Awaitable[bytes]]
    read_range: Callable[[Blob, int, int], Awaitable[bytes]]
    put_blob: Callable[[bytes, str, str], Awaitable[Blob]]
    """Stores bytes in the vault: they, their media type, their name."""
    family: Callable[[ChatSession], Awaitable[Family | None]]
    """What the next message's model is like; None: no model is set up."""
    sights: Callable[[ChatId], Awaitable[Mapping[PartKey, Sight]]]
    chats: Callable[[], Awaitable[tuple[Chat, ...]]]
    fill: Callable[[ChatSession, str, int], Fill | None]
    """With what is typed, and so many tokens pasted."""
    model_name: Callable[[ChatSession], str]
    choose_model: Callable[[ChatId, ModelId], Coroutine[object, object, None]]
    rename: Callable[[ChatId, str], Coroutine[object, object, None]]
    folding: Callable[[ChatId], Awaitable[Folding]]
    settings: Callable[[ChatId], Awaitable[Settings]]
    choose_workspace: Callable[[ChatId, str], Awaitable[None]]
    changed_files: Callable[[ChatId], Awaitable[Mapping[EntryId, tuple[str, ...]]]]
    revert: Callable[[ChatId, Collection[EntryId]], Awaitable[Reverted]]
    sub_agents: SubAgentsPort
    caller: Callable[[ChatId], Awaitable[Chat | None]]
    """The chat whose call made a sub-agent's."""
    tell: Callable[[Exception], Told]
    on_error: Callable[[BaseException], None]
