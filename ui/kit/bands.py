"""What fills a context, by category: its colours, names and order, a square and a bar of them."""

from collections.abc import Mapping

from PySide6.QtCore import QObject, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.context.budget import Category
from ui.kit.theme import Theme

BANDS: Mapping[Category, str] = {
    Category.SYSTEM: "band_system",
    Category.TOOLS: "inactive",
    Category.NOTES: "band_summary",
    Category.DOCUMENTS: "band_documents",
    Category.MEMORY: "band_memory",
    Category.TOOL_RESULTS: "band_tools",
    Category.YOU: "band_you",
    Category.ASSISTANT: "band_assistant",
    Category.REASONING: "band_reasoning",
    Category.MEDIA: "band_media",
    Category.DRAFT: "band_draft",
}
"""Categories (U5) in their fixed order, each with the name of its colour."""


def in_order(composition: tuple[tuple[Category, int], ...]) -> tuple[tuple[Category, int], ...]:
    """`composition` in the fixed order of categories, without those that hold nothing."""
    order = tuple(BANDS)
    return tuple(sorted((item for item in composition if item[1] > 0), key=lambda item: order.index(item[0])))


class CategoryWords(QObject):
    """Names of categories in the present language."""

    def name(self, name: Category) -> str:
        return {
            Category.SYSTEM: self.tr("System"),
            Category.TOOLS: self.tr("Tools"),
            Category.NOTES: self.tr("Ledger, summary, notes"),
            Category.DOCUMENTS: self.tr("Documents"),
            Category.MEMORY: self.tr("Memory"),
            Category.TOOL_RESULTS: self.tr("Tool results"),
            Category.YOU: self.tr("You"),
            Category.ASSISTANT: self.tr("Assistant"),
            Category.REASONING: self.tr("Reasoning"),
            Category.MEDIA: self.tr("Media"),
            Category.DRAFT: self.tr("Draft"),
        }[name]


class CompositionBar(QWidget):
    """Tokens by category as one bar in fixed order; what is left of it is free."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._composition: tuple[tuple[Category, int], ...] = ()
        self._whole = 1
        self.setFixedHeight(round(theme.px(8)))

    def draw(self, composition: tuple[tuple[Category, int], ...], whole_tokens: int) -> None:
        """Args: `whole_tokens`: what the whole bar stands for; less than there is: all of that."""
        self._composition = in_order(composition)
        self._whole = max(whole_tokens, sum(tokens for _, tokens in composition), 1)
        self.update()

    def bands(self, width: float) -> tuple[tuple[Category, float, float], ...]:
        """(category, left, width) of each band; all of them together are the used share of `width`."""
        found: list[tuple[Category, float, float]] = []
        left = 0.0
        for name, tokens in self._composition:
            found.append((name, left, width * tokens / self._whole))
            left += width * tokens / self._whole
        return tuple(found)

    def paintEvent(self, event: QPaintEvent) -> None:
        area = QRectF(self.rect())
        outline = QPainterPath()
        outline.addRoundedRect(area, area.height() / 2, area.height() / 2)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipPath(outline)
        painter.fillRect(area, self._theme.tokens.track)
        for name, left, width in self.bands(area.width()):
            painter.fillRect(QRectF(left, 0, width, area.height()), self._theme.color(BANDS[name]))
        painter.end()


class Swatch(QWidget):
    """A little square in a category's colour, beside its name."""

    def __init__(self, theme: Theme, color: str) -> None:
        super().__init__()
        self._theme, self._color = theme, color
        side = round(theme.px(10))
        self.setFixedSize(QSize(side, side))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(self._color))
        painter.drawRoundedRect(self.rect(), 2, 2)
        painter.end()
