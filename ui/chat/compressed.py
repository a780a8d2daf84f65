"""A chat's compactions, alerts and deletions as lines of its transcript; put-backs are told where they are."""

from collections.abc import Sequence
from itertools import chain

from app.context.conversation import Conversation
from app.context.transcript import Transcript, groups
from app.core.folds import Fold, FoldKind
from app.core.ids import EntryId
from app.core.records import PUT_BACK, Alert
from ui.chat.state import Compressed


def compressed(conversation: Conversation) -> tuple[Compressed, ...]:
    """Oldest first; undone ones say so."""
    found: list[Compressed] = []
    for made in conversation.compactions:
        folds = [fold for fold in conversation.folds if fold.compaction_id == made.id]
        if folds and made.trigger != PUT_BACK:
            found.append(
                Compressed(
                    id=made.id,
                    after=folds[0].anchor,
                    n_messages=_n_covered(folds, conversation.transcript),
                    tokens_before=made.tokens_before,
                    tokens_after=made.tokens_after,
                    has_summary=any(fold.kind is FoldKind.SUMMARISED for fold in folds),
                    is_undone=all(fold.undone_rev is not None for fold in folds),
                )
            )
    return tuple(found)


def pinned(conversation: Conversation) -> frozenset[EntryId]:
    """Entries that the person wants never folded."""
    return frozenset(pin.entry_id for pin in conversation.pins if pin.undone_rev is None)


def deleted(conversation: Conversation) -> frozenset[EntryId]:
    """Entries of the shown branch that the person has deleted, whole groups of them (M10)."""
    chosen = {item.entry_id for item in conversation.deletions if item.undone_rev is None}
    if not chosen:
        return frozenset()
    found = (
        group for group in groups(tuple(conversation.path)) if any(entry.id in chosen for entry in group)
    )
    return frozenset(entry.id for group in found for entry in group)


def by_entry(alerts: Sequence[Alert]) -> dict[EntryId, list[Alert]]:
    """Those that one line tells of, by the entry that it follows."""
    found: dict[EntryId, list[Alert]] = {}
    for alert in alerts:
        found.setdefault(alert.after, []).append(alert)
    return found


def _n_covered(folds: Sequence[Fold], transcript: Transcript) -> int:
    """Entries that at least one of these folds covers; runs are of one path, so depths tell them apart."""
    spans = (range(transcript[fold.first].depth, transcript[fold.last].depth + 1) for fold in folds)
    return len(set(chain.from_iterable(spans)))
