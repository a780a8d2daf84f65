"""The ring's popover: a bar of what fills the window, the same in words, and how much is free."""

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLayout, QPushButton, QVBoxLayout, QWidget

from ui.health.cache_card import CacheCardView, CacheState
from ui.health.composition import CompositionRows
from ui.health.state import RingState
from ui.health.words import HealthWords
from ui.kit.bands import CompositionBar
from ui.kit.figures import compact
from ui.kit.popups import Popup
from ui.kit.theme import Theme

COMPRESS_FROM = 0.3
"""Share of the window from which Compress is offered (U4)."""
_GAP_PX = 8
_BAR_PX = 248


class HealthPopover(Popup):
    """
    Signals:
        window_asked(): "set…" was pressed; the window's size is unknown.
        compress_asked(): "Compress" was pressed.
        preview_asked(): "Preview…" was.
        fork_asked(): "Fork" was.
        panel_asked(): the link to the panel was.
        cache_settings_asked(): the link on the card of the prompt cache was.
        shown(), hidden(): it opened or closed.
    """

    window_asked = Signal()
    compress_asked = Signal()
    preview_asked = Signal()
    fork_asked = Signal()
    panel_asked = Signal()
    cache_settings_asked = Signal()
    shown = Signal()
    hidden = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._words = HealthWords(self)
        self._state = RingState()
        self._headline = _label("heading")
        self._turns = _label("small")
        self._bar = CompositionBar(theme)
        self._rows = CompositionRows(theme)
        self._free = _label("small")
        self.cache = CacheCardView(theme)
        self.cache.hide()
        self.cache.settings_asked.connect(self._ask_cache_settings)
        self._anchor: QWidget | None = None
        self.set_button = QPushButton()
        self.set_button.clicked.connect(self._ask_window)
        self.compress_button = QPushButton()
        self.compress_button.setProperty("role", "primary")
        self.compress_button.clicked.connect(self._ask_compress)
        self.preview_button = QPushButton()
        self.preview_button.clicked.connect(self._ask_preview)
        self.fork_button = QPushButton()
        self.fork_button.clicked.connect(self._ask_fork)
        self.panel_button = QPushButton()
        self.panel_button.setProperty("role", "link")
        self.panel_button.clicked.connect(self._ask_panel)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 14, 16, 14)
        self._column.setSpacing(_GAP_PX)
        for part in (self._headline, self._turns, self._bar, self._rows, self._free):
            self._column.addWidget(part)
        self._column.addWidget(self.set_button)
        room = QHBoxLayout()
        room.setSpacing(_GAP_PX)
        room.addWidget(self.compress_button, 1)
        room.addWidget(self.preview_button)
        room.addWidget(self.fork_button)
        self._column.addLayout(room)
        self._column.addWidget(self.cache)
        self._column.addWidget(self.panel_button, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)  # as large as what it holds
        self._bar.setMinimumWidth(round(theme.px(_BAR_PX)))

    def draw(self, state: RingState) -> None:
        self._state = state
        locale = self.locale()
        self.setAccessibleName(self._words.accessible_name(state, locale))
        is_known = state.window_tokens is not None
        self._headline.setText(self._words.headline(state, locale) if is_known else self.tr("Window unknown"))
        lines = (self._words.growth(state, locale), self._words.last_request(state, locale))
        self._turns.setText("\n".join(filter(None, lines)))
        self._turns.setVisible(any(lines))
        self._bar.draw(state.composition, state.window_tokens or 0)
        self._rows.draw(state)
        used = compact(state.used_tokens, locale)
        if state.free_tokens is None:
            self._free.setText(self.tr("{used} used").format(used=used))
        else:
            free = compact(state.free_tokens, locale)
            self._free.setText(self.tr("{used} used · {free} free").format(used=used, free=free))
        self.set_button.setText(self.tr("Set the window…"))
        self.set_button.setVisible(not is_known)
        self.compress_button.setText(self.tr("Compress"))
        self.preview_button.setText(self.tr("Preview…"))
        self.preview_button.setAccessibleName(self.tr("Preview what compressing would do"))
        for button in (self.compress_button, self.preview_button):
            button.setVisible(state.use is None or state.use >= COMPRESS_FROM)
        self.fork_button.setText(self.tr("Fork"))
        self.fork_button.setToolTip(self._words.fork_tip())
        self.fork_button.setVisible(bool(state.used_tokens))
        self.panel_button.setText(self.tr("Show all figures"))

    def draw_cache(self, state: CacheState | None) -> None:
        """None: nothing is known of the cache."""
        self.cache.setVisible(state is not None)
        if state:
            self.cache.draw(state)

    def open_at(self, anchor: QWidget) -> None:
        """Show above `anchor`, or below it where the screen ends, and inside the screen."""
        self._anchor = anchor
        self._column.activate()
        self._place(anchor)
        self.show()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.hidden.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._anchor:
            self._place(self._anchor)

    def _place(self, anchor: QWidget) -> None:
        top = anchor.mapToGlobal(QPoint(0, 0))
        screen = anchor.screen() or QGuiApplication.primaryScreen()
        room = screen.availableGeometry()
        y = top.y() - self.height() - _GAP_PX
        if y < room.top():
            y = top.y() + anchor.height() + _GAP_PX
        x = top.x() + anchor.width() - self.width()
        self.move(max(room.left(), min(x, room.right() - self.width())), y)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.draw(self._state)

    def _ask_compress(self) -> None:
        self.close()
        self.compress_asked.emit()

    def _ask_preview(self) -> None:
        self.close()
        self.preview_asked.emit()

    def _ask_fork(self) -> None:
        self.close()
        self.fork_asked.emit()

    def _ask_panel(self) -> None:
        self.close()
        self.panel_asked.emit()

    def _ask_cache_settings(self) -> None:
        self.close()
        self.cache_settings_asked.emit()

    def _ask_window(self) -> None:
        self.close()
        self.window_asked.emit()


def _label(role: str) -> QLabel:
    label = QLabel()
    label.setProperty("role", role)
    return label
