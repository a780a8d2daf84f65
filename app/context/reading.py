"""`read`: the one way from a transcript and its folds to what the model sees (M4).

Undo, branch switch, restore after a restart and time travel are this function and no other code.
"""

import heapq
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
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


def amended(
    items: Sequence[Item], at: Mapping[EntryId, int], folds: Sequence[Fold]
) -> tuple[Item, ...] | None:
    """What `read` gives once `folds`, newer than all that stand, are there too; costs what is new.

    Args:
        items: The reading without them.
        at: Where each entry of the path stands.
        folds: Oldest first.
    Returns: None where one puts back, or cuts what an older one hides: that is `read` anew.
    """
    found = list(items)
    starts = [at[item.entries[0].id] for item in items]
    part_folds: dict[EntryId, list[Fold]] = defaultdict(list)
    for fold in folds:
        if fold.part is not None:
            part_folds[fold.first].append(fold)
            continue
        first, last = at[fold.first], at[fold.last]
        span = slice(bisect_left(starts, first), bisect_right(starts, last))
        hidden = [entry for item in found[span] for entry in item.entries]
        places = [at[entry.id] for entry in hidden]
        is_whole = len(places) == last - first + 1 and max(places) == last
        if fold.kind is FoldKind.WHOLE or not is_whole:
            return None
        if any(isinstance(item, Folded) for item in found[span]):
            hidden.sort(key=lambda entry: at[entry.id])
        found[span] = [Folded(fold=fold, entries=tuple(hidden))]
        starts[span] = [first]
    for index in {bisect_right(starts, at[entry_id]) - 1 for entry_id in part_folds}:
        item = found[index] if index >= 0 else None
        if isinstance(item, Shown):
            found[index] = _with_parts(item, part_folds)
    return tuple(found)


def _with_parts(item: Shown, part_folds: Mapping[EntryId, Sequence[Fold]]) -> Shown:
    decided = [
        _visible(before | {fold.part: fold for fold in part_folds.get(entry.id, ()) if fold.part is not None})
        for entry, before in zip(item.entries, item.folds, strict=True)
    ]
    parts = map(_parts_of, item.entries, decided)
    return Shown(entries=item.entries, parts=tuple(parts), folds=tuple(decided))


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
    decided: list[dict[int, Fold]] = []
    for entry in group:
        newest: dict[int, Fold] = {}
        for fold in sorted(part_folds.get(entry.id, ()), key=lambda fold: fold.rev):
            if fold.part is not None and fold.rev > since:
                newest[fold.part] = fold
        decided.append(_visible(newest))
    parts = map(_parts_of, group, decided)
    return Shown(entries=group, parts=tuple(parts), folds=tuple(decided))


def _visible(newest: dict[int, Fold]) -> dict[int, Fold]:
    return {index: fold for index, fold in newest.items() if fold.kind is not FoldKind.WHOLE}


def _parts_of(entry: Entry, decided: Mapping[int, Fold]) -> tuple[Part, ...]:
    if not decided:
        return entry.parts
    shown = (
        decided[index].replacement if index in decided else (part,) for index, part in enumerate(entry.parts)
    )
    return tuple(chain.from_iterable(shown))
