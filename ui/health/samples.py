"""Sample states of the ring: every health at every size, the unknown window, the popover's content."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from app.context.budget import Category
from ui.health.popover import HealthPopover
from ui.health.ring import ContextRing
from ui.health.ring_drawing import COMPOSER, PANEL, TINY
from ui.health.state import HEALTHS, RingState
from ui.kit.figures import percent
from ui.kit.showcase import Stage, showcase

_COMPOSITION = (
    (Category.SYSTEM, 23_000),
    (Category.NOTES, 4_100),
    (Category.TOOL_RESULTS, 88_700),
    (Category.ASSISTANT, 30_000),
)


def ring_page(stage: Stage) -> QWidget:
    page = QWidget()
    grid = QGridLayout(page)
    for row, use in enumerate((None, 0.0, 0.21, 0.76, 0.93, 1.2)):
        health = HEALTHS[0 if not use else 1 if use < 0.75 else 2 if use < 0.9 else 3]
        state = RingState(
            use=use,
            ghost=0.08 if use else 0.0,
            health=health,
            text="?" if use is None else f"{percent(use)}%",
            used_tokens=145_800,
            window_tokens=None if use is None else 200_000,
            turns_left=9,
            composition=_COMPOSITION,
        )
        for column, shape in enumerate((TINY, COMPOSER, PANEL)):
            ring = ContextRing(stage.theme, shape, surface="paper", reduce_motion=True)
            ring.draw(state)
            grid.addWidget(ring, row, column)
        content = HealthPopover(stage.theme)
        content.setWindowFlags(Qt.WindowType.Widget)
        content.draw(state)
        if row in (0, 3):
            grid.addWidget(content, row, 3, 2, 1)
    return page


def main() -> None:
    showcase({"ring": ring_page}, sizes=(QSize(640, 700),))
