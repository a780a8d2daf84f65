"""What the trash page draws: the deleted chats, and what the question before the end of one says."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from app.chats.library import TRASH_LIFE
from app.context.ports import Removal
from app.core.entries import Chat
from app.core.ids import ChatId


@dataclass(frozen=True, slots=True, kw_only=True)
class TrashedChat:
    id: ChatId
    title: str
    """Empty: it has none."""
    deleted_at: datetime
    days_left: int
    """Until it goes for good by itself; 0: with the next start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrashState:
    chats: tuple[TrashedChat, ...] = ()
    """What was deleted last comes first."""
    is_read: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What deleting these chats for good would take along."""

    chats: tuple[TrashedChat, ...]
    n_messages: int
    shared_with: tuple[str, ...]
    """Titles of chats that show some of these messages and keep them."""
    backups: tuple[str, ...]
    """File names of backups that still hold them."""
    n_kept: int
    """Originals that stay, since the person keeps them for ever."""


def trash_state(chats: Iterable[Chat], *, now: datetime) -> TrashState:
    found = [
        TrashedChat(
            id=chat.id,
            title=chat.title,
            deleted_at=chat.deleted_at,
            days_left=max(0, ceil((chat.deleted_at + TRASH_LIFE - now).total_seconds() / 86_400)),
        )
        for chat in chats
        if chat.deleted_at
    ]
    found.sort(key=lambda chat: chat.deleted_at, reverse=True)
    return TrashState(chats=tuple(found), is_read=True)


def question(
    chats: tuple[TrashedChat, ...], removals: Iterable[Removal], titles: Mapping[ChatId, str]
) -> Question:
    """
    Args:
        removals: One for each of `chats`.
        titles: Of the chats that are not in the trash.
    """
    found = tuple(removals)
    shared = dict.fromkeys(titles[other] for item in found for other in item.shared_with if other in titles)
    return Question(
        chats=chats,
        n_messages=sum(item.entries for item in found),
        shared_with=tuple(shared),
        backups=tuple(dict.fromkeys(name for item in found for name in item.backups)),
        n_kept=len({blob.sha256 for item in found for blob in item.kept}),
    )
