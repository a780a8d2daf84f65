"""The page of everything (Ctrl+Shift+F): all messages that hold the words, each with its chat, its date and a line."""

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ui.finding.list_model import FoundListModel
from ui.finding.palette import PaletteField, found_list
from ui.finding.state import EverythingState, Row, message, neighbour
from ui.finding.view_model import EverythingModel
from ui.finding.words import FindingWords
from ui.kit.icons import Icons
from ui.kit.theme import Theme

_COLUMN_PX = 860


class EverythingView(QWidget):
    """Draws `EverythingState`.

    Signals:
        closed(): Escape, or the way back.
    """

    closed = Signal()

    def __init__(self, model: EverythingModel, theme: Theme, icons: Icons) -> None:
        super().__init__()
        self._model, self._theme, self._icons = model, theme, icons
        self._words = FindingWords()
        self.field = PaletteField()
        self.back = QPushButton()
        self.back.setProperty("role", "quiet")
        self.count = QLabel()
        self.count.setProperty("role", "small")
        self.told = QLabel()
        self.told.setProperty("role", "muted")
        self.told.setWordWrap(True)
        self._rows = FoundListModel(self)
        self.list = found_list(theme, icons, self._rows)
        self._lay_out()
        self.setFocusProxy(self.field)
        self.field.textChanged.connect(model.type)
        self.field.stepped.connect(self._step)
        self.field.submitted.connect(self._take)
        self.field.cancelled.connect(self.closed)
        self.back.clicked.connect(self.closed)
        self.list.clicked.connect(self._take_at)
        self.list.activated.connect(self._take_at)
        self.list.verticalScrollBar().valueChanged.connect(self._look_for_more)
        model.changed.connect(self._draw)
        theme.changed.connect(self._dress)
        self._dress()
        self.retranslate()

    @property
    def rows(self) -> tuple[Row, ...]:
        """What is shown."""
        return self._rows.rows

    def open(self, typed: str = "") -> None:
        """With what was typed elsewhere, or what stood here, chosen as a whole."""
        if typed:
            self.field.setText(typed)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        self._model.look_again()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()

    def retranslate(self) -> None:
        self.field.setPlaceholderText(self.tr("Search all messages"))
        self.field.setAccessibleName(self.tr("Search all messages"))
        self.list.setAccessibleName(self.tr("Found messages"))
        self.back.setAccessibleName(self.tr("Back"))
        self.back.setToolTip(self.tr("Back") + "  Esc")
        self._draw(self._model.state)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.back)
        head.addWidget(self.field, 1)
        column = QVBoxLayout()
        column.setContentsMargins(24, 16, 24, 12)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.count)
        column.addWidget(self.told)
        column.addWidget(self.list, 1)
        inner = self._inner = QFrame()
        inner.setProperty("role", "paper")
        inner.setLayout(column)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(inner, 100)
        row.addStretch(1)

    def _dress(self) -> None:
        self.back.setIcon(self._icons.icon("chevron-left"))
        self._inner.setMaximumWidth(round(self._theme.px(_COLUMN_PX)))

    def _draw(self, state: EverythingState) -> None:
        before = self._rows.option(self.list.currentIndex())
        self._rows.show(tuple(message(found) for found in state.found))
        same = [n for n, row in enumerate(self._rows.rows) if row == before]
        if self._rows.rows and not same:
            self.list.setCurrentIndex(self._rows.index(0))
            self.list.scrollToTop()
        has_words = bool(state.typed.strip())
        self.list.setVisible(bool(state.found))
        self.count.setVisible(bool(state.found))
        self.count.setText(self._words.count(len(state.found), has_more=state.has_more))
        self.told.setVisible(not state.found and not state.is_looking)
        self.told.setText(
            self.tr("No message holds all of these words.")
            if has_words
            else self.tr("Type words, or the beginnings of words. “Quotes” keep words together.")
        )

    def _step(self, by: int) -> None:
        at = neighbour(self._rows.rows, self.list.currentIndex().row(), by)
        if at >= 0:
            index = self._rows.index(at)
            self.list.setCurrentIndex(index)
            self.field.setAccessibleDescription(index.data(Qt.ItemDataRole.AccessibleTextRole))

    def _take(self) -> None:
        self._take_at(self.list.currentIndex())

    def _take_at(self, index: QModelIndex) -> None:
        if (option := self._rows.option(index)) and option.found:
            self._model.choose(option.found)

    def _look_for_more(self, value: int) -> None:
        bar = self.list.verticalScrollBar()
        if bar.maximum() and value >= bar.maximum() - bar.pageStep():
            self._model.more()
