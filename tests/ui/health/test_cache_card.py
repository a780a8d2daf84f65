"""The card of the prompt cache in the ring's popover (U5): its words, its second hand, and who pays for it."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QLocale, QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.cache.warmth import Holding, Warmth
from app.core.records import BreakCause, CacheBreak
from app.health.cache import Amount, CacheCard, Period, ToldBreak
from app.tasks import TaskScope
from ui.health.cache_card import CacheState
from ui.health.cache_words import CacheWords
from ui.health.ring import ContextRing
from ui.health.view_model import CacheViewModel
from ui.kit.showcase import Stage

ENGLISH = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
WARM = CacheCard(
    at=NOW,
    held=Holding(warmth=Warmth.WARM, tokens=9_000, left_s=138),
    minimum_tokens=1024,
    ttl_s=300,
    next_probe_at=NOW + timedelta(seconds=78),
    n_calls=2,
    hit_rate=0.9329,
    warm_rate=0.95,
    chat=Period(
        saved=Amount(usd=1.84, n_priced=2),
        spent=Amount(usd=2.31, n_priced=2, n_unpriced=1),
        probes=Amount(usd=0.048, n_priced=1),
    ),
    day=Period(saved=Amount(n_unpriced=1), spent=Amount(n_unpriced=1)),
    last_break=ToldBreak(
        found=CacheBreak(cause=BreakCause.MODEL, missed_tokens=9_000, cost_usd=0.27), turn=31
    ),
)


def rows(card: CacheCard, after_s: float = 0) -> dict[str, str]:
    return dict(CacheWords().rows(card, NOW + timedelta(seconds=after_s), ENGLISH))


def test_a_warm_cache_is_told_with_its_time_its_sums_and_its_last_break() -> None:
    assert rows(WARM) == {
        "State": "likely warm · 2:18",
        "Next probe": "in 1:18",
        "Hit rate": "93 %",
        "Last turn": "saved $0 · spent $0",
        "This chat": "saved $1.84 · spent $2.31, in part unknown\nprobes $0.048",
        "Today, all chats": "saved unknown · spent unknown",
        "Last break": "model switched, turn 31\n$0.270",
    }


def test_a_limit_that_is_reached_stands_where_the_next_probe_would() -> None:
    """P8"""
    told = rows(replace(WARM, next_probe_at=None, has_met_limit=True))
    assert told["Next probe"] == "none: today's limit is reached"


def test_a_rate_that_only_first_answers_make_low_is_told_with_what_it_is_without_them() -> None:
    """U5: below 50 % the badge warns; where it doesn't, the card says why."""
    assert (
        rows(replace(WARM, hit_rate=0.454, warm_rate=0.83))["Hit rate"] == "45 % · 83 % without first answers"
    )
    assert rows(replace(WARM, hit_rate=0.454, warm_rate=0.3))["Hit rate"] == "45 %"


@pytest.mark.parametrize(
    ("held", "after_s", "state"),
    [
        (WARM.held, 138, "expired"),
        (Holding(warmth=Warmth.UNKNOWN), 0, "unknown"),
        (Holding(warmth=Warmth.SMALL, tokens=900), 0, "not kept: below the model's minimum"),
        (Holding(warmth=Warmth.SMALL, tokens=9_000), 0, "not kept by the provider"),
        (Holding(), 0, "this model offers no cache"),
    ],
)
def test_a_state_has_its_words(held: Holding, after_s: float, state: str) -> None:
    assert rows(replace(WARM, held=held), after_s)["State"] == state


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (
            CacheBreak(cause=BreakCause.COMPACTION, missed_tokens=1, message=3),
            "a compression changed message 3",
        ),
        (CacheBreak(cause=BreakCause.EXPIRED, missed_tokens=1, idle_s=420), "expired after 7 min"),
        (CacheBreak(cause=BreakCause.TOOLS, missed_tokens=1, detail="+find"), "tools changed: +find"),
    ],
)
def test_a_break_has_its_words_and_an_unknown_price_is_said(found: CacheBreak, words: str) -> None:
    told = CacheWords().broke(ToldBreak(found=found, turn=4), ENGLISH)

    assert told == f"{words}, turn 4\nprice unknown"


def test_every_cause_has_words() -> None:
    for cause in BreakCause:
        assert CacheWords().broke(ToldBreak(found=CacheBreak(cause=cause, missed_tokens=1), turn=1), ENGLISH)


def test_the_popover_holds_the_card_and_says_it_to_a_screen_reader(stage: Stage, qtbot: QtBot) -> None:
    ring = ContextRing(stage.theme, reduce_motion=True)
    ring.setLocale(ENGLISH)
    qtbot.addWidget(ring)
    ring.move(300, 700)
    ring.show()
    ring.open_popover()
    popover = ring.popover
    assert popover
    height_px = popover.height()
    assert not popover.cache.isVisible()

    ring.draw_cache(CacheState(card=WARM, now=NOW))

    assert popover.cache.isVisible()
    assert popover.height() > height_px
    assert popover.cache.accessibleName() == "Prompt cache"
    assert "likely warm · 2:18" in popover.cache.accessibleDescription()
    ring_top_px = ring.mapToGlobal(QPoint()).y()
    qtbot.waitUntil(lambda: popover.height() == popover.sizeHint().height())
    beside = popover.geometry()
    assert beside.bottom() < ring_top_px or beside.top() > ring_top_px + ring.height()
    popover.close()


def test_the_card_leads_to_its_settings_where_the_model_offers_a_cache(stage: Stage, qtbot: QtBot) -> None:
    """Issue 4, part 7: by the keyboard, too."""
    ring = ContextRing(stage.theme, reduce_motion=True)
    qtbot.addWidget(ring)
    ring.show()
    ring.open_popover()
    popover = ring.popover
    assert popover
    none = replace(WARM, held=Holding())
    ring.draw_cache(CacheState(card=none, now=NOW))
    assert not popover.cache.settings_button.isVisible()
    ring.draw_cache(CacheState(card=WARM, now=NOW))
    link = popover.cache.settings_button

    with qtbot.waitSignal(ring.cache_settings_asked):
        QTest.keyClick(link, Qt.Key.Key_Space)

    assert link.accessibleName() == "Settings of the prompt cache"
    assert link.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert not popover.isVisible()


async def test_the_card_is_read_while_it_is_shown_only() -> None:
    n_read = 0
    seen: list[CacheState] = []

    async def read() -> CacheCard:
        nonlocal n_read
        n_read += 1
        return WARM

    async with TaskScope() as tasks:
        model = CacheViewModel(read, lambda: NOW, tasks)
        model.changed.connect(seen.append)
        model.reread()
        await asyncio.sleep(0)
        assert n_read == 0
        model.show()
        for _ in range(5):
            await asyncio.sleep(0)
        model.reread()
        for _ in range(5):
            await asyncio.sleep(0)
        model.hide()
        model.reread()
        for _ in range(5):
            await asyncio.sleep(0)

        assert n_read == 2
        assert seen == [CacheState(card=WARM, now=NOW)] * 2
        assert not tasks.is_running("cache card")
