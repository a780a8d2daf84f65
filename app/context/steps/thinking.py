"""S1: old reasoning leaves the request at a planned rewrite, where its family lets it.

Trigger: reasoning in finished turns, and a rewrite. Effect: part folds with a line that names its address (C6), of
reasoning that is never sent, too, so that it can be read. Bounds: what is hardly longer than that line stays; signed thinking of the running tool loop, and reasoning that the
family wants back beside tool calls, stay byte for byte; what was sent stays as sent otherwise.
"""

from app.context.facts import TurnFacts
from app.context.originals import part_address
from app.context.ports import NewFold
from app.context.proposal import Proposal, shown
from app.context.reading import Shown
from app.context.step import StepResult, pure
from app.core.entries import Origin
from app.core.folds import FoldKind
from app.core.ids import EntryId
from app.core.parts import Blob, TextPart, ThinkingPart
from app.models.families import Replay


@pure
def clean_thinking(context: Proposal, turn: TurnFacts) -> StepResult:
    """Fold the reasoning of finished turns that the model would read again."""
    if not turn.target_tokens or turn.family.thinking.is_left_out:
        return StepResult()  # what was sent stays as sent, or the provider leaves it out by itself
    groups = shown(context.items)
    last_user = max((i for i, item in enumerate(groups) if item.entries[0].origin is Origin.USER), default=0)
    sealed = {entry.id for entry in context.path[: turn.n_sealed]}
    found = [
        _left_out(context, turn, item.entries[0].id, index, note)
        for item in groups[:last_user]
        if item.entries[0].id not in sealed and len(item.parts[0]) == len(item.entries[0].parts)
        if not _is_wanted_back(item, turn)
        for index, note in _notes(item, turn)
    ]
    why = "Reasoning of finished turns left." if found else ""
    return StepResult(folds=tuple(found), candidates=len(found), why=why)


def _is_wanted_back(item: Shown, turn: TurnFacts) -> bool:
    """Beside its calls, some families refuse a request without the reasoning that led to them (case B16)."""
    thinking = turn.family.thinking
    return bool(item.entries[0].calls) and (thinking.demands_field or thinking.replay is Replay.CALLS)


def _notes(item: Shown, turn: TurnFacts) -> list[tuple[int, TextPart | None]]:
    """What may leave, by its index; of signed blocks all of a message or none, since some alone would be an alteration."""
    thoughts = [
        (index, part, _note(part))
        for index, part in enumerate(item.parts[0])
        if isinstance(part, ThinkingPart)
    ]
    leaving = [(index, note) for index, part, note in thoughts if _is_longer(part, note, turn)]
    is_whole = len(leaving) == len(thoughts)
    return leaving if is_whole or not turn.family.thinking.is_signed else []


def _note(part: ThinkingPart) -> TextPart | None:
    """What stands for it; None: it says nothing that could be read again."""
    return None if part.redacted or not part.text else TextPart(text=f"[reasoning: {part_address(part)}]")


def _is_longer(part: ThinkingPart, note: TextPart | None, turn: TurnFacts) -> bool:
    if note is None:
        return True
    if tokens := turn.tokens(part):
        return tokens > turn.tokens(note)
    return isinstance(part.text, Blob) or len(part.text) > len(str(note.text))  # it is never sent


def _left_out(
    context: Proposal, turn: TurnFacts, entry_id: EntryId, index: int, note: TextPart | None
) -> NewFold:
    return NewFold(
        compaction_id=turn.compaction_id,
        kind=FoldKind.REMOVED,
        first=entry_id,
        last=entry_id,
        part=index,
        replacement=(note,) if note else (),
        anchor=context.anchor,
    )
