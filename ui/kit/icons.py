"""Our own line icons, coloured from the theme and drawn sharp at any device pixel ratio."""

from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from ui.kit.theme import RESOURCES, Theme

ICON_PX = 18
NAMES = frozenset(path.stem for path in (RESOURCES / "icons").glob("*.svg"))


class Icons(QObject):
    """Icons by name, cached by (name, colour, size, device pixel ratio); dropped when the theme changes."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._theme = theme
        self._sources: dict[str, str] = {}
        self._pixmaps: dict[tuple[str, int, int, float], QPixmap] = {}
        theme.changed.connect(self._pixmaps.clear)

    def pixmap(self, name: str, color: QColor, *, size_px: int = ICON_PX, dpr: float = 1.0) -> QPixmap:
        """The icon `name` in `color`; an unknown name raises FileNotFoundError."""
        key = (name, color.rgba(), size_px, dpr)
        if key not in self._pixmaps:
            self._pixmaps[key] = self._draw(name, color, QSize(size_px, size_px), dpr)
        return self._pixmaps[key]

    def icon(self, name: str, color: QColor | None = None, *, size_px: int = ICON_PX) -> QIcon:
        """A QIcon in `color` (default ink; disabled: muted), with pixmaps for 1x and 2x screens."""
        icon = QIcon()
        tokens = self._theme.tokens
        for dpr in (1.0, 2.0):
            icon.addPixmap(self.pixmap(name, color or tokens.ink, size_px=size_px, dpr=dpr))
            muted = self.pixmap(name, tokens.muted, size_px=size_px, dpr=dpr)
            icon.addPixmap(muted, QIcon.Mode.Disabled)
        return icon

    def _draw(self, name: str, color: QColor, size: QSize, dpr: float) -> QPixmap:
        if name not in self._sources:
            self._sources[name] = (RESOURCES / "icons" / f"{name}.svg").read_text(encoding="utf-8")
        source = self._sources[name].replace("currentColor", color.name())
        pixmap = QPixmap(size * dpr)
        pixmap.setDevicePixelRatio(dpr)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        QSvgRenderer(QByteArray(source.encode())).render(painter, QRectF(0, 0, size.width(), size.height()))
        painter.end()
        return pixmap
