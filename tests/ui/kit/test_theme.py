"""Colours, fonts and the style sheet: one table, legible in both themes, live."""

import re
from dataclasses import fields
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ui.kit.theme import FontRole, Mode, Theme, Tokens, read_tokens

ROOT = Path(__file__).resolve().parents[3]
U2 = {
    "paper": ("#FAF7F0", "#15161A"),
    "panel": ("#F3EEE3", "#1B1D22"),
    "card": ("#FFFDF8", "#212329"),
    "line": ("#E4DCCB", "#30333B"),
    "ink": ("#221D15", "#E9E4D8"),
    "muted": ("#7B7262", "#948E80"),
    "accent": ("#2F4B7C", "#8FB0E8"),
    "healthy": ("#2E8B57", "#4FBF85"),
    "warning": ("#C9871F", "#E0A84A"),
    "critical": ("#B8433A", "#E06A5F"),
}
SURFACES = ("paper", "panel", "card", "code", "bubble", "chip", "hover", "inline_code", "track")
TEXTS = ("ink", "muted_text", "accent", "healthy_text", "warning_text", "critical_text")
PAIRS = [
    *((text, surface) for text in TEXTS for surface in SURFACES),
    *((f"{tone}_text", f"{tone}_soft") for tone in ("healthy", "warning", "critical")),
    *((name, "code") for name in Tokens.__dataclass_fields__ if name.startswith("syntax_")),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
    ("on_selection", "selection"),
    ("on_found", "found"),
    ("on_tooltip", "tooltip"),
]


def luminance(color: QColor) -> float:
    def linear(value: float) -> float:
        return value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF())


def contrast(front: QColor, back: QColor) -> float:
    low, high = sorted((luminance(front), luminance(back)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_every_text_is_legible_on_every_surface(mode: str) -> None:
    """U2: at least 4.5:1."""
    tokens = getattr(read_tokens(), mode)

    weak = {
        (text, surface): round(ratio, 2)
        for text, surface in PAIRS
        if (ratio := contrast(getattr(tokens, text), getattr(tokens, surface))) < 4.5
    }

    assert weak == {}


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_every_band_can_be_told_from_the_card_it_lies_on(mode: str) -> None:
    """In the dark, that of the person's own words could hardly be seen."""
    tokens = getattr(read_tokens(), mode)
    bands = [field.name for field in fields(Tokens) if field.name.startswith("band_")]

    weak = {name: contrast(getattr(tokens, name), tokens.card) for name in bands}

    assert {name: ratio for name, ratio in weak.items() if ratio < 1.7} == {}


def test_the_ten_colours_are_those_of_the_specification() -> None:
    """U2."""
    table = read_tokens()

    read = {name: (getattr(table.light, name), getattr(table.dark, name)) for name in U2}

    assert read == {name: (QColor(light), QColor(dark)) for name, (light, dark) in U2.items()}


def test_no_colour_is_written_anywhere_but_in_the_table() -> None:
    """U2."""
    literal = re.compile(r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b(?=[\"';])|QColor\(\s*[\"'\d]|rgba?\(\s*\d")
    files = [*(ROOT / "ui").rglob("*.py"), *(ROOT / "resources").rglob("*.svg")]
    files += (ROOT / "resources").rglob("*.in")

    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if literal.search(line)
    ]

    assert found == []


def test_the_style_sheet_has_no_name_left_unfilled(theme: Theme) -> None:
    assert "$" not in theme.style_sheet()


def test_switching_changes_palette_and_sheet_at_once_and_tells(qtbot: QtBot, theme: Theme) -> None:
    before = theme.style_sheet()

    with qtbot.waitSignal(theme.changed):
        theme.set_mode(Mode.DARK)

    app = QApplication.instance()
    assert isinstance(app, QApplication)
    assert app.palette().color(QPalette.ColorRole.Window) == theme.tokens.paper
    assert theme.is_dark
    assert theme.style_sheet() != before


def test_choosing_the_same_theme_again_tells_nothing(qtbot: QtBot, theme: Theme) -> None:
    with qtbot.assertNotEmitted(theme.changed):
        theme.set_mode(Mode.LIGHT)


@pytest.mark.parametrize(("asked", "got"), [(150, 150), (20, 80), (900, 200)])
def test_zoom_scales_every_font_within_bounds(theme: Theme, asked: int, got: int) -> None:
    size = theme.font(FontRole.TEXT).pixelSize()

    theme.set_zoom(asked)

    assert theme.zoom_percent == got
    assert theme.font(FontRole.TEXT).pixelSize() == round(size * got / 100)


@pytest.mark.parametrize("role", list(FontRole))
def test_every_font_can_show_chinese(theme: Theme, role: FontRole) -> None:
    assert any("CJK" in family or "Sarasa" in family for family in theme.font(role).families())
