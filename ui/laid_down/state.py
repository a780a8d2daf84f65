"""A summary's fourteen fields as lines that a person can edit, and back (U8, C11)."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.chats.summary_editing import Version
from app.context.summary.fields import WHY, Summary, said_in
from app.core.ids import CompactionId
from app.core.ledger import LedgerItem

PAIRS = {"key_decisions": ("what", "why"), "errors_and_fixes": ("error", "fix")}
"""Fields whose lines have two halves."""
SINGLE = ("user_goal", "active_task", "active_state", "last_action")
FIELDS: tuple[str, ...] = tuple(Summary.model_fields)
"""In the order in which they are sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryState:
    compaction_id: CompactionId
    versions: tuple[Version, ...]
    """The compaction's own first."""
    is_shown: bool
    """Whether the model sees it, so that it can be written anew."""

    @property
    def newest(self) -> Version:
        return next(version for version in reversed(self.versions) if not version.is_undone)


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidDownState:
    summaries: tuple[SummaryState, ...] = ()
    """Oldest first."""
    lines: tuple[LedgerItem, ...] = ()
    is_loading: bool = True


def to_text(summary: Summary, field: str) -> str:
    """One line an item; the halves of a pair parted by ` | `."""
    return "\n".join(said_in(summary, field))


def from_texts(texts: Mapping[str, str]) -> Summary:
    """The summary that some edited fields are, cut to the limits of each (C11)."""
    values: dict[str, object] = {}
    for field, text in texts.items():
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if field in SINGLE:
            values[field] = " ".join(lines)
        elif field in PAIRS:
            first, second = PAIRS[field]
            halves = (line.partition(WHY) for line in lines)
            values[field] = [{first: one.strip(), second: two.strip()} for one, _, two in halves]
        else:
            values[field] = lines
    return Summary.model_validate(values)
