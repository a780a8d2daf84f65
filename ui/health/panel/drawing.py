"""What the plots draw of a chat's course: points, lines and levels, without the library that paints them."""

from bisect import bisect_left
from dataclasses import dataclass, field, replace
from typing import Literal

from app.health.course import Course

PlotId = Literal["tokens", "wait", "money"]
PLOTS: tuple[PlotId, ...] = ("tokens", "wait", "money")
LEVELS = (0.5, 0.7, 0.9)
"""Shares of the window where stages light, full and emergency begin (C2)."""
_NEAR = 0.25
"""A chat below so much of its window is drawn to its own size."""
_ROOM = 1.15
_LABELLED = 1.05
"""Room for what stands above the highest level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """`xs` and `ys` are the points that can be pointed at; `line` goes through them, and down where it was compressed."""

    plot: PlotId
    xs: tuple[float, ...] = ()
    ys: tuple[float, ...] = ()
    lows: tuple[float, ...] = ()
    """Of money: the part that was paid for what the cache held."""
    line: tuple[tuple[float, float], ...] = ()
    levels: tuple[tuple[float, float], ...] = ()
    """(share of the window, tokens)."""
    left: float = 0.0
    right: float = 1.0
    top: float = 1.0
    order: tuple[int, ...] = field(default=(), repr=False)
    """Indices of the points from the left."""

    def nearest(self, x: float) -> int | None:
        """The point nearest to `x`; None: there are none."""
        if not self.xs:
            return None
        at = bisect_left(self.order, x, key=lambda index: self.xs[index])
        beside = self.order[max(0, at - 1) : at + 1]
        return min(beside, key=lambda index: abs(self.xs[index] - x))

    def step(self, index: int | None, by: int) -> int | None:
        """The point `by` places to the right of `index`; None: from the end."""
        if not self.order:
            return None
        at = len(self.order) - 1 if index is None else self.order.index(index) + by
        return self.order[min(max(at, 0), len(self.order) - 1)]


def drawing_of(course: Course, plot: PlotId, window_tokens: int | None) -> Drawing:
    if plot == "tokens":
        return _tokens(course, window_tokens or 0)
    if plot == "wait":
        waits = course.first_tokens
        return _points(
            plot, tuple(item.prompt_tokens for item in waits), tuple(item.seconds for item in waits)
        )
    known = [item for item in course.money if item.usd is not None]
    found = _points(
        plot, tuple(item.turn for item in known), tuple(item.usd or 0.0 for item in known), by_turn=True
    )
    return replace(found, lows=tuple(item.cached_usd for item in known))


def _tokens(course: Course, window: int) -> Drawing:
    sizes = {item.turn: item.prompt_tokens for item in course.sizes}
    drops = {item.turn: item for item in course.drops}
    line: list[tuple[float, float]] = []
    for turn in sorted(sizes.keys() | drops.keys()):
        if drop := drops.get(turn):
            line += [(turn - 0.5, drop.tokens_before), (turn - 0.5, drop.tokens_after)]
        if turn in sizes:
            line.append((turn, sizes[turn]))
    highest = max((y for _, y in line), default=0.0)
    top = _LABELLED * window if window and highest >= _NEAR * window else _ROOM * highest
    found = _points("tokens", tuple(sizes), tuple(sizes.values()), by_turn=True)
    return replace(
        found,
        line=tuple(line),
        levels=tuple((share, share * window) for share in LEVELS if 0 < share * window <= top),
        right=max(found.right, max((x for x, _ in line), default=0.0) + 0.5),
        top=max(top, highest, 1.0),
    )


def _points(plot: PlotId, xs: tuple[float, ...], ys: tuple[float, ...], *, by_turn: bool = False) -> Drawing:
    most = max(xs, default=0.0)
    return Drawing(
        plot=plot,
        xs=xs,
        ys=ys,
        order=tuple(sorted(range(len(xs)), key=lambda index: xs[index])),
        left=min(xs, default=0.0) - 0.5 if by_turn else 0.0,
        right=most + 0.5 if by_turn else max(_ROOM * most, 1.0),
        top=max(_ROOM * max(ys, default=0.0), 1e-6),
    )
