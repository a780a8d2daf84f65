"""What compressing a chat brought and cost, as one value made of what is stored (U5); the same after a restart."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from app.context.budget import Health
from app.context.fact_check import Receipt
from app.context.returns import ReadAgain
from app.core.folds import Fold, FoldKind
from app.core.records import PUT_BACK, Compaction
from app.health.standing import Standing

_MANY_READ, _SOME_READ, _LEAST_EFFICIENCY = 0.5, 0.2, 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionCard:
    """Of compactions that stand; undone ones only count in `n_undone`."""

    n_runs: int = 0
    n_undone: int = 0
    last: Compaction | None = None
    saved_tokens: int = 0
    """What requests had before less what they had after, over all runs."""
    read_again_tokens: int = 0
    """Of results that brought back what was folded."""
    put_back_tokens: int = 0
    """Of what the person had shown whole again."""
    left_tokens: int = 0
    """Of what stands in the place of what was folded."""
    n_folded: int = 0
    """Items: parts and runs."""
    n_reads: int = 0
    """Results that brought back what was folded."""
    n_read_again: int = 0
    """Of them, those that the model read again, each once."""
    dedup_tokens: int = 0
    """Spared by showing once what stood twice."""
    n_calls_kept: int = 0
    """Integrity: calls that were folded together with all their results, or not at all."""
    mean_ms: float = 0.0
    n_summaries: int = 0
    spent_usd: float = 0.0
    n_unpriced: int = 0
    """Runs that a model wrote for, at a price that is not known."""
    receipt: Receipt = field(default_factory=Receipt)
    """Of the last run that was checked."""
    is_breaker_open: bool = False
    """The writer of summaries is left alone for now (C20)."""

    @property
    def net_saved_tokens(self) -> int:
        return self.saved_tokens - self.read_again_tokens - self.put_back_tokens

    @property
    def efficiency(self) -> float | None:
        """Saved ÷ (saved + left of what was folded); None: nothing was."""
        whole = self.saved_tokens + self.left_tokens
        return self.saved_tokens / whole if whole else None

    @property
    def read_again_share(self) -> float:
        return self.n_read_again / self.n_folded if self.n_folded else 0.0

    @property
    def health(self) -> Health:
        """UNKNOWN: it never ran."""
        if not self.n_runs:
            return Health.UNKNOWN
        is_lost = self.receipt.n_reachable < len(self.receipt.checked)
        if is_lost or self.read_again_share >= _MANY_READ:
            return Health.CRITICAL
        is_idle = self.efficiency is not None and self.efficiency < _LEAST_EFFICIENCY
        if self.read_again_share >= _SOME_READ or is_idle or self.is_breaker_open:
            return Health.WARNING
        return Health.HEALTHY


def compaction_card(
    compactions: Sequence[Compaction],
    folds: Sequence[Fold],
    standing: Sequence[Standing],
    read: Sequence[ReadAgain],
    *,
    is_breaker_open: bool = False,
) -> CompactionCard:
    """
    Args:
        compactions, folds: Of the chat, oldest first, undone ones included.
        standing: Of the shown branch.
        read: What the model read again of what `made_of(compactions, folds)` hid.
    """
    made = made_of(compactions, folds)
    back = [item for item in standing if item.fold.kind is FoldKind.WHOLE]
    hiding = [item for item in standing if item.fold.kind is not FoldKind.WHOLE]
    ids = {item.id for item in made}
    folded = [fold for fold in folds if fold.undone_rev is None and fold.kind is not FoldKind.WHOLE]
    checked = [item.fact_check for item in made if item.fact_check]
    put_back = {item.id for item in compactions if item.trigger == PUT_BACK}
    return CompactionCard(
        n_runs=len(made),
        n_undone=len([item for item in compactions if item.id not in ids | put_back]),
        last=made[-1] if made else None,
        saved_tokens=sum(max(item.tokens_before - item.tokens_after, 0) for item in made),
        read_again_tokens=sum(item.tokens for item in read),
        put_back_tokens=sum(item.hidden_tokens for item in back),
        left_tokens=sum(item.shown_tokens for item in hiding),
        n_folded=len(folded),
        n_reads=len(read),
        n_read_again=len({item.what for item in read}),
        dedup_tokens=max(sum(item.saved_tokens for item in hiding if item.fold.kind is FoldKind.MERGED), 0),
        n_calls_kept=sum(item.n_calls for item in hiding),
        mean_ms=sum(item.elapsed_ms for item in made) / len(made) if made else 0.0,
        n_summaries=sum(bool(item.summary) for item in made),
        spent_usd=sum(item.cost_usd or 0.0 for item in made),
        n_unpriced=sum(item.model is not None and item.cost_usd is None for item in made),
        receipt=Receipt.model_validate_json(checked[-1]) if checked else Receipt(),
        is_breaker_open=is_breaker_open,
    )


def made_of(compactions: Iterable[Compaction], folds: Iterable[Fold]) -> tuple[Compaction, ...]:
    """Those of which anything stands; putting back is none."""
    alive = {
        fold.compaction_id for fold in folds if fold.undone_rev is None and fold.kind is not FoldKind.WHOLE
    }
    return tuple(item for item in compactions if item.id in alive)
