"""The panel on the screen: a column of cards; a drawing of `PanelState`.

`python -m ui.health.panel` shows sample states.
"""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.health.course import Course
from ui.health.composition import CompositionRows
from ui.health.panel.cache_rows import CacheRows
from ui.health.panel.cards import ValueCard
from ui.health.panel.compaction_words import CompactionWords
from ui.health.panel.head import HeadCard
from ui.health.panel.plot_card import PlotCard
from ui.health.panel.pruning_words import PruningWords
from ui.health.panel.state import PanelState
from ui.health.panel.timeline import TimelineCard
from ui.kit.bands import CompositionBar
from ui.kit.controls import Card
from ui.kit.theme import Theme

_GAP_PX = 10


class SessionHealthPanel(QFrame):
    """
    Signals:
        shown(), hidden(): somebody looks at it now, or no longer.
        compress_asked(), fork_asked(), window_asked(), cache_settings_asked(): a button was pressed.
        undo_asked(str): the compression of this id shall be taken back.
        shares_wanted(bool): figures that take half a second are looked at, or no longer.
    """

    shown = Signal()
    hidden = Signal()
    compress_asked = Signal()
    fork_asked = Signal()
    window_asked = Signal()
    cache_settings_asked = Signal()
    undo_asked = Signal(str)
    shares_wanted = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state = PanelState()
        self.setProperty("role", "panel")
        self.head = HeadCard(theme)
        self._fills, self._bar = QLabel(), CompositionBar(theme)
        self._fills.setProperty("role", "heading")
        self.rows = CompositionRows(theme, has_free=True)
        self.plots = PlotCard(theme)
        self.compaction, self.pruning, self.cache = (ValueCard(theme) for _ in range(3))
        self.timeline = TimelineCard(theme)
        self._words = CompactionWords(self), PruningWords(self), CacheRows(self)
        self._lay_out()
        self._connect()
        self.retranslate()

    def _lay_out(self) -> None:
        fills = Card()
        inner = QVBoxLayout(fills)
        inner.setContentsMargins(14, 12, 14, 12)
        inner.setSpacing(8)
        for part in (self._fills, self._bar, self.rows):
            inner.addWidget(part)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(_GAP_PX)
        cards = (self.head, fills, self.plots, self.compaction, self.pruning, self.cache, self.timeline)
        for card in cards:
            column.addWidget(card)
        column.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidget(inside)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.area)

    def _connect(self) -> None:
        head = self.head
        head.compress_asked.connect(self.compress_asked)
        head.fork_asked.connect(self.fork_asked)
        head.window_asked.connect(self.window_asked)
        self.timeline.undo_asked.connect(self.undo_asked)
        self.compaction.opened.connect(self.shares_wanted)
        for card in (self.compaction, self.pruning, self.cache):
            card.opened.connect(self._redraw)

    def draw(self, state: PanelState) -> None:
        """Draw what differs: at each key that is the ring, at each second the cache."""
        was, self._state = self._state, state
        if (state.ring, state.is_busy) != (was.ring, was.is_busy):
            self._draw_ring(state)
        if state.cache != was.cache:
            self._draw_cache(state)
        if _of_facts(state) != _of_facts(was):
            self._draw_facts(state)

    def _draw_ring(self, state: PanelState) -> None:
        self.head.draw(state)
        self._fills.setText(self.tr("What fills the window"))
        self._bar.draw(state.ring.composition, state.ring.window_tokens or 0)
        self.rows.draw(state.ring)

    def _draw_facts(self, state: PanelState) -> None:
        facts, locale = state.facts, self.locale()
        compaction, pruning, _ = self._words
        self.plots.draw(facts.course if facts else Course(), state.ring.window_tokens)
        made = compaction.rows(facts, state.now, locale) if facts and state.now else ()
        has_run = facts is not None and facts.compaction.n_runs + facts.compaction.n_undone > 0
        self.compaction.draw(
            compaction.title(), state.health("compaction"), made, empty="" if has_run else compaction.empty()
        )
        idle = state.health("pruning") == "inactive"
        left_out = pruning.rows(facts.pruning, locale) if facts else ()
        self.pruning.draw(
            pruning.title(), state.health("pruning"), left_out, empty=pruning.empty() if idle else ""
        )
        self.timeline.draw(state)

    def _draw_cache(self, state: PanelState) -> None:
        _, _, words = self._words
        rows = words.rows(state.cache, self.locale()) if state.cache else ()
        is_empty = state.cache is None or not state.cache.card.n_calls
        self.cache.draw(words.title(), state.health("cache"), rows, empty=words.empty() if is_empty else "")
        self.cache.bar.setVisible(state.hit_rate is not None)
        if state.hit_rate is not None:
            self.cache.bar.draw(state.hit_rate)

    def _redraw(self) -> None:
        self._draw_ring(self._state)
        self._draw_cache(self._state)
        self._draw_facts(self._state)

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Health of this chat"))
        self.area.setAccessibleName(self.accessibleName())
        self.plots.retranslate()
        self._redraw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.hidden.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()


def _of_facts(state: PanelState) -> tuple[object, ...]:
    """What else the cards of facts show: whether anything can be done, and times to the minute."""
    minute = state.now and state.now.replace(second=0, microsecond=0)
    return id(state.facts), minute, state.is_busy, state.ring.window_tokens
