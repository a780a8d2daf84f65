"""Folds: recorded substitutions that change what the model sees, and nothing else (M3)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from app.core.ids import CompactionId, EntryId
from app.core.parts import Part


class FoldKind(StrEnum):
    """The fate of what the fold covers."""

    SHORTENED = "shortened"
    FILTERED = "filtered"
    VAULTED = "vaulted"
    MERGED = "merged"
    SUMMARISED = "summarised"
    REMOVED = "removed"
    WHOLE = "whole"
    """Put back: the group, or the part, is shown as it was said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    rev: int
    compaction_id: CompactionId
    kind: FoldKind
    first: EntryId
    last: EntryId
    """A run fold covers the whole groups from `first`'s to `last`'s on one path, both inclusive."""
    part: int | None = None
    """Index into the parts of entry `first` (== `last`) for a part fold; None for a run fold."""
    replacement: tuple[Part, ...] = ()
    """Stored parts that stand there instead; empty: nothing does. A part fold has at most one."""
    anchor: EntryId
    """The last entry of the finished turns when it was made; for one made at production its own entry."""
    undone_rev: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """An entry whose group is never covered by an automatic fold."""

    entry_id: EntryId
    rev: int
    undone_rev: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deletion:
    """A group that is not shown, to the person or to the model, from `rev` until `undone_rev`."""

    entry_id: EntryId
    rev: int
    deleted_at: datetime
    undone_rev: int | None = None
