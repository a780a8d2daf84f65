"""What the tests of free compression share: facts of a moment over a path, and a step run to its end."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import cast

from app.context.budget import Stage
from app.context.facts import Trigger, TurnFacts
from app.context.intent import intent_of
from app.context.ports import StepPorts
from app.context.proposal import Proposal
from app.context.step import StepResult
from app.context.steps.compress import compress
from app.core.entries import Entry, Origin
from app.core.ids import CompactionId, EntryId
from app.core.parts import MediaPart, Part
from app.models.families import OPENAI
from app.tokens.estimate import estimate_part
from tests.app.context.counts import conversation

_MEDIA_TOKENS = 500
NO_PORTS = cast("StepPorts", None)
"""Free compression asks nothing of the outside."""


@cache
def tokens(part: Part) -> int:
    return _MEDIA_TOKENS if isinstance(part, MediaPart) else estimate_part(part, lambda _: _MEDIA_TOKENS)


@cache
def real(name: str) -> tuple[Entry, ...]:
    """A recorded conversation up to its last entry from which a request is made."""
    path = conversation(name)
    ends = [
        at
        for at, entry in enumerate(path, 1)
        if entry.origin in (Origin.USER, Origin.TOOL) or at == len(path)
    ]
    return path[: ends[-2] if path[-1].origin is Origin.ASSISTANT else ends[-1]]


def proposal(path: Sequence[Entry]) -> Proposal:
    return Proposal.of(path, (), (), rev=max((entry.rev for entry in path), default=0))


@dataclass(frozen=True, kw_only=True)
class Turn:
    """The facts of a moment, in a few words; `facts` gives them whole."""

    target: int
    window: int = 0
    stage: Stage = Stage.FULL
    trigger: Trigger = Trigger.MANUAL
    pins: frozenset[EntryId] = frozenset()
    put_back: frozenset[EntryId] = frozenset()
    n_sealed: int = 0
    answering: EntryId | None = None

    def facts(self, path: Sequence[Entry]) -> TurnFacts:
        return TurnFacts(
            compaction_id=CompactionId("k"),
            trigger=self.trigger,
            stage=self.stage,
            family=OPENAI,
            window_tokens=self.window or max(8_000, proposal(path).tokens(tokens, OPENAI)),
            fixed_tokens=0,
            target_tokens=self.target,
            tokens=tokens,
            answering=self.answering,
            n_sealed=self.n_sealed,
            pins=self.pins,
            put_back=self.put_back,
            intent=intent_of(path),
        )


def compressed(context: Proposal, facts: TurnFacts) -> StepResult:
    return asyncio.run(compress(context, facts, NO_PORTS))
