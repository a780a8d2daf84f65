"""The models that are asked when one fails, in their order: added, removed and moved by mouse and keyboard (A6)."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.core.ids import ModelId
from ui.kit.theme import Theme
from ui.settings.models.state import Fallback
from ui.settings.rows import button, ems, label

_WIDTH_EMS = 28
_MOST_ROWS = 6
"""More scroll."""


class FallbackList(QWidget):
    """
    Signals:
        add_asked(): the chosen model shall be asked, too.
        removed(int): the one at this index shall not.
        moved(int, int): the one at this index shall be asked so much later.
    """

    add_asked = Signal()
    removed = Signal(int)
    moved = Signal(int, int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shown: Sequence[Fallback] | None = None
        self._current: ModelId | None = None
        """Stays the current one while it is moved."""
        self.none = label(self.tr("None: a failure is told at once."), "muted", wraps=True)
        self.list = QListWidget()
        self.list.setProperty("role", "boxed")
        self.list.setAccessibleName(self.tr("Models that are asked when one fails, in this order"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.installEventFilter(self)
        self.list.currentRowChanged.connect(self._on_row)
        self.add_button = button(self.tr("Add the chosen one"))
        self.up_button, self.down_button = button(self.tr("Move up")), button(self.tr("Move down"))
        self.remove_button = button(self.tr("Remove"))
        self.up_button.setToolTip(self.tr("Ask it earlier (Alt+Up)"))
        self.down_button.setToolTip(self.tr("Ask it later (Alt+Down)"))
        self.remove_button.setToolTip(self.tr("Ask it no more (Delete)"))
        self.add_button.clicked.connect(self.add_asked)
        self.up_button.clicked.connect(self._move_up)
        self.down_button.clicked.connect(self._move_down)
        self.remove_button.clicked.connect(self._remove)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        for part in (self.add_button, self.up_button, self.down_button, self.remove_button):
            buttons.addWidget(part)
        buttons.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for part in (self.none, self.list):
            column.addWidget(part)
        column.addLayout(buttons)
        self.setFocusProxy(self.list)
        theme.changed.connect(self._dress)

    def draw(self, models: Sequence[Fallback], *, can_add: bool) -> None:
        self.add_button.setEnabled(can_add)
        if models != self._shown:
            self._shown = models
            self._fill(models)
        self._draw_buttons()

    def _fill(self, models: Sequence[Fallback]) -> None:
        row, current = self.list.currentRow(), self._current
        self.list.blockSignals(True)  # noqa: FBT003  # Qt's own; filling is no choice of the person's
        self.list.clear()
        for n, model in enumerate(models, start=1):
            item = QListWidgetItem(f"{n}.  {self._text(model)}")
            item.setToolTip(model.id)
            self.list.addItem(item)
        ids = [model.id for model in models]
        row = ids.index(current) if current and current in ids else min(row, len(ids) - 1)
        self.list.setCurrentRow(row)
        self._current = ids[row] if row >= 0 else None
        self.list.blockSignals(False)  # noqa: FBT003  # as above
        self.none.setVisible(not models)
        for part in (self.list, self.up_button, self.down_button, self.remove_button):
            part.setVisible(bool(models))
        self._dress()

    def _text(self, model: Fallback) -> str:
        if model.is_gone:
            return self.tr("{model} · not set up any more").format(model=model.name)
        if model.is_default:
            return self.tr("{model} · the default model, asked first").format(model=model.name)
        return model.name

    def _dress(self) -> None:
        """Sizes and colours of the present theme."""
        for row, model in enumerate(self._shown or ()):
            item = self.list.item(row)
            item.setSizeHint(QSize(0, self._theme.size("control_px")))
            if model.is_gone:
                item.setForeground(self._theme.tokens.warning_text)
        rows = min(self.list.count(), _MOST_ROWS)
        self.list.setFixedHeight(rows * self._theme.size("control_px") + 10)
        self.setMinimumWidth(ems(self, _WIDTH_EMS))

    def _draw_buttons(self) -> None:
        row, n = self.list.currentRow(), self.list.count()
        self.up_button.setEnabled(row > 0)
        self.down_button.setEnabled(0 <= row < n - 1)
        self.remove_button.setEnabled(row >= 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
            return False
        is_alt = event.modifiers() & Qt.KeyboardModifier.AltModifier
        match event.key():
            case Qt.Key.Key_Up if is_alt:
                self._move_up()
            case Qt.Key.Key_Down if is_alt:
                self._move_down()
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace:
                self._remove()
            case _:
                return False
        return True

    def _on_row(self, row: int) -> None:
        self._current = self._shown[row].id if self._shown and row >= 0 else None
        self._draw_buttons()

    def _move_up(self) -> None:
        if self.up_button.isEnabled():
            self.moved.emit(self.list.currentRow(), -1)

    def _move_down(self) -> None:
        if self.down_button.isEnabled():
            self.moved.emit(self.list.currentRow(), 1)

    def _remove(self) -> None:
        if self.remove_button.isEnabled():
            self.removed.emit(self.list.currentRow())
