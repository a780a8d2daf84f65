"""What each part of one chat counts: exactly once the text worker has counted it, estimated until then (C4)."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Protocol, TypeVar

from app.context.budget import Count
from app.context.context import Context
from app.context.ports import TextWork, Vault
from app.context.reading import Shown
from app.core.entries import Entry
from app.core.errors import StoreError, WorkerDied
from app.core.ids import ChatId, EntryId
from app.core.parts import (
    Blob,
    MediaPart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    body_of,
)
from app.core.requests import Message, Prelude, ToolSpec
from app.models.families import Family, Replay, media_tokens
from app.tokens.estimate import estimate, estimate_part

log = logging.getLogger(__name__)

T = TypeVar("T")

WAIT_FROM_TOKENS = 5000
WAIT_FROM_SHARE = 0.6
_SLICE = 500
"""Entries or parts that are looked at at a stretch: 2 ms."""


def must_count_first(uncounted_tokens: int, projected_upper_tokens: int, window_tokens: int) -> bool:
    """Whether an estimate is too much to decide by, so that the exact count is waited for."""
    is_near = window_tokens > 0 and projected_upper_tokens >= WAIT_FROM_SHARE * window_tokens
    return uncounted_tokens >= WAIT_FROM_TOKENS or (uncounted_tokens > 0 and is_near)


def never_leaves(part: Part, family: Family) -> bool:
    """Whether it is reasoning that this family's model is never shown again: unsigned where it must be signed."""
    if not isinstance(part, ThinkingPart):
        return False
    is_unsigned = family.thinking.is_signed and not (part.signature or part.redacted)
    return family.thinking.replay is Replay.NEVER or is_unsigned


class CountStore(Protocol):
    """The part of `Store` that keeps counts."""

    async def token_counts(self, chat_id: ChatId, tokenizer: str) -> Mapping[EntryId, tuple[int, ...]]: ...

    async def save_token_counts(self, tokenizer: str, counts: Mapping[EntryId, tuple[int, ...]]) -> None: ...


class _LookedUp(dict[Part, int]):
    """Args: exact: What needn't be asked of `count`, where a part is one of `_PLAIN`."""

    def __init__(self, count: Callable[[Part], int], exact: Mapping[Part, int]) -> None:
        super().__init__()
        self._count = count
        self._exact = exact

    def __missing__(self, part: Part) -> int:
        found = self._exact.get(part) if isinstance(part, _PLAIN) else None
        if found is None:
            found = self._count(part)
        self[part] = found
        return found


_PLAIN = (TextPart, ToolCallPart, ToolResultPart)


class Counter:
    """The counts of one chat, by part and tokenizer; equal parts are counted once."""

    def __init__(self, chat_id: ChatId, *, store: CountStore, work: TextWork, vault: Vault) -> None:
        self._chat_id = chat_id
        self._store = store
        self._work = work
        self._vault = vault
        self._exact: dict[str, dict[Part, int]] = defaultdict(dict)
        self._saved: dict[str, set[EntryId]] = defaultdict(set)
        self.version = 0
        """Rises whenever a count became exact."""

    def count(self, part: Part, family: Family) -> Count:
        """Tokens of a part as this family's model reads it."""
        if isinstance(part, MediaPart):
            return _exactly(media_tokens(family, part))
        if isinstance(part, ThinkingPart) and never_leaves(part, family):
            return _exactly(0)
        exact = self._exact[family.tokenizer].get(part)
        if exact is None:
            return Count(
                tokens=estimate_part(part, lambda media: media_tokens(family, media)), is_exact=False
            )
        return _exactly(exact + _signature_tokens(part) if isinstance(part, ThinkingPart) else exact)

    def tokens(self, part: Part, family: Family) -> int:
        return self.count(part, family).tokens

    def looked_up(self, family: Family) -> Callable[[Part], int]:
        """`tokens` for one decision or plan, which asks for each part many times: what was found once holds."""
        exact = self._exact[family.tokenizer]
        return _LookedUp(lambda part: self.tokens(part, family), exact).__getitem__

    def system_tokens(self, prelude: Prelude, family: Family) -> int:
        return (
            self.tokens(TextPart(text=prelude.system), family) + family.message_tokens
            if prelude.system
            else 0
        )

    def tool_tokens(self, prelude: Prelude, family: Family) -> int:
        """Each tool with its whole schema."""
        return sum(self.tokens(_tool_part(tool), family) for tool in prelude.tools)

    async def load(self, entries: Iterable[Entry], family: Family) -> None:
        """Take over what was counted in earlier runs."""
        known = await self._store.token_counts(self._chat_id, family.tokenizer)
        exact = self._exact[family.tokenizer]
        async for entry in _in_slices(entries):
            counts = known.get(entry.id, ())
            if len(counts) == len(entry.parts):
                exact |= zip(entry.parts, counts, strict=True)
                self._saved[family.tokenizer].add(entry.id)
        self.version += 1

    def has_loaded(self, family: Family) -> bool:
        """Whether `load` was called for its tokenizer."""
        return family.tokenizer in self._saved

    async def count_new(self, context: Context, family: Family) -> None:
        """Count exactly what is new in `context`, and keep the counts of what it shows for the next run.

        Without the text worker the estimates stay, and so does that of an original that can't be read.
        """
        await self.count_parts(chain(prelude_parts(context.prelude), parts_of(context.messages)), family)
        await self._save(context, family.tokenizer)

    async def count_parts(self, parts: Iterable[Part], family: Family) -> None:
        """Count exactly what is new among these, and keep it for this run only."""
        exact = self._exact[family.tokenizer]
        new: dict[Part, str] = {}
        async for part in _in_slices(parts):
            is_new = part not in exact and part not in new and not isinstance(part, MediaPart)
            if is_new and (text := await self._text(part)) is not None:
                new[part] = text
        try:
            counts = await self._work.count(list(new.values()), family.tokenizer) if new else ()
        except WorkerDied as error:
            log.info("Counts stay estimates: %s", error)
            return
        async for part, tokens in _in_slices(zip(new, counts, strict=True)):
            exact[part] = tokens
        self.version += bool(new)

    async def _save(self, context: Context, tokenizer: str) -> None:
        exact, saved = self._exact[tokenizer], self._saved[tokenizer]
        shown = (entry for item in context.items if isinstance(item, Shown) for entry in item.entries)
        counted: dict[EntryId, tuple[int, ...]] = {}
        async for entry in _in_slices(shown):
            if entry.id not in saved and (counts := _all_counts(entry.parts, exact)) is not None:
                counted[entry.id] = counts
        if counted:
            await self._store.save_token_counts(tokenizer, counted)
            saved.update(counted)

    async def _text(self, part: Part) -> str | None:
        """None: its original can't be read."""
        body = body_of(part)
        try:
            text = (await self._vault.get(body)).decode(errors="replace") if isinstance(body, Blob) else body
        except StoreError as error:
            log.info("A count stays an estimate: %s", error)
            return None
        return f"{part.name} {text}" if isinstance(part, ToolCallPart) else text


async def _in_slices(items: Iterable[T]) -> AsyncIterator[T]:
    """The items there are now, one by one; the window's other work goes on between."""
    for at, item in enumerate(tuple(items)):
        if at % _SLICE == 0:
            await asyncio.sleep(0)
        yield item


def _all_counts(parts: Sequence[Part], exact: dict[Part, int]) -> tuple[int, ...] | None:
    """None while one is missing, as one that a part fold hides is; media are 0, their formula is not stored."""
    counts = [0 if isinstance(part, MediaPart) else exact.get(part) for part in parts]
    found = tuple(count for count in counts if count is not None)
    return found if len(found) == len(parts) else None


def _signature_tokens(part: ThinkingPart) -> int:
    return estimate(part.signature) if part.signature else 0


@lru_cache(maxsize=4_096)
def _exactly(tokens: int) -> Count:
    """A chat has tens of thousands of counts, and few figures."""
    return Count(tokens=tokens)


def prelude_parts(prelude: Prelude) -> Iterator[Part]:
    """What is counted of a prelude."""
    if prelude.system:
        yield TextPart(text=prelude.system)
    yield from map(_tool_part, prelude.tools)


def parts_of(messages: Iterable[Message]) -> Iterator[Part]:
    return chain.from_iterable(message.parts for message in messages)


def _tool_part(tool: ToolSpec) -> TextPart:
    return TextPart(text=f"{tool.name}\n{tool.description}\n{tool.schema}")
