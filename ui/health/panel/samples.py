"""Sample states of the panel: a long chat, one that has just begun, one in trouble, nothing at all."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

from PySide6.QtCore import QSize

from app.cache.warmth import Holding, Warmth
from app.context.budget import Category, Growth
from app.context.fact_check import Checked, Probe, Receipt
from app.context.facts import Trigger
from app.core.ids import ChatId, CompactionId
from app.core.records import BreakCause, CacheBreak, Compaction, StepReport
from app.core.usage import Usage
from app.health.cache import Amount, CacheCard, Period, ToldBreak
from app.health.compaction import CompactionCard
from app.health.course import Course, Drop, FirstToken, Money, Size
from app.health.information import Information
from app.health.log import HealthFacts, Made
from app.health.metrics import Metrics
from app.health.pruning import BackOff, Deferral, PruningCard
from app.models.families import CacheKind
from app.models.window import WindowSource
from ui.health.cache_card import CacheState
from ui.health.panel.plot_card import load_library
from ui.health.panel.state import PanelState
from ui.health.panel.view import SessionHealthPanel
from ui.health.state import RingState
from ui.kit.showcase import Stage, showcase

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
_TURNS = 31
_DROPPED = 17


def _made(at: int, minutes: int, before: int, after: int, trigger: Trigger = Trigger.SEND) -> Compaction:
    return Compaction(
        id=CompactionId(f"c{at}"),
        chat_id=ChatId("chat"),
        rev=at,
        trigger=trigger,
        reason="",
        tokens_before=before,
        tokens_after=after,
        elapsed_ms=1_240.0,
        created_at=NOW - timedelta(minutes=minutes),
        steps=(
            StepReport(step="compress", candidates=20, folded=14, tokens_saved=40_200, ms=300, why=""),
            StepReport(step="summary", candidates=1, folded=1, tokens_saved=21_000, ms=800, why=""),
        ),
        cost_usd=0.012,
    )


_COMPACTIONS = (
    _made(1, 300, 101_000, 62_000),
    _made(2, 90, 141_200, 28_800, Trigger.IDLE),
    _made(3, 12, 118_000, 53_400, Trigger.MANUAL),
)


def _size(turn: int) -> int:
    return 21_000 + 6_300 * turn if turn < _DROPPED else 41_000 + 7_400 * (turn - _DROPPED)


COURSE = Course(
    sizes=tuple(Size(turn=turn, prompt_tokens=_size(turn)) for turn in range(1, _TURNS + 1)),
    drops=(Drop(id=CompactionId("c2"), turn=_DROPPED, tokens_before=124_000, tokens_after=38_000),),
    first_tokens=tuple(
        FirstToken(
            turn=turn,
            prompt_tokens=_size(turn),
            fresh_tokens=5_000,
            seconds=0.4 + _size(turn) / 90_000 + (turn % 4) * 0.2,
        )
        for turn in range(1, _TURNS + 1)
    ),
    money=tuple(
        Money(
            turn=turn,
            cached_tokens=_size(turn) - 5_000,
            fresh_tokens=5_000,
            usd=0.02 + _size(turn) * 0.4e-6,
            cached_usd=_size(turn) * 0.3e-6,
        )
        for turn in range(1, _TURNS + 1)
    ),
    n_turns=_TURNS,
)

LONG = PanelState(
    ring=RingState(
        use=0.7605,
        ghost=0.01,
        health="warning",
        is_estimate=False,
        text="76%",
        used_tokens=152_100,
        window_tokens=200_000,
        turns_left=9,
        growth_tokens=5_300,
        last_tokens=146_812,
        source=WindowSource.REGISTRY,
        composition=(
            (Category.SYSTEM, 9_000),
            (Category.TOOLS, 14_000),
            (Category.NOTES, 4_100),
            (Category.TOOL_RESULTS, 88_700),
            (Category.YOU, 6_300),
            (Category.ASSISTANT, 28_000),
            (Category.DRAFT, 2_000),
        ),
    ),
    facts=HealthFacts(
        compaction=CompactionCard(
            n_runs=3,
            n_undone=1,
            last=_COMPACTIONS[-1],
            saved_tokens=214_600,
            read_again_tokens=4_700,
            left_tokens=29_000,
            n_folded=143,
            n_reads=2,
            n_read_again=2,
            dedup_tokens=12_400,
            n_calls_kept=61,
            mean_ms=1_180.0,
            n_summaries=2,
            spent_usd=0.031,
            receipt=Receipt(
                checked=tuple(
                    Checked(probe=Probe(kind="path", text=f"f{n}"), is_direct=n < 37, address="vault://x/y")
                    for n in range(41)
                )
            ),
        ),
        pruning=PruningCard(
            n_artifacts=27,
            n_bytes=1_900_000,
            n_written=4,
            n_reused=1,
            n_shortened=19,
            n_vaulted=8,
            n_asked=2,
            n_allowed=2,
            restored_tokens=4_700,
            saved_tokens=96_300,
            rewritten_tokens=400,
            write_share=1.25,
            deferred={Deferral.TAIL: 3, Deferral.FOCUS: 2},
        ),
        course=COURSE,
        metrics=Metrics(slowness=1.1, overflow_rate=0.0, tokens_per_turn=98_400, output_tokens_per_min=4_100),
        information=Information(effective=0.71, repeated=0.08, stale=0.22),
        growth=Growth(tokens_per_turn=5_300, acceleration=-220, turns_left=9),
        timeline=(
            *(Made(compaction=item, is_undone=False, is_put_back=False) for item in _COMPACTIONS),
            Made(compaction=_made(4, 3, 149_000, 131_000), is_undone=True, is_put_back=False),
        ),
    ),
    cache=CacheState(
        card=CacheCard(
            at=NOW,
            held=Holding(warmth=Warmth.WARM, tokens=146_812, left_s=62),
            kind=CacheKind.MARKERS,
            family="anthropic",
            mode="smart",
            minimum_tokens=1024,
            ttl_s=300,
            next_probe_at=NOW + timedelta(seconds=2),
            n_calls=31,
            input_tokens=2_310_000,
            cached_tokens=2_152_000,
            seen=Usage(prompt_tokens=146_812, completion_tokens=900, cached_tokens=141_020),
            hit_rate=0.9316,
            warm_rate=0.95,
            chat=Period(
                saved=Amount(usd=1.84, n_priced=31),
                spent=Amount(usd=2.31, n_priced=33),
                probes=Amount(usd=0.048, n_priced=2),
            ),
            day=Period(saved=Amount(usd=4.2, n_priced=80), spent=Amount(usd=6.02, n_priced=90)),
            last_break=ToldBreak(
                found=CacheBreak(cause=BreakCause.MODEL, missed_tokens=90_000, cost_usd=0.27), turn=31
            ),
        ),
        now=NOW,
    ),
    now=NOW,
)

_EMPTY = HealthFacts(
    compaction=CompactionCard(),
    pruning=PruningCard(),
    course=Course(),
    metrics=Metrics(),
    information=Information(),
    growth=Growth(tokens_per_turn=0.0, acceleration=0.0, turns_left=None),
    timeline=(),
)
BEGUN = PanelState(
    ring=RingState(
        use=0.012,
        health="healthy",
        text="1%",
        used_tokens=2_400,
        window_tokens=200_000,
        composition=((Category.SYSTEM, 1_900), (Category.TOOLS, 500)),
    ),
    facts=_EMPTY,
    cache=CacheState(card=CacheCard(at=NOW, held=Holding(warmth=Warmth.UNKNOWN)), now=NOW),
    now=NOW,
)
TROUBLED = replace(
    LONG,
    ring=RingState(used_tokens=91_000, composition=((Category.YOU, 91_000),)),
    facts=replace(
        LONG.facts or _EMPTY,
        compaction=CompactionCard(n_runs=2, last=_COMPACTIONS[0], saved_tokens=900, left_tokens=60_000),
        pruning=PruningCard(n_failed=2, saved_tokens=900, restored_tokens=4_000, backs_off=tuple(BackOff)),
    ),
    is_busy=True,
)
STATES = {"long": LONG, "begun": BEGUN, "troubled": TROUBLED, "nothing": PanelState()}


def panel(stage: Stage, state: PanelState) -> SessionHealthPanel:
    found = SessionHealthPanel(stage.theme)
    load_library()
    found.plots.show_plot()
    found.draw(state)
    return found


def main() -> None:
    showcase({name: partial(panel, state=state) for name, state in STATES.items()}, sizes=(QSize(328, 1500),))
