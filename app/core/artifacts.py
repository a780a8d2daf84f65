"""What a chat has beside its context: texts and pictures in the vault, and texts that a fold hides (M6)."""

from dataclasses import dataclass

from app.core.folds import FoldKind
from app.core.ids import EntryId
from app.core.parts import Blob

LEAST_CHARS = 4_000
"""A shorter text of an entry is no artifact of its own, but where it was shortened by itself."""

PartKey = tuple[EntryId, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What the model sees of an original. All tokens are estimates."""

    fate: FoldKind | None
    """None: all of it."""
    tokens: int
    shown_tokens: int
    """0 where a summary or a stub stands for more than it."""
    back_tokens: int
    """So much is added where its group is put back; 0 of what can't be, as a whole run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    address: str
    name: str
    mime: str
    n_bytes: int
    n_lines: int
    """0: not known, or it has none."""
    entry_id: EntryId
    """The first that holds it; of a run its first."""
    blob: Blob | None
    """None: it lies in the entries."""
    sight: Sight | None
    """None: on the shown branch nothing holds it."""
    is_kept: bool = False
    """For ever (C26)."""
    is_run: bool = False
    """What a fold hides as a whole, as one text."""
