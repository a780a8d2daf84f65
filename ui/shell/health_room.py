"""The ring, its popover and the health panel around the open chat; the panel is built when it is first wanted."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.bootstrap.application import Application
from app.context.budget import Fill
from app.core.ids import CompactionId
from app.core.records import Changes, Fact
from app.health.cache import CacheCard
from app.tasks import TaskScope
from app.tokens.estimate import estimate
from ui.chat.state import ChatState
from ui.chat.view import ChatView
from ui.chat.view_model import ChatViewModel
from ui.health.ring import ContextRing
from ui.health.state import RingState, ring_state, with_arriving
from ui.health.view_model import CacheViewModel
from ui.kit.coalesced import Coalesced
from ui.kit.known_keys import keyed
from ui.kit.theme import Theme
from ui.shell.commands import keys_of
from ui.shell.window import MainWindow

if TYPE_CHECKING:
    from app.health.log import HealthFacts
    from ui.health.panel.view import SessionHealthPanel
    from ui.health.panel.view_model import PanelViewModel

_READ = frozenset({Fact.REQUESTS, Fact.FOLDS, Fact.ENTRIES, Fact.SETTINGS})
_STREAM_MS = 500
_LATER_S = 3.0
"""After a start, when a person has begun to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthDeeds:
    """What can be wanted of the window."""

    compress: Callable[[], None]
    fork: Callable[[], None]
    open_models: Callable[[], None]
    open_cache_settings: Callable[[], None]


class HealthRoom(QObject):
    """
    Signals:
        measured(): the window's use is another one.
    """

    measured = Signal()

    def __init__(
        self,
        app: Application,
        window: MainWindow,
        tasks: TaskScope,
        theme: Theme,
        deeds: HealthDeeds,
    ) -> None:
        super().__init__(window)
        self._app, self._window, self._tasks = app, window, tasks
        self._theme, self._deeds = theme, deeds
        self._chat: ChatView | None = None
        self._model: ChatViewModel | None = None
        self._shown = RingState()
        self.panel: SessionHealthPanel | None = None
        """None until it is first wanted."""
        self._panel_model: PanelViewModel | None = None
        self.ring = ContextRing(theme, reduce_motion=app.settings.reduce_motion)
        self.ring.window_asked.connect(deeds.open_models)
        self.ring.compress_asked.connect(deeds.compress)
        self.ring.fork_asked.connect(deeds.fork)
        self.ring.panel_asked.connect(self.open)
        self.ring.cache_settings_asked.connect(deeds.open_cache_settings)
        self._cache = CacheViewModel(self._cache_card, app.clock.now, tasks, self)
        self._cache.changed.connect(self.ring.draw_cache)
        self.ring.popover_shown.connect(self._cache.show)
        self.ring.popover_hidden.connect(self._cache.hide)
        self._arriving = Coalesced(
            self._draw_arriving, interval_ms=_STREAM_MS, max_ms=_STREAM_MS, parent=self
        )

    def stand_in(self, chat: ChatView) -> None:
        """`chat` is where it all stands: its header gets the toggle."""
        self._chat = chat
        self._toggle = chat.header.add_toggle("health", self._words, self.toggle)
        self._window.panes_changed.connect(self._follow_panes)

    def prepared(self) -> None:
        """The store is open: a panel that was open is so again."""
        if self._window.wants_panel:
            self._build()
        else:
            self._tasks.start("panel modules", self._bring_up())

    async def _bring_up(self) -> None:
        """Its modules, which no start waits for and no click shall: they take 60 ms."""
        await asyncio.sleep(_LATER_S)
        await asyncio.to_thread(import_module, "ui.health.panel.view")

    def toggle(self) -> None:
        self._build()
        self._window.toggle_panel()

    def open(self) -> None:
        if not self._window.is_panel_open:
            self.toggle()

    # ---- what the open chat tells

    def follow(self, model: ChatViewModel | None) -> None:
        """Tell of this chat from now on."""
        if self._model:
            self._model.fill_changed.disconnect(self._draw_fill)
            self._model.changed.disconnect(self._on_state)
        self._model = model
        self.ring.draw_cache(None)
        if model is None:
            self._draw(RingState())
        else:
            model.fill_changed.connect(self._draw_fill)
            model.changed.connect(self._on_state)
        if self._panel_model:
            self._panel_model.other_chat()

    def draw_fill(self, fill: Fill | None) -> None:
        self._draw_fill(fill)

    def on_changes(self, changes: Changes) -> None:
        """Something was written."""
        if Fact.REQUESTS in changes.facts:
            self._cache.reread()
        is_here = self._model is not None and self._model.id in changes.chats
        if self._panel_model and changes.facts & _READ and (is_here or Fact.SETTINGS in changes.facts):
            self._panel_model.reread()

    def follow_settings(self, *, reduce_motion: bool) -> None:
        self.ring.reduce_motion = reduce_motion
        if self.panel:
            self.panel.head.ring.reduce_motion = reduce_motion

    def _draw_fill(self, fill: Fill | None) -> None:
        session = self._model.session if self._model else None
        growth = session.growth(fill) if session and fill else None
        last = session.last_request_tokens if session else None
        self._shown = ring_state(fill, growth, last_tokens=last)
        self._draw(self._shown)
        self.measured.emit()

    def _draw(self, state: RingState) -> None:
        self.ring.draw(state)
        if self._panel_model:
            self._panel_model.draw_ring(state)

    def _on_state(self, state: ChatState) -> None:
        if state.live:
            self._arriving.request()
        if self._panel_model:
            is_busy = state.live is not None or state.is_busy or state.compressing is not None
            self._panel_model.set_busy(is_busy=is_busy)

    def _draw_arriving(self) -> None:
        """What of the answer has arrived is part of the next request, too (U3)."""
        live = self._model.state.live if self._model else None
        if live:
            self._draw(with_arriving(self._shown, estimate(live.text)))

    # ---- the panel

    def _build(self) -> None:
        if self.panel:
            return
        # Its figures bring patterns that no start waits for.
        from ui.health.panel.plot_card import loaded
        from ui.health.panel.view import SessionHealthPanel
        from ui.health.panel.view_model import PanelPorts, PanelViewModel

        ports = PanelPorts(
            facts=self._facts, cache=self._cache_card, undo=self._undo, now=self._app.clock.now, load=loaded
        )
        model = self._panel_model = PanelViewModel(ports, self._tasks, self)
        panel = self.panel = SessionHealthPanel(self._theme)
        panel.head.ring.reduce_motion = self.ring.reduce_motion
        panel.head.keys = self._keys
        model.changed.connect(panel.draw)
        model.loaded.connect(panel.plots.show_plot)
        panel.shown.connect(model.show)
        panel.hidden.connect(model.hide)
        panel.shares_wanted.connect(model.want_shares)
        panel.undo_asked.connect(model.undo)
        panel.compress_asked.connect(self._deeds.compress)
        panel.fork_asked.connect(self._deeds.fork)
        panel.window_asked.connect(self._deeds.open_models)
        model.draw_ring(self._shown)
        panel.hide()  # else it takes room as soon as it is there, and a long chat is laid out twice
        self._window.set_panel(panel)

    def _words(self) -> tuple[str, str]:
        return self.tr("Health"), keyed(self.tr("Show or hide the health panel"), self._keys("panel"))

    def _keys(self, command: str) -> str:
        return keys_of(command, self._window.commands)

    def name_keys(self) -> None:
        """The person has other keys now."""
        if self.panel:
            self.panel.retranslate()

    def _follow_panes(self) -> None:
        self._toggle.setChecked(self._window.is_panel_open)

    async def _facts(self, wants_shares: bool) -> "HealthFacts | None":  # noqa: FBT001  # the port's
        model = self._model
        return await model.session.health_facts(wants_shares=wants_shares) if model else None

    async def _cache_card(self) -> CacheCard | None:
        return await self._model.session.cache_card() if self._model else None

    async def _undo(self, compaction_id: CompactionId) -> None:
        if self._model:
            await (await self._app.uses.folding(self._model.id)).undo(compaction_id)
