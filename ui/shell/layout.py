"""Where the window stood and which panes it showed: a value that is stored, and what a width makes of it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace

NARROW_PX = 900
"""Below this the chats make room for the conversation."""
TIGHT_PX = 1100
"""Below this the right panel does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowLayout:
    """All numbers, so that it is stored as it is; pixels of the screen, negative `x` and `y` are places too."""

    x: int = 0
    y: int = 0
    width: int = 0
    """0: never shown yet."""
    height: int = 0
    is_maximized: bool = False
    sidebar_px: int = 256
    panel_px: int = 328
    has_sidebar: bool = True
    has_panel: bool = False

    @classmethod
    def from_stored(cls, stored: Mapping[str, object]) -> "WindowLayout":
        """What can be used of `stored`; anything else stays as it is at first."""
        found: dict[str, int | bool] = {}
        for field in fields(cls):
            value = stored.get(field.name)
            if isinstance(value, int) and abs(value) < 1 << 16:
                found[field.name] = bool(value) if isinstance(field.default, bool) else value
        return replace(cls(), **found)

    def to_stored(self) -> dict[str, int]:
        return {name: int(value) for name, value in asdict(self).items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Panes:
    """Which panes stand beside the conversation, by what the person wants and what the width allows.

    In a narrow window the wish is kept but not followed; opening a pane there holds until the window
    has been wide again. Where it is tight one pane stands beside the page: the panel takes the chats' place.
    """

    wants_sidebar: bool = True
    wants_panel: bool = False
    is_narrow: bool = False
    is_tight: bool = False
    sidebar_here: bool = False
    """Opened while narrow."""
    panel_here: bool = False

    @property
    def has_sidebar(self) -> bool:
        return self.sidebar_here if self.is_narrow else self.wants_sidebar and not self.panel_here

    @property
    def has_panel(self) -> bool:
        return self.panel_here if self.is_tight else self.wants_panel

    def at(self, width: int) -> "Panes":
        is_narrow, is_tight = width < NARROW_PX, width < TIGHT_PX
        return replace(
            self,
            is_narrow=is_narrow,
            is_tight=is_tight,
            sidebar_here=self.sidebar_here and is_narrow,
            panel_here=self.panel_here and is_tight,
        )

    def toggle_sidebar(self) -> "Panes":
        is_wanted = not self.has_sidebar
        if self.is_narrow:
            return replace(self, sidebar_here=is_wanted, panel_here=False)
        return replace(self, wants_sidebar=is_wanted, panel_here=False)

    def toggle_panel(self) -> "Panes":
        if self.is_tight:
            return replace(self, panel_here=not self.panel_here, sidebar_here=False)
        return replace(self, wants_panel=not self.wants_panel)
