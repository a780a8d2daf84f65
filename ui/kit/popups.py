"""What opens over a window, with round corners whether or not somebody composes the screen."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QGuiApplication, QPainterPath, QRegion, QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from ui.kit.theme import Theme


class Popup(QFrame):
    """A card over its window; closes by Escape or a click elsewhere."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._theme = theme
        self.setProperty("role", "popup")
        _let_through(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        _cut(self, self._theme.size("card_radius_px"))


class Menu(QMenu):
    """A menu as the style sheet draws it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        _let_through(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        _cut(self, self._theme.size("radius_px"))


def _is_composed() -> bool:
    """Whether what is not painted is surely see-through. X11 can do without a compositor, and Qt can't tell."""
    return QGuiApplication.platformName() in ("wayland", "cocoa", "windows")


def _let_through(window: QWidget) -> None:
    if _is_composed():
        window.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        window.setWindowFlag(Qt.WindowType.NoDropShadowWindowHint)


def _cut(window: QWidget, radius_px: int) -> None:
    """Cut the corners off where they would stand out as a square."""
    if not _is_composed():
        outline = QPainterPath()
        inner_px = radius_px - 1  # so that the whole of the drawn edge stays
        outline.addRoundedRect(QRectF(window.rect()), inner_px, inner_px)
        window.setMask(QRegion(outline.toFillPolygon().toPolygon()))
