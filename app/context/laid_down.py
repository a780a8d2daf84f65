"""Lines of the ledger that nothing in the context says any more, as a compaction without a summary carries them on.

A summary holds its own (C12). Elsewhere they stand in the first stub that is made: not by themselves, so that no
cache breaks for them (C38).
"""

from collections.abc import Iterable

from app.context.facts import TurnFacts
from app.context.ledger import active, within_budget
from app.context.proposal import Proposal
from app.context.reading import Folded
from app.context.summary.composing import ledger_heading
from app.context.summary.rendering import CLOSE, OPEN, harmless
from app.core.entries import Origin
from app.core.ledger import LedgerItem
from app.core.parts import Part, TextPart, body_of


def can_be_lost(context: Proposal, turn: TurnFacts) -> tuple[LedgerItem, ...]:
    """Lines whose words may go without a summary: the person's own, and what they accepted of an answer."""
    lines = active(turn.ledger)
    sources = {line.entry_id for line in lines} - {None}
    stays = {entry.id for entry in context.path if entry.id in sources and entry.origin is Origin.USER}
    can_go = [line for line in lines if line.is_manual or line.entry_id not in stays]
    return within_budget(can_go, turn.window_tokens, lambda text: turn.tokens(TextPart(text=text)))


def lost(context: Proposal, lines: Iterable[LedgerItem]) -> tuple[LedgerItem, ...]:
    """Those of `lines` that stand nowhere in `context`: not at their source, nor in a fold's words."""
    asked = tuple(lines)
    sources = {line.entry_id for line in asked if not line.is_manual} - {None}
    told: list[str] = []
    for item in context.items:
        if isinstance(item, Folded):
            told.extend(map(_text, item.fold.replacement))
        elif sources:
            told.extend(
                _text(part)
                for entry, parts in zip(item.entries, item.parts, strict=True)
                if entry.id in sources
                for part in parts
            )
    return tuple(line for line in asked if not any(harmless(line.text) in text for text in told))


def told_again(lines: Iterable[LedgerItem], language: str) -> str:
    """Below a stub's own words; it can't pass for a summary, which begins with our mark."""
    body = (f"- {harmless(line.text)}" for line in lines)
    return "\n".join((OPEN, f"## {ledger_heading(language)}", *body, CLOSE))


def _text(part: Part) -> str:
    body = body_of(part)
    return harmless(body) if isinstance(body, str) else ""
