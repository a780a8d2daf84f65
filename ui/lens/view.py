"""The Lens as a page: the strip of a request, one band of it in full, why it is so; a drawing of `LensState`."""

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from app.chats.lensing import Text
from app.context.budget import Category
from ui.kit.band_words import BandWords
from ui.kit.bands import BANDS, CategoryWords, Swatch
from ui.kit.controls import Badge, Card, ElidedLabel, FlowLayout
from ui.kit.icons import Icons
from ui.kit.items import Tone
from ui.kit.strip import StripView
from ui.kit.theme import FontRole, Theme
from ui.lens.state import LensState
from ui.lens.view_model import LensViewModel
from ui.lens.words import LensWords

_LEGEND = (
    Category.SYSTEM,
    Category.TOOLS,
    Category.NOTES,
    Category.YOU,
    Category.ASSISTANT,
    Category.TOOL_RESULTS,
    Category.MEDIA,
    Category.DRAFT,
)
_PANE_PX = 190


class Pane(QWidget):
    """A text that can be read and copied, and how much it is."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.title, self.text = ElidedLabel(), QPlainTextEdit()
        self.title.setProperty("role", "small")
        self.text.setProperty("role", "boxed")
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setMinimumHeight(round(theme.px(_PANE_PX)))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(5)
        column.addWidget(self.title)
        column.addWidget(self.text, 1)
        theme.changed.connect(self._restyle)
        self._restyle()

    def draw(self, title: str, text: Text | None) -> None:
        self.title.setText(title)
        self.text.setAccessibleName(title)
        words = text.text if text else ""
        if self.text.toPlainText() != words:
            self.text.setPlainText(words)

    def _restyle(self) -> None:
        self.text.setFont(self._theme.font(FontRole.CODE))


class LensView(QWidget):
    """
    Signals:
        closed(): Escape, or the button that closes it.
    """

    closed = Signal()

    def __init__(self, theme: Theme, icons: Icons) -> None:
        super().__init__()
        self._theme, self._icons = theme, icons
        self._words, self._band_words, self._categories = LensWords(), BandWords(), CategoryWords()
        self._state = LensState()
        self._model: LensViewModel | None = None
        self.strip = StripView(theme, icons, has_words=True)
        self._build()
        self._lay_out()
        self._connect()
        self.setFocusProxy(self.strip)
        self.retranslate()

    def show_model(self, model: LensViewModel | None) -> None:
        """Draw `model` from now on; None: nothing."""
        if self._model:
            self._model.changed.disconnect(self.draw)
        self._model = model
        if model:
            model.changed.connect(self.draw)
        self.draw(model.state if model else LensState())

    def draw(self, state: LensState) -> None:
        old, self._state = self._state, state
        self._request.set(self._words.request(state), Tone.PLAIN)
        self._request.setVisible(bool(state.of))
        self._about.setText(self._words.about(state))
        with QSignalBlocker(self.slider):
            self.slider.setRange(1, max(state.of, 1))
            self.slider.setValue(state.n)
        self.slider.setAccessibleDescription(self._words.request(state))
        self.slider.setEnabled(state.of > 1)
        self.back.setEnabled(state.n > 1)
        self.forth.setEnabled(state.n < state.of)
        self.copy.setEnabled(state.look is not None)
        self.strip.setEnabled(not state.error)
        if state.look is not old.look or state.selected != old.selected:
            self.strip.draw(state.look, state.selected)
        if state.item is not old.item:
            self._draw_item(state)

    def retranslate(self) -> None:
        self._title.setText(self.tr("Context Lens"))
        self._legend_title.setText(self.tr("Legend"))
        self._why_title.setText(self.tr("Why"))
        self.strip.setAccessibleName(self.tr("What the model sees, from its first words to the newest"))
        self.slider.setAccessibleName(self.tr("Which request"))
        for button, icon, text in (
            (self.back, "chevron-left", self.tr("The request before")),
            (self.forth, "chevron-right", self.tr("The next request")),
            (self.close_button, "close", self.tr("Back to the chat")),
        ):
            button.setIcon(self._icons.icon(icon))
            button.setAccessibleName(text)
            button.setToolTip(text)
        self.copy.setText(self.tr("Copy as JSON"))
        self.copy.setToolTip(self.tr("The whole request, as its provider gets it"))
        self.jump.setText(self.tr("Jump to message"))
        for category, label in self._legend_names.items():
            label.setText(self._categories.name(category))
        for label, text in zip(
            self._legend_marks,
            (self.tr("▨ hatched: served from cache"), self.tr("pale: folded, the original is kept")),
            strict=True,
        ):
            label.setText(text)
        self.draw(self._state)
        self._draw_item(self._state)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    # -- drawing

    def _draw_item(self, state: LensState) -> None:
        item, words = state.item, self._words
        self._card.setVisible(item is not None)
        self._why.setVisible(item is not None)
        if item is None:
            return
        band = item.band
        kind, name = self._band_words.kind(band), self._band_words.name(band)
        self._item_title.setText(name if name.startswith(kind) else f"{kind} · {name}")
        self._card.setAccessibleName(self._item_title.text())
        self._fate.setVisible(band.fate is not None)
        self._fate.set(self._band_words.fate(band.fate) if band.fate else "", Tone.PLAIN)
        self._seen.draw(words.size(item.seen, is_original=False), item.seen)
        self._original.setVisible(item.original is not None)
        if item.original:
            self._original.draw(words.size(item.original, is_original=True), item.original)
        self.put_back.setVisible(state.can_put_back)
        self.put_back.setText(words.put_back(item.put_back_tokens))
        self.pin.setVisible(state.can_pin)
        self.pin.setText(self.tr("Unpin") if band.is_pinned else self.tr("Pin"))
        self.pin.setIcon(self._icons.icon("pin"))
        self.jump.setVisible(item.first is not None)
        self._reasons.setText("\n".join(words.why(item, state.window_tokens)))
        self._why.setVisible(bool(self._reasons.text()))
        self._why.setAccessibleName(self._why_title.text())
        self._why.setAccessibleDescription(self._reasons.text())

    # -- what is wanted

    def _connect(self) -> None:
        self.strip.chosen.connect(self._select)
        self.strip.activated.connect(self._jump_to)
        self.strip.stepped.connect(self._step)
        self.slider.valueChanged.connect(self._go)
        self.back.clicked.connect(self._step_back)
        self.forth.clicked.connect(self._step_forth)
        self.close_button.clicked.connect(self.closed)
        self.copy.clicked.connect(self._copy)
        self.put_back.clicked.connect(self._put_back)
        self.pin.clicked.connect(self._pin)
        self.jump.clicked.connect(self._jump)

    def _select(self, index: int) -> None:
        if self._model:
            self._model.select(index)

    def _jump_to(self, index: int) -> None:
        if self._model:
            self._model.select(index)
            self._model.jump()

    def _step(self, by: int) -> None:
        if self._model:
            self._model.step(by)

    def _step_back(self) -> None:
        self._step(-1)

    def _step_forth(self) -> None:
        self._step(1)

    def _go(self, n: int) -> None:
        if self._model:
            self._model.go(n)

    def _copy(self) -> None:
        if self._model:
            self._model.copy_json()

    def _put_back(self) -> None:
        if self._model:
            self._model.put_back()

    def _pin(self) -> None:
        if self._model:
            self._model.pin()

    def _jump(self) -> None:
        if self._model:
            self._model.jump()

    # -- building

    def _build(self) -> None:
        self._title, self._about = QLabel(), ElidedLabel()
        self._title.setProperty("role", "title")
        self._about.setProperty("role", "muted")
        self._request = Badge(self._theme)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setPageStep(10)
        self.back, self.forth, self.close_button = QPushButton(), QPushButton(), QPushButton()
        for button in (self.back, self.forth, self.close_button):
            button.setProperty("role", "icon")
        self.copy = QPushButton()
        self._card, self._why, self._legend = Card(), Card(), Card()
        self._item_title, self._fate = ElidedLabel(), Badge(self._theme)
        self._item_title.setProperty("role", "heading")
        self._seen, self._original = Pane(self._theme), Pane(self._theme)
        self.put_back, self.pin, self.jump = QPushButton(), QPushButton(), QPushButton()
        self._why_title, self._reasons, self._legend_title = QLabel(), QLabel(), QLabel()
        for title in (self._why_title, self._legend_title):
            title.setProperty("role", "heading")
        self._reasons.setTextFormat(Qt.TextFormat.PlainText)
        self._reasons.setWordWrap(True)
        self._legend_names = {category: QLabel() for category in _LEGEND}
        self._legend_marks = (QLabel(), QLabel())

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(10)
        for widget in (self._title, self._about):
            head.addWidget(widget, int(widget is self._about))
        self.slider.setMinimumWidth(round(self._theme.px(60)))
        self.slider.setMaximumWidth(round(self._theme.px(260)))
        for widget in (self._request, self.back, self.slider, self.forth, self.copy, self.close_button):
            head.addWidget(widget, 2 if widget is self.slider else 0)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(self._beside())
        both = QHBoxLayout()
        both.setSpacing(16)
        both.addWidget(self.strip, 4)
        both.addWidget(area, 9)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 12, 20, 16)
        column.setSpacing(12)
        column.addLayout(head)
        column.addLayout(both, 1)

    def _beside(self) -> QWidget:
        """The cards right of the strip."""
        beside = QWidget()
        column = QVBoxLayout(beside)
        column.setContentsMargins(0, 0, 4, 0)
        column.setSpacing(12)
        item = QVBoxLayout(self._card)
        item.setContentsMargins(14, 12, 14, 12)
        item.setSpacing(10)
        top = QHBoxLayout()
        top.addWidget(self._item_title, 1)
        top.addWidget(self._fate)
        panes = QHBoxLayout()
        panes.setSpacing(12)
        panes.addWidget(self._seen, 1)
        panes.addWidget(self._original, 1)
        deeds = QHBoxLayout()
        deeds.setSpacing(8)
        for button in (self.put_back, self.pin, self.jump):
            deeds.addWidget(button)
        deeds.addStretch()
        item.addLayout(top)
        item.addLayout(panes, 1)
        item.addLayout(deeds)
        for card, title, content in (
            (self._why, self._why_title, self._reasons),
            (self._legend, self._legend_title, self._legend_rows()),
        ):
            inside = QVBoxLayout(card)
            inside.setContentsMargins(14, 12, 14, 12)
            inside.setSpacing(8)
            inside.addWidget(title)
            inside.addWidget(content)
        column.addWidget(self._card, 1)
        column.addWidget(self._why)
        column.addWidget(self._legend)
        column.addStretch()
        return beside

    def _legend_rows(self) -> QWidget:
        whole = QWidget()
        flow = FlowLayout(whole, gap_px=14)
        for category, label in self._legend_names.items():
            entry = QWidget()
            row = QHBoxLayout(entry)
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(6)
            row.addWidget(Swatch(self._theme, BANDS[category]))
            label.setProperty("role", "small")
            row.addWidget(label)
            flow.addWidget(entry)
        for label in self._legend_marks:
            label.setProperty("role", "small")
            flow.addWidget(label)
        return whole

    def sizeHint(self) -> QSize:
        return QSize(round(self._theme.px(900)), round(self._theme.px(600)))
