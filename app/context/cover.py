"""What may be folded: the rules of M5, C9 and C10 as one value, worked out once per compaction."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.context.facts import Trigger, TurnFacts
from app.context.intent import names
from app.context.proposal import Proposal
from app.context.reading import Item, Shown
from app.core.entries import Entry, Origin
from app.core.ids import EntryId
from app.core.parts import Blob, ToolCallPart, body_of

TAIL_SHARE = 0.2
"""Of the window: the newest groups, which stay whole (C9)."""
_TAIL_OF_TARGET, _TAIL_OF_MANUAL_TARGET = 0.5, 0.25
"""The tail never takes more of a target than this, so that room is left for what came before it: at 40 % of the
window still C9's share, at the 25 % that a person asks for less."""
_OWN_SHARE = 0.3
_OWN_TURNS, _FEWEST_OWN_TURNS = 3, 2
_IMPORTANT_GROUPS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    """Items by index into `Proposal.items` of the proposal that it was made for."""

    kept: frozenset[int]
    """Critical: never folded by a step that frees room, but by C37."""
    tail: int
    """Items from here on are the tail, whole whatever they are."""
    named: frozenset[int]
    """The intent or a failing call is about them, or the person put them back (M12): last to go."""
    important: frozenset[int]

    def rank(self, index: int) -> int | None:
        """0 goes first, 2 last; None: it stays."""
        if index in self.kept or index >= self.tail:
            return None
        return 2 if index in self.named else 1 if index in self.important else 0


def cover_of(proposal: Proposal, turn: TurnFacts) -> Cover:
    items = proposal.items
    kept = {index for index, item in enumerate(items) if _is_critical(item, turn)}
    first = next((i for i, item in enumerate(items) if _origin(item) is Origin.USER), None)
    if first is not None:
        kept.add(first)  # by origin, never by text (C33)
    kept.update(_running(items, turn))
    kept.update(_sealed(items, proposal.path, turn))
    tail = _tail(proposal, turn)
    kept.update(_own_words(items, turn, tail))
    calls = [i for i, item in enumerate(items) if isinstance(item, Shown) and item.entries[0].calls]
    cited = {line.entry_id for line in turn.ledger if line.superseded_rev is None}
    important = set(calls[-_IMPORTANT_GROUPS:])
    important.update(i for i, item in enumerate(items) if isinstance(item, Shown) and _holds(item, cited))
    intent = turn.intent
    about = {*intent.failed_calls, *turn.put_back}
    has_names = bool(intent.files or intent.modules or intent.topic)
    named = {
        i
        for i, item in enumerate(items if about or has_names else ())
        if isinstance(item, Shown) and (_holds(item, about) or (has_names and names(intent, call_text(item))))
    }
    return Cover(kept=frozenset(kept), tail=tail, named=frozenset(named), important=frozenset(important))


def _origin(item: Item) -> Origin | None:
    return item.entries[0].origin if isinstance(item, Shown) else None


def _is_critical(item: Item, turn: TurnFacts) -> bool:
    if not isinstance(item, Shown):
        return True  # what is folded already is the summary's business
    if item.entries[0].origin in (Origin.SYSTEM, Origin.NOTE):
        return True
    if _holds(item, turn.pins):
        return True
    return turn.trigger is not Trigger.EMERGENCY and _holds(item, turn.put_back)


def _holds(item: Shown, ids: "frozenset[EntryId] | set[EntryId] | set[EntryId | None]") -> bool:
    return bool(ids) and any(entry.id in ids for entry in item.entries)


def call_text(item: Shown) -> str:
    """What a group's calls are given, as far as it lies in their parts."""
    bodies = (body_of(part) for part in item.entries[0].parts if isinstance(part, ToolCallPart))
    return " ".join(body for body in bodies if not isinstance(body, Blob))


def _running(items: Sequence[Item], turn: TurnFacts) -> set[int]:
    """The entry being answered; of its tool loop the last round and any unfinished one (M5)."""
    if turn.answering is None:
        return set()
    newest_first = range(len(items) - 1, -1, -1)  # it is near the end
    at = next(
        (i for i in newest_first if isinstance(items[i], Shown) and turn.answering == items[i].entries[0].id),
        None,
    )
    if at is None:
        return set()
    rounds = [
        i for i in range(at + 1, len(items)) if isinstance(item := items[i], Shown) and item.entries[0].calls
    ]
    unfinished = {i for i in rounds if isinstance(item := items[i], Shown) and _is_unfinished(item)}
    return {at, *rounds[-1:], *unfinished}


def _is_unfinished(item: Shown) -> bool:
    answered = [part.call_id for entry in item.entries[1:] for part in entry.results]
    return len(answered) < len(item.entries[0].calls)


def _sealed(items: Sequence[Item], path: Sequence[Entry], turn: TurnFacts) -> set[int]:
    if not turn.n_sealed:
        return set()
    sealed = {entry.id for entry in path[: turn.n_sealed]}
    return {i for i, item in enumerate(items) if any(entry.id in sealed for entry in item.entries)}


def _tail(proposal: Proposal, turn: TurnFacts) -> int:
    """Where the tail begins: whole groups from the end that fit into its share."""
    items = proposal.items
    room = TAIL_SHARE * (turn.window_tokens or turn.request_tokens(proposal) - turn.fixed_tokens)
    if turn.target_tokens:
        share = _TAIL_OF_MANUAL_TARGET if turn.trigger is Trigger.MANUAL else _TAIL_OF_TARGET
        room = min(room, share * max(turn.target_tokens - turn.fixed_tokens, 0))
    at = len(items)
    while at > 0:
        room -= turn.item_tokens(items[at - 1])
        if room < 0:
            break
        at -= 1
    return min(at, max(len(items) - 1, 0))


def _own_words(items: Sequence[Item], turn: TurnFacts, tail: int) -> set[int]:
    """The person's last messages stay while they fit into their share, two of them in any case (C9)."""
    room = _OWN_SHARE * (turn.window_tokens or 0)
    own = [i for i, item in enumerate(items) if _origin(item) is Origin.USER]
    kept: set[int] = set()
    for n, index in enumerate(reversed(own[-_OWN_TURNS:])):
        room -= turn.item_tokens(items[index])
        if n >= _FEWEST_OWN_TURNS and room < 0:
            break
        kept.add(index)
    return kept
