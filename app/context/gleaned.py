"""What was read off a chat once and is kept, since entries never change: a compaction reads only what is new.

Nothing here is part of what is found: thrown away, all of it is found again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from app.core.entries import Entry
from app.core.ids import EntryId
from app.core.ledger import LedgerItem

if TYPE_CHECKING:
    from app.filters.telling import Sayings  # no start waits for its patterns

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Prefix(Generic[T]):
    """What the first `n` entries of a path came to; at least one."""

    n: int
    head: EntryId
    """The last of them: an entry has the same ones above it on every path."""
    found: T

    def begins(self, path: Sequence[Entry]) -> bool:
        return self.n <= len(path) and path[self.n - 1].id == self.head


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A ledger, and what it became."""

    given: tuple[LedgerItem, ...]
    kept: tuple[LedgerItem, ...]
    """Before the oldest lines gave way to the limit."""
    found: tuple[LedgerItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """What the calls of a path named, and which of them failed."""

    files: frozenset[str] = frozenset()
    failed: tuple[EntryId, ...] = ()
    """Newest last, no more than anyone asks for."""


@dataclass(slots=True)
class Gleaned:
    """Of one chat; whoever reads it takes what is there, whoever reads on puts more in its place."""

    noted: Prefix[Noted] | None = None
    called: Prefix[Called] | None = None
    said: "Sayings | None" = None
    """Of texts that a compaction may soon choose from; None: none is near."""
