"""S4: while the provider's cache is cold, results that came again later are shown once: the prefix is written anew.

Trigger: a cache that held this very prompt and is cold by its family's time, and a plan that rewrites (`plan.py`).
Effect: of the results before the last three assistant messages each that stands again later becomes its address,
whatever the target; what else goes, S6 chooses among all lines. Bounds: `cover.py`.
"""

from app.context.again import superseded
from app.context.cover import cover_of
from app.context.facts import TurnFacts
from app.context.proposal import Proposal
from app.context.reading import Shown
from app.context.step import StepResult, pure
from app.core.entries import Origin

_LAST_ASSISTANTS = 3


@pure
def prune_expired_cache(context: Proposal, turn: TurnFacts) -> StepResult:
    """Take what loses nothing, since nobody pays for it."""
    if not turn.cache.has_expired or not turn.target_tokens or turn.wants_summary:
        return StepResult()
    speakers = [
        at
        for at, item in enumerate(context.items)
        if isinstance(item, Shown) and item.entries[0].origin is Origin.ASSISTANT
    ]
    before = speakers[-_LAST_ASSISTANTS] if len(speakers) >= _LAST_ASSISTANTS else 0
    folds = tuple(superseded(context, cover_of(context, turn), turn, before=before))
    n_old = sum(
        len(entry.results)
        for item in context.items[:before]
        if isinstance(item, Shown)
        for entry in item.entries
    )
    why = "The prompt cache had expired, so showing once what stood twice cost nothing." if folds else ""
    return StepResult(folds=folds, candidates=n_old, why=why)
