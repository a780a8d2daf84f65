"""A compaction from its decision to its commit; shared by turns and by the use cases of `chats` (M9)."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from app.context.budget import Fill, Stage
from app.context.conversation import Conversation
from app.context.cover import Cover, cover_of
from app.context.facts import CacheFacts, Trigger, TurnFacts
from app.context.gleaned import Gleaned
from app.context.intent import intent_of
from app.context.plan import Decision, Situation, decide, may_rewrite_cold
from app.context.ports import Marks, StepPorts, Store, Writer
from app.context.proposal import Proposal
from app.context.reach import Reach, reach_of
from app.context.reading import Item
from app.context.returns import backed_off
from app.context.spared import Spared, spared_of
from app.context.spending import Spending
from app.context.step import Report
from app.context.touches import file_touches
from app.core.entries import Entry, Origin
from app.core.folds import Fold, FoldKind
from app.core.ids import CompactionId, EntryId, ModelId, new_id
from app.core.ledger import LedgerItem
from app.core.parts import Part
from app.core.records import Compaction, RequestKind, RequestRecord
from app.models.families import Family

if TYPE_CHECKING:
    from app.context.pipeline import Planned

_PAUSE = timedelta(minutes=30)
_NO_ROOM = Decision(trigger=Trigger.SEND, stage=Stage.INACTIVE, n_sealed=0, target_tokens=0, why="")
TRIES = 2
"""A plan whose cover changed while it was made is made once more (M9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a conversation stands with its model: what a decision and a plan go by."""

    family: Family
    model: ModelId
    fill: Fill
    fixed_tokens: int
    """System, what leading system entries say of it too, and tools, by our count."""
    tokens: Callable[[Part], int]
    cache: CacheFacts = field(default_factory=CacheFacts)
    sealed_by: RequestRecord | None = None
    """The newest accepted request of this model that is a prefix of the next one."""
    is_automatic: bool = True
    is_offline: bool = False
    hides_personal_data: bool = True
    language: str = "en"
    server_chars: Mapping[str, int] = field(default_factory=dict[str, int])
    """See `TurnFacts`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Why room is wanted, beside the figures."""

    answering: EntryId | None = None
    is_asked_for: bool = False
    is_idle: bool = False
    has_overflowed: bool = False
    target_tokens: int | None = None
    topic: str = ""
    wants_summary: bool = False
    summary: str = ""
    """Its fields, made already: JSON of a `KeptSummary`."""


class Engine:
    """Compacts one conversation. Plans are made without a lock, and stored only if their cover still stands."""

    def __init__(self, conversation: Conversation, *, store: Store, ports: StepPorts) -> None:
        self._conversation = conversation
        self._store = store
        self._ports = ports
        self._committing = asyncio.Lock()
        self._n_running = 0
        self._gleaned = Gleaned()
        self._read: Proposal | None = None
        """What the last decision looked at, until it is planned with."""

    @property
    def is_busy(self) -> bool:
        """A compaction is under way, from its plan to its commit."""
        return self._n_running > 0

    async def read_ahead(self, stage: Stage, items: Sequence[Item]) -> None:
        """Look, in a thread, at what the next compaction will look at, once one is near: what is new since last time.

        Args:
            items: The reading that stands.
        """
        if stage is Stage.INACTIVE:
            self._gleaned.said = None  # megabytes that may never be needed
            return
        ledger = await self._store.ledger(self._conversation.id)
        await asyncio.to_thread(
            _read_ahead, self._gleaned, ledger, tuple(self._conversation.path), tuple(items)
        )

    async def decision(self, standing: Standing, wish: Wish) -> Decision:
        """Whether the next request is preceded by a compaction, and why."""
        reach, off = Reach(), 0.0
        made: tuple[Compaction, ...] = ()
        if standing.cache.has_expired and (made := self._made()):
            here = self._conversation
            path, folds = tuple(here.path), tuple(here.folds)
            off = await asyncio.to_thread(backed_off, path, folds, made, standing.tokens)
        is_near = standing.fill.stage not in (Stage.INACTIVE, Stage.WATCH)
        if is_near or may_rewrite_cold(standing.fill, standing.cache, backed_off=off):
            facts = self._facts(standing, wish, _NO_ROOM)
            reach, self._read = await asyncio.to_thread(reach_of, self._reading(), facts)
            made = made or self._made()
        record, scale = standing.sealed_by, standing.fill.projection.scale
        decided = decide(
            Situation(
                fill=standing.fill,
                cache=standing.cache,
                n_sealed=self._conversation.n_until(record.head) if record else 0,
                floor_tokens=reach.floor_tokens,
                light_tokens=round(scale * reach.light_tokens),
                unchanged_tokens=round(scale * reach.unchanged_tokens),
                expected_requests=expected_requests(
                    self._conversation.requests, since=made[-1].created_at if made else None
                ),
                backed_off=off,
                compactions=made,
                is_automatic=standing.is_automatic,
                is_asked_for=wish.is_asked_for,
                is_idle=wish.is_idle,
                has_overflowed=wish.has_overflowed,
                target_tokens=wish.target_tokens,
            )
        )
        if not decided.rewrites:
            self._read = None
        return decided

    def _made(self) -> tuple[Compaction, ...]:
        """Compactions that nobody undid."""
        here = self._conversation
        undone = {fold.compaction_id for fold in here.folds if fold.undone_rev is not None}
        return tuple(item for item in here.compactions if item.id not in undone)

    async def planned(
        self,
        standing: Standing,
        wish: Wish,
        decision: Decision,
        *,
        writer: Writer | None = None,
        report: Report = lambda name: None,
    ) -> "Planned":
        """What a compaction would do now; without a writer no model is asked (C35)."""
        ports = replace(self._ports, writer=None if standing.is_offline else writer)
        facts, read = self._facts(standing, wish, decision), self._reading()
        self._read = None
        plan = await asyncio.to_thread(_plan)
        proposal, facts = await asyncio.to_thread(_looked_at, read, facts, wish.topic)
        ledger = await self._store.ledger(self._conversation.id)
        facts = replace(facts, ledger=ledger, written=await self.written())
        return await plan(proposal, facts, ports, report=report)

    async def spared(self, standing: Standing, wish: Wish, decision: Decision) -> Spared:
        """What no step may fold to make room: head, tail, pins, what is being answered (C9, C10, M5)."""
        facts, read = self._facts(standing, wish, decision), self._reading()
        facts = replace(facts, ledger=await self._store.ledger(self._conversation.id))
        return await asyncio.to_thread(_spared, read, facts, wish.topic)

    async def cover(self, standing: Standing) -> tuple[Proposal, TurnFacts, Cover]:
        """What stands, what is known of this moment, and what may be folded of it if room were wanted now."""
        facts, read = self._facts(standing, Wish(), _NO_ROOM), self._reading()
        facts = replace(facts, ledger=await self._store.ledger(self._conversation.id))
        return await asyncio.to_thread(_covered, read, facts)

    async def compact(
        self,
        standing: Standing,
        wish: Wish,
        decision: Decision,
        *,
        writer: Writer | None = None,
        tries: int = TRIES,
        report: Report = lambda name: None,
    ) -> Compaction | None:
        """Plan, and store what is smaller; None: nothing was worth folding, and nothing is changed.

        Args:
            writer: Who may write the summary; None: it is made by rule (C18).
        """
        self._n_running += 1
        try:
            return await self._compact(standing, wish, decision, writer=writer, tries=tries, report=report)
        finally:
            self._n_running -= 1

    async def _compact(
        self,
        standing: Standing,
        wish: Wish,
        decision: Decision,
        *,
        writer: Writer | None,
        tries: int,
        report: Report,
    ) -> Compaction | None:
        spent = Spending(writer) if writer else None
        for attempt in range(tries):
            asked = None if attempt and decision.trigger is Trigger.EMERGENCY else spent  # one wait per send
            began_s = self._ports.clock.monotonic()
            made = await self.planned(standing, wish, decision, writer=asked, report=report)
            if not made.is_smaller or not made.proposal.proposed:
                return None
            elapsed_ms = (self._ports.clock.monotonic() - began_s) * 1000
            if stored := await self.commit(standing, decision, made, elapsed_ms=elapsed_ms, spent=spent):
                return stored
        return None

    async def commit(
        self,
        standing: Standing,
        decision: Decision,
        made: "Planned",
        *,
        elapsed_ms: float,
        spent: Spending | None = None,
    ) -> Compaction | None:
        """Store a plan and take it over; None: something in its cover changed since, and nothing was stored.

        Args:
            spent: What writing its summary took.
        Raises:
            StoreError: nothing was stored.
        """
        compaction = await self.recorded(standing, decision, made, elapsed_ms=elapsed_ms, spent=spent)
        async with self._committing:
            rev = self._conversation.chat.rev
            folds = await self._store.commit(compaction, made.proposal.proposed, planned_rev=made.before.rev)
            if folds is None:
                return None
            await self._take_ledger(made)
            await self._take_folds(folds, made.proposal, after=rev)
            compaction = replace(compaction, rev=folds[0].rev)
            self._conversation.compactions.append(compaction)
        for file in made.shown:
            await self._ports.files.note(file.path, file.text)
        return compaction

    async def recorded(
        self,
        standing: Standing,
        decision: Decision,
        made: "Planned",
        *,
        elapsed_ms: float,
        spent: Spending | None = None,
    ) -> Compaction:
        """A plan as it would be kept, before it has a number."""
        scale = standing.fill.projection.scale
        is_checked = decision.trigger is Trigger.MANUAL or bool(made.summary)
        return Compaction(
            id=made.proposal.proposed[0].compaction_id,
            chat_id=self._conversation.id,
            rev=0,
            trigger=decision.trigger,
            reason=decision.why,
            tokens_before=round(made.tokens_before * scale),
            tokens_after=round(made.tokens_after * scale),
            elapsed_ms=elapsed_ms,
            created_at=self._ports.clock.now(),
            steps=made.reports,
            model=spent.wrote if spent and _is_written(made.summary) else None,
            cost_usd=spent.cost_usd if spent else None,
            summary=made.summary,
            fact_check=await asyncio.to_thread(_fact_check, made.proposal) if is_checked else "",
        )

    async def _take_ledger(self, made: "Planned") -> None:
        """Store the ledger as planned, or with what the person changed in it while the plan was made."""
        if made.ledger is None:
            return
        is_as_planned = await self._store.ledger(self._conversation.id) == made.ledger_before
        ledger = made.ledger if is_as_planned else await self.ledger()
        await self._store.save_ledger(self._conversation.id, ledger)

    async def _take_folds(self, folds: tuple[Fold, ...], planned: Proposal, *, after: int) -> None:
        """Take over what was stored; where any other number was taken, all marks are read anew."""
        here = self._conversation
        if here.chat.rev == after == folds[0].rev - 1:
            rev, held = folds[-1].rev, (*here.folds, *folds)
            marks = Marks(rev=rev, folds=held, pins=tuple(here.pins), deletions=tuple(here.deletions))
            is_as_planned = planned.folds == held and planned.anchor == here.path[-1].id
            here.take_marks(marks, planned.items if is_as_planned else None)
        else:
            here.take_marks(await self._store.marks(here.id))

    async def written(self) -> Mapping[CompactionId, str]:
        """What the person made of summaries, the newest words of each."""
        versions = await self._store.summary_versions(self._conversation.id)
        return {item.compaction_id: item.summary for item in versions if item.undone_rev is None}

    async def ledger(self) -> tuple[LedgerItem, ...]:
        """With everything that was said on the shown branch, superseded lines included."""
        from app.context.ledger import updated  # no start waits for its patterns

        stored = await self._store.ledger(self._conversation.id)
        return await asyncio.to_thread(updated, stored, tuple(self._conversation.path), self._gleaned)

    async def change_ledger(self, change: Callable[[Sequence[LedgerItem], int], Sequence[LedgerItem]]) -> int:
        """Store what `change` makes of the ledger and the number that it takes (M1). Returns: that number.

        No request is another one by it: lines are sent when a compaction is made anyway (C38).
        """
        async with self._committing:
            ledger = await self.ledger()
            return await self._store.change_ledger(self._conversation.id, partial(change, ledger))

    def unsent_results(self, standing: Standing, wish: Wish) -> frozenset[EntryId]:
        """Results of the running turn that no request has held yet; only S3 may cut them, once."""
        if wish.answering is None:
            return frozenset()
        stop = {wish.answering, standing.sealed_by.head if standing.sealed_by else wish.answering}
        fresh = takewhile(lambda entry: entry.id not in stop, reversed(self._conversation.path))
        return frozenset(entry.id for entry in fresh if entry.origin is Origin.TOOL)

    def _reading(self) -> Callable[[], Proposal]:
        """Reads what stands now, whenever it is called and whatever was written meanwhile."""
        here, held = self._conversation, self._read
        if held and here.path and (held.rev, held.anchor) == (here.chat.rev, here.path[-1].id):
            return lambda: held
        path, folds, deletions = tuple(here.path), tuple(here.folds), tuple(here.deletions)
        return partial(Proposal.of, path, folds, deletions, rev=here.chat.rev, items=here.items)

    def _facts(self, standing: Standing, wish: Wish, decision: Decision) -> TurnFacts:
        """The same in our count: what the provider will say, by the ratio of this chat.

        What the whole path is looked at for is left to `_looked_at`.
        """
        projection = standing.fill.projection
        scale = projection.estimated_tokens / max(projection.projected_upper_tokens, 1)
        return TurnFacts(
            compaction_id=CompactionId(new_id("c")),
            trigger=decision.trigger,
            stage=decision.stage,
            family=standing.family,
            window_tokens=round(standing.fill.window.tokens * scale),
            fixed_tokens=standing.fixed_tokens,
            target_tokens=round(decision.target_tokens * scale),
            tokens=standing.tokens,
            ratio=max(1.0, 1 / scale) if scale else 1.0,
            answering=wish.answering,
            n_sealed=decision.n_sealed,
            why=decision.why,
            pins=frozenset(pin.entry_id for pin in self._conversation.pins if pin.undone_rev is None),
            unsent_results=self.unsent_results(standing, wish),
            put_back=put_back(self._conversation),
            gleaned=self._gleaned,
            cache=standing.cache,
            wants_summary=wish.wants_summary,
            summary=wish.summary,
            is_offline=standing.is_offline,
            hides_personal_data=standing.hides_personal_data,
            language=standing.language,
            server_chars=standing.server_chars,
        )


def _looked_at(read: Callable[[], Proposal], facts: TurnFacts, topic: str) -> tuple[Proposal, TurnFacts]:
    """The reading, and the facts with what the whole path says: a long chat takes longer than a frame."""
    proposal = read()
    path = proposal.path
    return proposal, replace(
        facts, touches=file_touches(path), intent=intent_of(path, topic=topic, gleaned=facts.gleaned)
    )


def _spared(read: Callable[[], Proposal], facts: TurnFacts, topic: str) -> Spared:
    return spared_of(*_looked_at(read, facts, topic))


def _covered(read: Callable[[], Proposal], facts: TurnFacts) -> tuple[Proposal, TurnFacts, Cover]:
    proposal, facts = _looked_at(read, facts, "")
    return proposal, facts, cover_of(proposal, facts)


def _plan() -> "Callable[..., Awaitable[Planned]]":
    from app.context.pipeline import plan  # all steps and their patterns: 0.1 s that no start waits for

    return plan


def _read_ahead(
    gleaned: Gleaned, ledger: Sequence[LedgerItem], path: Sequence[Entry], items: Sequence[Item]
) -> None:
    from app.context.reading_ahead import read_ahead  # as above

    read_ahead(gleaned, ledger, path, items)


def _is_written(summary: str) -> bool:
    """Whether a model wrote all of it."""
    from app.context.summary.fields import KeptSummary  # as below: no start waits for it

    return bool(summary) and not KeptSummary.model_validate_json(summary).is_offline


def _fact_check(made: Proposal) -> str:
    """The loss receipt as JSON (C36); what lies in a blob is no text that was probed."""
    from app.context.fact_check import receipt_of

    return receipt_of(made, lambda found: found if isinstance(found, str) else "").model_dump_json()


def put_back(conversation: Conversation) -> frozenset[EntryId]:
    """Entries that a person took out of a fold, by putting them back or by undoing it (M12)."""
    taken = [
        fold for fold in conversation.folds if (fold.kind is FoldKind.WHOLE) is (fold.undone_rev is None)
    ]
    at = {entry.id: index for index, entry in enumerate(conversation.path)} if taken else {}
    found: set[EntryId] = set()
    for fold in taken:
        if fold.first in at and fold.last in at:
            found.update(entry.id for entry in conversation.path[at[fold.first] : at[fold.last] + 1])
    return frozenset(found)


def expected_requests(requests: Sequence[RequestRecord], *, since: datetime | None = None) -> int:
    """E: requests since the last pause of 30 minutes; as many more are expected.

    Args:
        since: Of the last rewrite; only what came after it counts. A chat that grows evenly pays least where a rewrite
            has paid for itself within half of the requests since the one before (the square root of economic lot sizes).
    """
    n = 0
    later: datetime | None = None
    for record in reversed(requests):
        if record.kind is not RequestKind.ANSWER:
            continue
        if (later and later - record.created_at > _PAUSE) or (since and record.created_at < since):
            break
        later = record.created_at
        n += 1
    return n
