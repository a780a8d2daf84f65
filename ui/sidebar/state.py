"""What the sidebar shows, worked out from the chats without Qt: headings, families of forks, what a search leaves."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from app.chats.library import Period, by_period
from app.context.budget import Health, health_of
from app.core.entries import Chat
from app.core.ids import ChatId

MAX_DEPTH = 3
"""Forks of forks are indented no further, so that a title has room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caption:
    period: Period


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRow:
    id: ChatId
    title: str
    """Empty: the chat has none yet."""
    depth: int = 0
    """How many parents stand above it in the list."""
    use: float | None = None
    """Share of the window that the next request takes; None: not known."""
    health: Health = Health.UNKNOWN
    is_pinned: bool = False
    is_running: bool = False
    is_waiting: bool = False
    """For the person, in the middle of a turn."""


Row = Caption | ChatRow


@dataclass(frozen=True, slots=True, kw_only=True)
class SidebarState:
    """The whole of it; `rows` follows from the rest."""

    rows: tuple[Row, ...] = ()
    n_chats: int = 0
    """How many there are, shown or not."""
    current: ChatId | None = None
    wanted: str = ""
    """What is searched for; empty: everything."""


def sidebar_state(
    chats: Iterable[Chat],
    *,
    now: datetime,
    current: ChatId | None = None,
    wanted: str = "",
    running: frozenset[ChatId] = frozenset(),
    waiting: frozenset[ChatId] = frozenset(),
) -> SidebarState:
    """The state of the list.

    Args:
        now: In the time zone whose days count.
    """
    all_chats = tuple(chats)
    rows: list[Row] = []
    for period, families in _families(_found(all_chats, wanted), now):
        rows.append(Caption(period=period))
        rows += [_row(chat, depth, running, waiting) for family in families for depth, chat in family]
    return SidebarState(rows=tuple(rows), n_chats=len(all_chats), current=current, wanted=wanted)


def neighbour(rows: Iterable[Row], chat_id: ChatId, step: int) -> ChatId | None:
    """The chat `step` rows below `chat_id`, round the ends; None: there is no other."""
    ids = [row.id for row in rows if isinstance(row, ChatRow)]
    if chat_id not in ids:
        return ids[0] if ids else None
    other = ids[(ids.index(chat_id) + step) % len(ids)]
    return other if other != chat_id else None


def _found(chats: tuple[Chat, ...], wanted: str) -> tuple[Chat, ...]:
    words = wanted.casefold().split()
    if not words:
        return chats
    return tuple(chat for chat in chats if all(word in chat.title.casefold() for word in words))


_Family = tuple[tuple[int, Chat], ...]
"""A chat and its forks, each with its depth."""


def _families(chats: tuple[Chat, ...], now: datetime) -> Iterator[tuple[Period, Iterator[_Family]]]:
    """Roots under their headings, each with its forks; a family stands where its newest chat would."""
    ids = {chat.id for chat in chats}
    forks: dict[ChatId, list[Chat]] = {}
    roots: list[Chat] = []
    for chat in chats:
        parent = chat.parent_id
        if parent and parent in ids and not chat.is_pinned:  # a pinned fork stands with the pinned ones
            forks.setdefault(parent, []).append(chat)
        else:
            roots.append(chat)
    families = {root.id: tuple(_tree(root, forks, 0)) for root in roots if root.id in forks}
    dated = [_dated(families[root.id]) if root.id in families else root for root in roots]
    for period, found in by_period(dated, now=now):
        yield period, (families.get(root.id, ((0, root),)) for root in found)


def _tree(chat: Chat, forks: Mapping[ChatId, list[Chat]], depth: int) -> Iterator[tuple[int, Chat]]:
    yield min(depth, MAX_DEPTH), chat
    for fork in sorted(forks.get(chat.id, ()), key=lambda fork: fork.created_at):
        yield from _tree(fork, forks, depth + 1)


def _dated(family: _Family) -> Chat:
    """The root as if it were as new as the newest of its family."""
    (_, root), *forks = family
    return replace(root, updated_at=max(root.updated_at, *(chat.updated_at for _, chat in forks)))


def _row(chat: Chat, depth: int, running: frozenset[ChatId], waiting: frozenset[ChatId]) -> ChatRow:
    is_known = bool(chat.window_tokens and chat.prompt_tokens)
    return ChatRow(
        id=chat.id,
        title=chat.title,
        depth=depth,
        use=chat.prompt_tokens / chat.window_tokens if is_known else None,
        health=health_of(chat.prompt_tokens, chat.window_tokens) if is_known else Health.UNKNOWN,
        is_pinned=chat.is_pinned,
        is_running=chat.id in running,
        is_waiting=chat.id in waiting,
    )
