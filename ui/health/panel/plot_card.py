"""Three plots in tabs, and what is pointed at in words; the library comes when the card is first looked at."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.health.course import Course
from ui.health.panel.drawing import PLOTS, Drawing, PlotId, drawing_of
from ui.kit.controls import Card, Segmented
from ui.kit.figures import compact, money
from ui.kit.theme import Theme

if TYPE_CHECKING:
    from ui.health.panel.plots import CoursePlot

_HEIGHT_PX = 150
Load = Callable[[], None]


def load_library() -> None:
    """A second of work, done in a thread: nothing of it makes a widget."""
    import pyqtgraph  # noqa: F401  # pyright: ignore[reportUnusedImport, reportMissingTypeStubs]


async def loaded() -> None:
    await asyncio.to_thread(load_library)


class PlotCard(Card):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._course, self._window_tokens = Course(), 0
        self._shown: PlotId = "tokens"
        self.plot: CoursePlot | None = None
        """None until the library is there."""
        self.tabs = Segmented([(plot, "") for plot in PLOTS])
        self.tabs.choose("tokens")
        self.tabs.chosen.connect(self._choose)
        self._room = QLabel()
        self._room.setProperty("role", "small")
        self._room.setWordWrap(True)
        self._room.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._room.setFixedHeight(round(theme.px(_HEIGHT_PX)))
        self.told = QLabel()
        self.told.setProperty("role", "small")
        self.told.setWordWrap(True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(14, 12, 14, 10)
        self._column.setSpacing(7)
        for part in (self.tabs, self._room, self.told):
            self._column.addWidget(part)
        self.retranslate()

    def show_plot(self) -> None:
        """The library is there: draw with it from now on."""
        from ui.health.panel.plots import CoursePlot

        if self.plot is None:
            self.plot = CoursePlot(self._theme)
            self.plot.pointed.connect(self._tell)
            self._column.insertWidget(1, self.plot)
            self._draw()

    def draw(self, course: Course, window_tokens: int | None) -> None:
        if (course, window_tokens or 0) != (self._course, self._window_tokens):
            self._course, self._window_tokens = course, window_tokens or 0
            self._draw()

    def retranslate(self) -> None:
        names = {
            "tokens": self.tr("Tokens"),
            "wait": self.tr("First token"),
            "money": self.tr("Money"),
        }
        self.tabs.rename(names)
        self._draw()

    @property
    def drawing(self) -> Drawing:
        return drawing_of(self._course, self._shown, self._window_tokens)

    def _choose(self, plot: str) -> None:
        self._shown = next(known for known in PLOTS if known == plot)
        self._draw()

    def _draw(self) -> None:
        drawing = self.drawing
        is_empty = not drawing.xs and not drawing.line
        self._room.setVisible(is_empty or self.plot is None)
        self._room.setText(self._empty() if is_empty else "")
        if self.plot:
            self.plot.setVisible(not is_empty)
            self.plot.draw(drawing)
            self.plot.setAccessibleName(self._title())
        self.told.setVisible(not is_empty)
        self._tell(-1)

    def _title(self) -> str:
        return {
            "tokens": self.tr("Tokens of each turn's last request"),
            "wait": self.tr("Seconds to the first token, by tokens of the prompt"),
            "money": self.tr("Money per turn; lighter: read from the cache"),
        }[self._shown]

    def _empty(self) -> str:
        return {
            "tokens": self.tr(
                "How large each turn's request was will be drawn here, and where it was compressed."
            ),
            "wait": self.tr("How long first tokens took, by the size of the prompt, will be drawn here."),
            "money": self.tr("What each turn cost will be drawn here, where prices are known."),
        }[self._shown]

    def _tell(self, index: int) -> None:
        """Say the point that is pointed at; else what is drawn."""
        told = self._title() if index < 0 else self._point(index)
        self.told.setText(told)
        if self.plot:
            self.plot.setAccessibleDescription(told)

    def _point(self, index: int) -> str:
        locale, course = self.locale(), self._course
        if self._shown == "tokens":
            size = course.sizes[index]
            return self.tr("Turn {turn}: {n} tokens").format(
                turn=size.turn, n=locale.toString(size.prompt_tokens)
            ) + self._drop(size.turn, locale)
        if self._shown == "wait":
            wait = course.first_tokens[index]
            return self.tr("Turn {turn}: {s} s at {n} tokens, {fresh} not cached").format(
                turn=wait.turn,
                s=locale.toString(wait.seconds, "f", 2),
                n=compact(wait.prompt_tokens, locale),
                fresh=compact(wait.fresh_tokens, locale),
            )
        turn = [item for item in course.money if item.usd is not None][index]
        told = self.tr("Turn {turn}: {usd}, {cached} of it read from the cache").format(
            turn=turn.turn, usd=money(turn.usd or 0.0, locale), cached=money(turn.cached_usd, locale)
        )
        return self.tr("{told}; in part unknown").format(told=told) if turn.is_partial else told

    def _drop(self, turn: int, locale: QLocale) -> str:
        drop = next((item for item in self._course.drops if item.turn == turn), None)
        if drop is None:
            return ""
        before, after = compact(drop.tokens_before, locale), compact(drop.tokens_after, locale)
        return " · " + self.tr("compressed before it: {before} → {after}").format(before=before, after=after)
