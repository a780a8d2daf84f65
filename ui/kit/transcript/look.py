"""What drawing needs, in one value: theme, icons, colours of code, words, and fonts kept between paints."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QFont, QFontMetricsF, QPixmap

from ui.kit.formulas import Formulas
from ui.kit.icons import Icons
from ui.kit.items import ItemId
from ui.kit.markdown.highlight import Highlighter
from ui.kit.theme import FontRole, Theme, Tokens


class Words(QObject):
    """The transcript's own words, translated when asked."""

    def copy(self) -> str:
        return self.tr("Copy")

    def copied(self) -> str:
        return self.tr("Copied")

    def save(self) -> str:
        return self.tr("Save")

    def open_in_browser(self) -> str:
        return self.tr("Open in browser")

    def show_all(self, n_lines: int) -> str:
        return self.tr("Show all {n} lines").format(n=f"{n_lines:,}")

    def show_less(self) -> str:
        return self.tr("Show less")

    def load_image(self, host: str) -> str:
        return self.tr("load image from {host}?").format(host=host)

    def code(self) -> str:
        return self.tr("code")

    def newest(self) -> str:
        return self.tr("Newest")

    def new_text(self) -> str:
        return self.tr("New text below")

    def previous_version(self) -> str:
        return self.tr("Previous version")

    def next_version(self) -> str:
        return self.tr("Next version")

    def role_of(self, kind: str) -> str:
        """Who or what an item is, for a screen reader."""
        return {
            "UserItem": self.tr("You"),
            "PasteItem": self.tr("You, pasted"),
            "AssistantItem": self.tr("Answer"),
            "NoticeItem": self.tr("Notice"),
            "DividerItem": self.tr("Divider"),
            "StatusItem": self.tr("Status"),
            "ReasoningItem": self.tr("Reasoning"),
            "ToolItem": self.tr("Tool call"),
            "AgentsItem": self.tr("Sub-agents"),
            "HostedItem": self.tr("Question"),
        }[kind]

    def transcript(self) -> str:
        return self.tr("Conversation")


def _no_room(item: ItemId, width_px: float) -> float:
    return 0.0


class Look:
    """Shared by all pieces of one view; `forget()` after the theme changed."""

    def __init__(
        self, theme: Theme, icons: Icons, highlighter: Highlighter, formulas: Formulas, words: Words
    ) -> None:
        self.theme = theme
        self.icons = icons
        self.highlighter = highlighter
        self.formulas = formulas
        self.words = words
        self.dpr = 1.0
        self.rooms: Callable[[ItemId, float], float] = _no_room
        """How high the widget of a hosted item is at a width, both in px."""
        self._fonts: dict[FontRole, QFont] = {}
        self._metrics: dict[FontRole, QFontMetricsF] = {}

    @property
    def tokens(self) -> Tokens:
        return self.theme.tokens

    def px(self, size: float) -> float:
        return self.theme.px(size)

    def font(self, role: FontRole) -> QFont:
        if role not in self._fonts:
            self._fonts[role] = self.theme.font(role)
        return self._fonts[role]

    def metrics(self, role: FontRole) -> QFontMetricsF:
        if role not in self._metrics:
            self._metrics[role] = QFontMetricsF(self.font(role))
        return self._metrics[role]

    def icon(self, name: str, color: str, size_px: int) -> QPixmap:
        """The icon `name` in the token colour `color`, for the screen the view is on."""
        return self.icons.pixmap(name, self.theme.color(color), size_px=size_px, dpr=self.dpr)

    def forget(self) -> None:
        self._fonts.clear()
        self._metrics.clear()
