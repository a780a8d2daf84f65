"""A compaction from its decision to its commit; shared by turns and by the use cases of `chats` (M9)."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from app.context.budget import Fill
from app.context.conversation import Conversation
from app.context.facts import CacheFacts, FileTouch, TurnFacts
from app.context.intent import intent_of
from app.context.pipeline import Planned, plan
from app.context.plan import Decision
from app.context.ports import StepPorts, Store
from app.context.proposal import Proposal
from app.context.step import Report
from app.core.folds import FoldKind
from app.core.ids import CompactionId, EntryId, new_id
from app.core.ledger import LedgerItem
from app.core.parts import Part
from app.core.records import Compaction
from app.models.families import Family


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One compaction of one conversation, with what it goes by."""

    decision: Decision
    family: Family
    fill: Fill
    fixed_tokens: int
    tokens: Callable[[Part], int]
    answering: EntryId | None = None
    topic: str = ""
    ledger: tuple[LedgerItem, ...] = ()
    touches: tuple[FileTouch, ...] = ()
    cache: CacheFacts = field(default_factory=CacheFacts)
    is_offline: bool = False
    hides_personal_data: bool = True
    language: str = "en"


async def planned(
    conversation: Conversation, request: Request, ports: StepPorts, report: Report = lambda name: None
) -> Planned:
    """What the compaction would do now; nothing is stored. The same for preview and for real (C35)."""
    path = conversation.path
    proposal = Proposal.of(path, conversation.folds, conversation.deletions, rev=conversation.chat.rev)
    return await plan(proposal, facts_of(conversation, request), ports, report=report)


def facts_of(conversation: Conversation, request: Request) -> TurnFacts:
    decision, fill = request.decision, request.fill
    projection = fill.projection
    scale = projection.estimated_tokens / max(projection.projected_upper_tokens, 1)
    return TurnFacts(
        compaction_id=CompactionId(new_id("c")),
        trigger=decision.trigger,
        stage=decision.stage,
        family=request.family,
        window_tokens=round(fill.window.tokens * scale),
        fixed_tokens=request.fixed_tokens,
        target_tokens=round(decision.target_tokens * scale),
        tokens=request.tokens,
        answering=request.answering,
        n_sealed=decision.n_sealed,
        why=decision.why,
        pins=frozenset(pin.entry_id for pin in conversation.pins if pin.undone_rev is None),
        put_back=put_back(conversation),
        intent=intent_of(conversation.path, topic=request.topic),
        ledger=request.ledger,
        touches=request.touches,
        cache=request.cache,
        is_offline=request.is_offline,
        hides_personal_data=request.hides_personal_data,
        language=request.language,
    )


def put_back(conversation: Conversation) -> frozenset[EntryId]:
    """Entries that a person took out of a fold, by putting them back or by undoing it (M12)."""
    undone = [
        fold for fold in conversation.folds if fold.undone_rev is not None and fold.kind is not FoldKind.WHOLE
    ]
    whole = [fold for fold in conversation.folds if fold.undone_rev is None and fold.kind is FoldKind.WHOLE]
    found = {fold.first for fold in undone if fold.part is not None}
    at = {entry.id: index for index, entry in enumerate(conversation.path)}
    for fold in (*whole, *(fold for fold in undone if fold.part is None)):
        if fold.first in at and fold.last in at:
            found.update(entry.id for entry in conversation.path[at[fold.first] : at[fold.last] + 1])
    return frozenset(found)


async def commit(
    conversation: Conversation,
    request: Request,
    made: Planned,
    ports: StepPorts,
    store: Store,
    *,
    elapsed_ms: float,
) -> Compaction | None:
    """Store it and take it over; None: something in its cover changed meanwhile, and nothing was stored.

    Raises:
        StoreError: nothing was stored.
    """
    projection = request.fill.projection
    scale = projection.projected_tokens / max(projection.estimated_tokens, 1)
    compaction = Compaction(
        id=made.proposal.proposed[0].compaction_id,
        chat_id=conversation.id,
        rev=0,
        trigger=request.decision.trigger,
        reason=request.decision.why,
        tokens_before=round(made.tokens_before * scale),
        tokens_after=round(made.tokens_after * scale),
        elapsed_ms=elapsed_ms,
        created_at=ports.clock.now(),
        steps=made.reports,
        summary=made.summary,
    )
    folds = await store.commit(compaction, made.proposal.proposed, planned_rev=made.before.rev)
    if folds is None:
        return None
    conversation.renew(await store.load(conversation.id))
    return replace(compaction, rev=folds[-1].rev)
