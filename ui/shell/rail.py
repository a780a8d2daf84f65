"""What is left of the sidebar when it is hidden: the ways to show it, to begin anew, to the settings."""

from collections.abc import Callable

from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from ui.kit.icons import Icons
from ui.kit.theme import Theme
from ui.shell.commands import Command, said, shown_keys

_BUTTONS = (("sidebar", "sidebar"), ("new_chat", "plus"), ("find", "search"), ("settings", "settings"))
"""Command and icon, from the top; the last stands at the foot."""


class Rail(QFrame):
    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._icons = icons
        self._buttons: dict[str, tuple[Command, QPushButton]] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(6, 12, 6, 12)
        theme.changed.connect(self._dress)

    def set_commands(self, commands: tuple[Command, ...], corner: QWidget | None) -> None:
        """Show those of `commands` that have a place here, and the window's menu below them."""
        by_id = {command.id: command for command in commands}
        for name, _icon in _BUTTONS:
            if name == _BUTTONS[-1][0]:
                if corner:
                    self._column.addWidget(corner)
                self._column.addStretch(1)
            if command := by_id.get(name):
                self._column.addWidget(self._button(command))
        self._dress()
        self.retranslate()

    def rebind(self, commands: tuple[Command, ...]) -> None:
        """The same commands with other keys."""
        by_id = {command.id: command for command in commands}
        self._buttons = {name: (by_id[name], button) for name, (_, button) in self._buttons.items()}
        self.retranslate()

    def retranslate(self) -> None:
        for command, button in self._buttons.values():
            button.setAccessibleName(said(command.title))
            button.setToolTip(f"{said(command.title)}  {shown_keys(command)}")

    def _button(self, command: Command) -> QPushButton:
        button = QPushButton()
        button.setProperty("role", "quiet")
        run: Callable[[], object] = command.run
        button.clicked.connect(lambda: run())
        self._buttons[command.id] = (command, button)
        return button

    def _dress(self) -> None:
        for name, icon in _BUTTONS:
            if name in self._buttons:
                self._buttons[name][1].setIcon(self._icons.icon(icon))
