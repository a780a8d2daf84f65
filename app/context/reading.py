"""`read`: the one way from a transcript and its folds to what the model sees (M4).

Undo, branch switch, restore after a restart and time travel are this function and no other code.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from app.context.transcript import groups
from app.core.entries import Entry
from app.core.folds import Deletion, Fold, FoldKind
from app.core.ids import EntryId
from app.core.parts import Part


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A group as the model sees it: each entry with its parts after their part folds.

    `parts[i]` belongs to `entries[i]`; `folds[i]` maps an index into that entry's parts to the fold
    that decided it.
    """

    entries: tuple[Entry, ...]
    parts: tuple[tuple[Part, ...], ...]
    folds: tuple[dict[int, Fold], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """A run fold's replacement, standing once for every group that it decides."""

    fold: Fold
    entries: tuple[Entry, ...]
    """All entries it hides, in path order."""


Item = Shown | Folded


def counts_at(fold: Fold, rev: int) -> bool:
    """Whether the fold stood at `rev`, whatever the path."""
    return fold.rev <= rev and (fold.undone_rev is None or rev < fold.undone_rev)


def read(
    path: tuple[Entry, ...], folds: Iterable[Fold], deletions: Iterable[Deletion] = (), *, rev: int
) -> tuple[Item, ...]:
    """What the model sees of `path` as of `rev`.

    Args:
        path: Root to head.
        folds: All of the chat's, in any order, undone ones too; those whose `last` or `anchor` does not
            lie on the path don't count.
        deletions: All of the chat's; a group with a deleted entry is not shown.
        rev: Inclusive.
    """
    at = {entry.id: index for index, entry in enumerate(path)}
    standing = [fold for fold in folds if counts_at(fold, rev) and fold.last in at and fold.anchor in at]
    gone = {
        item.entry_id
        for item in deletions
        if item.rev <= rev and (item.undone_rev is None or rev < item.undone_rev)
    }
    part_folds: dict[EntryId, list[Fold]] = defaultdict(list)
    for fold in standing:
        if fold.part is not None:
            part_folds[fold.first].append(fold)
    runs = [
        (at[fold.first], at[fold.last], fold) for fold in standing if fold.part is None and fold.first in at
    ]

    items: list[Item] = []
    hidden: dict[int, list[Entry]] = {}
    for group, decider in _decided(path, runs):
        if gone and any(entry.id in gone for entry in group):
            continue
        if decider is None or decider.kind is FoldKind.WHOLE:
            since = decider.rev if decider else 0
            items.append(_shown(group, part_folds, since=since))
        elif (covered := hidden.get(decider.rev)) is not None:
            covered.extend(group)
        else:
            hidden[decider.rev] = list(group)
            items.append(Folded(fold=decider, entries=()))
    return tuple(
        Folded(fold=item.fold, entries=tuple(hidden[item.fold.rev])) if isinstance(item, Folded) else item
        for item in items
    )


def _decided(
    path: tuple[Entry, ...], runs: Sequence[tuple[int, int, Fold]]
) -> Iterable[tuple[tuple[Entry, ...], Fold | None]]:
    """Each group with the newest run fold over it; O((groups + folds) log folds)."""
    waiting = sorted(runs, key=lambda run: run[0], reverse=True)
    over: list[tuple[int, int, Fold]] = []  # heap: newest first
    start = 0
    for group in groups(path):
        while waiting and waiting[-1][0] <= start:
            _, last, fold = waiting.pop()
            heapq.heappush(over, (-fold.rev, last, fold))
        while over and over[0][1] < start:
            heapq.heappop(over)
        yield group, over[0][2] if over else None
        start += len(group)


def _shown(group: tuple[Entry, ...], part_folds: dict[EntryId, list[Fold]], *, since: int) -> Shown:
    if not any(entry.id in part_folds for entry in group):
        return Shown(
            entries=group, parts=tuple([entry.parts for entry in group]), folds=tuple([{} for _ in group])
        )
    parts: list[tuple[Part, ...]] = []
    decided: list[dict[int, Fold]] = []
    for entry in group:
        newest: dict[int, Fold] = {}
        for fold in sorted(part_folds.get(entry.id, ()), key=lambda fold: fold.rev):
            if fold.part is not None and fold.rev > since:
                newest[fold.part] = fold
        newest = {index: fold for index, fold in newest.items() if fold.kind is not FoldKind.WHOLE}
        shown = (
            newest[index].replacement if index in newest else (part,)
            for index, part in enumerate(entry.parts)
        )
        parts.append(tuple(chain.from_iterable(shown)) if newest else entry.parts)
        decided.append(newest)
    return Shown(entries=group, parts=tuple(parts), folds=tuple(decided))
