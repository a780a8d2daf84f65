"""The twelve steps in their order, as data: how a context is kept within its window (context.md, part B).

S1 to S9 and C37 fold: they propose what the model no longer sees, and nothing is stored by them. S10 to S12 shape the
request that is made of what is left. The same tuple drives preview, panel, command line and documentation.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from app.context.facts import TurnFacts
from app.context.ports import NewFold, StepPorts
from app.context.proposal import Proposal
from app.context.returns import PRUNING
from app.context.step import Report, ShownFile, Step
from app.context.steps.cache_prune import prune_expired_cache
from app.context.steps.compress import compress
from app.context.steps.last_measures import last_measures
from app.context.steps.media import window_media
from app.context.steps.own_words import take_own_words
from app.context.steps.pre_compact import pre_compact
from app.context.steps.reread import reread
from app.context.steps.session_notes import keep_session_notes
from app.context.steps.summarise import summarise
from app.context.steps.thinking import clean_thinking
from app.context.steps.tool_filter import filter_tool_output
from app.core.ledger import LedgerItem
from app.core.parts import TextPart
from app.core.records import StepReport


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One row of the pipeline: the step's id in the specification, its name, and what it does."""

    id: str
    name: str
    step: Step
    adds: bool = False
    """It may make the request larger: files that are read again, addresses of reasoning that was never sent."""


STEPS: tuple[Stage, ...] = (
    Stage(id="S1", name="thinking", step=clean_thinking, adds=True),
    Stage(id="S2", name="media", step=window_media(messages=2)),
    Stage(id="S3", name="tool filter", step=filter_tool_output),
    Stage(id="S4", name=PRUNING, step=prune_expired_cache),
    Stage(id="S5", name="pre-compact", step=pre_compact),
    Stage(id="S6", name="compress", step=compress),
    Stage(id="S7", name="session notes", step=keep_session_notes),
    Stage(id="S8", name="summary", step=summarise),
    Stage(id="S9", name="re-read", step=reread, adds=True),
    Stage(id="C38", name="your words", step=take_own_words, adds=True),
    Stage(id="C37", name="last measures", step=last_measures),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """What a compaction would do; dropping it does nothing."""

    proposal: Proposal
    before: Proposal
    reports: tuple[StepReport, ...]
    tokens_before: int
    """Of the whole request, by our count."""
    tokens_after: int
    summary: str = ""
    ledger: tuple[LedgerItem, ...] | None = None
    """As it is with what was said since; None: unchanged."""
    ledger_before: tuple[LedgerItem, ...] = ()
    shown: tuple[ShownFile, ...] = ()
    """Files that the model has in full from then on (S9)."""

    @property
    def is_smaller(self) -> bool:
        return self.tokens_after < self.tokens_before


async def plan(
    context: Proposal,
    turn: TurnFacts,
    ports: StepPorts,
    *,
    report: Report = lambda name: None,
    clock_s: Callable[[], float] = time.perf_counter,
) -> Planned:
    """Run the steps one after another, each on what the one before left.

    Args:
        report: Told the name of each step as it begins.
    """
    before = context
    ledger_before = turn.ledger
    tokens_before = await asyncio.to_thread(turn.request_tokens, context)
    tokens = tokens_before
    reports: list[StepReport] = []
    summary = ""
    shown: tuple[ShownFile, ...] = ()
    ledger: tuple[LedgerItem, ...] | None = None
    for stage in STEPS:
        report(stage.name)
        began_s = clock_s()
        result = await stage.step(context, turn, ports)
        proposed, left = context, tokens
        if result.folds:
            proposed, left = await asyncio.to_thread(_with, context, result.folds, turn)
        if result.ledger is not None:
            ledger = result.ledger
            turn = replace(turn, ledger=ledger)
        if left > tokens and not stage.adds:  # the result is smaller, or nothing is made (M5)
            result, left = (
                replace(result, folds=(), summary="", shown=(), why="It would not be smaller."),
                tokens,
            )
        else:
            context = proposed
        reports.append(
            StepReport(
                step=stage.name,
                candidates=result.candidates,
                folded=len(result.folds),
                tokens_saved=tokens - left,
                ms=(clock_s() - began_s) * 1000,
                why=result.why,
            )
        )
        tokens = left
        summary, shown = result.summary or summary, (*shown, *result.shown)
    context = await asyncio.to_thread(context.without_covered)
    return Planned(
        proposal=context,
        before=before,
        reports=tuple(reports),
        tokens_before=tokens_before,
        tokens_after=tokens,
        summary=summary,
        ledger=ledger,
        ledger_before=ledger_before,
        shown=tuple(file for file in shown if _stands(file, context)),
    )


def _stands(file: ShownFile, context: Proposal) -> bool:
    texts = (
        part.text for fold in context.proposed for part in fold.replacement if isinstance(part, TextPart)
    )
    return any(isinstance(text, str) and file.piece in text for text in texts)


def _with(context: Proposal, folds: Sequence[NewFold], turn: TurnFacts) -> tuple[Proposal, int]:
    proposed = context.with_folds(folds)
    return proposed, turn.request_tokens(proposed)
