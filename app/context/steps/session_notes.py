"""S7: the model's own notes and the tools' events stand for the run, where they tell it well enough.

Trigger: a summary is due and would be paid for. Effect: as S8's, without a model. Bounds: the auditor of C13
must pass, and the model must have written notes of its own; else S8 goes on.
"""

import asyncio

from app.context.facts import TurnFacts
from app.context.ports import StepPorts
from app.context.proposal import Proposal
from app.context.step import StepResult
from app.context.steps.summarise import folded, is_due, material_of
from app.context.summary.audit import audit, mended
from app.context.summary.fields import KeptSummary
from app.context.summary.notes import NOTE_TOOL, session_notes
from app.context.summary.run import run_of
from app.core.parts import body_of

_FEWEST_NOTES = 2


async def keep_session_notes(context: Proposal, turn: TurnFacts, ports: StepPorts) -> StepResult:
    """Save a paid summary where the session's notes say what it would say."""
    if ports.writer is None or turn.is_offline or not is_due(context, turn):
        return StepResult()
    run = await asyncio.to_thread(run_of, context, turn)
    if run is None or sum(call.name == NOTE_TOOL for e in run.entries for call in e.calls) < _FEWEST_NOTES:
        return StepResult()
    notes = mended(session_notes(run.entries, turn.touches), turn.touches)
    notes = notes.model_copy(update={"active_state": notes.active_state or notes.last_action})
    elsewhere = "\n".join(body for part in run.kept_parts if isinstance(body := body_of(part), str))
    checked = await asyncio.to_thread(audit, notes, run.entries, elsewhere=elsewhere)
    if not checked.passes:
        return StepResult(candidates=len(run.covered))
    material = await asyncio.to_thread(material_of, context, turn, run)
    kept = KeptSummary.model_validate({**dict(notes), "history": run.history, "is_offline": True})
    return await folded(kept, material, context, ports, why="The session's own notes stand for the old part.")
