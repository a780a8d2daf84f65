"""The context ring (U3): what it says, what it paints, and how it is reached by keyboard."""

from time import thread_time
from typing import Literal

import pytest
from PySide6.QtCore import QLocale, QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.context.budget import Category, Fill, Growth, Projection, Stage
from app.context.budget import Health as Measured
from app.models.window import Window, WindowSource
from ui.health.ring import ContextRing
from ui.health.ring_drawing import COMPOSER, PANEL, TINY, Dots, RingShape, paint_ring
from ui.health.state import HEALTHS, Health, RingState, dot_state, ring_state
from ui.kit.bands import CompositionBar, in_order
from ui.kit.figures import compact, percent
from ui.kit.theme import Mode, Theme

ENGLISH = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
GERMAN = QLocale(QLocale.Language.German, QLocale.Country.Germany)


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp, Mode.LIGHT)


@pytest.fixture
def ring(theme: Theme, qtbot: QtBot) -> ContextRing:
    ring = ContextRing(theme, reduce_motion=True)
    ring.setLocale(ENGLISH)
    qtbot.addWidget(ring)
    return ring


def a_state(
    use: float | None = 0.42,
    *,
    health: Health = "healthy",
    ghost: float = 0.0,
    used_tokens: int = 84_000,
    window_tokens: int | None = 200_000,
    turns_left: int | None = None,
    composition: tuple[tuple[Category, int], ...] = (),
) -> RingState:
    return RingState(
        use=use,
        ghost=ghost,
        health=health,
        used_tokens=used_tokens,
        window_tokens=window_tokens,
        turns_left=turns_left,
        composition=composition,
    )


def painted(state: RingState, shape: RingShape, theme: Theme, dpr: int) -> QImage:
    side = shape.size_px * dpr
    image = QImage(side, side, QImage.Format.Format_ARGB32)
    image.setDevicePixelRatio(dpr)
    image.fill(theme.tokens.card)
    painter = QPainter(image)
    paint_ring(painter, QRectF(0, 0, shape.size_px, shape.size_px), state, shape=shape, theme=theme)
    painter.end()
    return image


def is_near(image: QImage, x: float, y: float, color: QColor) -> bool:
    """Whether the pixel at the shares `x`, `y` of the picture is `color`, give or take anti-aliasing."""
    found = image.pixelColor(QPoint(round(x * image.width()), round(y * image.height())))
    return (
        abs(found.red() - color.red()) <= 12
        and abs(found.green() - color.green()) <= 12
        and abs(found.blue() - color.blue()) <= 12
    )


def test_a_screen_reader_hears_percent_and_tokens(ring: ContextRing) -> None:
    ring.draw(a_state())

    assert ring.accessibleName() == "Context 42 percent, 84 of 200 thousand tokens, estimated"
    assert ring.accessibleDescription() == "healthy"


def test_the_tooltip_names_figures_what_fills_the_window_and_turns_left(ring: ContextRing) -> None:
    state = a_state(
        0.7605,
        used_tokens=152_100,
        turns_left=9,
        composition=((Category.SYSTEM, 23_000), (Category.TOOL_RESULTS, 88_700), (Category.DRAFT, 40_400)),
    )

    ring.draw(state)

    assert ring.toolTip().splitlines()[:4] == [
        "76 % · 152.1K / 200K",
        "Tool results  88.7K",
        "Draft  40.4K",
        "System  23K",
    ]
    assert "9 turn" in ring.toolTip()


def test_an_unknown_window_is_said_and_can_be_set(ring: ContextRing, qtbot: QtBot) -> None:
    ring.draw(a_state(None, health="inactive", window_tokens=None))
    ring.show()

    ring.open_popover()
    popover = ring.popover
    assert popover is not None
    with qtbot.waitSignal(ring.window_asked):
        QTest.mouseClick(popover.set_button, Qt.MouseButton.LeftButton)

    assert ring.toolTip().startswith("window unknown · set…")
    assert ring.accessibleName() == "Context 84 thousand tokens, window unknown, estimated"
    assert not popover.isVisible()


@pytest.mark.parametrize("dpr", [1, 2])
@pytest.mark.parametrize("shape", [COMPOSER, PANEL], ids=["composer", "panel"])
def test_the_arc_begins_at_noon_runs_clockwise_and_leaves_the_rest_as_track(
    theme: Theme, shape: RingShape, dpr: Literal[1, 2]
) -> None:
    middle_of_stroke = (shape.stroke_px / 2 + 0.5) / shape.size_px

    image = painted(a_state(0.3), shape, theme, dpr)

    tokens = theme.tokens
    assert is_near(image, 1 - middle_of_stroke, 0.5, tokens.healthy)  # 3 o'clock, at 25 %
    assert is_near(image, middle_of_stroke, 0.5, tokens.track)  # 9 o'clock, at 75 %
    assert is_near(image, 0.5, 0.5, tokens.card)


@pytest.mark.parametrize("dpr", [1, 2])
def test_the_draft_is_a_paler_piece_after_the_arc(theme: Theme, dpr: Literal[1, 2]) -> None:
    middle_of_stroke = (PANEL.stroke_px / 2 + 0.5) / PANEL.size_px

    image = painted(a_state(0.8, ghost=0.2), PANEL, theme, dpr)

    ghost = image.pixelColor(round(middle_of_stroke * image.width()), image.height() // 2)
    assert is_near(image, 1 - middle_of_stroke, 0.5, theme.tokens.healthy)
    assert ghost not in (theme.tokens.healthy, theme.tokens.track)
    assert ghost.green() < theme.tokens.track.green()


@pytest.mark.parametrize("shape", [COMPOSER, PANEL, TINY], ids=["composer", "panel", "tiny"])
def test_each_health_has_a_sign_of_its_own_shape_and_not_only_its_colour(
    theme: Theme, shape: RingShape
) -> None:
    outlines: set[frozenset[tuple[int, int]]] = set()
    for health in HEALTHS:
        image = painted(a_state(0.0, health=health), shape, theme, 2)
        side = range(image.width())
        ink = theme.color(health)
        outlines.add(
            frozenset((x, y) for x in side for y in side if is_near(image, x / len(side), y / len(side), ink))
        )

    assert len(outlines) == len(HEALTHS)


def test_an_update_takes_less_than_two_milliseconds(ring: ContextRing, qtbot: QtBot) -> None:
    with qtbot.waitExposed(ring):
        ring.show()
    states = [a_state(step / 100, used_tokens=2000 * step) for step in range(1, 100)]

    times: list[float] = []
    for state in states:
        started_at = thread_time()
        ring.draw(state)
        ring.repaint()
        times.append(thread_time() - started_at)

    assert sorted(times)[len(times) // 2] * 1000 < 2


def test_the_arc_moves_unless_motion_is_reduced(theme: Theme, qtbot: QtBot) -> None:
    moving, still = ContextRing(theme), ContextRing(theme, reduce_motion=True)
    for ring in (moving, still):
        qtbot.addWidget(ring)
        with qtbot.waitExposed(ring):
            ring.show()

    for ring in (moving, still):
        ring.draw(a_state(0.9, health="critical"))

    assert still.shown_use == 0.9
    assert moving.shown_use < 0.9
    qtbot.waitUntil(lambda: moving.shown_use == 0.9)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_the_popover_opens_by_keyboard_and_closes_by_escape(ring: ContextRing, key: Qt.Key) -> None:
    ring.draw(a_state(composition=((Category.SYSTEM, 80_000), (Category.YOU, 4_000))))
    ring.show()

    QTest.keyClick(ring, key)
    popover = ring.popover
    assert popover is not None
    assert popover.isVisible()
    words = [label.text() for label in popover.findChildren(QLabel)]
    QTest.keyClick(popover, Qt.Key.Key_Escape)

    assert "84K used · 116K free" in words
    assert words.index("System") < words.index("You")
    assert not popover.isVisible()
    assert ring.focusPolicy() == Qt.FocusPolicy.StrongFocus


def test_the_bands_of_the_bar_add_up_to_the_used_share(theme: Theme, qtbot: QtBot) -> None:
    bar = CompositionBar(theme)
    qtbot.addWidget(bar)

    bar.draw(((Category.DRAFT, 4_000), (Category.SYSTEM, 30_000), (Category.TOOL_RESULTS, 50_000)), 200_000)

    bands = bar.bands(1000)
    assert [name for name, _, _ in bands] == [Category.SYSTEM, Category.TOOL_RESULTS, Category.DRAFT]
    assert sum(width for _, _, width in bands) == pytest.approx(420)


def test_categories_stand_in_their_fixed_order_and_empty_ones_are_left_out() -> None:
    assert in_order(((Category.DRAFT, 1), (Category.YOU, 0), (Category.SYSTEM, 2))) == (
        (Category.SYSTEM, 2),
        (Category.DRAFT, 1),
    )


@pytest.mark.parametrize(
    ("n", "locale", "text"),
    [
        (0, ENGLISH, "0"),
        (999, ENGLISH, "999"),
        (1_000, ENGLISH, "1K"),
        (23_012, ENGLISH, "23.0K"),
        (152_100, ENGLISH, "152.1K"),
        (152_100, GERMAN, "152,1K"),
        (200_000, ENGLISH, "200K"),
        (999_949, ENGLISH, "999.9K"),
        (999_950, ENGLISH, "1.0M"),
        (1_200_000, ENGLISH, "1.2M"),
    ],
)
def test_figures_are_short_and_follow_the_locale(n: int, locale: QLocale, text: str) -> None:
    assert compact(n, locale) == text


def test_a_percentage_never_shows_a_threshold_that_is_not_reached() -> None:
    assert [percent(use) for use in (0.0, 0.29, 0.7499, 0.75, 1.204)] == [0, 29, 74, 75, 120]


def a_fill(window_tokens: int) -> Fill:
    return Fill(
        projection=Projection(
            estimated_tokens=84_000,
            projected_tokens=84_000,
            projected_upper_tokens=88_000,
            ratio=1.0,
            has_base=True,
        ),
        window=Window(tokens=window_tokens, source=WindowSource.REGISTRY),
        room_tokens=8_192,
        stage=Stage.WATCH,
        health=Measured.HEALTHY if window_tokens else Measured.UNKNOWN,
        composition=((Category.SYSTEM, 64_000), (Category.DRAFT, 20_000)),
    )


def test_a_fill_becomes_a_ring_whose_ghost_is_the_draft() -> None:
    assert ring_state(
        a_fill(200_000), Growth(tokens_per_turn=5_300.4, acceleration=0.0, turns_left=9), last_tokens=64_123
    ) == RingState(
        use=0.42,
        ghost=0.1,
        health="healthy",
        is_estimate=False,
        text="42%",
        used_tokens=84_000,
        window_tokens=200_000,
        turns_left=9,
        growth_tokens=5_300,
        last_tokens=64_123,
        source=WindowSource.REGISTRY,
        composition=((Category.SYSTEM, 64_000), (Category.DRAFT, 20_000)),
    )


@pytest.mark.parametrize(("used", "window", "free"), [(300, 1000, 700), (1200, 1000, 0), (300, None, None)])
def test_what_is_free_is_never_less_than_nothing(used: int, window: int | None, free: int | None) -> None:
    assert RingState(used_tokens=used, window_tokens=window).free_tokens == free


def test_a_fill_of_an_unknown_window_is_a_hollow_ring() -> None:
    state = ring_state(a_fill(0))

    assert (state.use, state.health, state.window_tokens, state.ghost) == (None, "inactive", None, 0.0)


def test_a_list_draws_the_same_scale_once_per_percent(theme: Theme) -> None:
    dots = Dots(theme)

    assert [dot_state(use).health for use in (None, 0.7499, 0.75, 0.9)] == [
        "inactive",
        "healthy",
        "warning",
        "critical",
    ]
    assert dots(0.421, 12, 2.0) is dots(0.429, 12, 2.0)
    assert dots(0.42, 12, 2.0).width() == 24


def test_nothing_is_drawn_outside_the_ring(theme: Theme) -> None:
    """An empty arc with a round cap was a dot in the corner."""
    picture = QImage(60, 60, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.white)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    paint_ring(painter, QRectF(15, 15, 30, 30), RingState(use=0.01), shape=COMPOSER, theme=theme)
    painter.end()

    corner = {picture.pixel(x, y) for x in range(18) for y in range(18)}
    assert corner == {0xFFFFFFFF}
