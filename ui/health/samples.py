"""Sample states of the ring: every health at every size, the unknown window, the popover's content."""

from datetime import UTC, datetime, timedelta

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from app.cache.warmth import Holding, Warmth
from app.context.budget import Category
from app.core.records import BreakCause, CacheBreak
from app.health.cache import Amount, CacheCard, Period, ToldBreak
from ui.health.cache_card import CacheState
from ui.health.popover import HealthPopover
from ui.health.ring import ContextRing
from ui.health.ring_drawing import COMPOSER, PANEL, TINY
from ui.health.state import HEALTHS, RingState
from ui.kit.figures import percent
from ui.kit.showcase import Stage, showcase

_COMPOSITION = (
    (Category.SYSTEM, 23_000),
    (Category.NOTES, 4_100),
    (Category.TOOL_RESULTS, 88_700),
    (Category.ASSISTANT, 30_000),
)


_NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
_CACHE = {
    0: CacheState(card=CacheCard(at=_NOW, held=Holding()), now=_NOW),
    3: CacheState(
        card=CacheCard(
            at=_NOW,
            held=Holding(warmth=Warmth.WARM, tokens=152_100, left_s=138),
            minimum_tokens=1024,
            ttl_s=300,
            next_probe_at=_NOW + timedelta(seconds=78),
            n_calls=30,
            hit_rate=0.932,
            warm_rate=0.95,
            turn=Period(
                saved=Amount(usd=0.41, n_priced=1),
                spent=Amount(usd=0.069, n_priced=2),
                probes=Amount(usd=0.048, n_priced=1),
            ),
            chat=Period(saved=Amount(usd=1.84, n_priced=30), spent=Amount(usd=2.31, n_priced=31)),
            day=Period(saved=Amount(n_unpriced=3), spent=Amount(usd=4.02, n_priced=40, n_unpriced=3)),
            last_break=ToldBreak(
                found=CacheBreak(cause=BreakCause.MODEL, missed_tokens=90_000, cost_usd=0.27), turn=31
            ),
        ),
        now=_NOW,
    ),
}


def ring_page(stage: Stage) -> QWidget:
    page = QWidget()
    grid = QGridLayout(page)
    for row, use in enumerate((None, 0.0, 0.21, 0.76, 0.93, 1.2)):
        health = HEALTHS[0 if not use else 1 if use < 0.75 else 2 if use < 0.9 else 3]
        state = RingState(
            use=use,
            ghost=0.08 if use else 0.0,
            health=health,
            text="?" if use is None else f"{percent(use)}%",
            used_tokens=145_800,
            window_tokens=None if use is None else 200_000,
            turns_left=9,
            composition=_COMPOSITION,
        )
        for column, shape in enumerate((TINY, COMPOSER, PANEL)):
            ring = ContextRing(stage.theme, shape, surface="paper", reduce_motion=True)
            ring.draw(state)
            grid.addWidget(ring, row, column)
        content = HealthPopover(stage.theme)
        content.setWindowFlags(Qt.WindowType.Widget)
        content.draw(state)
        content.draw_cache(_CACHE.get(row))
        if row in (0, 3):
            grid.addWidget(content, row, 3, 2, 1)
    return page


def main() -> None:
    showcase({"ring": ring_page}, sizes=(QSize(640, 700),))
