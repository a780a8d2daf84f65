"""What is looked for within a chat, and the hits in its items: counted in the core, no matter what is laid out."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from app.core.ids import EntryId
from app.core.parts import Blob, Body
from app.finding.terms import fold
from app.finding.wanted import Span, Wanted
from ui.chat.parts import LONGEST_SHOWN_BYTES
from ui.kit.items import ItemId

Texts = Sequence[tuple[ItemId, tuple[Body, ...]]]
"""The stored bodies of each item, in the list's order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """How many hits each item has that has any, in the order of the list."""

    items: tuple[ItemId, ...] = ()
    ends: tuple[int, ...] = ()
    """How many there are up to and with each of `items`."""

    @property
    def n(self) -> int:
        return self.ends[-1] if self.ends else 0

    def place(self, at: int) -> tuple[ItemId, int]:
        """The item of the `at`th hit of the chat, and which of the item's it is; both from 0."""
        index = bisect_right(self.ends, at)
        return self.items[index], at - (self.ends[index - 1] if index else 0)

    def first_in(self, item: ItemId) -> int | None:
        """The first hit of an item; None: it has none."""
        if item not in self.items:
            return None
        index = self.items.index(item)
        return self.ends[index - 1] if index else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class InChat:
    """What the bar and the transcript show of a search."""

    typed: str = ""
    hits: Hits = Hits()
    current: int | None = None
    """The hit that the next step is counted from."""
    find: Callable[[str], Sequence[Span]] | None = None
    """Marks a text; the same object as long as the same is looked for."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """How something typed is looked for: as it stands there, or else by any of its words."""

    wanted: Wanted

    def __call__(self, text: str) -> Sequence[Span]:
        return self.wanted.spans(fold(text))


def originals_of(texts: Texts) -> tuple[Blob, ...]:
    """The texts of the vault that are shown as texts, each once."""
    blobs = (body for _, bodies in texts for body in bodies if isinstance(body, Blob))
    return tuple({blob.sha256: blob for blob in blobs if blob.n_bytes <= LONGEST_SHOWN_BYTES}.values())


def look_through(
    typed: str, held: Texts, originals: Mapping[str, str], *, entry_id: EntryId | None = None
) -> tuple[Hits, Finding, tuple[ItemId, ...]]:
    """All hits, what marks them, and the items of `entry_id`; for a thread.

    Args:
        originals: What was read of the vault, by hash.
        entry_id: Shall have hits: where it holds the words of what was typed, but not all of it as it stands there,
            the words are what is looked for. None: that is so where nothing holds all of it.
    """
    texts = [(item, _joined(bodies, originals)) for item, bodies in held]
    within = tuple(item for item, _ in texts if entry_id and item.partition("/")[0] == entry_id)
    whole, words = Finding(wanted=Wanted.literally(typed)), Finding(wanted=Wanted.of(typed))
    hits = _hits(texts, whole)
    if hits.n and (not within or any(item in hits.items for item in within)):
        return hits, whole, within
    by_words = _hits(texts, words)
    is_there = any(item in by_words.items for item in within) if within else by_words.n
    return (by_words, words, within) if is_there else (hits, whole, within)


def _joined(bodies: tuple[Body, ...], originals: Mapping[str, str]) -> str:
    texts = (originals.get(body.sha256, "") if isinstance(body, Blob) else body for body in bodies)
    return "\n\n".join(filter(None, texts))


def _hits(texts: Sequence[tuple[ItemId, str]], find: Finding) -> Hits:
    counted = [(item, n) for item, text in texts if (n := len(find(text)))]
    return Hits(items=tuple(item for item, _ in counted), ends=tuple(accumulate(n for _, n in counted)))
