"""Icons: all of them draw, in the colour asked for, once."""

import pytest
from PySide6.QtGui import QColor, QPixmap

from ui.kit.icons import NAMES, Icons
from ui.kit.theme import Mode, Theme


def colours(pixmap: QPixmap) -> set[tuple[int, int, int]]:
    image = pixmap.toImage()
    points = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    assert any(point.alpha() for point in points)
    return {(point.red(), point.green(), point.blue()) for point in points if point.alpha() == 255}


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_icon_draws_in_the_colour_asked_for(icons: Icons, theme: Theme, name: str) -> None:
    critical = theme.tokens.critical

    drawn = colours(icons.pixmap(name, critical, size_px=40))

    assert drawn <= {(critical.red(), critical.green(), critical.blue())}


def test_an_icon_is_as_sharp_as_the_screen(icons: Icons, theme: Theme) -> None:
    pixmap = icons.pixmap("plus", theme.tokens.ink, size_px=16, dpr=2.0)

    assert (pixmap.width(), pixmap.devicePixelRatio()) == (32, 2.0)


def test_an_icon_is_drawn_once_until_the_theme_changes(icons: Icons, theme: Theme) -> None:
    ink = QColor(theme.tokens.ink)
    first = icons.pixmap("plus", ink)
    again = icons.pixmap("plus", ink)

    theme.set_mode(Mode.DARK)

    assert again.cacheKey() == first.cacheKey()
    assert icons.pixmap("plus", ink).cacheKey() != first.cacheKey()
