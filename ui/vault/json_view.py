"""A JSON original as a tree: arrows open and close, a menu and the usual keys copy a value or where it stands (U9)."""

from functools import partial

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from app.vault.json_index import ValueKind
from ui.kit.theme import FontRole, Theme
from ui.vault.json_model import KIND, JsonModel

_Index = QModelIndex | QPersistentModelIndex
_COLORS = {
    ValueKind.STRING: "syntax_string",
    ValueKind.NUMBER: "syntax_number",
    ValueKind.LITERAL: "syntax_keyword",
}
_NAME_SHARE = 0.45
"""Of the width, at most."""


class _Delegate(QStyledItemDelegate):
    """Draws a value in the colour of its kind."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def initStyleOption(self, option: QStyleOptionViewItem, index: _Index) -> None:
        super().initStyleOption(option, index)
        kind, tokens = index.data(KIND), self._theme.tokens
        role = _COLORS.get(kind, "muted_text") if index.column() else "ink"
        option.palette.setColor(option.palette.ColorRole.Text, getattr(tokens, role))  # pyright: ignore[reportAttributeAccessIssue]  # Qt's own field
        option.palette.setColor(  # pyright: ignore[reportAttributeAccessIssue]  # Qt's own field
            option.palette.ColorRole.HighlightedText,  # pyright: ignore[reportAttributeAccessIssue]  # Qt's own field
            getattr(tokens, role),
        )


class JsonView(QTreeView):
    """
    Signals:
        value_asked(QModelIndex): the value shall be copied.
        path_asked(str): where it stands shall be copied.
    """

    value_asked = Signal(object)
    path_asked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._model: JsonModel | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("role", "tree")
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setItemDelegate(_Delegate(theme, self))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)
        self.expanded.connect(self._fit)
        for keys, deed in (("Ctrl+C", self.copy_value), ("Ctrl+Shift+C", self.copy_path)):
            QShortcut(QKeySequence(keys), self, context=Qt.ShortcutContext.WidgetShortcut).activated.connect(
                deed
            )
        theme.changed.connect(self._restyle)
        self._restyle()

    def show_tree(self, model: JsonModel | None) -> None:
        self._model = model
        self.setModel(model)
        if model:
            model.rowsInserted.connect(self._fit)
            self.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
            self.header().setStretchLastSection(True)
            self._fit()

    def copy_value(self) -> None:
        if self.currentIndex().data(KIND) is not None:
            self.value_asked.emit(self.currentIndex())

    def copy_path(self) -> None:
        if self._model and self.currentIndex().isValid():
            self.path_asked.emit(self._model.path(self.currentIndex()))

    def _open_menu(self, at: QPoint) -> None:
        if not self.currentIndex().isValid():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        value, path = menu.addAction(self.tr("Copy value")), menu.addAction(self.tr("Copy path"))
        value.setShortcut(QKeySequence("Ctrl+C"))
        path.setShortcut(QKeySequence("Ctrl+Shift+C"))
        value.triggered.connect(partial(self.copy_value))
        value.setEnabled(self.currentIndex().data(KIND) is not None)
        path.triggered.connect(partial(self.copy_path))
        menu.popup(self.viewport().mapToGlobal(at))

    def _fit(self) -> None:
        """Names have the room that those on the screen need."""
        most = round(self.viewport().width() * _NAME_SHARE)
        wanted = self.sizeHintForColumn(0) + round(self._theme.px(16))
        self.setColumnWidth(0, max(round(self._theme.px(120)), min(wanted, most)))

    def _restyle(self) -> None:
        self.setFont(self._theme.font(FontRole.CODE))
        self.setIndentation(round(self._theme.px(18)))
