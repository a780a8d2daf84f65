"""Lists in a row of the settings: texts that can be taken away, and folders that can be added."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from ui.kit.controls import ElidedLabel
from ui.settings.rows import button, label


class Lines(QWidget):
    """Texts, each with a way to be rid of it.

    Signals:
        removed(str)
    """

    removed = Signal(str)

    def __init__(self, none: str) -> None:
        super().__init__()
        self._none = none
        self._shown: tuple[str, ...] | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(300)

    def draw(self, texts: tuple[str, ...]) -> None:
        if texts == self._shown:
            return
        self._shown = texts
        while item := self._column.takeAt(0):
            if widget := item.widget():
                widget.hide()  # it goes only when the loop runs
                widget.deleteLater()
        for text in texts:
            self._column.addWidget(self._line(text))
        if not texts:
            self._column.addWidget(label(self._none, "muted"))

    def _line(self, text: str) -> QWidget:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        shown = ElidedLabel(text, mode=Qt.TextElideMode.ElideMiddle)
        row.addWidget(shown, 1)
        remove = button(self.tr("Remove"), "link")
        remove.setAccessibleName(self.tr("Remove {text}").format(text=text))
        remove.clicked.connect(partial(self.removed.emit, text))
        row.addWidget(remove)
        return line


class Folders(QWidget):
    """Folders, and a way to more of them.

    Signals:
        chosen(list): all of them, after a change of the person's.
    """

    chosen = Signal(list)

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._folders: tuple[str, ...] = ()
        self.lines = Lines(self.tr("None"))
        self.lines.removed.connect(self._remove)
        self.add = button(self.tr("Add a folder…"))
        self.add.setAccessibleName(self.tr("Add a folder: {what}").format(what=title))
        self.add.clicked.connect(self._ask)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.lines)
        column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)

    def draw(self, folders: tuple[str, ...]) -> None:
        self._folders = folders
        self.lines.draw(folders)

    def _ask(self) -> None:
        dialog = QFileDialog(self.window(), self._title)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self.take)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def take(self, folder: str) -> None:
        self.chosen.emit([*dict.fromkeys((*self._folders, folder))])

    def _remove(self, folder: str) -> None:
        self.chosen.emit([each for each in self._folders if each != folder])
