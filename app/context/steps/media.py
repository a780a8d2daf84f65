"""S2: pictures further back become a line with their name, size and address.

Trigger: a planned rewrite, or an overflow. Effect: part folds. Bounds: the newest two messages that hold media
keep theirs, what is being answered (which may be one of them) all of its own, and at most eight items stay outside it.
"""

from app.context.facts import TurnFacts
from app.context.originals import part_address
from app.context.ports import NewFold
from app.context.proposal import Proposal, shown
from app.context.step import Step, StepResult, pure
from app.core.folds import FoldKind
from app.core.parts import Blob, MediaPart, TextPart

MOST_ITEMS = 8


def window_media(*, messages: int) -> Step:
    """The step that lets the newest `messages` with media keep theirs."""

    @pure
    def window(context: Proposal, turn: TurnFacts) -> StepResult:
        places = [
            (entry, index, part)
            for item in shown(context.items)
            for entry, parts in zip(item.entries, item.parts, strict=True)
            for index, part in enumerate(parts)
            if isinstance(part, MediaPart) and len(parts) == len(entry.parts)
        ]
        holders = list(dict.fromkeys(entry.id for entry, _, _ in places))
        kept = set(holders[-messages:])
        room = MOST_ITEMS
        sealed = {entry.id for entry in context.path[: turn.n_sealed]}
        found: list[NewFold] = []
        for entry, index, part in reversed(places) if turn.target_tokens else ():
            if entry.id in sealed or entry.id in turn.pins or entry.id == turn.answering:
                continue
            if entry.id in kept and room > 0:
                room -= 1
                continue
            found.append(
                NewFold(
                    compaction_id=turn.compaction_id,
                    kind=FoldKind.VAULTED,
                    first=entry.id,
                    last=entry.id,
                    part=index,
                    replacement=(TextPart(text=placeholder(part)),),
                    anchor=context.anchor,
                )
            )
        why = "Pictures further back became a line each." if found else ""
        return StepResult(folds=tuple(reversed(found)), candidates=len(places), why=why)

    return window


def placeholder(part: MediaPart) -> str:
    """What stands for a picture: its kind, name, size and where it is."""
    kind = part.mime.partition("/")[0] or "file"
    if not isinstance(part.source, Blob):
        return f"[{kind}: {part.source}]"
    size = f", {part.width_px}x{part.height_px}" if part.width_px else ""
    return f"[{kind}: {part.source.name}{size}, {part_address(part)}]"
