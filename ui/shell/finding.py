"""Finding in the window: the palette and the page of everything, around one application."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject

from app.bootstrap.application import Application
from app.core.entries import Chat
from app.core.ids import ChatId
from app.finding.found import Findings, Found
from app.tasks import TaskScope
from ui.finding.palette import Palette
from ui.finding.state import Kind, Option
from ui.finding.view import EverythingView
from ui.finding.view_model import EverythingModel, FindingPorts, PaletteModel
from ui.finding.words import FindingWords
from ui.kit.icons import Icons
from ui.kit.theme import Theme
from ui.settings.state import PAGES, PageId
from ui.shell.commands import Command, said, shown_keys
from ui.shell.window import MainWindow

EVERYTHING = "everything"
"""The name of the page."""
_NOT_LISTED = ("find", "stop", "answer_1", "answer_2", "answer_3", "refuse")
"""Commands that are of no use from the palette: itself, and what only a question or an answer takes."""


class Finding(QObject):
    """Args:
    chats: Newest first.
    open_message: Shows a message that was found, with what was typed.
    """

    def __init__(
        self,
        app: Application,
        window: MainWindow,
        tasks: TaskScope,
        *,
        look: tuple[Theme, Icons],
        chats: Callable[[], Iterable[Chat]],
        open_chat: Callable[[ChatId], None],
        open_message: Callable[[Found, str], None],
        open_settings: Callable[[PageId], None],
        leave: Callable[[], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._app, self._window, self._look, self._leave = app, window, look, leave
        self._open_settings = open_settings
        self.palette: Palette | None = None
        self.page: EverythingView | None = None
        ports = FindingPorts(
            find=self._find,
            chats=chats,
            options=self._options,
            open_chat=open_chat,
            open_message=open_message,
            run=self._run,
            untitled=FindingWords().untitled,
        )
        self._palette_model = PaletteModel(ports, tasks, self)
        self._palette_model.everything_wanted.connect(self.open_everything)
        self._everything_model = EverythingModel(ports, tasks, self)

    def open_palette(self) -> None:
        if self.palette is None:
            self.palette = Palette(self._palette_model, *self._look, self._window)
            self.palette.closed.connect(self._forget)
            self.palette.open_over(self._window)

    def open_everything(self, typed: str = "") -> None:
        if self.page is None:
            self.page = EverythingView(self._everything_model, *self._look)
            self.page.closed.connect(self._leave)
            self._window.add_page(EVERYTHING, self.page)
        self._window.show_page(EVERYTHING)
        self.page.open(typed)

    def _forget(self) -> None:
        self.palette = None

    async def _find(self, typed: str, limit: int) -> Findings:
        return await self._app.store.find(typed, limit=limit)

    def _options(self) -> list[Option]:
        commands = [self._option(each) for each in self._window.commands if each.id not in _NOT_LISTED]
        return commands + [
            Option(kind=Kind.SETTING, id=page, title=title, about=about)
            for page, (title, about) in zip(PAGES, self._pages(), strict=True)
        ]

    def _option(self, command: Command) -> Option:
        hint = shown_keys(command)
        return Option(
            kind=Kind.COMMAND, id=command.id, title=said(command.title), about=command.title, hint=hint
        )

    def _pages(self) -> tuple[tuple[str, str], ...]:
        """Title and what it is about, in the order of the pages."""
        by_page: dict[PageId, tuple[str, str]] = {
            "providers": (self.tr("Providers"), self.tr("keys, addresses, local servers")),
            "models": (self.tr("Models"), self.tr("default model, fallbacks, windows, prices")),
            "chat": (self.tr("Chat"), self.tr("Enter, instructions, reasoning, temperature")),
            "prompts": (self.tr("Prompts"), self.tr("words that you keep, variables")),
            "context": (self.tr("Context"), self.tr("compression, thresholds, window")),
            "tools": (self.tr("Tools"), self.tr("approvals, folders, web, shell")),
            "hooks": (self.tr("Hooks"), self.tr("commands of yours in a turn")),
            "mcp": (self.tr("MCP servers"), self.tr("servers of tools")),
            "cache": (self.tr("Cache"), self.tr("prompt cache, keeping warm, cost")),
            "appearance": (self.tr("Appearance"), self.tr("theme, dark, size of text, motion")),
            "language": (self.tr("Language"), self.tr("English, Chinese")),
            "shortcuts": (self.tr("Shortcuts"), self.tr("keys of commands")),
            "privacy": (self.tr("Privacy"), self.tr("hosts, links, telemetry")),
            "usage": (self.tr("Usage"), self.tr("tokens and cost per day, chat, model")),
            "data": (self.tr("Data"), self.tr("folder, backups")),
            "trash": (self.tr("Trash"), self.tr("deleted chats")),
            "about": (self.tr("About"), self.tr("version, licences")),
        }
        return tuple(by_page[page] for page in PAGES)

    def _run(self, option: Option) -> None:
        if option.kind is Kind.COMMAND:
            self._window.command(option.id).run()
        else:
            self._open_settings(next(page for page in PAGES if page == option.id))
