"""The preview of a compression as a dialog; a drawing of `PreviewState`. `python -m ui.folding` shows samples."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QPushButton,
    QSlider,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from ui.folding.cards import FactsCard, HappeningCard, SparedCard, WorthCard
from ui.folding.state import PreviewState, Work, Worth, whole_tokens
from ui.folding.words import PreviewWords
from ui.kit.bands import CompositionBar
from ui.kit.controls import Badge, ElidedLabel
from ui.kit.figures import percent
from ui.kit.inputs import LineInput
from ui.kit.items import Tone
from ui.kit.theme import Theme

_WIDE_PX, _HIGH_PX = 900, 590
_SIDE_PX = 320
_STEP = 1_000
"""The slider's steps in the whole of a bar."""


class PreviewDialog(QDialog):
    """
    Signals:
        applied(): what is shown shall be done.
        writing_asked(): a model shall write the summary now.
        topic_changed(str), target_changed(int): it shall be planned with these.
    """

    applied = Signal()
    writing_asked = Signal()
    topic_changed = Signal(str)
    target_changed = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._words = theme, PreviewWords()
        self._state = PreviewState()
        self.setModal(True)
        self._title, self._badge = ElidedLabel(), Badge(theme)
        self._title.setProperty("role", "title")
        self._about, self._status = QLabel(), QLabel()
        self._about.setProperty("role", "muted")
        self._about.setWordWrap(True)
        self._status.setTextFormat(Qt.TextFormat.PlainText)
        self._status.setWordWrap(True)
        self._names = tuple(QLabel() for _ in range(3))
        self._bars = tuple(CompositionBar(theme) for _ in range(2))
        self._totals = tuple(QLabel() for _ in range(3))
        self.target = QSlider(Qt.Orientation.Horizontal)
        self.target.setRange(0, _STEP)
        self.target.setPageStep(_STEP // 20)
        self.target.setSingleStep(_STEP // 100)
        self.target.valueChanged.connect(self._aim)
        self._happening, self._facts = HappeningCard(self._words), FactsCard(self._words)
        self._spared, self._worth = SparedCard(self._words), WorthCard(self._words)
        self._worth.facts_asked.connect(self._show_facts)
        self._left = QStackedWidget()
        self._focus = QLabel()
        self.topic = LineInput()
        self.topic.textChanged.connect(self.topic_changed)
        self.topic.submitted.connect(self._submit)
        self.topic.cancelled.connect(self.reject)
        self.write, self.cancel, self.apply = QPushButton(), QPushButton(), QPushButton()
        self.apply.setProperty("role", "primary")
        self._lay_out()
        self.write.clicked.connect(self.writing_asked)
        self.cancel.clicked.connect(self.reject)
        self.apply.clicked.connect(self.applied)
        for button in (self.write, self.cancel):
            button.setAutoDefault(False)
        self.apply.setDefault(True)
        self.retranslate()
        self.resize(round(theme.px(_WIDE_PX)), round(theme.px(_HIGH_PX)))
        self.topic.setFocus()

    @property
    def state(self) -> PreviewState:
        """As drawn."""
        return self._state

    @property
    def facts_button(self) -> QPushButton:
        return self._worth.facts

    @property
    def facts_list(self) -> QListWidget:
        return self._facts.list

    def draw(self, state: PreviewState) -> None:
        old, self._state = self._state, state
        self._title.setText(self._words.title(state.title))
        self.setWindowTitle(self._words.title(state.title))
        self._draw_status(state)
        if state.preview is not old.preview:
            self._draw_preview()
        self._draw_target()
        is_new = state.preview is not None and state.work is not Work.PLANNING
        for part in (self._left, self._spared, self._worth, *self._bars):
            part.setEnabled(is_new)
        for part in (self._left, self._spared, self._worth):
            part.setVisible(state.preview is not None)
        self.apply.setEnabled(state.can_apply)
        self.apply.setText(
            self.tr("Compress all the same") if state.worth is Worth.LITTLE else self.tr("Compress now")
        )
        self.write.setVisible(state.can_write)

    def retranslate(self) -> None:
        self._badge.set(self.tr("Preview — nothing has changed yet"), Tone.PLAIN)
        self._about.setText(
            self.tr(
                "Originals stay on this computer. You can put any of them back, or undo the whole compression, at any time."
            )
        )
        for label, text in zip(
            self._names, (self.tr("Now"), self.tr("After"), self.tr("Aim at")), strict=True
        ):
            label.setText(text)
        self.target.setAccessibleName(self.tr("How many tokens shall be left"))
        self._focus.setText(self.tr("Keep in focus:"))
        self.topic.setPlaceholderText(self.tr("What goes last, as: rounding rules and the failing tests"))
        self.topic.setAccessibleName(self.tr("What to keep in focus"))
        self.write.setText(self.tr("Write the summary now"))
        self.write.setToolTip(self.tr("A model writes it, and you see the real figures before you decide"))
        self.cancel.setText(self.tr("Cancel"))
        self.draw(self._state)
        self._draw_preview()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()

    # -- drawing

    def _draw_status(self, state: PreviewState) -> None:
        text = self._words.status(state)
        role = "muted" if state.work is not Work.NONE else "critical" if state.error else "warning"
        if text != self._status.text():
            self._status.setText(text)
            self._status.setAccessibleName(text)
        if role != self._status.property("role"):
            self._status.setProperty("role", role)
            self._status.style().polish(self._status)

    def _draw_preview(self) -> None:
        preview = self._state.preview
        if preview is None:
            return
        whole = whole_tokens(preview)
        is_about = preview.summing is not None
        sides = (
            (preview.before, preview.tokens_before, False),
            (preview.after, preview.tokens_after, is_about),
        )
        for bar, total, name, (rows, tokens, about) in zip(
            self._bars, self._totals, self._names, sides, strict=False
        ):
            bar.draw(rows, whole)
            total.setText(self._words.tokens(tokens, is_about=about))
            total.setAccessibleName(f"{name.text()}: {total.text()}, {percent(tokens / max(whole, 1))} %")
        for card in (self._happening, self._facts, self._spared, self._worth):
            card.draw(preview)

    def _draw_target(self) -> None:
        preview = self._state.preview
        self.target.setEnabled(preview is not None)
        if preview is None:
            return
        aimed = self._state.target_tokens or preview.decision.target_tokens
        self.target.blockSignals(True)  # noqa: FBT003  # Qt's
        self.target.setValue(round(_STEP * aimed / whole_tokens(preview)))
        self.target.blockSignals(False)  # noqa: FBT003  # Qt's
        self._totals[2].setText(self._words.tokens(aimed))
        self.target.setAccessibleDescription(self._totals[2].text())

    # -- doing

    def _aim(self, value: int) -> None:
        if preview := self._state.preview:
            tokens = round(value / _STEP * whole_tokens(preview))
            self.target_changed.emit(max(1, min(tokens, preview.tokens_before)))

    def _show_facts(self, is_asked: bool) -> None:  # noqa: FBT001  # the signal's argument
        card = self._facts if is_asked else self._happening
        self._left.setCurrentWidget(card)
        if is_asked:
            self._facts.list.setFocus()

    def _submit(self, _text: str) -> None:
        if self.apply.isEnabled():
            self.applied.emit()

    # -- layout

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._badge)
        bars = QGridLayout()
        bars.setHorizontalSpacing(14)
        bars.setVerticalSpacing(8)
        bars.setColumnStretch(1, 1)
        for row, middle in enumerate((*self._bars, self.target)):
            bars.addWidget(self._names[row], row, 0)
            bars.addWidget(middle, row, 1, Qt.AlignmentFlag.AlignVCenter)
            bars.addWidget(self._totals[row], row, 2)
        for bar in self._bars:
            bar.setFixedHeight(round(self._theme.px(14)))
        for total in self._totals[:2]:
            total.setProperty("role", "heading")
        self._totals[2].setProperty("role", "muted")
        self._totals[0].setMinimumWidth(round(self._theme.px(76)))
        for card in (self._happening, self._facts):
            self._left.addWidget(card)
        side = QWidget()
        side.setFixedWidth(round(self._theme.px(_SIDE_PX)))  # so that its lines know how high they are
        right = QVBoxLayout(side)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(12)
        right.addWidget(self._spared)
        right.addWidget(self._worth)
        right.addStretch()
        cards = QHBoxLayout()
        cards.setSpacing(14)
        cards.addWidget(self._left, 1)
        cards.addWidget(side)
        below = QHBoxLayout()
        below.setSpacing(8)
        below.addWidget(self._focus)
        below.addWidget(self.topic, 1)
        for button in (self.write, self.cancel, self.apply):
            below.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 20, 22, 18)
        column.setSpacing(12)
        column.addLayout(head)
        column.addWidget(self._about)
        column.addLayout(bars)
        column.addWidget(self._status)
        column.addLayout(cards, 1)
        column.addLayout(below)
