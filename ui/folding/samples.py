"""Sample states of the preview: while it is planned, a long chat, one where little is won."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from math import inf

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from app.cache.economics import Rewriting
from app.chats.fates import Fate
from app.chats.previewing import Preview, Summing
from app.context.budget import Category, Fill, Health, Projection, Stage
from app.context.engine import Standing, Wish
from app.context.fact_check import Checked, Probe, Receipt
from app.context.facts import Trigger
from app.context.pipeline import Planned
from app.context.plan import Decision
from app.context.proposal import Proposal
from app.context.spared import Spared
from app.core.folds import FoldKind
from app.core.ids import ChatId, CompactionId, EntryId, ModelId
from app.core.records import Compaction
from app.models.families import UNKNOWN
from app.models.window import Window, WindowSource
from ui.folding.state import PreviewState, Work
from ui.folding.view import PreviewDialog
from ui.kit.showcase import Stage as Showing
from ui.kit.showcase import showcase

_BEFORE = (
    (Category.SYSTEM, 9_100),
    (Category.TOOLS, 13_900),
    (Category.NOTES, 4_100),
    (Category.TOOL_RESULTS, 88_700),
    (Category.YOU, 12_300),
    (Category.ASSISTANT, 24_000),
)
_AFTER = (
    (Category.SYSTEM, 9_100),
    (Category.TOOLS, 13_900),
    (Category.NOTES, 3_000),
    (Category.TOOL_RESULTS, 11_000),
    (Category.YOU, 5_400),
    (Category.ASSISTANT, 6_200),
)
_FATES = (
    Fate(kind=FoldKind.REMOVED, n_messages=22, tokens_freed=58_300),
    Fate(kind=FoldKind.REMOVED, of=Category.REASONING, n_messages=31, tokens_freed=18_400),
    Fate(kind=FoldKind.SUMMARISED, n_messages=84, tokens_freed=10_900),
    Fate(kind=FoldKind.MERGED, n_messages=6, tokens_freed=9_700),
    Fate(kind=FoldKind.SHORTENED, n_messages=4, tokens_freed=6_200),
)
_SPARED = Spared(
    first=(EntryId("u"),),
    pinned=tuple(EntryId(f"p{n}") for n in range(3)),
    tail=tuple(EntryId(f"t{n}") for n in range(12)),
    tail_tokens=38_400,
    named=("src/billing/ledger.py", "test_proration.py"),
    failed=("shell",),
)


def a_preview() -> Preview:
    """Of a long chat whose summary is only priced."""
    facts = tuple(
        Checked(
            probe=Probe(kind="figure", text=f"invoice {n} is {n * 19},99"), is_direct=n % 3 > 0, address=where
        )
        for n in range(41)
        for where in ["" if n % 11 == 0 else "vault://9f2c41d7a3b0/history.md"]
    )
    before, after = (sum(tokens for _, tokens in rows) for rows in (_BEFORE, _AFTER))
    projection = Projection(
        estimated_tokens=before,
        projected_tokens=before,
        projected_upper_tokens=before,
        ratio=1.0,
        has_base=True,
    )
    fill = Fill(
        projection=projection,
        window=Window(tokens=200_000, source=WindowSource.REGISTRY),
        room_tokens=8_192,
        stage=Stage.FULL,
        health=Health.WARNING,
        composition=_BEFORE,
    )
    nothing = Proposal.of((), (), (), rev=0)
    return Preview(
        standing=Standing(
            family=UNKNOWN, model=ModelId("acme/large"), fill=fill, fixed_tokens=23_000, tokens=lambda _: 0
        ),
        wish=Wish(is_asked_for=True),
        decision=Decision(trigger=Trigger.MANUAL, stage=Stage.FULL, n_sealed=0, target_tokens=50_000, why=""),
        planned=Planned(
            proposal=nothing, before=nothing, reports=(), tokens_before=before, tokens_after=after
        ),
        compaction=Compaction(
            id=CompactionId("c"),
            chat_id=ChatId("chat"),
            rev=0,
            trigger="manual",
            reason="",
            tokens_before=before,
            tokens_after=after,
            elapsed_ms=0,
            created_at=datetime(2026, 11, 30, tzinfo=UTC),
            fact_check=Receipt(checked=facts).model_dump_json(),
        ),
        spent=None,
        summing=Summing(run_tokens=30_000, tokens=6_000, by_rule_tokens=2_000, writer_tokens=40_000),
        tokens_before=before,
        tokens_after=after,
        before=_BEFORE,
        after=_AFTER,
        fates=_FATES,
        spared=_SPARED,
        rewriting=Rewriting(
            cost_tokens=60_000, saved_tokens=20_000, pay_back=2.6, cost_usd=0.18, saved_usd=0.06
        ),
    )


def _sample(state: PreviewState) -> Callable[[Showing], QWidget]:
    def build(stage: Showing) -> QWidget:
        dialog = PreviewDialog(stage.theme)
        dialog.draw(state)
        return dialog

    return build


def main() -> None:
    title, preview = "Migrate billing to ledger v2", a_preview()
    little = replace(
        preview,
        tokens_after=preview.tokens_before - 900,
        after=preview.before,
        fates=preview.fates[-1:],
        summing=None,
        rewriting=Rewriting(cost_tokens=60_000, saved_tokens=900, pay_back=inf),
    )
    samples = {
        "planning": PreviewState(title=title, step="compress", elapsed_s=3),
        "preview": PreviewState(title=title, preview=preview, work=Work.NONE),
        "little": PreviewState(title=title, preview=little, work=Work.NONE),
        "failed": PreviewState(title="", work=Work.NONE, error="No model is set up."),
    }
    showcase({name: _sample(state) for name, state in samples.items()}, sizes=(QSize(900, 560),))
