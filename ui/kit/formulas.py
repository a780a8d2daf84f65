"""LaTeX as pictures: a formula is typeset once, in a thread, and drawn in any size and colour."""

import re
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QByteArray, QObject, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from ui.kit.threaded import Threaded

MAX_CHARS, MAX_CACHED = 2_000, 1_000
"""A longer one is shown as its source."""
X_HEIGHT_EM = 0.48
"""Of the font of formulas."""
_EM_PX = 100.0
_BOX = re.compile(r'viewBox="\S+ (-?[\d.]+) ([\d.]+) ([\d.]+)"')
_UNSET = re.compile("[\u2e80-\uffdf\U00020000-\U0003ffff]")
"""What the mathematical font has no signs for: Chinese in a formula would be boxes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """Lengths in em of the text around it; the baseline is `ascent` below the upper edge."""

    svg: bytes
    """In the colour `currentColor`."""
    width: float
    ascent: float
    descent: float

    def image(self, *, em_px: float, dpr: float, color: QColor, above_px: float, below_px: float) -> QImage:
        """Drawn, with so much room added above and below; logical size is the device's by `dpr`."""
        width, height = self.width * em_px, (self.ascent + self.descent) * em_px
        image = QImage(
            max(1, round(width * dpr)),
            max(1, round((above_px + height + below_px) * dpr)),
            QImage.Format.Format_ARGB32_Premultiplied,
        )
        image.setDevicePixelRatio(dpr)
        image.fill(0)
        renderer = QSvgRenderer(QByteArray(self.svg.replace(b"currentColor", color.name().encode())))
        painter = QPainter(image)
        renderer.render(painter, QRectF(0, above_px, width, height))
        painter.end()
        return image


class Formulas(Threaded[tuple[str, bool], Formula | None]):
    """Formulas on demand; a model's LaTeX breaks its reader in more ways than anybody has named."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__("formulas", most=MAX_CACHED, otherwise=None, parent=parent)

    def find(self, latex: str, *, is_display: bool) -> Formula | None:
        """None: its source is shown, for good or until `ready`, see `is_awaited`."""
        if not is_typeset(latex):
            return None
        return self._found((latex, is_display), partial(typeset, latex, is_display=is_display))

    def is_awaited(self, latex: str, *, is_display: bool) -> bool:
        return (latex, is_display) in self._running


def is_typeset(latex: str) -> bool:
    """Whether `latex` is within the bounds for formulas, and of signs that their font has."""
    return bool(latex.strip()) and len(latex) <= MAX_CHARS and not _UNSET.search(latex)


def typeset(latex: str, *, is_display: bool) -> Formula:
    """
    Raises:
        Exception: of any kind, where it is no LaTeX.
    """
    from ziamath.config import config  # a second of a thread's time
    from ziamath.zmath import Latex

    config.svg2 = False  # QtSvg draws no <symbol>
    svg = Latex(latex, size=_EM_PX, inline=not is_display, color="currentColor").svg()
    box = _BOX.search(svg)
    assert box
    top, width, height = (float(number) / _EM_PX for number in box.groups())
    return Formula(svg=svg.encode(), width=width, ascent=-top, descent=height + top)
