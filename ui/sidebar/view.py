"""The sidebar: new chat, search, the list of chats, and the way to the settings."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence, QPixmap, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListView,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core.ids import ChatId
from ui.kit.coalesced import Coalesced
from ui.kit.icons import Icons
from ui.kit.inputs import LineInput
from ui.kit.popups import Menu
from ui.kit.theme import FontRole, Theme
from ui.sidebar.delegate import ChatDelegate
from ui.sidebar.list_model import ChatListModel, Role
from ui.sidebar.state import ChatRow, SidebarState
from ui.sidebar.view_model import SidebarViewModel

WIDTH_PX = 256
_EDGE_PX, _WORDMARK_PX, _LOGO_PX = 10, 17, 22


class SidebarView(QFrame):
    """Draws `SidebarState`.

    Args:
        settings_keys: The shortcut that stands beside Settings, as a person reads it.
        dot: See `ChatDelegate`.
    """

    def __init__(
        self,
        model: SidebarViewModel,
        theme: Theme,
        icons: Icons,
        *,
        settings_keys: str = "",
        dot: Callable[[float | None, int, float], QPixmap] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._model = model
        self._theme = theme
        self._icons = icons
        self._waiting: SidebarState | None = None
        self._later = Coalesced(self._draw_waiting, parent=self)
        self._build(settings_keys, dot)
        self._connect()
        self.retranslate()
        self._dress()
        self.draw(model.state)

    def set_corner(self, widget: QWidget) -> None:
        """Put `widget` into the upper right corner, where the window's menu is."""
        self._head.addWidget(widget)

    def focus_search(self) -> None:
        """Open the search and put the cursor there."""
        self._search.show()
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def draw(self, state: SidebarState) -> None:
        if self.list.state() is QAbstractItemView.State.EditingState:
            self._waiting = state  # a new list would end the renaming
            return
        self._rows.show(state.rows)
        if self._delegate.current != state.current:
            self._delegate.current = state.current
            self.list.setCurrentIndex(self._rows.row_of(state.current))
            self.list.viewport().update()
        self._empty.setVisible(not state.rows)
        self._empty.setText(
            self.tr("No title holds “{wanted}”.").format(wanted=state.wanted)
            if state.n_chats
            else self.tr("Your chats will stand here.")
        )

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
        elif event.type() is QEvent.Type.ActivationChange and self.isActiveWindow():
            self._model.redate()

    def retranslate(self) -> None:
        self._new.setText(self.tr("New chat"))
        self._find.setToolTip(self.tr("Search the titles"))
        self._find.setAccessibleName(self.tr("Search the titles"))
        self._search.setPlaceholderText(self.tr("Search the titles"))
        self._search.setAccessibleName(self.tr("Search the titles"))
        self.list.setAccessibleName(self.tr("Chats"))
        self._settings.setText(self.tr("Settings"))
        self._rows.retranslate()
        self.draw(self._model.state)

    def _build(self, settings_keys: str, dot: Callable[[float | None, int, float], QPixmap] | None) -> None:
        self._logo, self._name = QLabel(), QLabel("Palimpsest")
        self._logo.setAccessibleName("Palimpsest")
        self._head = QHBoxLayout()
        self._head.setContentsMargins(_EDGE_PX, 0, 0, 0)
        self._head.addWidget(self._logo)
        self._head.addWidget(self._name, 1)
        self._new = QPushButton()
        self._new.setProperty("role", "primary")
        self._find = QPushButton()
        self._find.setProperty("role", "icon")
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self._new, 1)
        buttons.addWidget(self._find)
        self._search = LineInput()
        self._search.setClearButtonEnabled(True)
        self._search.hide()
        self._rows = ChatListModel(self)
        self._delegate = ChatDelegate(self._theme, self._icons, dot=dot, parent=self)
        self.list = self._build_list()
        self._empty = QLabel()
        self._empty.setProperty("role", "small")
        self._empty.setWordWrap(True)
        self._empty.setMargin(_EDGE_PX)
        self._settings = QPushButton()
        self._settings.setProperty("role", "quiet")
        self._settings_keys = QLabel(settings_keys)
        self._settings_keys.setProperty("role", "small")
        foot = QHBoxLayout()
        foot.addWidget(self._settings)
        foot.addStretch(1)
        foot.addWidget(self._settings_keys)
        column = QVBoxLayout(self)
        column.setContentsMargins(_EDGE_PX, 14, _EDGE_PX, 12)
        column.setSpacing(8)
        column.addLayout(self._head)
        column.addLayout(buttons)
        column.addWidget(self._search)
        column.addWidget(self._empty)
        column.addWidget(self.list, 1)
        column.addLayout(foot)

    def _build_list(self) -> QListView:
        view = QListView()
        view.setModel(self._rows)
        view.setItemDelegate(self._delegate)
        view.setUniformItemSizes(True)
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.viewport().setAutoFillBackground(False)
        view.setMouseTracking(True)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        view.setEditTriggers(QListView.EditTrigger.EditKeyPressed)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        return view

    def show_settings_keys(self, keys: str) -> None:
        """Beside Settings, as a person reads them."""
        self._settings_keys.setText(keys)

    def _connect(self) -> None:
        self._model.changed.connect(self.draw)
        self._theme.changed.connect(self._dress)
        self._new.clicked.connect(self._model.intentions.new_chat)
        self._settings.clicked.connect(self._model.intentions.open_settings)
        self._find.clicked.connect(self._toggle_search)
        self._search.textChanged.connect(self._model.search)
        self._search.submitted.connect(self._open_found)
        self._search.stepped.connect(self._go_down)
        self._search.cancelled.connect(self._end_search)
        self.list.clicked.connect(self._open)
        self.list.activated.connect(self._open)
        self.list.customContextMenuRequested.connect(self._show_menu)
        self._delegate.renamed.connect(self._rename)
        self._delegate.closeEditor.connect(self._later.request)  # the list is still editing in that moment
        for keys, deed in (("Del", self._trash_current), ("Shift+F10", self._show_current_menu)):
            shortcut = QShortcut(QKeySequence(keys), self.list)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(deed)

    def _dress(self) -> None:
        tokens = self._theme.tokens
        font = self._theme.font(FontRole.DISPLAY)
        font.setPixelSize(round(self._theme.px(_WORDMARK_PX)))
        self._name.setFont(font)
        logo_px, dpr = round(self._theme.px(_LOGO_PX)), self.devicePixelRatioF()
        self._logo.setPixmap(self._icons.pixmap("logo", tokens.accent, size_px=logo_px, dpr=dpr))
        self._new.setIcon(self._icons.icon("plus", tokens.on_accent))
        self._find.setIcon(self._icons.icon("search"))
        self._settings.setIcon(self._icons.icon("settings"))
        self.list.doItemsLayout()

    def _open(self, index: QModelIndex) -> None:
        if chat_id := cast(ChatId | None, index.data(Role.ID)):
            self._model.intentions.open_chat(chat_id)

    def _toggle_search(self) -> None:
        if self._search.isVisible():
            self._end_search()
        else:
            self.focus_search()

    def _end_search(self) -> None:
        self._search.clear()
        self._search.hide()
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open_found(self, _text: str) -> None:
        self._open(self._rows.first_chat())

    def _go_down(self, step: int) -> None:
        if step > 0 and self._rows.first_chat().isValid():
            self.list.setFocus(Qt.FocusReason.TabFocusReason)
            self.list.setCurrentIndex(self._rows.first_chat())

    def _rename(self, chat_id: str, title: str) -> None:
        self._model.rename(ChatId(chat_id), title)

    def _draw_waiting(self) -> None:
        if self._waiting:
            state, self._waiting = self._waiting, None
            self.draw(state)

    def _trash_current(self) -> None:
        if chat_id := cast(ChatId | None, self.list.currentIndex().data(Role.ID)):
            self._model.trash(chat_id)

    def _show_menu(self, at: QPoint) -> None:
        index = self.list.indexAt(at)
        if index.isValid() and isinstance(index.data(Role.ROW), ChatRow):
            self.menu_of(index).popup(self.list.viewport().mapToGlobal(at))

    def _show_current_menu(self) -> None:
        self._show_menu(self.list.visualRect(self.list.currentIndex()).center())

    def menu_of(self, index: QModelIndex) -> QMenu:
        """What can be done with the chat at `index`."""
        row = cast(ChatRow, index.data(Role.ROW))
        menu = Menu(self._theme, self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def add(text: str, icon: str, run: Callable[[], object], keys: str = "") -> None:
            action = QAction(self._icons.icon(icon), text, menu)
            action.setShortcut(QKeySequence(keys))
            action.triggered.connect(run)
            menu.addAction(action)

        add(self.tr("Rename"), "edit", lambda: self.list.edit(index), "F2")
        pin = self.tr("Unpin") if row.is_pinned else self.tr("Pin")
        add(pin, "pin", lambda: self._model.pin(row.id, is_pinned=not row.is_pinned))
        add(self.tr("Duplicate"), "copy", lambda: self._model.duplicate(row.id))
        menu.addSeparator()
        add(self.tr("Export…"), "download", lambda: self.ask_where(row.id))
        menu.addSeparator()
        add(self.tr("Delete"), "trash", lambda: self._model.trash(row.id), "Del")
        return menu

    def ask_where(self, chat_id: ChatId) -> QFileDialog:
        """Ask where a chat is written to, and as what."""
        name = "".join(
            sign if sign.isalnum() or sign in " -_" else "_" for sign in self._model.title(chat_id)
        )
        dialog = QFileDialog(self, self.tr("Export the chat"), name.strip()[:80])
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        kinds = {
            "md": self.tr("Markdown, its pictures beside it (*.md)"),
            "html": self.tr("A page for every browser (*.html)"),
            "pdf": self.tr("PDF (*.pdf)"),
            "json": self.tr("JSON, which can be imported again with all branches (*.json)"),
        }
        dialog.setNameFilters(list(kinds.values()))
        suffix_of = {text: suffix for suffix, text in kinds.items()}

        def follow(text: str) -> None:
            dialog.setDefaultSuffix(suffix_of.get(text, "md"))

        dialog.filterSelected.connect(follow)
        dialog.setDefaultSuffix("md")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(partial(self._export, chat_id))
        dialog.open()
        return dialog

    def _export(self, chat_id: ChatId, path: str) -> None:
        self._model.export(chat_id, Path(path))
