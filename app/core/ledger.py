"""The ledger: the person's constraints and decisions, word for word, with where they were said (C38)."""

from dataclasses import dataclass
from enum import StrEnum

from app.core.ids import EntryId


class LedgerKind(StrEnum):
    CONSTRAINT = "constraint"
    DECISION = "decision"
    VALUE = "value"


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerItem:
    """One line; never rephrased, never compressed."""

    id: str
    kind: LedgerKind
    text: str
    """Verbatim, at most 160 characters."""
    entry_id: EntryId | None
    """Where it was said; None: the person wrote it into the ledger."""
    rev: int
    superseded_rev: int | None = None
    """A later line contradicts it; it stays, and is no longer sent."""
    is_manual: bool = False
