"""The panel between an open chat and its view: read when somebody looks, and again when something was written."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime

from PySide6.QtCore import QObject, Signal

from app.core.ids import CompactionId
from app.health.cache import CacheCard
from app.health.log import HealthFacts
from app.tasks import TaskScope
from ui.health.cache_card import CacheState
from ui.health.panel.state import PanelState
from ui.health.state import RingState

_QUIET_S = 0.1
"""Many writes, one reading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelPorts:
    """What the panel asks of the chat that is open; each answers None while there is nothing to say."""

    facts: Callable[[bool], Awaitable[HealthFacts | None]]
    """Args: also what takes half a second."""
    cache: Callable[[], Awaitable[CacheCard | None]]
    undo: Callable[[CompactionId], Awaitable[None]]
    now: Callable[[], datetime]
    load: Callable[[], Awaitable[None]]
    """Bring up what paints the plots."""


class PanelViewModel(QObject):
    """
    Signals:
        changed(PanelState): the whole new state.
        loaded(): plots can be painted.
    """

    changed = Signal(object)
    loaded = Signal()

    def __init__(self, ports: PanelPorts, tasks: TaskScope, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ports, self._tasks = ports, tasks
        self._is_shown = self._wants_shares = self._is_loaded = False
        self.state = PanelState()

    def show(self) -> None:
        """Somebody looks."""
        self._is_shown = True
        self.reread(at_once=True)
        self._tasks.start("panel clock", self._tick())
        if not self._is_loaded:
            self._tasks.start("panel plots", self._load())

    def hide(self) -> None:
        self._is_shown = False
        for task in ("panel", "panel clock"):
            self._tasks.cancel(task)

    def other_chat(self) -> None:
        """What was told is of another chat."""
        self._fold(PanelState(now=self.state.now))
        self.reread(at_once=True)

    def draw_ring(self, ring: RingState) -> None:
        self._fold(replace(self.state, ring=ring))

    def set_busy(self, *, is_busy: bool) -> None:
        self._fold(replace(self.state, is_busy=is_busy))

    def want_shares(self, wanted: bool) -> None:  # noqa: FBT001  # a signal's argument
        self._wants_shares = wanted
        self.reread(at_once=True)

    def reread(self, *, at_once: bool = False) -> None:
        """Something was written."""
        if self._is_shown:
            self._tasks.start("panel", self._read(0 if at_once else _QUIET_S))

    def undo(self, compaction_id: str) -> None:
        if not self.state.is_busy:
            self._tasks.start("panel undo", self._undo(CompactionId(compaction_id)))

    async def _read(self, wait_s: float) -> None:
        await asyncio.sleep(wait_s)
        facts = await self._ports.facts(self._wants_shares)
        card, now = await self._ports.cache(), self._ports.now()
        cache = CacheState(card=card, now=now) if card else None
        self._fold(replace(self.state, facts=facts, cache=cache, now=now))

    async def _tick(self) -> None:
        """The seconds of the cache; times like "12 min ago" go with them."""
        while True:
            await asyncio.sleep(1)
            cache, now = self.state.cache, self._ports.now()
            self._fold(replace(self.state, now=now, cache=cache and replace(cache, now=now)))

    async def _load(self) -> None:
        await self._ports.load()
        self._is_loaded = True
        self.loaded.emit()

    async def _undo(self, compaction_id: CompactionId) -> None:
        self.set_busy(is_busy=True)
        try:
            await self._ports.undo(compaction_id)
        finally:
            self.set_busy(is_busy=False)

    def _fold(self, state: PanelState) -> None:
        if state != self.state:
            self.state = state
            if self._is_shown:
                self.changed.emit(state)
