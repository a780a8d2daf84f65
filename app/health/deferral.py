"""Which long results stand whole although room is wanted, and why (U5)."""

from collections import Counter
from collections.abc import Mapping

from app.context.cover import Cover
from app.context.facts import TurnFacts
from app.context.proposal import Proposal, whole_parts
from app.context.reach import PART_TOKENS
from app.context.reading import Item, Shown
from app.core.parts import ToolResultPart, body_of, long_bytes
from app.health.pruning import Deferral


def deferred(proposal: Proposal, facts: TurnFacts, cover: Cover, *, n_sealed: int) -> Mapping[Deferral, int]:
    """Results that are long enough to be shortened, by what keeps them.

    Args:
        cover: Of `proposal`, as if everything could be rewritten.
        n_sealed: Path entries that a warm cache holds; 0: none.
    """
    sealed = {entry.id for entry in proposal.path[:n_sealed]}
    found: Counter[Deferral] = Counter()
    for at, item in enumerate(proposal.items):
        if isinstance(item, Shown):
            for part in _long_results(item, facts):
                is_sealed = item.entries[0].id in sealed
                if reason := _reason(part, at, item, cover, is_sealed=is_sealed):
                    found[reason] += 1
    return dict(found)


def _long_results(item: Shown, facts: TurnFacts) -> list[ToolResultPart]:
    parts = (part for _, _, part in whole_parts(item))
    return [part for part in parts if isinstance(part, ToolResultPart) and facts.tokens(part) >= PART_TOKENS]


def _reason(part: ToolResultPart, at: int, item: Item, cover: Cover, *, is_sealed: bool) -> Deferral | None:
    """None: nothing keeps it."""
    body = body_of(part)
    if isinstance(body, str) and long_bytes(body):
        return Deferral.FAILED
    if at >= cover.tail:
        return Deferral.TAIL
    if at in cover.kept:
        return Deferral.PROTECTED
    if at in cover.named:
        return Deferral.FOCUS
    return Deferral.HOT if is_sealed else None
