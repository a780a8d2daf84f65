"""The run that a summary stands for: what it covers, what stays inside it, and the folds that say so (M5)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.context.cover import Cover, cover_of
from app.context.facts import TurnFacts
from app.context.originals import ways_back
from app.context.ports import NewFold
from app.context.proposal import Proposal, crossing
from app.context.reading import Folded, Item, Shown, read
from app.context.summary.fields import KeptSummary, Summary, with_fields
from app.context.summary.merge import merged
from app.context.summary.rendering import read_back
from app.context.transcript import groups
from app.core.entries import Entry, Origin
from app.core.folds import Fold, FoldKind
from app.core.ids import EntryId
from app.core.parts import Part, TextPart

_NAMED_SHARE = 0.25
"""Of the room that is left: what the intent names stays whole up to so much, the newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Groups from after the first user entry to before the tail."""

    first: EntryId
    last: EntryId
    covered: tuple[Item, ...]
    """As they are shown now; none of them is shown after it."""
    inside: tuple[Shown, ...]
    """Between `first` and `last`, and whole all the same: pins, what was put back, the person's last words."""
    beside: tuple[Item, ...]
    """Everything that stays, what is inside too."""
    before: tuple[Item, ...]
    """What is covered, as it was read before this compaction; without the last summary."""
    former: KeptSummary | None
    history: str
    """The address of everything from `first` to `last`, and those of large texts in it."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What was said there, in order; what a summary covers already, too."""
        return tuple(entry for item in self.covered for entry in item.entries)

    @property
    def kept_parts(self) -> Iterator[Part]:
        return (part for item in self.beside for part in _parts(item))


def run_of(context: Proposal, turn: TurnFacts) -> Run | None:
    """The run to be summed up now; None: there is nothing new in it."""
    items = context.items
    cover = cover_of(context, turn)
    covered = _covered(items, cover, turn)
    ids = {entry.id for index in covered for entry in items[index].entries}
    former, before = _as_before(context, turn, ids)
    if not before:
        return None
    at = {entry.id: index for index, entry in enumerate(context.path)}
    low = min(at[_first(items[index])] for index in covered)
    high = max(at[_last(items[index])] for index in covered)
    spans = context.runs()
    while cut := crossing(spans, low, high):  # of one that was put back piece by piece nothing is shown
        low, high = min(low, cut[0]), max(high, cut[1])
    inside: dict[int, Shown] = {}
    for index, item in enumerate(items):
        if index not in covered and low <= at[item.entries[0].id] <= high:
            if isinstance(item, Folded):
                covered.add(index)
            else:
                inside[index] = _unmerged(item)
    return Run(
        first=context.path[low].id,
        last=context.path[high].id,
        covered=tuple(items[index] for index in sorted(covered)),
        inside=tuple(inside.values()),
        beside=tuple(inside.get(index, item) for index, item in enumerate(items) if index not in covered),
        before=before,
        former=former,
        history=", ".join(map(str, ways_back(_standing(context, low, high)))),
    )


def _standing(context: Proposal, low: int, high: int) -> list[Entry]:
    """What an address of the run shows: all of it that is not deleted."""
    gone = {item.entry_id for item in context.deletions if item.undone_rev is None}
    whole = groups(context.path[low : high + 1])
    return [entry for group in whole if gone.isdisjoint(e.id for e in group) for entry in group]


def folds_of(
    run: Run, replacement: Sequence[Part], context: Proposal, turn: TurnFacts
) -> tuple[NewFold, ...]:
    """The run fold, then what puts back what stays inside it, with the part folds that it had."""

    return (_fold(context, turn, FoldKind.SUMMARISED, run, *replacement), *_whole(run.inside, context, turn))


def _whole(items: Iterable[Shown], context: Proposal, turn: TurnFacts) -> Iterator[NewFold]:
    for item in items:
        yield _fold(context, turn, FoldKind.WHOLE, _Span(item.entries[0].id, item.entries[-1].id))
        for entry, decided in zip(item.entries, item.folds, strict=True):
            for index, old in sorted(decided.items()):
                place = _Span(entry.id, entry.id)
                yield _fold(context, turn, old.kind, place, *old.replacement, part=index)


class _Span(NamedTuple):
    first: EntryId
    last: EntryId


def _fold(
    context: Proposal,
    turn: TurnFacts,
    kind: FoldKind,
    place: "Fold | Run | _Span",
    *replacement: Part,
    part: int | None = None,
) -> NewFold:
    return NewFold(
        compaction_id=turn.compaction_id,
        kind=kind,
        first=place.first,
        last=place.last,
        part=part,
        replacement=replacement,
        anchor=context.anchor,
    )


def proposed_summary(context: Proposal) -> NewFold | None:
    """The summary that this compaction proposed already."""
    return next((fold for fold in context.proposed if fold.kind is FoldKind.SUMMARISED), None)


def _covered(items: Sequence[Item], cover: Cover, turn: TurnFacts) -> set[int]:
    first = next((i for i, item in enumerate(items) if _origin(item) is Origin.USER), len(items))
    start = first + 1
    while start < len(items) and _origin(items[start]) is Origin.NOTE:
        start += 1  # it stands in the first message
    found: set[int] = set()
    room = _NAMED_SHARE * max(turn.target_tokens - turn.fixed_tokens, 0)
    stays: set[int] = set()
    for index in range(cover.tail - 1, start - 1, -1):
        if index in cover.named and cover.rank(index) is not None:
            room -= turn.item_tokens(items[index])
            if room >= 0:
                stays.add(index)
    for index in range(start, cover.tail):
        item = items[index]
        is_foldable = isinstance(item, Folded) or (cover.rank(index) is not None and index not in stays)
        # A note belongs to the person's entry that it follows, and goes with it.
        if is_foldable or (
            _origin(item) is Origin.NOTE and index - 1 in found and not _is_pinned(item, turn)
        ):
            found.add(index)
    return found


def _as_before(
    context: Proposal, turn: TurnFacts, ids: set[EntryId]
) -> tuple[KeptSummary | None, tuple[Item, ...]]:
    """The last summary, and what is new beside it, without this compaction's own folds (C17)."""
    n = len(context.proposed)
    held = context.folds[: len(context.folds) - n]
    items = read(context.path, held, context.deletions, rev=context.rev - n)
    former: KeptSummary | None = None
    new: list[Item] = []
    for item in items:
        if item.entries[0].id not in ids:
            continue
        last = standing_summary(item, turn)
        if last is None:
            new.append(item)
        else:
            former = merged(former, last) if former else last
    return former, tuple(new)


def standing_summary(item: Item, turn: TurnFacts) -> KeptSummary | None:
    """The summary that an item is, in the person's words where there are some; None: it is none."""
    found = read_back(summary_text(item))
    written = turn.written.get(item.fold.compaction_id) if isinstance(item, Folded) else None
    return with_fields(found, Summary.model_validate_json(written)) if found and written else found


def summary_text(item: Item) -> str:
    """As it is sent; empty: the item is no summary."""
    if not isinstance(item, Folded) or item.fold.kind is not FoldKind.SUMMARISED:
        return ""
    part = next(iter(item.fold.replacement), None)
    return part.text if isinstance(part, TextPart) and isinstance(part.text, str) else ""


def stood_again(
    context: Proposal, item: Folded, replacement: Sequence[Part], turn: TurnFacts
) -> tuple[NewFold, ...]:
    """A standing run once more with another replacement, then all that stands inside it, as it does."""
    at = {entry.id: index for index, entry in enumerate(context.path)}
    span = range(at[item.fold.first], at[item.fold.last] + 1)
    inside = [other for other in context.items if other is not item and at[other.entries[0].id] in span]
    runs = [other.fold for other in inside if isinstance(other, Folded) and other.fold.rev > item.fold.rev]
    whole = [other for other in inside if isinstance(other, Shown)]
    return (
        _fold(context, turn, item.fold.kind, item.fold, *replacement),
        *(
            _fold(context, turn, run.kind, run, *run.replacement)
            for run in sorted(runs, key=lambda run: run.rev)
        ),
        *_whole(whole, context, turn),
    )


def _unmerged(item: Shown) -> Shown:
    """Without stubs that say "stands again below": what stood there may be hidden by the summary (case B43)."""
    parts: list[tuple[Part, ...]] = []
    folds: list[dict[int, Fold]] = []
    for entry, shown, decided in zip(item.entries, item.parts, item.folds, strict=True):
        kept = {index: fold for index, fold in decided.items() if fold.kind is not FoldKind.MERGED}
        folds.append(kept)
        if kept == decided:
            parts.append(shown)
            continue
        pieces: list[Part] = []
        for index, part in enumerate(entry.parts):
            pieces.extend(kept[index].replacement if index in kept else (part,))
        parts.append(tuple(pieces))
    return Shown(entries=item.entries, parts=tuple(parts), folds=tuple(folds))


def _first(item: Item) -> EntryId:
    return item.fold.first if isinstance(item, Folded) else item.entries[0].id


def _last(item: Item) -> EntryId:
    return item.fold.last if isinstance(item, Folded) else item.entries[-1].id


def _origin(item: Item) -> Origin | None:
    return item.entries[0].origin if isinstance(item, Shown) else None


def _is_pinned(item: Item, turn: TurnFacts) -> bool:
    return any(entry.id in turn.pins or entry.id in turn.put_back for entry in item.entries)


def _parts(item: Item) -> Iterator[Part]:
    if isinstance(item, Folded):
        yield from item.fold.replacement
    else:
        for parts in item.parts:
            yield from parts
