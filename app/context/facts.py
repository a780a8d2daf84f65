"""What a step of the pipeline is told: facts of this moment, gathered before the first step runs.

Steps never look at a clock, a log or a setting of their own, so that the same facts give the same folds (C8).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from app.cache.terms import NO_CACHE, Terms
from app.cache.warmth import Holding, Warmth
from app.context.budget import Stage
from app.context.gleaned import Gleaned
from app.context.proposal import Proposal, item_tokens
from app.context.reading import Item
from app.core.ids import CompactionId, EntryId
from app.core.ledger import LedgerItem
from app.core.parts import Part
from app.models.families import Family


class Trigger(StrEnum):
    """Why the pipeline runs."""

    SEND = "send"
    """A request is about to leave; whether anything may be rewritten is `plan.py`'s decision."""
    IDLE = "idle"
    """Between turns, when the cache is cold or a due compaction waits."""
    MANUAL = "manual"
    """The person asked."""
    EMERGENCY = "emergency"
    """The window is nearly full, or the provider refused for length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """What the present question is about (S0); nothing it names is folded while another candidate is left."""

    files: tuple[str, ...] = ()
    """Path-like words of the query and the last user entries; at most 8."""
    modules: tuple[str, ...] = ()
    """Dotted names that occur in the transcript's files; at most 8."""
    failed_calls: tuple[EntryId, ...] = ()
    """Results with the tool's error flag, newest last; at most 12."""
    goal: str = ""
    """At most 240 characters of the query."""
    topic: str = ""
    """What the person typed as focus."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTouch:
    """A file that the chat's tools read or wrote."""

    path: str
    entry_id: EntryId
    is_write: bool
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheFacts:
    """What is known of the provider's prompt cache for the sealed prefix."""

    terms: Terms = NO_CACHE
    is_cold: bool = False
    """Nothing of it is there to be read; a model without a cache is never cold."""
    is_written: bool = False
    """A request of this chat was written to it once; not so after an import, or where there is none."""

    @property
    def has_expired(self) -> bool:
        """It held this very prompt once. After a rewrite that no request has carried yet it did not, so that
        tries which fail fold nothing more."""
        return self.is_cold and self.is_written


def cache_facts(terms: Terms, held: Holding) -> CacheFacts:
    """As a decision needs them."""
    return CacheFacts(
        terms=terms,
        is_cold=held.warmth in (Warmth.UNKNOWN, Warmth.SMALL, Warmth.COLD),
        is_written=held.warmth in (Warmth.WARM, Warmth.COLD),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFacts:
    compaction_id: CompactionId
    """Of every fold that is proposed; never part of any text."""
    trigger: Trigger
    stage: Stage
    family: Family
    window_tokens: int
    """0: unknown; then no share of it is a limit."""
    fixed_tokens: int
    """System, what leading system entries say of it too, and tools: what no fold can change."""
    target_tokens: int
    """The whole request shall have at most so many, by our count; 0: nothing is to be folded for room."""
    tokens: Callable[[Part], int]
    """Our count of a part, exact where it was counted."""
    ratio: float = 1.0
    """As many tokens as the model may count for one of ours, by what it reported of this chat; at least 1."""
    answering: EntryId | None
    """The user's entry that is being answered; None between turns."""
    n_sealed: int = 0
    """So many first entries of the path were sent and may not change; 0: all may."""
    why: str = ""
    """The plan's reason, in words."""
    server_chars: Mapping[str, int] = field(default_factory=dict[str, int])
    """By MCP server: how long a result of its tools comes in whole, where that is not as usual (C28 L1)."""
    unsent_results: frozenset[EntryId] = frozenset()
    pins: frozenset[EntryId] = frozenset()
    put_back: frozenset[EntryId] = frozenset()
    """Entries whose fold a person undid: folded again only by an emergency, last (M12)."""
    intent: Intent = Intent()
    ledger: tuple[LedgerItem, ...] = ()
    touches: tuple[FileTouch, ...] = ()
    gleaned: Gleaned = field(default_factory=Gleaned, compare=False, repr=False)
    """What needn't be read again; no fold depends on it."""
    written: Mapping[CompactionId, str] = field(default_factory=dict[CompactionId, str])
    """What the person made of the summary of a compaction: JSON of its fields, to be taken up when one is made."""
    cache: CacheFacts = CacheFacts()
    summary: str = ""
    """The fields of the summary, where they are made already: JSON of a `KeptSummary` (C35)."""
    wants_summary: bool = False
    """The old part is summed up whatever the stage, and nothing but that is folded for room."""
    is_offline: bool = False
    hides_personal_data: bool = True
    language: str = "en"

    def request_tokens(self, context: Proposal) -> int:
        """Our count of the whole request."""
        return self.fixed_tokens + context.tokens(self.tokens, self.family)

    def item_tokens(self, item: Item, *, is_past: bool = False) -> int:
        """See `proposal.item_tokens`."""
        return item_tokens(item, self.tokens, self.family, is_past=is_past)
