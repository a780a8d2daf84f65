"""C38: where the person wrote a standing summary anew, their words stand in its place.

Trigger: a compaction is made anyway, and the summary stands after its other steps. Effect: its run fold again with
the person's fields and the same sections, and again all that stands inside it. Bounds: it may make the request
larger; a compaction that is not smaller as a whole is not made.
"""

from app.context.facts import TurnFacts
from app.context.ports import NewFold, StepPorts
from app.context.proposal import Proposal
from app.context.reading import Folded
from app.context.step import StepResult
from app.context.summary.rendering import rewritten
from app.context.summary.run import standing_summary, stood_again, summary_text
from app.core.parts import TextPart


async def take_own_words(context: Proposal, turn: TurnFacts, ports: StepPorts) -> StepResult:
    """Take up what was written; a summary that this compaction made holds it already (C14)."""
    if not turn.target_tokens or not turn.written:
        return StepResult()
    folds: list[NewFold] = []
    summary = ""
    for item in context.items:
        if not isinstance(item, Folded) or item.fold.compaction_id not in turn.written:
            continue
        kept = standing_summary(item, turn)
        text = rewritten(summary_text(item), kept) if kept else ""
        if kept and text:
            folds += stood_again(context, item, (TextPart(text=text),), turn)
            summary = kept.model_dump_json()
    why = "The summary stands as you wrote it." if folds else ""
    return StepResult(folds=tuple(folds), candidates=len(turn.written), why=why, summary=summary)
