"""Running sums over the messages, or the items, of a context: what any first part of it counts, in no time.

A chat of 10,000 messages would hold the window's thread for 0.1 s if it were counted anew for each keystroke.
"""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence

from app.context.budget import Category, Count
from app.context.reading import Item, Shown
from app.core.entries import Entry, Origin
from app.core.parts import MediaPart, Part, ThinkingPart, ToolCallPart, ToolResultPart
from app.core.requests import Message, Role
from app.models.families import Family, Replay

_BY_ORIGIN = {
    Origin.USER: Category.YOU,
    Origin.ASSISTANT: Category.ASSISTANT,
    Origin.TOOL: Category.TOOL_RESULTS,
    Origin.NOTE: Category.NOTES,
    Origin.SYSTEM: Category.SYSTEM,
}


class Sums:
    """Index n of each sum is what the first n units have. Reasoning is kept apart: not all of it is read again."""

    def __init__(self) -> None:
        self.units: list[Message | Item] = []
        self.plain = _sum()
        self.thinking = _sum()
        self.called_thinking = _sum()
        """Of units with tool calls."""
        self.inexact = _sum()
        """Of estimated parts."""
        self.blocks = _sum()
        self._by_category = {category: _sum() for category in Category}
        self._since_user = _sum()
        """How many stand up to and with the person's last one."""
        self._n_leading = 0

    def keep(self, units: Sequence[Message | Item]) -> int:
        """Forget what is no longer in `units`; how many are left. Before an unchanged unit nothing changed."""
        n = min(len(units), len(self.units))
        while n and self.units[n - 1] is not units[n - 1]:
            n -= 1
        self._cut(n)
        return n

    @property
    def by_category(self) -> dict[Category, int]:
        """Tokens of all units; of items only, without reasoning."""
        return {category: sums[-1] for category, sums in self._by_category.items()}

    @property
    def n_exact(self) -> int:
        """Units before the first one that holds an estimate."""
        return bisect_right(self.inexact, 0) - 1

    def forget_inexact(self) -> None:
        self._cut(self.n_exact)

    def total(self, family: Family) -> int:
        """Tokens of all units, reasoning where this family reads it again."""
        return self.plain[-1] + self.thinking_read(family)

    def total_up_to(self, n_blocks: int, family: Family, count: Callable[[Part], Count]) -> int:
        """Tokens of a request that ended after `n_blocks` blocks.

        One that ended within a message of today ended with the person's words, and more were added to them.
        """
        n = bisect_right(self.blocks, n_blocks) - 1
        rest = n_blocks - self.blocks[n]
        if not rest:
            return self.plain[n] + self._thinking_read(family, n, self._since_user[n])
        unit = self.units[n]
        assert isinstance(unit, Message)
        started = family.message_tokens + sum(count(part).tokens for part in unit.parts[:rest])
        return self.plain[n] + self._thinking_read(family, n, n) + started

    def thinking_read(self, family: Family) -> int:
        """Tokens of the reasoning that the model reads again (S1)."""
        return self._thinking_read(family, len(self.units), self._since_user[-1])

    def _thinking_read(self, family: Family, n: int, user: int) -> int:
        match family.thinking.replay:
            case Replay.NEVER:
                return 0
            case Replay.LOOP:
                return self.thinking[n] - self.thinking[user]
            case Replay.CALLS:
                return self.thinking[n] - self.thinking[user] + self.called_thinking[user]
            case Replay.ALWAYS:
                return self.thinking[n]

    def add_message(self, message: Message, message_tokens: int, count: Callable[[Part], Count]) -> None:
        self._add(message, is_user=message.role is Role.USER)
        self.plain[-1] += message_tokens
        self.blocks[-1] += len(message.parts)
        has_calls = _has_calls(message.parts)
        for part in message.parts:
            self._add_part(part, count(part), has_calls=has_calls)

    def add_item(self, item: Item, count: Callable[[Part], Count]) -> None:
        """An item, by categories; leading system entries are left to the prelude."""
        is_leading = _origin(item) is Origin.SYSTEM and self._n_leading == len(self.units)
        self._add(item, is_user=_origin(item) is Origin.USER)
        if is_leading:
            self._n_leading += 1
            return
        if not isinstance(item, Shown):
            for part in item.fold.replacement:
                self._add_part(part, count(part), has_calls=False, category=Category.NOTES)
            return
        for entry, parts in zip(item.entries, item.parts, strict=True):
            has_calls = _has_calls(parts)
            for part in parts:
                self._add_part(part, count(part), has_calls=has_calls, category=_category(entry, part))

    def _add(self, unit: Message | Item, *, is_user: bool) -> None:
        self.units.append(unit)
        for sums in self._all():
            sums.append(sums[-1])
        if is_user:
            self._since_user[-1] = len(self.units)

    def _add_part(
        self, part: Part, count: Count, *, has_calls: bool, category: Category | None = None
    ) -> None:
        if not count.is_exact:
            self.inexact[-1] += count.tokens
        if isinstance(part, ThinkingPart):
            self.thinking[-1] += count.tokens
            self.called_thinking[-1] += count.tokens if has_calls else 0
            return
        self.plain[-1] += count.tokens
        if category:
            self._by_category[category][-1] += count.tokens

    def _cut(self, n: int) -> None:
        del self.units[n:]
        self._n_leading = min(self._n_leading, n)
        for sums in self._all():
            del sums[n + 1 :]

    def _all(self) -> Iterable["array[int]"]:
        yield from (
            self.plain,
            self.thinking,
            self.called_thinking,
            self.inexact,
            self.blocks,
            self._since_user,
        )
        yield from self._by_category.values()


def _sum() -> "array[int]":
    return array("q", (0,))


def _origin(unit: Message | Item) -> Origin | None:
    return unit.entries[0].origin if isinstance(unit, Shown) else None


def _has_calls(parts: Sequence[Part]) -> bool:
    return any(isinstance(part, ToolCallPart) for part in parts)


def _category(entry: Entry, part: Part) -> Category:
    match part:
        case MediaPart():
            return Category.MEDIA
        case ToolResultPart():
            return Category.TOOL_RESULTS
        case _:
            return _BY_ORIGIN[entry.origin]
