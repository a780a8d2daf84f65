"""The task board of a chat: a chip that counts, and the list that opens from it, live (A15)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.core.entries import Entry
from ui.kit.controls import Badge, ChipButton
from ui.kit.items import Tone
from ui.kit.links import visible
from ui.kit.popups import Popup
from ui.kit.theme import Theme

if TYPE_CHECKING:
    from app.agent.tools.board import Task

_TOOL = "task_board"
_TITLE_PX = 320
_DONE = ("done", "dropped")


class BoardChip(ChipButton):
    """Shown where the model keeps a board; the number of its tasks that are done, of all."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._theme = theme
        self._path: Sequence[Entry] = ()
        self._tasks: tuple[Task, ...] = ()
        self._popup: Popup | None = None
        self.clicked.connect(self.open_board)
        self._draw()

    @property
    def popup(self) -> Popup | None:
        """None while it is closed."""
        return self._popup

    def show_path(self, path: tuple[Entry, ...]) -> None:
        """The shown branch is this one; read anew only where it may hold another board."""
        before, self._path = self._path, path
        if path is before:
            return
        grown = path[len(before) :] if path[: len(before)] == before else path
        if grown is path or any(_concerns(entry) for entry in grown):
            self._take(_board_of(path) if any(map(_concerns, path)) else ())

    def open_board(self) -> None:
        """Nothing where there is no board."""
        if not self._tasks:
            return
        popup = self._popup = Popup(self._theme, self)
        popup.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        popup.setAccessibleName(self.tr("Task board"))
        popup.destroyed.connect(self._forget)
        QGridLayout(popup).setContentsMargins(16, 12, 16, 12)
        self._fill(popup)
        popup.move(self.mapToGlobal(QPoint(self.width() - popup.sizeHint().width(), self.height() + 4)))
        popup.show()

    def _take(self, tasks: "tuple[Task, ...]") -> None:
        if tasks != self._tasks:
            self._tasks = tasks
            self._draw()
            if self._popup:
                self._fill(self._popup)

    def _draw(self) -> None:
        n_done = sum(task.status in _DONE for task in self._tasks)
        self.setVisible(bool(self._tasks))
        text = self.tr("{done} of %n task(s)", "", len(self._tasks))
        self.set_text(text.format(done=n_done))
        self.setToolTip(self.tr("The tasks that the model works through"))

    def _fill(self, popup: Popup) -> None:
        grid = popup.layout()
        assert isinstance(grid, QGridLayout)
        while item := grid.takeAt(0):
            if widget := item.widget():
                widget.hide()  # it goes only when the loop runs
                widget.deleteLater()
        for row, task in enumerate(self._tasks):
            about = " · ".join(filter(None, (task.phase, task.owner)))
            grid.addWidget(Badge(self._theme, self._status(task), _tone(task)), row, 0)
            grid.addWidget(_label(task.title, ""), row, 1)
            grid.addWidget(_label(about, "small"), row, 2)
        popup.adjustSize()

    def _status(self, task: "Task") -> str:
        return {
            "open": self.tr("open"),
            "doing": self.tr("at work"),
            "done": self.tr("done"),
            "blocked": self.tr("blocked"),
            "dropped": self.tr("dropped"),
        }[task.status]

    def _forget(self) -> None:
        self._popup = None

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self._draw()


def _board_of(path: Sequence[Entry]) -> "tuple[Task, ...]":
    from app.agent.tools.board import board_of  # no start waits for the tools

    return board_of(path)


def _concerns(entry: Entry) -> bool:
    return any(call.name == _TOOL for call in entry.calls) or any(
        part.name == _TOOL for part in entry.results
    )


def _tone(task: "Task") -> Tone:
    return {"doing": Tone.WARNING, "done": Tone.HEALTHY, "blocked": Tone.CRITICAL}.get(
        task.status, Tone.PLAIN
    )


def _label(text: str, role: str) -> QLabel:
    label = QLabel(visible(text), wordWrap=not role)
    label.setTextFormat(Qt.TextFormat.PlainText)  # a model's words are never read as rich text (case B67)
    label.setMinimumWidth(0 if role else _TITLE_PX)
    if role:
        label.setProperty("role", role)
    return label
