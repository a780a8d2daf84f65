"""What a compaction leaves alone, and why: the rules of `cover.py` told to a person (C9, C10, C35)."""

from dataclasses import dataclass

from app.context.cover import call_text, cover_of
from app.context.facts import Intent, TurnFacts
from app.context.intent import names
from app.context.proposal import Proposal
from app.context.reading import Item, Shown
from app.core.entries import Origin
from app.core.ids import EntryId


@dataclass(frozen=True, slots=True, kw_only=True)
class Spared:
    """No step folds these entries to make room; an entry stands under the first reason that holds."""

    first: tuple[EntryId, ...] = ()
    """The person's first message; empty: there is none."""
    pinned: tuple[EntryId, ...] = ()
    tail: tuple[EntryId, ...] = ()
    own: tuple[EntryId, ...] = ()
    """The person's last messages, where they stand before the tail."""
    others: tuple[EntryId, ...] = ()
    """Notes, system text, what was put back, what is being answered."""
    tail_tokens: int = 0
    """By our count."""
    named: tuple[str, ...] = ()
    """Files and modules of the present question: what calls say of them goes last."""
    failed: tuple[str, ...] = ()
    """Tools whose failed calls go last, each once."""

    @property
    def entries(self) -> tuple[EntryId, ...]:
        return (*self.first, *self.pinned, *self.own, *self.others, *self.tail)


def spared_of(proposal: Proposal, facts: TurnFacts) -> Spared:
    """Args: `proposal`: what stands; `facts`: with the intent and the ledger."""
    items, cover = proposal.items, cover_of(proposal, facts)
    found: dict[str, list[EntryId]] = {"first": [], "pinned": [], "tail": [], "own": [], "others": []}
    tail_tokens = 0
    for at, item in enumerate(items):
        if not isinstance(item, Shown) or cover.rank(at) is not None:
            continue
        is_own = item.entries[0].origin is Origin.USER
        if is_own and not found["first"]:
            reason = "first"
        elif any(entry.id in facts.pins for entry in item.entries):
            reason = "pinned"
        elif at >= cover.tail:
            reason = "tail"
            tail_tokens += facts.item_tokens(item)
        else:
            reason = "own" if is_own else "others"
        found[reason] += [entry.id for entry in item.entries]
    last = [items[at] for at in sorted(cover.named) if cover.rank(at) is not None]
    return Spared(
        **{reason: tuple(ids) for reason, ids in found.items()},
        tail_tokens=tail_tokens,
        named=_named(last, facts.intent),
        failed=_failed(last, facts.intent),
    )


def _named(items: list[Item], intent: Intent) -> tuple[str, ...]:
    texts = [call_text(item) for item in items if isinstance(item, Shown)]
    files = [name for name in intent.files if any(names(Intent(files=(name,)), text) for text in texts)]
    return (*files, *(name for name in intent.modules if any(name in text for text in texts)))


def _failed(items: list[Item], intent: Intent) -> tuple[str, ...]:
    entries = (entry for item in items for entry in item.entries if entry.id in intent.failed_calls)
    return tuple(dict.fromkeys(part.name for entry in entries for part in entry.results if part.name))
