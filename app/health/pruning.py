"""What leaving texts out of a chat's requests brought and cost, beside the vault they lie in, as one value (U5)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from app.context.budget import Health
from app.core.entries import Entry
from app.core.folds import FoldKind
from app.core.parts import Blob, ToolCallPart, ToolResultPart, blobs_of, body_of, long_bytes
from app.core.records import BreakCause, RequestRecord
from app.health.standing import Standing
from app.vault.address import SHORT, find_addresses

_COSTLY = 0.5
_SHORTER = (FoldKind.SHORTENED, FoldKind.FILTERED)


class Signal(StrEnum):
    """What there is to be said first; the order is the order of weight."""

    FAILED = "failed"
    """A text was not taken by the vault; it stays where it was said."""
    REFUSED = "refused"
    """The model asked for an original and did not get it."""
    BACK_OFF = "back_off"
    COSTLY = "costly"
    """Half of what was saved was read again, or more."""
    COLD = "cold"
    """The last compaction used an expired cache."""
    HOT = "hot"
    """What could go waits, since the cache is warm."""
    DEFERRED = "deferred"
    SHORTENED = "shortened"
    WATCHING = "watching"
    INACTIVE = "inactive"


class BackOff(StrEnum):
    """Why it holds back."""

    READ_AGAIN = "read_again"
    """What an expired cache let be left out was read again: it waits until the window is fuller (S4)."""
    SAVED_LITTLE = "saved_little"
    """The last two compactions saved little (C7)."""
    WRITER = "writer"
    """The writer of summaries is left alone for a while (C20)."""


class Deferral(StrEnum):
    """Why a result that is long enough to be shortened is whole."""

    HOT = "hot"
    """It was sent, and the cache holds it."""
    FOCUS = "focus"
    """What is being asked is about it."""
    TAIL = "tail"
    """It is among the newest."""
    PROTECTED = "protected"
    """Pinned, put back, or what the chat began with."""
    FAILED = "failed"
    """The vault did not take it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PruningCard:
    n_artifacts: int = 0
    """Originals that a request names instead of saying them, each once."""
    n_bytes: int = 0
    """Of them."""
    n_written: int = 0
    """Texts that went to the vault, for their length."""
    n_reused: int = 0
    """Such texts that lay there already, byte for byte."""
    n_shortened: int = 0
    n_vaulted: int = 0
    n_failed: int = 0
    deferred: Mapping[Deferral, int] = field(default_factory=dict[Deferral, int])
    n_asked: int = 0
    """Calls for an original."""
    n_allowed: int = 0
    n_refused: int = 0
    restored_tokens: int = 0
    """Of results that brought back what was hidden, and of what was put back."""
    saved_tokens: int = 0
    """By all that stands, summaries left out: each request since has so much less."""
    rewritten_tokens: int = 0
    """Read anew although the cache had held it, since a compaction had changed what came before."""
    write_share: float = 1.0
    """What writing a token to the cache costs, of what reading a new one does."""
    backs_off: tuple[BackOff, ...] = ()
    is_cold: bool = False
    """The last compaction used an expired cache."""
    is_held: bool = False
    """What could go waits for a cold moment."""
    is_watching: bool = False
    """The window is so full that something may be left out soon."""

    @property
    def net_tokens(self) -> int:
        return self.saved_tokens - self.restored_tokens

    @property
    def restore_cost(self) -> float | None:
        """Restored ÷ saved; None: nothing was saved."""
        return self.restored_tokens / self.saved_tokens if self.saved_tokens > 0 else None

    @property
    def gain(self) -> float | None:
        """Saved ÷ what it cost: restored, and rewritten at the price of writing; None: it has cost nothing yet."""
        cost = self.restored_tokens + self.rewritten_tokens * self.write_share
        return self.saved_tokens / cost if cost else None

    @property
    def read_share(self) -> float | None:
        """Reads ÷ (vaulted + shortened); None: neither."""
        whole = self.n_vaulted + self.n_shortened
        return self.n_asked / whole if whole else None

    @property
    def signal(self) -> Signal:
        cost = self.restore_cost
        facts = (
            (Signal.FAILED, self.n_failed),
            (Signal.REFUSED, self.n_refused),
            (Signal.BACK_OFF, self.backs_off),
            (Signal.COSTLY, cost is not None and cost >= _COSTLY),
            (Signal.COLD, self.is_cold),
            (Signal.HOT, self.is_held),
            (Signal.DEFERRED, any(self.deferred.values())),
            (Signal.SHORTENED, self.n_shortened or self.n_vaulted),
            (Signal.WATCHING, self.is_watching),
        )
        return next((signal for signal, is_so in facts if is_so), Signal.INACTIVE)

    @property
    def health(self) -> Health:
        """UNKNOWN: nothing was left out, and nothing failed."""
        cost = self.restore_cost
        if self.n_failed:
            return Health.CRITICAL
        if self.net_tokens < 0 or self.backs_off or (cost is not None and cost >= _COSTLY):
            return Health.WARNING
        is_idle = not (self.n_shortened or self.n_vaulted or self.n_artifacts or self.n_written)
        return Health.UNKNOWN if is_idle else Health.HEALTHY


class VaultUse:
    """What a chat's own entries say of the vault; grows with the path, entry by entry."""

    def __init__(self) -> None:
        self.blobs: dict[str, int] = {}
        """Bytes by hash."""
        self.n_blobs = 0
        self.n_failed = 0
        self.n_asked = self.n_allowed = self.n_refused = 0
        self._asked: set[str] = set()

    def take(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self._take_blobs(blobs_of(entry.parts))
            for part in entry.parts:
                body = body_of(part)
                if isinstance(body, str) and long_bytes(body):
                    self.n_failed += 1
                if isinstance(part, ToolCallPart):
                    self._ask(part)
                elif isinstance(part, ToolResultPart) and part.call_id in self._asked:
                    self._asked.discard(part.call_id)
                    self.n_refused += part.is_error
                    self.n_allowed += not part.is_error

    def _take_blobs(self, blobs: Sequence[Blob]) -> None:
        for blob in blobs:
            self.n_blobs += 1
            self.blobs[blob.sha256] = blob.n_bytes

    def _ask(self, call: ToolCallPart) -> None:
        if isinstance(call.arguments, str) and find_addresses(call.arguments):
            self.n_asked += 1
            self._asked.add(call.call_id)


def pruning_card(
    use: VaultUse,
    standing: Sequence[Standing],
    requests: Sequence[RequestRecord],
    *,
    restored_tokens: int,
    write_share: float = 1.0,
    deferred: Mapping[Deferral, int] | None = None,
    backs_off: tuple[BackOff, ...] = (),
    is_cold: bool = False,
    is_held: bool = False,
    is_watching: bool = False,
) -> PruningCard:
    """
    Args:
        requests: Those that sent the chat itself.
        restored_tokens: Of what the model read again, and of what was put back.
    """
    left_out = [item for item in standing if item.fold.kind not in (FoldKind.WHOLE, FoldKind.SUMMARISED)]
    named = {item.address[:SHORT]: item.n_bytes for item in left_out if item.address}
    named |= {sha256[:SHORT]: n for sha256, n in use.blobs.items()}
    kinds = [item.fold.kind for item in left_out]
    broken = [item.cache_break for item in requests if item.cache_break]
    return PruningCard(
        n_artifacts=len(named),
        n_bytes=sum(named.values()),
        n_written=len(use.blobs),
        n_reused=use.n_blobs - len(use.blobs),
        n_shortened=sum(kind in _SHORTER for kind in kinds),
        n_vaulted=sum(kind not in _SHORTER for kind in kinds),
        n_failed=use.n_failed,
        deferred=dict(deferred or {}),
        n_asked=use.n_asked,
        n_allowed=use.n_allowed,
        n_refused=use.n_refused,
        restored_tokens=restored_tokens,
        saved_tokens=sum(item.saved_tokens for item in left_out),
        rewritten_tokens=sum(found.missed_tokens for found in broken if found.cause is BreakCause.COMPACTION),
        write_share=write_share,
        backs_off=backs_off,
        is_cold=is_cold,
        is_held=is_held,
        is_watching=is_watching,
    )
