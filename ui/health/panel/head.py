"""The panel's first card: the large ring, its figures, and what can be done about them."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ui.health.panel.state import PanelState
from ui.health.ring import ContextRing
from ui.health.ring_drawing import PANEL
from ui.health.words import HealthWords
from ui.kit.controls import Card, FlowLayout
from ui.kit.figures import compact
from ui.kit.known_keys import KeysOf, keyed, no_keys
from ui.kit.theme import Theme


class HeadCard(Card):
    """
    Signals:
        compress_asked(), fork_asked(), window_asked(): a button was pressed.
    """

    compress_asked = Signal()
    fork_asked = Signal()
    window_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = HealthWords(self)
        self.keys: KeysOf = no_keys
        self.ring = ContextRing(theme, PANEL, surface="card", opens=False)
        self._used = QLabel()
        self._used.setTextFormat(Qt.TextFormat.RichText)
        self._used.setWordWrap(True)
        self._lines = QLabel()
        self._lines.setProperty("role", "small")
        self._lines.setWordWrap(True)
        self.compress, self.fork, self.window_button = QPushButton(), QPushButton(), QPushButton()
        self.compress.setProperty("role", "primary")
        self.compress.clicked.connect(self.compress_asked)
        self.fork.clicked.connect(self.fork_asked)
        self.window_button.clicked.connect(self.window_asked)
        room = QWidget()
        deeds = FlowLayout(room, gap_px=6)
        for button in (self.compress, self.fork, self.window_button):
            deeds.addWidget(button)
        beside = QVBoxLayout()
        beside.setSpacing(6)
        beside.addStretch(1)
        beside.addWidget(self._used)
        beside.addWidget(self._lines)
        beside.addWidget(room)
        beside.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 12, 12, 12)
        row.setSpacing(12)
        row.addWidget(self.ring, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(beside, 1)

    def draw(self, state: PanelState) -> None:
        ring, locale = state.ring, self.locale()
        self.ring.draw(ring)
        used = ("≈ " if ring.is_estimate else "") + compact(ring.used_tokens, locale)
        if ring.window_tokens is None:
            told = self.tr("<b>{used}</b> tokens, window unknown").format(used=used)
        else:
            window = compact(ring.window_tokens, locale)
            told = self.tr("<b>{used}</b> of {window}").format(used=used, window=window)
        self._used.setText(told)
        self._used.setToolTip(self.tr("Window: {source}").format(source=self._words.source(ring.source)))
        lines = (self._words.growth(ring, locale), self._words.last_request(ring, locale))
        self._lines.setText("\n".join(filter(None, lines)))
        self._lines.setVisible(any(lines))
        self._lines.setToolTip(
            self.tr("As the provider reported it: everything the model read, cached or not")
        )
        self.compress.setText(self.tr("Compress"))
        self.compress.setToolTip(keyed(self.tr("Make room now; nothing is lost"), self.keys("compress")))
        self.compress.setVisible(state.offers_compress)
        self.compress.setEnabled(not state.is_busy and ring.used_tokens > 0)
        self.fork.setText(self.tr("Fork"))
        self.fork.setToolTip(self._words.fork_tip())
        self.fork.setEnabled(not state.is_busy and ring.used_tokens > 0)
        self.window_button.setText(self.tr("Set the window…"))
        self.window_button.setVisible(ring.window_tokens is None and ring.used_tokens > 0)
