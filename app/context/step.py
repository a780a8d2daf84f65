"""What a step is: from a proposal of the context and the facts of the moment to proposed folds."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import wraps
from typing import Protocol

from app.context.facts import TurnFacts
from app.context.ports import NewFold, StepPorts
from app.context.proposal import Proposal
from app.core.entries import Entry
from app.core.folds import FoldKind
from app.core.ledger import LedgerItem
from app.core.parts import Part


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFile:
    path: str
    text: str
    """All of it, as it was read."""
    piece: str
    """How it stands in the text of a fold: what later steps cut is not shown in full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """What a step proposes; nothing is stored until the whole is committed."""

    folds: tuple[NewFold, ...] = ()
    candidates: int = 0
    """What it looked at, folded or not."""
    why: str = ""
    """In words a person understands."""
    summary: str = ""
    """JSON of the fourteen fields, where a summary was made."""
    shown: tuple[ShownFile, ...] = ()
    """Files that the proposed folds show in full."""
    ledger: tuple[LedgerItem, ...] | None = None
    """The ledger as it is from now on; None: unchanged."""


class Step(Protocol):
    """Steps S1–S9. Only S3, S5, S8 and S9 use `ports`; what came through one is in the fold (C8)."""

    def __call__(self, context: Proposal, turn: TurnFacts, ports: StepPorts, /) -> Awaitable[StepResult]: ...


def pure(
    work: Callable[[Proposal, TurnFacts], StepResult],
) -> Callable[[Proposal, TurnFacts, StepPorts], Coroutine[object, object, StepResult]]:
    """The step that asks nothing of any port; it runs in a thread, since a long chat takes longer than a frame."""

    @wraps(work)
    async def step(context: Proposal, turn: TurnFacts, ports: StepPorts) -> StepResult:
        return await asyncio.to_thread(work, context, turn)

    return step


Report = Callable[[str], None]
"""Told the name of each step as it begins, for progress."""


def part_fold(
    context: Proposal, turn: TurnFacts, kind: FoldKind, entry: Entry, index: int, part: Part
) -> NewFold:
    """The fold that shows `part` instead of the part at `index` of `entry`."""
    return NewFold(
        compaction_id=turn.compaction_id,
        kind=kind,
        first=entry.id,
        last=entry.id,
        part=index,
        replacement=(part,),
        anchor=context.anchor,
    )
