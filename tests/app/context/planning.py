"""A chat compressed, put back and undone again and again, without a model; shared by the tests of the pipeline."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from app.context.budget import Stage
from app.context.facts import Trigger, TurnFacts
from app.context.intent import intent_of
from app.context.pipeline import Planned, plan
from app.context.ports import StepPorts
from app.context.proposal import Proposal
from app.context.reading import Folded
from app.context.transcript import groups
from app.core.entries import Entry, Origin
from app.core.folds import Fold, FoldKind
from app.core.ids import CompactionId, EntryId
from app.filters.filter import InPlaceFilters
from app.models.families import OPENAI
from tests.app.context.counts import CountingHere, VaultHere
from tests.app.context.steps.compressing import tokens
from tests.app.context.summary.making import FilesHere
from tests.fakes import FakeClock


def ports() -> StepPorts:
    return StepPorts(
        vault=VaultHere(), text=CountingHere(), filters=InPlaceFilters(), files=FilesHere(), clock=FakeClock()
    )


@dataclass(kw_only=True)
class Chat:
    """What a store would hold of it."""

    path: tuple[Entry, ...]
    folds: tuple[Fold, ...] = ()
    put_back: set[EntryId] = field(default_factory=set[EntryId])
    rev: int = 0
    n_made: int = 0

    @classmethod
    def of(cls, path: Sequence[Entry]) -> "Chat":
        return cls(path=tuple(path), rev=max(entry.rev for entry in path))

    @property
    def proposal(self) -> Proposal:
        return Proposal.of(self.path, self.folds, (), rev=self.rev)

    def facts(
        self, share: float, *, trigger: Trigger, window_tokens: int = 0, fixed_tokens: int = 0
    ) -> TurnFacts:
        self.n_made += 1
        total = self.proposal.tokens(tokens, OPENAI)
        users = [entry.id for entry in self.path if entry.origin is Origin.USER]
        return TurnFacts(
            compaction_id=CompactionId(f"k{self.n_made}"),
            trigger=trigger,
            stage=Stage.EMERGENCY if trigger is Trigger.EMERGENCY else Stage.FULL,
            family=OPENAI,
            window_tokens=window_tokens or max(8_000, total),
            fixed_tokens=fixed_tokens,
            target_tokens=max(1, round(share * (window_tokens or total))),
            tokens=tokens,
            answering=users[-1],
            put_back=frozenset(self.put_back),
            intent=intent_of(self.path),
            is_offline=True,
        )

    def compress(self, facts: TurnFacts) -> Planned:
        """Plan, and take it over as a commit would."""
        made = asyncio.run(plan(self.proposal, facts, ports()))
        if made.is_smaller:
            self.folds, self.rev = made.proposal.folds, made.proposal.rev
        return made

    @property
    def hidden(self) -> list[list[tuple[Entry, ...]]]:
        """Groups that each run folds away, the largest run first."""
        runs = [list(groups(item.entries)) for item in self.proposal.items if isinstance(item, Folded)]
        return sorted(runs, key=len, reverse=True)

    def show(self, group: Sequence[Entry]) -> None:
        """Put one group back (M12)."""
        self.rev += 1
        self.put_back.update(entry.id for entry in group)
        self.folds += (
            Fold(
                rev=self.rev,
                compaction_id=CompactionId(f"back{self.rev}"),
                kind=FoldKind.WHOLE,
                first=group[0].id,
                last=group[-1].id,
                anchor=self.path[-1].id,
            ),
        )

    def undo(self, compaction_id: CompactionId) -> None:
        self.rev += 1
        self.folds = tuple(
            replace(fold, undone_rev=self.rev)
            if fold.compaction_id == compaction_id and fold.undone_rev is None
            else fold
            for fold in self.folds
        )

    @property
    def made(self) -> list[CompactionId]:
        """Compactions that can be undone."""
        return list(dict.fromkeys(fold.compaction_id for fold in self.folds if fold.undone_rev is None))
