"""How far a compaction could get, before any is planned: what stays whatever is done, and what stage light can win."""

from collections.abc import Callable
from dataclasses import dataclass

from app.context.cover import cover_of
from app.context.facts import TurnFacts
from app.context.proposal import Proposal, whole_parts
from app.context.reading import Item, Shown
from app.core.entries import Origin
from app.core.parts import TextPart, ToolCallPart, ToolResultPart

LIGHT_SHARE = 0.25
"""What stage light leaves of the texts that it may shorten, at least."""
PART_TOKENS = 60
"""A part below this is not cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """All by our count."""

    floor_tokens: int = 0
    """What no summary could take: system, tools, head, tail, pins."""
    light_tokens: int = 0
    """Of the whole request, after all that stage light can shorten (S6)."""
    unchanged_tokens: int = 0
    """Before anything that can be folded: system, tools, head."""


def reach_of(read: Callable[[], Proposal], facts: TurnFacts) -> tuple[Reach, Proposal]:
    """How far, and the reading that it was found in."""
    proposal = read()
    cover = cover_of(proposal, facts)
    floor = unchanged = facts.fixed_tokens
    saved, is_head = 0.0, True
    for at, item in enumerate(proposal.items):
        if cover.rank(at) is None:
            floor += facts.item_tokens(item)
            unchanged += facts.item_tokens(item) if is_head else 0
        else:
            is_head = False
            saved += (1 - LIGHT_SHARE) * _loose_tokens(item, facts)
    light = round(facts.request_tokens(proposal) - saved)
    return Reach(floor_tokens=floor, light_tokens=light, unchanged_tokens=unchanged), proposal


def _loose_tokens(item: Item, facts: TurnFacts) -> int:
    """Of what may still be shortened: no fold has decided it, and it is not the person's."""
    if not isinstance(item, Shown) or item.entries[0].origin is Origin.USER:
        return 0
    texts = (TextPart, ToolCallPart, ToolResultPart)
    found = (facts.tokens(part) for _, _, part in whole_parts(item) if isinstance(part, texts))
    return sum(tokens for tokens in found if tokens >= PART_TOKENS)
