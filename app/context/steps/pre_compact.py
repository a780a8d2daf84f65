"""S5: before anything goes, the ledger takes in what the person laid down, and what touches the question is found.

Trigger: a compaction will run. Effect: the ledger as it is now; the facts (at most 5 and 1,500 tokens) stand in
the text that S8 puts in the run's place. The undo point is the compaction itself (M4).
"""

import asyncio

from app.context.facts import TurnFacts
from app.context.ledger import updated
from app.context.ports import StepPorts
from app.context.proposal import Proposal
from app.context.step import StepResult


async def pre_compact(context: Proposal, turn: TurnFacts, ports: StepPorts) -> StepResult:
    """Bring the ledger up to date with everything said on the path."""
    if not turn.target_tokens:
        return StepResult()
    ledger = await asyncio.to_thread(updated, turn.ledger, context.path, turn.gleaned)
    n_new = len(ledger) - len(turn.ledger)
    why = "What you laid down was noted in the ledger." if n_new > 0 else ""
    return StepResult(ledger=ledger if ledger != turn.ledger else None, candidates=max(n_new, 0), why=why)
