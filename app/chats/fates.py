"""What a plan makes of the context, row by row: how it is told before anybody decides on it (C35)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import floor

from app.context.budget import Category
from app.context.pipeline import Planned
from app.context.proposal import Proposal, item_tokens
from app.context.reading import Folded, Item, Shown
from app.core.entries import Origin
from app.core.folds import Fold, FoldKind
from app.core.ids import CompactionId, EntryId
from app.core.parts import MediaPart, Part, ThinkingPart
from app.models.families import Family

Tokens = Callable[[Part], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What becomes of some messages."""

    kind: FoldKind
    of: Category | None = None
    """REASONING or MEDIA, where only that of a message is folded; None: anything else."""
    n_messages: int
    tokens_freed: int
    """As the provider counts; negative: it takes more than it did."""


def fates(
    planned: Planned, tokens: Tokens, family: Family, *, tokens_freed: int, summary_more: int = 0
) -> tuple[Fate, ...]:
    """The rows of a plan, what frees most first; they add up to `tokens_freed`.

    Args:
        tokens: Our count of a part.
        tokens_freed: By the whole plan, as the provider counts, with `summary_more` in it.
        summary_more: So many tokens more than now stand in its place will the summary have.
    """
    freed: dict[tuple[FoldKind, Category | None], int] = {}
    touched: dict[tuple[FoldKind, Category | None], set[EntryId]] = {}
    for key, ids, n in _rows(planned, tokens, family):
        freed[key] = freed.get(key, 0) + n
        touched.setdefault(key, set()).update(ids)
    summed_up = (FoldKind.SUMMARISED, None)
    scale = (tokens_freed + summary_more) / max(planned.tokens_before - planned.tokens_after, 1)
    exact = [n * scale - (summary_more if key == summed_up else 0) for key, n in freed.items()]
    rows = [
        Fate(kind=kind, of=of, n_messages=len(touched[kind, of]), tokens_freed=n)
        for (kind, of), n in zip(freed, whole(exact, tokens_freed), strict=True)
    ]
    return tuple(sorted(rows, key=lambda row: -row.tokens_freed))


def whole(exact: Sequence[float], total: int) -> list[int]:
    """`exact` in whole numbers that add up to `total`: what is missing goes where most was cut off."""
    found = [floor(value) for value in exact]
    order = sorted(range(len(exact)), key=lambda at: found[at] - exact[at])
    missing = total - sum(found)
    for n in range(abs(missing)) if order else ():
        found[order[n % len(order)]] += 1 if missing > 0 else -1
    return found


def _rows(
    planned: Planned, tokens: Tokens, family: Family
) -> Iterator[tuple[tuple[FoldKind, Category | None], list[EntryId], int]]:
    """What kind of thing, to which entries, with how many tokens freed by our count."""
    proposal = planned.proposal
    new = proposal.proposed[0].compaction_id if proposal.proposed else None
    before = dict[EntryId, int]()  # by the first entry of each item: what it had
    holder = dict[EntryId, EntryId]()
    for item, n in _counted(planned.before, tokens, family):
        before[item.entries[0].id] = n
        holder |= {entry.id: item.entries[0].id for entry in item.entries}
    for item, n in _counted(proposal, tokens, family):
        held = {holder[entry.id] for entry in item.entries if entry.id in holder}
        freed = sum(before.pop(key, 0) for key in held) - n
        if isinstance(item, Folded):
            if item.fold.compaction_id == new:
                yield (item.fold.kind, None), [entry.id for entry in item.entries], freed
        else:
            yield from _of_parts(item, new, tokens, freed)


def _of_parts(
    item: Shown, new: CompactionId | None, tokens: Tokens, freed: int
) -> Iterator[tuple[tuple[FoldKind, Category | None], list[EntryId], int]]:
    """The new folds of a group's parts share what it freed; what can't be told apart goes to the first."""
    folded = [
        (entry, fold, entry.parts[index])
        for entry, decided in zip(item.entries, item.folds, strict=True)
        for index, fold in decided.items()
        if fold.compaction_id == new
    ]
    gains = [_freed(fold, part, tokens) for _, fold, part in folded]
    gains[:1] = [freed - sum(gains[1:])] if gains else []
    for (entry, fold, part), gain in zip(folded, gains, strict=True):
        yield (fold.kind, _of(part)), [entry.id], gain


def _freed(fold: Fold, part: Part, tokens: Tokens) -> int:
    return tokens(part) - sum(map(tokens, fold.replacement))


def _of(part: Part) -> Category | None:
    match part:
        case ThinkingPart():
            return Category.REASONING
        case MediaPart():
            return Category.MEDIA
        case _:
            return None


def _counted(proposal: Proposal, tokens: Tokens, family: Family) -> Iterator[tuple[Item, int]]:
    """As `Proposal.tokens` adds up."""
    items = proposal.items
    last = max((at for at, item in enumerate(items) if _is_own(item)), default=0)
    for at, item in enumerate(items):
        yield item, item_tokens(item, tokens, family, is_past=at < last)


def _is_own(item: Item) -> bool:
    return isinstance(item, Shown) and item.entries[0].origin is Origin.USER
