"""How a chat went: the size of its requests turn by turn, waits for a first token, and money, for the panel's plots (U5)."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from app.core.ids import CompactionId, EntryId, TurnId
from app.core.records import Compaction, RequestKind, RequestRecord
from app.health.cache import TermsOf


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """The last request of a turn on the shown branch, as its provider reported it."""

    turn: int
    """Counted from 1, over the turns of all branches."""
    prompt_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """A compaction: between which turns it stood, and what requests had before and after it."""

    id: CompactionId
    turn: int
    """The turn that it came before; one more than there are: none was asked since."""
    tokens_before: int
    tokens_after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstToken:
    turn: int
    prompt_tokens: int
    fresh_tokens: int
    """Not read from the cache."""
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Money:
    """What a turn cost, and how its input was read."""

    turn: int
    cached_tokens: int
    fresh_tokens: int
    usd: float | None
    """None: no price of it is known."""
    cached_usd: float = 0.0
    """The part of `usd` that reading from the cache took."""
    is_partial: bool = False
    """Some of its requests have no known price."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """In the order in which it happened; the same after a restart, since it is made of what is stored."""

    sizes: tuple[Size, ...] = ()
    drops: tuple[Drop, ...] = ()
    first_tokens: tuple[FirstToken, ...] = ()
    money: tuple[Money, ...] = ()
    n_turns: int = 0


def course_of(
    requests: Sequence[RequestRecord],
    compactions: Iterable[Compaction],
    path: Collection[EntryId],
    terms_of: TermsOf,
) -> Course:
    """
    Args:
        requests: Of the chat, oldest first.
        compactions: Those that stand.
        path: The shown branch.
    """
    turns: dict[TurnId, int] = {}
    for item in requests:
        if item.kind is RequestKind.ANSWER:
            turns.setdefault(item.turn_id, len(turns) + 1)
    reported = [item for item in requests if item.kind is RequestKind.ANSWER and _tokens(item)]
    return Course(
        sizes=_sizes(reported, turns, path),
        drops=tuple(_drop(made, requests, turns) for made in compactions),
        first_tokens=tuple(
            FirstToken(
                turn=turns[item.turn_id],
                prompt_tokens=item.usage.prompt_tokens,
                fresh_tokens=item.usage.prompt_tokens - item.usage.cached_tokens,
                seconds=item.time_to_first_token_s,
            )
            for item in reported
            if item.usage and item.time_to_first_token_s is not None
        ),
        money=_money(requests, turns, terms_of),
        n_turns=len(turns),
    )


def last_reported(requests: Iterable[RequestRecord], path: Collection[EntryId]) -> int | None:
    """What the provider said that the newest request of the shown branch had; None: none of it said anything.

    Args:
        requests: Newest first.
    """
    return next((_tokens(item) for item in requests if _tokens(item) and _is_here(item, path)), None)


def _is_here(item: RequestRecord, path: Collection[EntryId]) -> bool:
    return item.kind is RequestKind.ANSWER and (item.answer_id in path or item.head in path)


def _tokens(item: RequestRecord) -> int:
    """As reported; 0: nothing was."""
    return item.usage.prompt_tokens if item.usage and not item.usage.is_estimate else 0


def _sizes(
    reported: Iterable[RequestRecord], turns: dict[TurnId, int], path: Collection[EntryId]
) -> tuple[Size, ...]:
    last = {turns[item.turn_id]: _tokens(item) for item in reported if _is_here(item, path)}
    return tuple(Size(turn=turn, prompt_tokens=tokens) for turn, tokens in sorted(last.items()))


def _drop(made: Compaction, requests: Sequence[RequestRecord], turns: dict[TurnId, int]) -> Drop:
    later = (item for item in requests if item.created_at >= made.created_at and item.turn_id in turns)
    return Drop(
        id=made.id,
        turn=next((turns[item.turn_id] for item in later), len(turns) + 1),
        tokens_before=made.tokens_before,
        tokens_after=made.tokens_after,
    )


def _money(
    requests: Iterable[RequestRecord], turns: dict[TurnId, int], terms_of: TermsOf
) -> tuple[Money, ...]:
    by_turn: dict[int, list[RequestRecord]] = {}
    for item in requests:
        if item.turn_id in turns and item.usage:
            by_turn.setdefault(turns[item.turn_id], []).append(item)
    return tuple(_of_turn(turn, items, terms_of) for turn, items in sorted(by_turn.items()))


def _of_turn(turn: int, items: Sequence[RequestRecord], terms_of: TermsOf) -> Money:
    cached = sum(item.usage.cached_tokens for item in items if item.usage)
    whole = sum(item.usage.prompt_tokens for item in items if item.usage)
    known = [item.cost_usd for item in items if item.cost_usd is not None]
    return Money(
        turn=turn,
        cached_tokens=cached,
        fresh_tokens=whole - cached,
        usd=sum(known) if known else None,
        cached_usd=sum(_cached_usd(item, terms_of) for item in items if item.cost_usd),
        is_partial=0 < len(known) < len(items),
    )


def _cached_usd(item: RequestRecord, terms_of: TermsOf) -> float:
    if not item.usage or not item.usage.cached_tokens or not (terms := terms_of(item)):
        return 0.0
    return terms.usd(item.usage.cached_tokens * terms.read) or 0.0
