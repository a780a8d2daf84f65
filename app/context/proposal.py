"""The context while a compaction is planned: the reading as it would be with the folds proposed so far.

Nothing is stored and nothing is changed; throwing a proposal away undoes it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from app.context.ports import NewFold
from app.context.reading import Folded, Item, Shown, counts_at, read
from app.core.entries import Entry
from app.core.folds import Deletion, Fold
from app.core.ids import EntryId
from app.core.parts import Part


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    path: tuple[Entry, ...]
    folds: tuple[Fold, ...]
    """Those that the store holds, then those that are proposed, with the numbers that they would get."""
    deletions: tuple[Deletion, ...]
    rev: int
    items: tuple[Item, ...]
    """The reading as of `rev`."""
    proposed: tuple[NewFold, ...] = ()

    @classmethod
    def of(
        cls, path: Sequence[Entry], folds: Iterable[Fold], deletions: Iterable[Deletion], *, rev: int
    ) -> "Proposal":
        held = tuple(folds)
        gone = tuple(deletions)
        whole = tuple(path)
        return cls(path=whole, folds=held, deletions=gone, rev=rev, items=read(whole, held, gone, rev=rev))

    def with_folds(self, new: Sequence[NewFold]) -> "Proposal":
        """The proposal with `new` after everything that stands, instead of what was proposed for the same place."""
        if not new:
            return self
        places = {_place(fold) for fold in new}
        proposed = (*(fold for fold in self.proposed if _place(fold) not in places), *new)
        n_before = len(self.proposed)
        held, rev = self.folds[: len(self.folds) - n_before], self.rev - n_before
        numbered = tuple(
            Fold(
                rev=rev + at,
                compaction_id=fold.compaction_id,
                kind=fold.kind,
                first=fold.first,
                last=fold.last,
                part=fold.part,
                replacement=fold.replacement,
                anchor=fold.anchor,
            )
            for at, fold in enumerate(proposed, start=1)
        )
        folds, rev = held + numbered, rev + len(proposed)
        return Proposal(
            path=self.path,
            folds=folds,
            deletions=self.deletions,
            rev=rev,
            items=read(self.path, folds, self.deletions, rev=rev),
            proposed=proposed,
        )

    @property
    def anchor(self) -> EntryId:
        """What folds made now hang on: the head; on another branch they don't count."""
        return self.path[-1].id

    def runs(self) -> tuple[tuple[int, int], ...]:
        """Spans of the run folds that stand, those of what was put back too: first and last index into the path."""
        at = {entry.id: index for index, entry in enumerate(self.path)}
        return tuple(
            (at[fold.first], at[fold.last])
            for fold in self.folds
            if fold.part is None
            and counts_at(fold, self.rev)
            and fold.first in at
            and fold.last in at
            and fold.anchor in at
        )

    def tokens(self, count: Callable[[Part], int]) -> int:
        """Our count of all its parts, without system, tools and what a message costs beside them."""
        return sum(item_tokens(item, count) for item in self.items)


def crossing(spans: Iterable[tuple[int, int]], low: int, high: int) -> tuple[int, int] | None:
    """One of `spans` that overlaps `low` to `high` only partly, which no run may (M5)."""
    return next(
        ((first, last) for first, last in spans if first < low <= last < high or low < first <= high < last),
        None,
    )


def _place(fold: NewFold) -> tuple[EntryId, EntryId, int | None]:
    return fold.first, fold.last, fold.part


def item_tokens(item: Item, count: Callable[[Part], int]) -> int:
    if isinstance(item, Folded):
        return sum(map(count, item.fold.replacement))
    return sum(count(part) for parts in item.parts for part in parts)


def shown(items: Iterable[Item]) -> tuple[Shown, ...]:
    return tuple(item for item in items if isinstance(item, Shown))
