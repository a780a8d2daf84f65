"""Running sums over the messages, or the items, of a context: what any first part of it counts, in no time.

A chat of 10,000 messages would hold the window's thread for 0.1 s if it were counted anew for each keystroke.
"""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence

from app.context.budget import Category, Count
from app.context.reading import Item, Shown
from app.core.entries import Origin
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
        self._by_category = dict.fromkeys(Category, 0)
        self._shares: list[Sequence[tuple[Category, int]]] = []
        """What each unit has of the categories, to be taken back when it is cut."""
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
        return dict(self._by_category)

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
        found = _Found(plain=message_tokens)
        found.take(message.parts, count)
        self._add(message, found, is_user=message.role is Role.USER, n_blocks=len(message.parts))

    def add_item(self, item: Item, count: Callable[[Part], Count]) -> None:
        """An item, by categories; leading system entries are left to the prelude."""
        found = _Found()
        if _origin(item) is Origin.SYSTEM and self._n_leading == len(self.units):
            self._n_leading += 1
        elif isinstance(item, Shown):
            for entry, parts in zip(item.entries, item.parts, strict=True):
                found.take(parts, count, by=_BY_ORIGIN[entry.origin])
        else:
            found.take(item.fold.replacement, count, by=Category.NOTES)
        self._add(item, found, is_user=_origin(item) is Origin.USER)

    def _add(self, unit: Message | Item, found: "_Found", *, is_user: bool, n_blocks: int = 0) -> None:
        self.units.append(unit)
        self.plain.append(self.plain[-1] + found.plain)
        self.thinking.append(self.thinking[-1] + found.thinking)
        self.called_thinking.append(self.called_thinking[-1] + found.called_thinking)
        self.inexact.append(self.inexact[-1] + found.inexact)
        self.blocks.append(self.blocks[-1] + n_blocks)
        self._since_user.append(len(self.units) if is_user else self._since_user[-1])
        self._shares.append(found.shares)
        for category, tokens in found.shares:
            self._by_category[category] += tokens

    def _cut(self, n: int) -> None:
        for shares in self._shares[n:]:
            for category, tokens in shares:
                self._by_category[category] -= tokens
        del self.units[n:], self._shares[n:]
        self._n_leading = min(self._n_leading, n)
        for sums in (
            self.plain, self.thinking, self.called_thinking, self.inexact, self.blocks, self._since_user
        ):  # fmt: skip
            del sums[n + 1 :]


class _Found:
    """What one unit counts."""

    def __init__(self, plain: int = 0) -> None:
        self.plain = plain
        self.thinking = self.called_thinking = self.inexact = 0
        self.shares: list[tuple[Category, int]] = []

    def take(
        self, parts: Sequence[Part], count: Callable[[Part], Count], *, by: Category | None = None
    ) -> None:
        thinking = 0
        has_calls = False
        for part in parts:
            found = count(part)
            tokens = found.tokens
            if not found.is_exact:
                self.inexact += tokens
            if isinstance(part, ThinkingPart):
                thinking += tokens
                continue
            has_calls = has_calls or isinstance(part, ToolCallPart)
            self.plain += tokens
            if by:
                self.shares.append((_category(by, part), tokens))
        self.thinking += thinking
        self.called_thinking += thinking if has_calls else 0


def _sum() -> "array[int]":
    return array("i", (0,))  # two thousand million tokens


def _origin(unit: Message | Item) -> Origin | None:
    return unit.entries[0].origin if isinstance(unit, Shown) else None


def _category(by: Category, part: Part) -> Category:
    match part:
        case MediaPart():
            return Category.MEDIA
        case ToolResultPart():
            return Category.TOOL_RESULTS
        case _:
            return by
