"""Commands as Qt actions of a window: the native menu bar on macOS, the ⋯ menu elsewhere, and the shortcuts."""

import sys
from collections.abc import Iterable

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QPushButton

from ui.kit.icons import Icons
from ui.kit.popups import Menu
from ui.kit.theme import Theme
from ui.shell.commands import Command, Section, keys, said

HAS_MENU_BAR = sys.platform == "darwin"
ESCAPE = QKeySequence(Qt.Key.Key_Escape)

_ROLES = {"settings": QAction.MenuRole.PreferencesRole, "quit": QAction.MenuRole.QuitRole}


class CommandActions(QObject):
    """One action per command, alive wherever the window has the focus.

    A shortcut first asks the widget with the focus; the kit's inputs keep every key while an input
    method composes, so that no command runs in the middle of a word (case B60).
    """

    def __init__(self, commands: Iterable[Command], window: QMainWindow, theme: Theme, icons: Icons) -> None:
        super().__init__(window)
        self._window = window
        self._theme, self._icons = theme, icons
        self._commands = tuple(commands)
        self._actions = {command.id: self._action(command) for command in self._commands}
        self._menus: list[QMenu] = []
        self._buttons: list[QPushButton] = []
        theme.changed.connect(self._dress)
        window.addActions(list(self._actions.values()))
        if HAS_MENU_BAR:
            self._fill_menu_bar()

    def rebind(self, commands: Iterable[Command]) -> None:
        """The same commands with other keys."""
        self._commands = tuple(commands)
        for command in self._commands:
            self._actions[command.id].setShortcuts(_shortcuts(command))

    def menu(self) -> QMenu:
        """All commands, the sections parted by lines."""
        menu = Menu(self._theme, self._window)
        for section in Section:
            actions = self._of(section)
            if actions and menu.actions():
                menu.addSeparator()
            menu.addActions(actions)
        return menu

    def menu_button(self) -> QPushButton:
        """The ⋯ that opens `menu`."""
        button = QPushButton()
        button.setProperty("role", "quiet")
        self._buttons.append(button)
        self._dress()

        def open_menu() -> None:
            menu = self.menu()
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(button.mapToGlobal(QPoint(0, button.height())))

        button.clicked.connect(open_menu)
        return button

    def escape(self) -> bool:
        """Run the command of Escape, which no widget wanted; False: there is none."""
        for command in self._commands:
            if ESCAPE in keys(command):
                command.run()
                return True
        return False

    def retranslate(self) -> None:
        for command in self._commands:
            self._actions[command.id].setText(said(command.title))
        self._dress()
        for menu, section in zip(self._menus, Section, strict=False):
            menu.setTitle(said(section))

    def _dress(self) -> None:
        for button in self._buttons:
            button.setIcon(self._icons.icon("more"))
            button.setAccessibleName(self.tr("Menu"))
            button.setToolTip(self.tr("Menu"))

    def _action(self, command: Command) -> QAction:
        action = QAction(said(command.title), self)
        action.setShortcuts(_shortcuts(command))
        action.setMenuRole(_ROLES.get(command.id, QAction.MenuRole.NoRole))
        action.triggered.connect(lambda: command.run())
        return action

    def _of(self, section: Section) -> list[QAction]:
        return [self._actions[command.id] for command in self._commands if command.section is section]

    def _fill_menu_bar(self) -> None:
        for section in Section:
            menu = self._window.menuBar().addMenu(said(section))
            menu.addActions(self._of(section))
            self._menus.append(menu)


def _shortcuts(command: Command) -> list[QKeySequence]:
    """Escape as a shortcut would be taken from the widget that wants it: an input, a menu, a search."""
    return [key for key in keys(command) if key != ESCAPE]
