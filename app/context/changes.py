"""What of a chat's messages changed between two of its requests, and by what (P5)."""

from collections.abc import Sequence
from itertools import takewhile

from app.cache.breaks import Changed
from app.context.context import Context
from app.core.entries import Entry
from app.core.folds import Deletion, Fold
from app.core.records import BreakCause, RequestRecord
from app.core.requests import Prelude


def first_change(
    before: tuple[RequestRecord, Sequence[Entry]],
    now: tuple[RequestRecord, Sequence[Entry]],
    folds: Sequence[Fold],
    deletions: Sequence[Deletion],
) -> Changed | None:
    """The first message that was sent otherwise than it had been; None: what was sent stands.

    Both are read again, which takes as long as the chat is: called in a thread, and for a broken cache only.

    Args:
        before: A request and the path to its head; so is `now`.
        folds: All of the chat's, undone ones too.
    """
    was, became = (_context(record, path, folds, deletions) for record, path in (before, now))
    stand = takewhile(
        lambda pair: pair[0].parts == pair[1].parts, zip(was.messages, became.messages, strict=False)
    )
    n_stand = sum(1 for _ in stand)
    if n_stand == len(was.messages):
        return None
    return Changed(message=n_stand + 1, cause=_cause(before, now, folds, deletions))


def _context(
    record: RequestRecord, path: Sequence[Entry], folds: Sequence[Fold], deletions: Sequence[Deletion]
) -> Context:
    """As it was sent but for the system text: messages are compared."""
    return Context(
        tuple(path), folds, deletions, rev=record.rev, model=record.model, prelude=Prelude(system="")
    )


def _cause(
    before: tuple[RequestRecord, Sequence[Entry]],
    now: tuple[RequestRecord, Sequence[Entry]],
    folds: Sequence[Fold],
    deletions: Sequence[Deletion],
) -> BreakCause:
    since = range(before[0].rev + 1, now[0].rev + 1)
    if before[0].head not in {entry.id for entry in now[1]}:
        return BreakCause.EDIT
    if any(item.rev in since or item.undone_rev in since for item in deletions):
        return BreakCause.EDIT
    if any(fold.undone_rev in since for fold in folds):
        return BreakCause.UNDO
    if any(fold.rev in since for fold in folds):
        return BreakCause.COMPACTION
    return BreakCause.EDIT  # what was said last and not answered was joined by a note
