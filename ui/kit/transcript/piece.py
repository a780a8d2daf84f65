"""What every drawn part of an item can do, and the zones in it that react to a click."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

Find = Callable[[str], Sequence[tuple[int, int]]]
"""Where in a text something that is looked for stands: from, to; in order, none within another."""


class ZoneKind(StrEnum):
    LINK = "link"
    IMAGE = "image"
    ACTION = "action"
    COPY_CODE = "copy_code"
    SAVE_CODE = "save_code"
    UNFOLD = "unfold"
    TOGGLE = "toggle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """`rect` in the piece's coordinates; `value` is the URL, action id or code; `label` names it aloud."""

    rect: QRectF
    kind: ZoneKind
    value: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ink:
    """What to draw over a piece's text: the selected characters (from, to), and what is looked for.

    `top`…`bottom` is the visible part, in the piece's coordinates; `has_margin`: there is room at its left;
    `hot` is the zone under the mouse; `current` are the characters of the hit that was gone to.
    """

    top: float
    bottom: float
    selected: tuple[int, int] | None = None
    found: Find | None = None
    current: tuple[int, int] | None = None
    is_hovered: bool = False
    shows_actions: bool = False
    has_margin: bool = False
    focused: Zone | None = None
    hot: Zone | None = None


class Piece(Protocol):
    """A part of an item, one above the other; coordinates start at its own top left."""

    gap_px: float
    left_px: float
    width_px: float
    height_px: float

    @property
    def end(self) -> int:
        """The position after the last character; 0 for a piece without text."""
        ...

    def lay_out(self, width_px: float) -> None:
        """Take this much room; sets `width_px` (what is really used) and `height_px`."""
        ...

    def paint(self, painter: QPainter, ink: Ink) -> None: ...

    def char_at(self, x: float, y: float) -> int:
        """The position nearest to a point."""
        ...

    def word_at(self, char: int) -> tuple[int, int]:
        """The word around a position."""
        ...

    def text(self, start: int, end: int) -> str:
        """What copying this part gives, as plain text."""
        ...

    def zones(self) -> Sequence[Zone]: ...

    def found(self, find: Find) -> Sequence[tuple[int, int]]:
        """The positions of what `find` finds in the text, whether or not all of it is shown."""
        ...

    def y_of(self, char: int) -> float:
        """The top of the line that a position is in."""
        ...


def zone_at(piece: Piece, x: float, y: float) -> Zone | None:
    """The zone of `piece` under a point."""
    return next((zone for zone in piece.zones() if zone.rect.contains(x, y)), None)


class Mute:
    """Mixin for pieces without text that can be selected."""

    gap_px: float = 0.0
    left_px: float = 0.0
    width_px: float = 0.0
    height_px: float = 0.0

    @property
    def end(self) -> int:
        return 0

    def char_at(self, x: float, y: float) -> int:
        return 0

    def word_at(self, char: int) -> tuple[int, int]:
        return 0, 0

    def text(self, start: int, end: int) -> str:
        return ""

    def zones(self) -> Sequence[Zone]:
        return ()

    def found(self, find: Find) -> Sequence[tuple[int, int]]:
        return ()

    def y_of(self, char: int) -> float:
        return 0.0
