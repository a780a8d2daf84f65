"""The settings, in the chat's place: pages on the left with a search field, one page on the right."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.core.errors import AppError
from app.core.ids import ModelId
from ui.kit.icons import Icons
from ui.kit.inputs import LineInput
from ui.kit.theme import Theme
from ui.settings.about_page import AboutPage
from ui.settings.appearance_page import AppearancePage
from ui.settings.cache_page import CachePage
from ui.settings.chat_page import ChatPage
from ui.settings.context_page import ContextPage
from ui.settings.hooks.view import HooksPage
from ui.settings.hooks.view_model import HooksViewModel
from ui.settings.language_page import LanguagePage
from ui.settings.mcp.view import McpPage
from ui.settings.mcp.view_model import McpViewModel
from ui.settings.models.view import ModelsPage
from ui.settings.models.view_model import ModelsViewModel
from ui.settings.privacy_page import PrivacyPage
from ui.settings.prompts_page import PromptsPage
from ui.settings.providers.view import ProvidersPage
from ui.settings.providers.view_model import ProvidersViewModel
from ui.settings.rows import Page, button
from ui.settings.shortcuts.state import Binding
from ui.settings.shortcuts.view import ShortcutsPage
from ui.settings.state import PAGES, PageId
from ui.settings.storage.view import StoragePage
from ui.settings.storage.view_model import StorageViewModel
from ui.settings.tools_model import ToolsViewModel
from ui.settings.tools_page import ToolsPage
from ui.settings.trash.view import TrashPage
from ui.settings.trash.view_model import TrashViewModel
from ui.settings.usage.view import UsagePage
from ui.settings.usage.view_model import UsageViewModel
from ui.settings.view_model import SettingsViewModel

_SIDE_PX, _MOST_SHARE = 220, 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsModels:
    """The view models of all pages."""

    settings: SettingsViewModel
    providers: ProvidersViewModel
    models: ModelsViewModel
    storage: StorageViewModel
    trash: TrashViewModel
    tools: ToolsViewModel
    mcp: McpViewModel
    hooks: HooksViewModel
    usage: UsageViewModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """What the pages ask of whoever shows them.

    `say`: an error in the person's language. `open_link`: an address in the browser. `open_folder`: in the
    file manager. `bindings`: the commands, in the present language. `elsewhere`: see `Page.learn`.
    """

    say: Callable[[AppError], str]
    open_link: Callable[[str], None]
    open_folder: Callable[[Path], None]
    bindings: Callable[[], Sequence[Binding]]
    elsewhere: Callable[[str, str], str]


class SettingsView(QWidget):
    """Signals:
    closed(): Escape or "back".
    import_asked(), export_asked(): chats are to come in, all of them to go out.
    restore_asked(BackupFile): the chats are to be as they were then.
    """

    closed = Signal()
    import_asked = Signal()
    export_asked = Signal()
    restore_asked = Signal(object)

    def __init__(
        self,
        models: SettingsModels,
        outside: Outside,
        *,
        theme: Theme,
        icons: Icons,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._models, self._outside, self._theme, self._icons = models, outside, theme, icons
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._page: PageId = "providers"
        self._build()
        theme.changed.connect(self._restyle)

    @property
    def page(self) -> PageId:
        return self._page

    def show_page(self, page: PageId) -> None:
        self.list.setCurrentRow(PAGES.index(page))

    def show_endpoint(self, endpoint_id: str, field: str = "key") -> None:
        """Where a key that fails leads: to its field (U17)."""
        self.show_page("providers")
        self._models.providers.edit(endpoint_id)
        self.providers.form.focus_field(field)

    def show_window(self, model: ModelId) -> None:
        """Where "window unknown · set…" leads."""
        self.show_page("models")
        self.models.edit_window(model)

    def _build(self) -> None:
        self.search = LineInput(placeholder=self.tr("Search settings"))
        self.search.textChanged.connect(self._search)
        self.search.submitted.connect(self._to_page)
        self.search.stepped.connect(self._to_list)
        self.search.cancelled.connect(self._leave_search)
        self.back = button(self.tr("Back"), "quiet")
        self.back.clicked.connect(self.closed)
        self.list = QListWidget()
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setProperty("role", "pages")
        self.list.setAccessibleName(self.tr("Pages"))
        self.stack = QStackedWidget()
        self._pages = self._build_pages()
        self._has_learned = False
        for name in PAGES:
            item = QListWidgetItem(self._pages[name].title)
            item.setSizeHint(QSize(0, self._theme.size("control_px")))
            self.list.addItem(item)
            self.stack.addWidget(self._pages[name])
        self.list.currentRowChanged.connect(self._turn_to)
        side = QFrame()
        side.setProperty("role", "panel")
        column = QVBoxLayout(side)
        column.setContentsMargins(10, 12, 10, 12)
        column.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.search)
        column.addWidget(self.list)
        self._side = side
        self._row.addWidget(side)
        self._row.addWidget(self.stack, 1)
        self._restyle()
        self.list.setCurrentRow(PAGES.index(self._page))

    def _build_pages(self) -> dict[PageId, Page]:
        models, outside = self._models, self._outside
        self.providers = ProvidersPage(
            models.providers, theme=self._theme, say=outside.say, open_link=outside.open_link
        )
        self.models = ModelsPage(models.models, models.settings, theme=self._theme, say=outside.say)
        self.prompts = PromptsPage(models.settings)
        self.tools = ToolsPage(models.settings, models.tools, self._theme)
        self.hooks = HooksPage(models.hooks, theme=self._theme, say=outside.say)
        self.mcp = McpPage(models.mcp, theme=self._theme, say=outside.say)
        self.chat = ChatPage(models.settings, self._theme)
        self.context = ContextPage(models.models, models.settings, self._theme)
        self.cache = CachePage(models.settings, self._theme)
        self.appearance = AppearancePage(models.settings, self._theme)
        self.language = LanguagePage(models.settings, self._theme)
        self.shortcuts = ShortcutsPage(outside.bindings(), models.settings, self._theme)
        self.privacy = PrivacyPage(models.settings, self._theme)
        self.usage = UsagePage(models.usage, self._theme)
        self.storage = StoragePage(models.storage, models.settings, open_folder=outside.open_folder)
        self.storage.import_asked.connect(self.import_asked)
        self.storage.export_asked.connect(self.export_asked)
        self.storage.restore_asked.connect(self.restore_asked)
        self.trash = TrashPage(models.trash)
        return {
            "providers": self.providers,
            "models": self.models,
            "chat": self.chat,
            "prompts": self.prompts,
            "context": self.context,
            "tools": self.tools,
            "hooks": self.hooks,
            "mcp": self.mcp,
            "cache": self.cache,
            "appearance": self.appearance,
            "language": self.language,
            "shortcuts": self.shortcuts,
            "privacy": self.privacy,
            "usage": self.usage,
            "data": self.storage,
            "trash": self.trash,
            "about": AboutPage(),
        }

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_side()

    def _fit_side(self) -> None:
        """As wide as its words need, and never most of the room."""
        self._side.setFixedWidth(min(round(self._theme.px(_SIDE_PX)), round(self.width() * _MOST_SHARE)))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.matches(QKeySequence.StandardKey.Undo):
            self._models.settings.undo_last()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self._rebuild()

    def _rebuild(self) -> None:
        """In the new language; the page and what was typed in the form stay, since both are in the models."""
        for old in (self._side, self.stack):
            self._row.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._build()

    def _turn_to(self, row: int) -> None:
        self._page = PAGES[row]
        self.stack.setCurrentIndex(row)
        if self.isVisible():
            self._refresh()

    def _refresh(self) -> None:
        match self._page:
            case "providers":
                self._models.providers.refresh()
            case "models" | "context":
                self._models.models.refresh()
            case "tools":
                self._models.tools.refresh()
            case "mcp":
                self._models.mcp.refresh()
            case "data":
                self._models.storage.refresh()
            case "trash":
                self._models.trash.refresh()
            case "usage":
                self._models.usage.refresh()
            case _:
                pass

    def _search(self, text: str) -> None:
        words = text.strip().casefold()
        if not self._has_learned:
            self._has_learned = True
            for page in self._pages.values():
                page.learn(self._outside.elsewhere)
        found: list[PageId] = [name for name in PAGES if self._pages[name].show_found(words)]
        for row, name in enumerate(PAGES):
            self.list.item(row).setHidden(name not in found)
        if found and self._page not in found:
            self.show_page(found[0])

    def _to_page(self) -> None:
        """To the first thing on the page that takes keys."""
        page = self._pages[self._page]
        first = next((part for part in page.findChildren(QWidget) if _takes_keys(part)), page)
        first.setFocus(Qt.FocusReason.TabFocusReason)

    def _to_list(self) -> None:
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _leave_search(self) -> None:
        if self.search.text():
            self.search.clear()
        else:
            self.closed.emit()

    def _restyle(self) -> None:
        self.back.setIcon(self._icons.icon("chevron-left"))
        self._fit_side()


def _takes_keys(part: QWidget) -> bool:
    takes = bool(part.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return takes and part.isVisible() and part.isEnabled() and not isinstance(part, QAbstractScrollArea)
