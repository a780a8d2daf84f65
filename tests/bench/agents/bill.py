"""What a session cost: every request that its provider answered, by the provider's own figures."""

from dataclasses import dataclass, field

from app.core.usage import Usage
from app.models.registry import ModelFacts, cost_usd


@dataclass(slots=True, kw_only=True)
class Bill:
    """Of one policy over one session."""

    policy: str
    facts: ModelFacts
    usages: list[Usage] = field(default_factory=list[Usage])
    """Of all requests that were answered: the session's own, writers, readings again, probes."""
    n_refused: int = 0
    n_probes: int = 0
    n_read_again: int = 0
    n_summaries: int = 0

    @property
    def input_tokens(self) -> int:
        return sum(usage.prompt_tokens for usage in self.usages)

    @property
    def cached_share(self) -> float:
        """Read from the cache ÷ all input."""
        return sum(usage.cached_tokens for usage in self.usages) / max(self.input_tokens, 1)

    @property
    def usd(self) -> float:
        prices = [cost_usd(self.facts, usage) for usage in self.usages]
        return sum(price for price in prices if price is not None)

    @property
    def told(self) -> str:
        return f"{len(self.usages)} requests, {self.n_refused} refused, {self.n_probes} probes"


def table(bills: list[Bill]) -> str:
    """Money also as a share of the first bill's, which is that of no management."""
    head = f"{'policy':<34}{'cached':>8}{'USD':>10}{'× none':>8}{'input Mtok':>12}{'requests':>10}"
    lines = [f"{head}{'refused':>9}{'probes':>8}{'re-read':>9}{'summaries':>11}"]
    lines.extend(
        f"{bill.policy:<34}{bill.cached_share:>8.1%}{bill.usd:>10.2f}{bill.usd / bills[0].usd:>8.3f}"
        f"{bill.input_tokens / 1e6:>12.2f}{len(bill.usages):>10}{bill.n_refused:>9}{bill.n_probes:>8}"
        f"{bill.n_read_again:>9}{bill.n_summaries:>11}"
        for bill in bills
    )
    return "\n".join(lines)
