"""LaTeX as pictures: a formula is typeset once, in a thread, and drawn in any size and colour."""

import re
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from PySide6.QtCore import QByteArray, QObject, QRectF, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

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


class Formulas(QObject):
    """Formulas on demand, as `Highlighter` has colours.

    Signals:
        ready(): more formulas are typeset; what shows their source is laid out again.
    """

    ready = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: OrderedDict[tuple[str, bool], Formula | None] = OrderedDict()
        self._running: dict[tuple[str, bool], Future[Formula | None]] = {}
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="formulas")
        self._poll = QTimer(self, interval=25)
        self._poll.timeout.connect(self._collect)

    def find(self, latex: str, *, is_display: bool) -> Formula | None:
        """None: its source is shown, for good or until `ready`, see `is_awaited`."""
        key = (latex, is_display)
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        if key not in self._running and is_typeset(latex):
            self._running[key] = self._thread.submit(typeset, latex, is_display=is_display)
            self._poll.start()
        return None

    def is_awaited(self, latex: str, *, is_display: bool) -> bool:
        return (latex, is_display) in self._running

    @property
    def is_working(self) -> bool:
        return bool(self._running)

    def close(self) -> None:
        """Stop working; what is not begun never begins."""
        self._poll.stop()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _collect(self) -> None:
        done = [key for key, answer in self._running.items() if answer.done()]
        for key in done:
            answer = self._running.pop(key)
            # A model's LaTeX breaks its reader in more ways than anybody has named: then its source is shown.
            self._known[key] = None if answer.cancelled() or answer.exception() else answer.result()
        while len(self._known) > MAX_CACHED:
            self._known.popitem(last=False)
        if not self._running:
            self._poll.stop()
        if done:
            self.ready.emit()


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
