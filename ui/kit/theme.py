"""Colours, fonts and sizes of the whole window: one token table, told to Qt as palette, fonts and style sheet."""

import json
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from string import Template
from typing import cast

from PySide6.QtCore import QObject, Qt, QTemporaryDir, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

RESOURCES = Path(__file__).resolve().parents[2] / "resources"
MIN_ZOOM_PERCENT, MAX_ZOOM_PERCENT = 80, 200


class Mode(StrEnum):
    """Which of the two colour tables holds; `SYSTEM` follows the desktop, live."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class FontRole(StrEnum):
    """What a font is for; sizes and families stand in the token table."""

    TEXT = "text"
    STRONG = "strong"
    SMALL = "small"
    TINY = "tiny"
    CODE = "code"
    TITLE = "title"
    DISPLAY = "display"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """One colour table; `*_text` is the shade of a colour that is legible as text on every surface."""

    paper: QColor
    panel: QColor
    card: QColor
    line: QColor
    ink: QColor
    muted: QColor
    muted_text: QColor
    accent: QColor
    accent_hover: QColor
    on_accent: QColor
    healthy: QColor
    warning: QColor
    critical: QColor
    inactive: QColor
    healthy_text: QColor
    warning_text: QColor
    critical_text: QColor
    healthy_soft: QColor
    warning_soft: QColor
    critical_soft: QColor
    track: QColor
    chip: QColor
    hover: QColor
    bubble: QColor
    code: QColor
    inline_code: QColor
    selection: QColor
    on_selection: QColor
    found: QColor
    on_found: QColor
    focus: QColor
    tooltip: QColor
    on_tooltip: QColor
    shadow: QColor
    syntax_keyword: QColor
    syntax_type: QColor
    syntax_string: QColor
    syntax_number: QColor
    syntax_comment: QColor
    syntax_function: QColor
    syntax_inserted: QColor
    syntax_deleted: QColor
    band_system: QColor
    band_summary: QColor
    band_documents: QColor
    band_memory: QColor
    band_tools: QColor
    band_you: QColor
    band_assistant: QColor
    band_reasoning: QColor
    band_media: QColor
    band_draft: QColor


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenTable:
    """`resources/themes/tokens.json` as read: two colour tables, sizes in px at 100 %, font families."""

    light: Tokens
    dark: Tokens
    sizes: dict[str, int]
    families: dict[str, list[str]]


def read_tokens(path: Path = RESOURCES / "themes" / "tokens.json") -> TokenTable:
    """The token table; a missing or unknown name raises TypeError or KeyError at start."""
    table = json.loads(path.read_text(encoding="utf-8"))
    light, dark = (
        Tokens(**{name: QColor(value) for name, value in table[mode].items()}) for mode in ("light", "dark")
    )
    return TokenTable(light=light, dark=dark, sizes=table["sizes"], families=table["families"])


class Theme(QObject):
    """The one theme, built in `ui/main.py` and handed down.

    Signals:
        changed(): colours, fonts or zoom differ; whoever caches a drawing drops it and repaints.
    """

    changed = Signal()

    def __init__(self, app: QApplication, mode: Mode = Mode.SYSTEM, *, zoom_percent: int = 100) -> None:
        super().__init__()
        self._app = app
        self._table = read_tokens()
        self._sheet = Template((RESOURCES / "themes" / "app.qss.in").read_text(encoding="utf-8"))
        self._folder = QTemporaryDir()
        self._mode = mode
        self._zoom_percent = _clamped(zoom_percent)
        self._is_dark = self._wants_dark()
        self.generation = 0
        app.setStyle("Fusion")
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)
        self._apply()

    @property
    def tokens(self) -> Tokens:
        """The colour table that holds now."""
        return self._table.dark if self._is_dark else self._table.light

    @property
    def is_dark(self) -> bool:
        return self._is_dark

    @property
    def mode(self) -> Mode:
        return self._mode

    @property
    def zoom_percent(self) -> int:
        return self._zoom_percent

    def color(self, name: str) -> QColor:
        """The colour called `name` in the token table."""
        return cast(QColor, getattr(self.tokens, name))

    def px(self, size: float) -> float:
        """`size` at 100 %, in px at the present zoom."""
        return size * self._zoom_percent / 100

    def size(self, name: str) -> int:
        """A size of the token table (`radius_px`, `control_px` …) at the present zoom."""
        return round(self.px(self._table.sizes[name]))

    def font(self, role: FontRole) -> QFont:
        """A new font for `role` at the present zoom."""
        font = QFont()
        family = {FontRole.CODE: "code", FontRole.DISPLAY: "serif"}.get(role, "ui")
        font.setFamilies(self._table.families[family])
        size = "text" if role is FontRole.STRONG else role.value
        font.setPixelSize(self.size(f"{size}_px"))
        if role in (FontRole.STRONG, FontRole.TITLE, FontRole.DISPLAY):
            font.setWeight(QFont.Weight.DemiBold)
        if role is FontRole.CODE:
            font.setStyleHint(QFont.StyleHint.Monospace)
            font.setFixedPitch(True)
        return font

    def set_mode(self, mode: Mode) -> None:
        """Light, dark or as the system; holds at once."""
        self._mode = mode
        self._follow_system()

    def set_zoom(self, percent: int) -> None:
        """Text size, 80…200 %; anything outside is clamped."""
        percent = _clamped(percent)
        if percent != self._zoom_percent:
            self._zoom_percent = percent
            self._apply()

    def _wants_dark(self) -> bool:
        if self._mode is not Mode.SYSTEM:
            return self._mode is Mode.DARK
        return QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark

    def _follow_system(self) -> None:
        if self._wants_dark() != self._is_dark:
            self._is_dark = self._wants_dark()
            self._apply()

    def _apply(self) -> None:
        self.generation += 1
        self._app.setPalette(_palette(self.tokens))
        self._app.setFont(self.font(FontRole.TEXT))
        self._app.setStyleSheet(self.style_sheet())
        self.changed.emit()

    def style_sheet(self) -> str:
        """The style sheet of the present colours and sizes; an unknown name in the template raises KeyError."""
        values = {field.name: _css(self.color(field.name)) for field in fields(Tokens)}
        values |= {name: str(self.size(name)) for name in self._table.sizes}
        for name, families in self._table.families.items():
            values[f"{name}_families"] = ", ".join(f'"{family}"' for family in families)
        values["drawn"] = self._draw_icons()
        return self._sheet.substitute(values)

    def _draw_icons(self) -> str:
        """A folder with the icons that the style sheet needs, in the present colours.

        A style sheet takes pictures from files only; each change gets a new folder, since Qt caches by path.
        """
        folder = Path(self._folder.path()) / str(self.generation)
        folder.mkdir(exist_ok=True)
        tokens = self.tokens
        drawn = {
            "check": tokens.on_accent,
            "chevron-down": tokens.muted_text,
            "chevron-up": tokens.muted_text,
        }
        for name, color in drawn.items():
            source = (RESOURCES / "icons" / f"{name}.svg").read_text(encoding="utf-8")
            text = source.replace("currentColor", color.name())
            (folder / f"{name}.svg").write_text(text, encoding="utf-8")
        return folder.as_posix()


def _clamped(percent: int) -> int:
    return max(MIN_ZOOM_PERCENT, min(MAX_ZOOM_PERCENT, percent))


def _css(color: QColor) -> str:
    return f"rgba({color.red()}, {color.green()}, {color.blue()}, {color.alphaF():.3f})"


def _palette(tokens: Tokens) -> QPalette:
    """Fusion's palette: everything the style sheet doesn't reach still has the right colours."""
    role = QPalette.ColorRole
    palette = QPalette()
    for name, color in {
        role.Window: tokens.paper,
        role.WindowText: tokens.ink,
        role.Base: tokens.card,
        role.AlternateBase: tokens.panel,
        role.Text: tokens.ink,
        role.Button: tokens.card,
        role.ButtonText: tokens.ink,
        role.BrightText: tokens.on_accent,
        role.Highlight: tokens.selection,
        role.HighlightedText: tokens.on_selection,
        role.Link: tokens.accent,
        role.LinkVisited: tokens.accent,
        role.PlaceholderText: tokens.muted_text,
        role.ToolTipBase: tokens.tooltip,
        role.ToolTipText: tokens.on_tooltip,
        role.Accent: tokens.accent,
        role.Light: tokens.card,
        role.Midlight: tokens.panel,
        role.Mid: tokens.line,
        role.Dark: tokens.line,
        role.Shadow: tokens.muted,
    }.items():
        palette.setColor(name, color)
    for name in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, name, tokens.muted)
    return palette
