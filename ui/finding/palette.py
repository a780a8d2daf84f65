"""The palette of Ctrl+K: one field, and what can be gone to by it; the keys alone are enough."""

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QListView, QVBoxLayout, QWidget

from ui.finding.delegate import FoundDelegate
from ui.finding.list_model import FoundListModel
from ui.finding.state import PaletteState, Row, neighbour
from ui.finding.view_model import PaletteModel
from ui.kit.icons import Icons
from ui.kit.inputs import LineInput
from ui.kit.popups import Popup
from ui.kit.theme import Theme

_WIDTH_PX, _LIST_PX, _EDGE_PX, _ABOVE_PX = 620, 420, 24, 72
_A_PAGE = 6


class PaletteField(LineInput):
    """PgUp and PgDn go on by so many rows, Tab by one."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_PageUp: -_A_PAGE, Qt.Key.Key_PageDown: _A_PAGE}
        if not self.is_composing and event.key() in steps:
            self.stepped.emit(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


def found_list(theme: Theme, icons: Icons, model: FoundListModel) -> QListView:
    """A list of what was found; whoever holds it has the keys."""
    view = QListView()
    view.setModel(model)
    view.setItemDelegate(FoundDelegate(theme, icons, view))
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.viewport().setAutoFillBackground(False)
    view.setMouseTracking(True)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
    view.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
    return view


class Palette(Popup):
    """Draws `PaletteState`; Enter takes the row that is chosen, Escape closes.

    Signals:
        closed(): it is gone, whatever closed it.
    """

    closed = Signal()

    def __init__(self, model: PaletteModel, theme: Theme, icons: Icons, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._model = model
        self._most_px = theme.px(_LIST_PX)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.field = PaletteField()
        self._rows = FoundListModel(self)
        self.list = found_list(theme, icons, self._rows)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.empty = QLabel()
        self.empty.setProperty("role", "muted")
        self.empty.setContentsMargins(12, 4, 12, 8)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 10)
        column.setSpacing(8)
        column.addWidget(self.field)
        column.addWidget(self.list)
        column.addWidget(self.empty)
        self.field.textChanged.connect(model.type)
        self.field.stepped.connect(self._step)
        self.field.submitted.connect(self._take)
        self.field.cancelled.connect(self.close)
        self.list.clicked.connect(self._take_at)
        self.list.entered.connect(self.list.setCurrentIndex)
        model.changed.connect(self._draw)
        model.done.connect(self.close)
        self.retranslate()
        model.open()
        self._draw(model.state)

    @property
    def rows(self) -> tuple[Row, ...]:
        """What is shown."""
        return self._rows.rows

    def open_over(self, window: QWidget) -> None:
        """In the upper middle of `window`."""
        width = min(round(self._theme.px(_WIDTH_PX)), window.width() - 2 * _EDGE_PX)
        self.setFixedWidth(width)
        self._most_px = min(self._theme.px(_LIST_PX), window.height() - 2 * self._theme.px(_ABOVE_PX))
        self._fit()
        at = window.mapToGlobal(QPoint((window.width() - width) // 2, round(self._theme.px(_ABOVE_PX))))
        self.move(at)
        self.show()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.closed.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Find"))
        self.field.setPlaceholderText(self.tr("Find chats, messages, commands, settings"))
        self.field.setAccessibleName(self.tr("Find chats, messages, commands, settings"))
        self.list.setAccessibleName(self.tr("Found"))

    def _draw(self, state: PaletteState) -> None:
        before = self._rows.option(self.list.currentIndex())
        self._rows.show(state.rows)
        same = [n for n, row in enumerate(state.rows) if row == before]
        at = same[0] if same else neighbour(state.rows, -1, 1)
        self._go_to(at)
        has_results = any(row for row in state.rows)
        self.empty.setVisible(not has_results)
        self.empty.setText(self.tr("Your chats will stand here."))
        self._fit()

    def _fit(self) -> None:
        """As high as its rows; a search that is under way makes it no smaller, so that it does not flicker."""
        rows = sum(self.list.sizeHintForRow(row) for row in range(len(self._rows.rows))) + 2
        least = self.list.height() if self._model.state.is_looking and self.isVisible() else 0
        self.list.setFixedHeight(round(min(max(rows, least), self._most_px)))
        self.adjustSize()

    def _step(self, by: int) -> None:
        self._go_to(neighbour(self._rows.rows, self.list.currentIndex().row(), by))

    def _go_to(self, row: int) -> None:
        if row >= 0:
            index = self._rows.index(row)
            self.list.setCurrentIndex(index)
            self.list.scrollTo(self._rows.index(row - 1) if row == 1 else index)
            self.field.setAccessibleDescription(index.data(Qt.ItemDataRole.AccessibleTextRole))

    def _take(self) -> None:
        self._take_at(self.list.currentIndex())

    def _take_at(self, index: QModelIndex) -> None:
        if option := self._rows.option(index):
            self._model.choose(option)
