"""The tables: a line a library, then every conversation on which another does better than ours at our size."""

from collections.abc import Iterator, Mapping, Sequence

from tests.bench.peers.judging import Verdict
from tests.bench.peers.pipe import Ready
from tests.bench.peers.roster import PEERS

OWN = "Palimpsest"
_SAME_SIZE = 1.02
_QUICKER = 0.8
"""Below this a time is another's, not the machine's mood."""


def lines_of(verdicts: Sequence[Verdict], versions: Mapping[str, Ready]) -> Iterator[str]:
    yield from _libraries(verdicts, versions)
    own = {verdict.conversation: verdict for verdict in verdicts if verdict.peer == OWN}
    yield from ("", "More probes directly in context than ours, at our size or below:")
    yield from map(_beside(own), ahead(verdicts)) if own else ()
    yield from ("", "Quicker than ours, at our size or below, with as many probes reachable:")
    yield from map(_beside(own), quicker(verdicts)) if own else ()


def ahead(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Verdicts of others with more probes directly in context than ours on the same conversation at the same size."""
    return [other for other, own in _pairs(verdicts) if len(other.direct) > len(own.direct)]


def quicker(verdicts: Sequence[Verdict]) -> list[Verdict]:
    return [
        other
        for other, own in _pairs(verdicts)
        if len(other.reachable) >= len(own.reachable) and other.ms < _QUICKER * own.ms
    ]


def _pairs(verdicts: Sequence[Verdict]) -> Iterator[tuple[Verdict, Verdict]]:
    """Another's verdict and ours, where the other's is about as small."""
    own = {verdict.conversation: verdict for verdict in verdicts if verdict.peer == OWN}
    for verdict in verdicts:
        ours = own.get(verdict.conversation)
        if ours is None or verdict.failed or PEERS[verdict.peer].is_own:
            continue
        if verdict.tokens <= _SAME_SIZE * max(ours.tokens, ours.budget_tokens):
            yield verdict, ours


def _libraries(verdicts: Sequence[Verdict], versions: Mapping[str, Ready]) -> Iterator[str]:
    yield (
        f"{'library':<36}{'version':>9}{'size':>7}{'over':>6}{'direct':>8}{'reach.':>8}{'s':>8}{'counting':>10}"
        f"{'longest':>9}{'refused by OpenAI':>19}{'Anthropic':>11}"
    )
    for name, ready in versions.items():
        found = [verdict for verdict in verdicts if verdict.peer == name and not verdict.failed]
        if found:
            yield _library(name, ready, found)
        if ready.failed:
            yield f"{name:<36} not measured: {ready.failed}"
        failed = [verdict for verdict in verdicts if verdict.peer == name and verdict.failed]
        yield from (f"{'':<36} failed on {verdict.conversation}: {verdict.failed}" for verdict in failed)
        yield f"{'':<4}{PEERS[name].settings}"


def _library(name: str, ready: Ready, found: Sequence[Verdict]) -> str:
    n = max(1, sum(verdict.n_probes for verdict in found))
    size = sum(verdict.tokens for verdict in found) / sum(verdict.total_tokens for verdict in found)
    over = sum(verdict.tokens > _SAME_SIZE * verdict.budget_tokens for verdict in found)
    refused = [f"{sum(form in v.refused for v in found)} of {len(found)}" for form in ("openai", "anthropic")]
    return (
        f"{name:<36}{ready.version:>9}{size:>7.0%}{over:>6}"
        f"{sum(len(v.direct) for v in found) / n:>8.1%}{sum(len(v.reachable) for v in found) / n:>8.1%}"
        f"{sum(v.ms for v in found) / 1000:>8.2f}{sum(v.counting_ms for v in found) / 1000:>10.2f}"
        f"{max(v.ms for v in found) / 1000:>9.2f}{refused[0]:>19}{refused[1]:>11}"
    )


class _beside:
    def __init__(self, own: Mapping[str, Verdict]) -> None:
        self._own = own

    def __call__(self, other: Verdict) -> str:
        ours = self._own[other.conversation]
        return (
            f"{other.conversation[:40]:<42}{other.peer:<36}{len(other.direct):>3} probes to {len(ours.direct):>2} "
            f"of {ours.n_probes:>2}, {other.tokens:>7,} tokens to {ours.tokens:>7,}, "
            f"{other.ms:>7,.0f} ms to {ours.ms:>6,.0f}"
        )
