"""The context while a compaction is planned: the reading as it would be with the folds proposed so far.

Nothing is stored and nothing is changed; throwing a proposal away undoes it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.context.ports import NewFold
from app.context.reading import Folded, Item, Shown, amended, counts_at, read
from app.core.entries import Entry, Origin
from app.core.folds import Deletion, Fold, FoldKind
from app.core.ids import EntryId
from app.core.parts import Part, ThinkingPart
from app.models.families import Family, Replay


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    path: tuple[Entry, ...]
    folds: tuple[Fold, ...]
    """Those that the store holds, then those that are proposed, with the numbers that they would get."""
    deletions: tuple[Deletion, ...]
    rev: int
    items: tuple[Item, ...]
    """The reading as of `rev`."""
    at: Mapping[EntryId, int] = field(repr=False, compare=False)
    """Where each entry stands on the path."""
    unfolded: tuple[Item, ...] = field(repr=False, compare=False)
    """`items` before anything was proposed."""
    proposed: tuple[NewFold, ...] = ()
    _totals: dict[tuple[Callable[[Part], int], str], int] = field(
        default_factory=dict[tuple[Callable[[Part], int], str], int], init=False, repr=False, compare=False
    )
    """By who counts for which family: every step asks for it, and it takes as long as a step."""

    @classmethod
    def of(
        cls,
        path: Sequence[Entry],
        folds: Iterable[Fold],
        deletions: Iterable[Deletion],
        *,
        rev: int,
        items: tuple[Item, ...] | None = None,
    ) -> "Proposal":
        """Args: items: The reading, where it is known."""
        held = tuple(folds)
        gone = tuple(deletions)
        whole = tuple(path)
        if items is None:
            items = read(whole, held, gone, rev=rev)
        return cls(
            path=whole,
            folds=held,
            deletions=gone,
            rev=rev,
            items=items,
            unfolded=items,
            at={entry.id: index for index, entry in enumerate(whole)},
        )

    def with_folds(self, new: Sequence[NewFold]) -> "Proposal":
        """The proposal with `new` after everything that stands, instead of what was proposed for the same place."""
        if not new:
            return self
        places = {place(fold) for fold in new}
        stay = tuple(fold for fold in self.proposed if place(fold) not in places)
        if len(stay) < len(self.proposed):
            return self._without_proposed().with_folds((*stay, *new))
        numbered = tuple(
            Fold(
                rev=self.rev + at,
                compaction_id=fold.compaction_id,
                kind=fold.kind,
                first=fold.first,
                last=fold.last,
                part=fold.part,
                replacement=fold.replacement,
                anchor=fold.anchor,
            )
            for at, fold in enumerate(new, start=1)
        )
        folds, rev = self.folds + numbered, self.rev + len(new)
        items = amended(self.items, self.at, numbered)
        return Proposal(
            path=self.path,
            folds=folds,
            deletions=self.deletions,
            rev=rev,
            items=read(self.path, folds, self.deletions, rev=rev) if items is None else items,
            unfolded=self.unfolded,
            at=self.at,
            proposed=self.proposed + tuple(new),
        )

    def _without_proposed(self) -> "Proposal":
        n = len(self.proposed)
        folds = self.folds[: len(self.folds) - n]
        return replace(self, folds=folds, rev=self.rev - n, items=self.unfolded, proposed=())

    def without_covered(self) -> "Proposal":
        """Without what was proposed and then covered by a later run: it would never be shown, nor be undone alone.

        What one of its own compaction puts back inside that run stays, as it comes after it.
        """
        at = self.at
        kept: list[NewFold] = []
        # Runs lie within each other or apart (M5): the widest so far, by its number.
        run_of = [0] * len(self.path)
        for n, fold in enumerate(reversed(self.proposed), start=1):
            first, last = at[fold.first], at[fold.last]
            if run_of[first] and run_of[first] == run_of[last]:
                continue
            kept.append(fold)
            if fold.part is None and fold.kind is not FoldKind.WHOLE:
                run_of[first : last + 1] = [n] * (last + 1 - first)
        if len(kept) == len(self.proposed):
            return self
        return self._without_proposed().with_folds(tuple(reversed(kept)))

    @property
    def anchor(self) -> EntryId:
        """What folds made now hang on: the head; on another branch they don't count."""
        return self.path[-1].id

    def runs(self) -> tuple[tuple[int, int], ...]:
        """Spans of the run folds that stand, those of what was put back too: first and last index into the path."""
        at = self.at
        return tuple(
            (at[fold.first], at[fold.last])
            for fold in self.folds
            if fold.part is None
            and counts_at(fold, self.rev)
            and fold.first in at
            and fold.last in at
            and fold.anchor in at
        )

    def tokens(self, count: Callable[[Part], int], family: Family) -> int:
        """Our count of its messages, a few too many where neighbours become one.

        What leading system entries say is left to the prelude.
        """
        key = count, family.id
        found = self._totals.get(key)
        if found is None:
            found = self._totals[key] = self._sum(count, family)
        return found

    def _sum(self, count: Callable[[Part], int], family: Family) -> int:
        last = max((at for at, item in enumerate(self.items) if _origin(item) is Origin.USER), default=0)
        first = next((at for at, item in enumerate(self.items) if _origin(item) is not Origin.SYSTEM), 0)
        return sum(
            _tokens(item, count, family, is_past=at < last)
            for at, item in enumerate(self.items[first:], start=first)
        )


def crossing(spans: Iterable[tuple[int, int]], low: int, high: int) -> tuple[int, int] | None:
    """One of `spans` that overlaps `low` to `high` only partly, which no run may (M5)."""
    return next(
        ((first, last) for first, last in spans if first < low <= last < high or low < first <= high < last),
        None,
    )


def place(fold: NewFold) -> tuple[EntryId, EntryId, int | None]:
    return fold.first, fold.last, fold.part


def item_tokens(item: Item, count: Callable[[Part], int], family: Family, *, is_past: bool = False) -> int:
    """Of one item; system entries are left to the prelude, where nearly all of them are.

    Args:
        is_past: It stands before the person's last words, so that some families leave its reasoning out.
    """
    return 0 if _origin(item) is Origin.SYSTEM else _tokens(item, count, family, is_past=is_past)


def _tokens(item: Item, count: Callable[[Part], int], family: Family, *, is_past: bool) -> int:
    if isinstance(item, Folded):
        return sum(map(count, item.fold.replacement)) + family.message_tokens
    replay = family.thinking.replay
    is_left_out = is_past and (
        replay is Replay.LOOP or (replay is Replay.CALLS and not item.entries[0].calls)
    )
    total = 0
    for parts in item.parts:
        if is_left_out:
            total += sum(count(part) for part in parts if not isinstance(part, ThinkingPart))
        else:
            total += sum(map(count, parts))
        total += family.message_tokens if parts else 0
    return total


def _origin(item: Item) -> Origin | None:
    return item.entries[0].origin if isinstance(item, Shown) else None


def shown(items: Iterable[Item]) -> tuple[Shown, ...]:
    return tuple(item for item in items if isinstance(item, Shown))


def whole_parts(item: Shown) -> Iterator[tuple[Entry, int, Part]]:
    """Entry, index and part of each that no fold has decided."""
    for entry, parts, decided in zip(item.entries, item.parts, item.folds, strict=True):
        if len(parts) == len(entry.parts):
            yield from ((entry, at, part) for at, part in enumerate(parts) if at not in decided)
