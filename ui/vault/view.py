"""The page of a chat's originals: which there are at the left, the one that is looked at beside it (U9)."""

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSplitter, QVBoxLayout, QWidget

from app.core.artifacts import Artifact
from app.core.errors import StoreError
from app.tasks import TaskScope
from ui.kit.icons import Icons
from ui.kit.theme import Theme
from ui.vault.browser import Browser
from ui.vault.json_model import JsonModel
from ui.vault.lines_view import Spot
from ui.vault.pager import Pager
from ui.vault.state import VaultState
from ui.vault.view_model import VaultViewModel
from ui.vault.viewer import Viewer

_BROWSER_PX = 260
_MOST_COPIED_LINES = 200_000


class VaultView(QWidget):
    """
    Signals:
        closed(): back to the chat.
        jumped(str): to the entry in which an original was said.
        told(str): a word at the window's edge.
    """

    closed = Signal()
    jumped = Signal(str)
    told = Signal(str)

    def __init__(
        self,
        model: VaultViewModel,
        tasks: TaskScope,
        theme: Theme,
        icons: Icons,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._model, self._tasks, self._icons = model, tasks, icons
        self.browser = Browser(theme, icons)
        self.viewer = Viewer(theme, icons)
        self._title, self.back = QLabel(), QPushButton()
        self._title.setProperty("role", "title")
        self.back.setProperty("role", "icon")
        self._build(theme)
        self._connect()
        self.setFocusProxy(self.browser.list)
        self.retranslate()
        self.draw(model.state)

    def _build(self, theme: Theme) -> None:
        head = QFrame()
        head.setProperty("role", "header")
        row = QHBoxLayout(head)
        row.setContentsMargins(12, 8, 16, 8)
        row.addWidget(self.back)
        row.addWidget(self._title, 1)
        self.back.setIcon(self._icons.icon("chevron-left"))
        parts = QSplitter()
        parts.setHandleWidth(1)
        parts.setChildrenCollapsible(False)
        self.browser.setMinimumWidth(180)
        self.viewer.setMinimumWidth(300)
        parts.addWidget(self.browser)
        parts.addWidget(self.viewer)
        parts.setStretchFactor(1, 1)
        parts.setSizes([round(theme.px(_BROWSER_PX)), 700])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(parts, 1)

    def _connect(self) -> None:
        model, browser, viewer = self._model, self.browser, self.viewer
        model.changed.connect(self.draw)
        model.opened.connect(self._show_lines)
        model.tree_opened.connect(viewer.tree.show_tree)
        model.pictured.connect(viewer.show_picture)
        browser.chosen.connect(model.open)
        browser.sought.connect(model.search_names)
        browser.all_wanted.connect(model.show_all)
        browser.list.activated.connect(viewer.focus_page)
        viewer.sought.connect(model.seek)
        viewer.stepped.connect(model.step)
        viewer.put_back_asked.connect(model.put_back)
        viewer.kept.connect(self._keep)
        viewer.link_asked.connect(self._link)
        viewer.save_asked.connect(model.save)
        viewer.reveal_asked.connect(model.reveal)
        viewer.jump_asked.connect(self._jump)
        viewer.lines.copy_asked.connect(self._copy)
        viewer.tree.value_asked.connect(self._copy_value)
        viewer.tree.path_asked.connect(self._link)
        self.back.clicked.connect(self.closed)

    def draw(self, state: VaultState) -> None:
        self.browser.draw(state)
        self.viewer.draw(state)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.viewer.search.text():
            self.viewer.search.clear()
        else:
            self.closed.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
            self.browser.retranslate()

    def retranslate(self) -> None:
        self._title.setText(self.tr("Originals"))
        self.back.setAccessibleName(self.tr("Back to the chat"))
        self.back.setToolTip(self.tr("Back to the chat"))

    def _show_lines(self, pager: Pager | None) -> None:
        self.viewer.show_lines(pager)

    def _keep(self, artifact: Artifact, is_kept: bool) -> None:  # noqa: FBT001  # the signal's argument
        self._model.keep(artifact, is_kept=is_kept)

    def _link(self, address: str) -> None:
        QGuiApplication.clipboard().setText(address)
        self.told.emit(self.tr("Copied"))

    def _jump(self, artifact: Artifact) -> None:
        self.jumped.emit(artifact.entry_id)

    def _copy(self, first: Spot, last: Spot) -> None:
        if last.line - first.line > _MOST_COPIED_LINES:
            self.told.emit(self.tr("That is too much for the clipboard; save it instead."))
        elif self._model.pager:
            self._tasks.start("copy lines", self._copied(self._model.pager, first, last))

    def _copy_value(self, index: QModelIndex) -> None:
        if self._model.tree:
            self._tasks.start("copy value", self._value_copied(self._model.tree, index))

    async def _value_copied(self, tree: JsonModel, index: QModelIndex) -> None:
        text = await tree.text(index)
        if text is None:
            self.told.emit(self.tr("That is too much for the clipboard; save it instead."))
        else:
            self._link(text)

    async def _copied(self, pager: Pager, first: Spot, last: Spot) -> None:
        try:
            text = await pager.text(first.line, last.line)
        except StoreError:  # told in the viewer already
            return
        lines = text.split("\n")
        lines[-1] = lines[-1][: last.column]
        lines[0] = lines[0][first.column :]
        QGuiApplication.clipboard().setText("\n".join(lines))
        self.told.emit(self.tr("Copied"))
