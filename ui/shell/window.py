"""The main window: chats on the left, one page in the middle, a panel on the right, and what concerns all of them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QMoveEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QMainWindow,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.core.errors import Action as Offer
from ui.kit.coalesced import Coalesced
from ui.kit.controls import Toast
from ui.kit.icons import Icons
from ui.kit.theme import Theme
from ui.shell.actions import HAS_MENU_BAR, CommandActions
from ui.shell.bars import DropSheet, NoticeBar, OfflineBar
from ui.shell.commands import Command, rebound
from ui.shell.dropping import dropped
from ui.shell.layout import Panes, WindowLayout
from ui.shell.notices import Notice
from ui.shell.rail import Rail
from ui.shell.shortcuts_sheet import ShortcutsSheet

MINIMUM, FIRST = QSize(720, 480), QSize(1280, 820)
MIN_SIDEBAR_PX, MIN_MIDDLE_PX, MIN_PANEL_PX = 200, 400, 280
_SAVE_MS = 400
_TOAST_PX = 132
"""Above the composer."""


class MainWindow(QMainWindow):
    """Args:
        layout: As it was stored.
        save: Stores it; called at most a few times a second while a person moves things.

    Signals:
        closing(): the person closed the window; it is hidden, and the program may end.
        files_dropped(list[Path]): files to import. `others_dropped(list[str])`: to attach.
        panes_changed(): a pane was opened or closed.
        acted(Notice, str): an action of a notice that the window doesn't know itself.
    """

    closing = Signal()
    files_dropped, others_dropped = Signal(list), Signal(list)
    acted = Signal(object, str)
    panes_changed = Signal()

    def __init__(
        self,
        theme: Theme,
        icons: Icons,
        *,
        layout: WindowLayout,
        save: Callable[[WindowLayout], None],
    ) -> None:
        super().__init__()
        self._theme = theme
        self._icons = icons
        self._layout = self._stored = layout
        self._save = save
        self._panes = Panes(wants_sidebar=layout.has_sidebar, wants_panel=layout.has_panel)
        self._saving = Coalesced(self._store, interval_ms=_SAVE_MS, max_ms=_SAVE_MS, parent=self)
        self._commands: tuple[Command, ...] = ()
        self._actions: CommandActions | None = None
        self._pages: dict[str, QWidget] = {}
        self._undo: Callable[[], None] | None = None
        self._sidebar: QWidget | None = None
        self._panel: QWidget | None = None
        self._chat_title = ""
        self.setAcceptDrops(True)
        self.setMinimumSize(MINIMUM)
        self._build()
        self._place()
        theme.changed.connect(self._fit_panes)
        self.set_title("")

    # ---- what stands in it

    def set_commands(self, commands: Iterable[Command]) -> None:
        """Once, before the window shows."""
        self._commands = tuple(commands)
        self._actions = CommandActions(self._commands, self, self._theme, self._icons)
        self._rail.set_commands(self._commands, self.menu_button())

    def rebind(self, own: Mapping[str, str]) -> bool:
        """Give the commands the person's keys, by id. Returns: whether any changed."""
        before, self._commands = self._commands, rebound(self._commands, own)
        for part in (self._actions, self._rail) if self._commands != before else ():
            if part:
                part.rebind(self._commands)
        return self._commands != before

    @property
    def commands(self) -> tuple[Command, ...]:
        return self._commands

    def command(self, name: str) -> Command:
        return next(command for command in self._commands if command.id == name)

    def menu_button(self) -> QPushButton | None:
        """A new ⋯ button; None where the system has a menu bar."""
        return self._actions.menu_button() if self._actions and not HAS_MENU_BAR else None

    def set_sidebar(self, widget: QWidget) -> None:
        widget.setMinimumWidth(MIN_SIDEBAR_PX)
        self._sidebar = widget
        self._splitter.insertWidget(0, widget)
        self._arrange()

    def set_panel(self, widget: QWidget) -> None:
        widget.setMinimumWidth(MIN_PANEL_PX)
        self._panel = widget
        self._splitter.addWidget(widget)
        self._arrange()

    def add_bar(self, widget: QWidget) -> None:
        """Above the page, as what concerns all of the window."""
        self._column.insertWidget(self._column.count() - 1, widget)

    def add_page(self, name: str, page: QWidget) -> None:
        self._pages[name] = page
        self._stack.addWidget(page)

    def show_page(self, name: str) -> None:
        self._stack.setCurrentWidget(self._pages[name])

    @property
    def page(self) -> str:
        """The name of the page that is shown; empty: there is none yet."""
        shown = self._stack.currentWidget()
        return next((name for name, page in self._pages.items() if page is shown), "")

    def set_title(self, chat_title: str) -> None:
        self._chat_title = chat_title
        self.setWindowTitle(f"{chat_title} — Palimpsest" if chat_title else "Palimpsest")

    # ---- what it says

    def say(self, text: str, *, action: str = "", run: Callable[[], None] | None = None) -> None:
        """A word at the lower edge that goes by itself."""
        self._undo = run
        self._toast.say(text, action=action)

    def tell(self, notice: Notice | None) -> None:
        """Show what concerns the whole window; None: nothing does any more."""
        if notice:
            self._notice_bar.tell(notice)
        else:
            self._notice_bar.dismiss()

    def set_offline(self, *, is_offline: bool) -> None:
        self._offline_bar.setVisible(is_offline)

    def come_forward(self) -> None:
        """Another start wants this window."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def call(self) -> None:
        """Ask for attention from the background (U18); nothing while the person is here."""
        QApplication.alert(self)

    @property
    def wants_panel(self) -> bool:
        """Whether the person left the right panel open, however wide the window is now."""
        return self._panes.wants_panel

    @property
    def is_panel_open(self) -> bool:
        return self._panel is not None and self._panes.has_panel

    # ---- what it does by itself

    def toggle_sidebar(self) -> None:
        self._set_panes(self._panes.toggle_sidebar())

    def toggle_panel(self) -> None:
        self._set_panes(self._panes.toggle_panel())

    def show_shortcuts(self) -> ShortcutsSheet:
        sheet = ShortcutsSheet(self._commands, self)
        sheet.open()
        return sheet

    def zoomed(self, percent: int, reset: Callable[[], None]) -> None:
        """Say the size that holds now."""
        action = "" if percent == 100 else self.tr("reset")
        self.say(self.tr("{percent} %").format(percent=percent), action=action, run=reset)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            for part in (self._actions, self._rail, self._notice_bar, self._offline_bar, self._drop):
                if part:
                    part.retranslate()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_escape = event.key() == Qt.Key.Key_Escape
        if not (is_escape and self._actions and self._actions.escape()):
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_panes()
        self._saving.request()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self._saving.request()

    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()  # what runs is ended first, see ui/main.py
        self._saving.request()
        self._saving.flush()
        self.hide()
        self.closing.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(dropped(event)):
            event.acceptProposedAction()
            self._drop.cover()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._drop.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        self._drop.hide()
        event.acceptProposedAction()
        for signal, files in zip((self.files_dropped, self.others_dropped), dropped(event), strict=True):
            if files:
                signal.emit(files)

    def _build(self) -> None:
        self._rail = Rail(self._theme, self._icons)
        self._stack = QStackedWidget()
        self._notice_bar = NoticeBar(self._theme, self._icons)
        self._notice_bar.acted.connect(self._act)
        self._offline_bar = OfflineBar()
        middle = QWidget()
        middle.setMinimumWidth(MIN_MIDDLE_PX)
        self._column = column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self._offline_bar, self._notice_bar):
            column.addWidget(widget)
        column.addWidget(self._stack, 1)
        self._splitter = QSplitter()
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(1)
        self._splitter.addWidget(middle)
        self._splitter.splitterMoved.connect(self._note_widths)
        self._middle = middle
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._rail)
        row.addWidget(self._splitter, 1)
        self.setCentralWidget(whole)
        self._toast = Toast(middle, above_px=_TOAST_PX)
        self._toast.acted.connect(self._run_undo)
        self._drop = DropSheet(whole)

    def _place(self) -> None:
        """Where it stood, if a screen is still there."""
        screen = QGuiApplication.primaryScreen().availableGeometry()
        size = QSize(self._layout.width, self._layout.height) if self._layout.width else FIRST
        self.resize(size.boundedTo(screen.size()).expandedTo(MINIMUM))
        place = QRect(self._layout.x, self._layout.y, self.width(), self.height())
        if self._layout.width and any(at.geometry().intersects(place) for at in QGuiApplication.screens()):
            self.move(place.topLeft())
        if self._layout.is_maximized:
            self.setWindowState(Qt.WindowState.WindowMaximized)

    def _fit_panes(self) -> None:
        self._set_panes(self._panes.at(round(self.width() / self._theme.px(1))))

    def _set_panes(self, panes: Panes) -> None:
        if panes != self._panes:
            self._panes = panes
            self._arrange()
            self._saving.request()

    def _arrange(self) -> None:
        """Idempotent: the panes as `_panes` says."""
        has_sidebar = self._panes.has_sidebar and self._sidebar is not None
        self._rail.setVisible(not has_sidebar)
        widths = {self._sidebar: self._layout.sidebar_px, self._panel: self._layout.panel_px}
        if self._sidebar:
            self._sidebar.setVisible(has_sidebar)
        if self._panel:
            self._panel.setVisible(self._panes.has_panel)
        beside = sum(px for pane, px in widths.items() if pane and not pane.isHidden())
        parts = [self._splitter.widget(n) for n in range(self._splitter.count())]
        self._splitter.setSizes(
            [widths.get(part, max(self.width() - beside, MIN_MIDDLE_PX)) for part in parts]
        )
        for n, part in enumerate(parts):
            self._splitter.setStretchFactor(n, int(part is self._middle))
        self.panes_changed.emit()

    def _note_widths(self) -> None:
        for pane, name in ((self._sidebar, "sidebar_px"), (self._panel, "panel_px")):
            if pane and pane.isVisible():
                self._layout = replace(self._layout, **{name: pane.width()})
        self._saving.request()

    def _store(self) -> None:
        is_maximized = self.isMaximized()
        layout = replace(
            self._layout,
            is_maximized=is_maximized,
            has_sidebar=self._panes.wants_sidebar,
            has_panel=self._panes.wants_panel,
        )
        if not is_maximized:
            at, size = self.pos(), self.size()
            layout = replace(layout, x=at.x(), y=at.y(), width=size.width(), height=size.height())
        self._layout = layout
        if layout != self._stored:
            self._stored = layout
            self._save(layout)

    def _act(self, notice: Notice, action: str) -> None:
        if action == Offer.COPY:
            QGuiApplication.clipboard().setText(notice.detail)
            self.say(self.tr("Copied"))
        else:
            self._notice_bar.dismiss()
            self.acted.emit(notice, action)

    def _run_undo(self) -> None:
        if self._undo:
            run, self._undo = self._undo, None
            run()
