"""A toggle in the chat's header: what it opens says whether it is on; in a narrow header it is an icon."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt

from ui.kit.controls import ChipButton
from ui.kit.icons import Icons
from ui.kit.theme import Theme

_ICON_PX = 14


class HeaderToggle(ChipButton):
    """
    Args:
        icon: Its name.
        words: The name and the tooltip in the present language.
    """

    def __init__(self, theme: Theme, icons: Icons, icon: str, words: Callable[[], tuple[str, str]]) -> None:
        super().__init__("")
        self._theme, self._icons, self._icon, self._words = theme, icons, icon, words
        self._is_narrow = False
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.retranslate()

    def nextCheckState(self) -> None:
        """Nothing: pressing asks for a change, and `setChecked` tells what became of it."""

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Whether there is room for the icon only."""
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self.retranslate()

    def retranslate(self) -> None:
        name, tip = self._words()
        self.setText("" if self._is_narrow else name)
        self.setAccessibleName(name)
        self.setToolTip(tip)

    def _restyle(self) -> None:
        side = round(self._theme.px(_ICON_PX))
        self.setIcon(self._icons.icon(self._icon))
        self.setIconSize(QSize(side, side))
