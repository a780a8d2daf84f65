"""The ring's picture: numbers put into the SVG template, rendered sharp at any device pixel ratio."""

from dataclasses import dataclass
from functools import cache
from math import cos, pi, sin
from string import Template

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from ui.health.state import RingState, dot_state
from ui.kit.figures import percent
from ui.kit.theme import RESOURCES, Theme

TICKS = (0.5, 0.7, 0.9)
_NOTHING = "M-999 -999"  # Qt warns of an empty path, and a round cap draws a dot where a path begins


@dataclass(frozen=True, slots=True, kw_only=True)
class RingShape:
    """A ring's measures in px at 100 %; `sign_px` is the half-width of the status sign."""

    size_px: int
    stroke_px: float
    sign_px: float
    has_ticks: bool = True
    has_text: bool = False
    is_sign_central: bool = False


COMPOSER = RingShape(size_px=30, stroke_px=4, sign_px=3.5)
PANEL = RingShape(size_px=96, stroke_px=10, sign_px=7, has_text=True)
TINY = RingShape(size_px=12, stroke_px=2, sign_px=1.7, has_ticks=False, is_sign_central=True)


def paint_ring(
    painter: QPainter,
    area: QRectF,
    state: RingState,
    *,
    shape: RingShape,
    theme: Theme,
    surface: str = "card",
) -> None:
    """Draw the ring into `area`. `surface`: the name of the colour it stands on."""
    source = ring_svg(state, shape=shape, theme=theme, surface=surface)
    QSvgRenderer(QByteArray(source.encode())).render(painter, area)


class Dots:
    """The tiny ring for lists: asked for a use, a size and a device pixel ratio, it answers with a picture."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._pixmaps: dict[tuple[int | None, int, float], QPixmap] = {}
        theme.changed.connect(self._pixmaps.clear)

    def __call__(self, use: float | None, size_px: int, dpr: float) -> QPixmap:
        state = dot_state(use)
        key = (None if use is None else percent(use), size_px, dpr)
        if key not in self._pixmaps:
            pixmap = QPixmap(QSize(size_px, size_px) * dpr)
            pixmap.setDevicePixelRatio(dpr)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            area = QRectF(0, 0, size_px, size_px)
            paint_ring(painter, area, state, shape=TINY, theme=self._theme, surface="panel")
            painter.end()
            self._pixmaps[key] = pixmap
        return self._pixmaps[key]


def ring_svg(state: RingState, *, shape: RingShape, theme: Theme, surface: str) -> str:
    size, stroke = shape.size_px, shape.stroke_px
    centre, radius = size / 2, (size - stroke) / 2 - (0 if shape.is_sign_central else 0.5)
    use, ghost = state.use or 0.0, state.ghost
    is_hollow = state.use is None
    color = theme.color(state.health)
    sign_at = centre if shape.is_sign_central else centre + radius * sin(pi / 4)
    return _template().substitute(
        size=size,
        centre=centre,
        radius=radius,
        stroke=stroke,
        track=_css(theme.color("inactive" if is_hollow else "track")),
        surface=_css(theme.color(surface)),
        hollow=max(0.0, stroke - 2) if is_hollow else 0,
        color=_css(color),
        ghost=_arc(centre, radius, use if ghost > 0 else 0.0),
        arc=_arc(centre, radius, max(0.0, use - ghost)),
        ticks=_NOTHING
        if is_hollow or not shape.has_ticks
        else _ticks(centre, radius + stroke / 2, stroke * 0.4),
        tick=stroke / 4,
        sign=_sign(state.health, sign_at, shape.sign_px),
        fill=_css(theme.color(surface) if state.health == "inactive" else color),
        line=0 if shape.is_sign_central and state.health == "inactive" else max(1.0, shape.sign_px / 4),
        halo=0 if shape.is_sign_central else shape.sign_px,
    )


@cache
def _template() -> Template:
    return Template((RESOURCES / "svg" / "context-ring.svg").read_text(encoding="utf-8"))


def _css(color: QColor) -> str:
    return color.name()


def _point(centre: float, radius: float, share: float) -> str:
    angle = share * 2 * pi
    return f"{centre + radius * sin(angle):.3f} {centre - radius * cos(angle):.3f}"


def _arc(centre: float, radius: float, share: float) -> str:
    """From 12 o'clock, clockwise; in two halves, since an arc can't end where it began."""
    if share <= 0:
        return _NOTHING
    share = min(share, 1.0)
    middle, end = (_point(centre, radius, part) for part in (share / 2, share))
    way = f"A{radius} {radius} 0 0 1"
    return f"M{_point(centre, radius, 0)} {way} {middle} {way} {end}"


def _ticks(centre: float, outer: float, length: float) -> str:
    return " ".join(
        f"M{_point(centre, outer, share)} L{_point(centre, outer - length, share)}" for share in TICKS
    )


def _sign(health: str, at: float, half: float) -> str:
    """A circle, a triangle or a square: the second sign beside the colour."""
    if health == "warning":
        top, low, wide = at - half * 1.15, at + half * 0.85, half * 1.15
        return f"M{at} {top} L{at + wide} {low} L{at - wide} {low} Z"
    if health == "critical":
        near, far = at - half * 0.9, at + half * 0.9
        return f"M{near} {near} L{far} {near} L{far} {far} L{near} {far} Z"
    turn = f"A{half} {half} 0 0 1"
    return f"M{at - half} {at} {turn} {at + half} {at} {turn} {at - half} {at} Z"
