"""The palette and the page of everything as they stand; half-typed words never block: the newest question wins."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from app.core.entries import Chat
from app.core.ids import ChatId
from app.finding.found import Findings, Found
from app.tasks import TaskScope
from ui.finding.state import EverythingState, Kind, Option, PaletteState, palette_rows

_TYPING_S = 0.12
_IN_PALETTE, _A_PAGE = 8, 50


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingPorts:
    """What finding asks of the window and the application."""

    find: Callable[[str, int], Awaitable[Findings]]
    """What was typed, and how many at most."""
    chats: Callable[[], Iterable[Chat]]
    """Newest first."""
    options: Callable[[], Iterable[Option]]
    """Commands and settings."""
    open_chat: Callable[[ChatId], None]
    open_message: Callable[[Found, str], None]
    """With what was typed."""
    run: Callable[[Option], None]
    """Do a command, or open a page of settings."""
    untitled: Callable[[], str]


class PaletteModel(QObject):
    """
    Signals:
        changed(PaletteState): the whole new state.
        done(): something was chosen.
        everything_wanted(str): the page of everything, with what was typed.
    """

    changed = Signal(object)
    done = Signal()
    everything_wanted = Signal(str)

    def __init__(self, ports: FindingPorts, tasks: TaskScope, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ports, self._tasks = ports, tasks
        self._options: tuple[Option, ...] = ()
        self._found: tuple[Found, ...] = ()
        self.state = PaletteState()

    def open(self) -> None:
        """Take in what can be chosen now."""
        untitled = self._ports.untitled()
        chats = (
            Option(kind=Kind.CHAT, id=chat.id, title=chat.title or untitled) for chat in self._ports.chats()
        )
        self._options = (*chats, *self._ports.options())
        self._found = ()
        self._tell("", is_looking=False)

    def type(self, typed: str) -> None:
        if typed.strip():
            self._tasks.start("palette", self._look(typed))
            self._tell(typed, is_looking=True)
        else:
            self._tasks.cancel("palette")
            self._found = ()
            self._tell(typed, is_looking=False)

    def choose(self, option: Option) -> None:
        self._tasks.cancel("palette")
        typed = self.state.typed
        self.done.emit()
        match option.kind:
            case Kind.CHAT:
                self._ports.open_chat(ChatId(option.id))
            case Kind.COMMAND | Kind.SETTING:
                self._ports.run(option)
            case Kind.MESSAGE:
                if option.found:
                    self._ports.open_message(option.found, typed)
            case Kind.EVERYTHING:
                self.everything_wanted.emit(typed)

    async def _look(self, typed: str) -> None:
        await asyncio.sleep(_TYPING_S)
        self._found = (await self._ports.find(typed, _IN_PALETTE)).found
        self._tell(typed, is_looking=False)

    def _tell(self, typed: str, *, is_looking: bool) -> None:
        everything = Option(kind=Kind.EVERYTHING, id="", title=typed.strip())
        rows = palette_rows(typed, self._options, self._found, everything=everything)
        state = PaletteState(typed=typed, rows=rows, is_looking=is_looking)
        if state != self.state:
            self.state = state
            self.changed.emit(state)


class EverythingModel(QObject):
    """
    Signals:
        changed(EverythingState): the whole new state.
    """

    changed = Signal(object)

    def __init__(self, ports: FindingPorts, tasks: TaskScope, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ports, self._tasks = ports, tasks
        self.state = EverythingState()

    def type(self, typed: str) -> None:
        if typed == self.state.typed:
            return
        if typed.strip():
            self._tasks.start("everything", self._look(typed, _A_PAGE, after_s=_TYPING_S))
            self._tell(replace(self.state, typed=typed, is_looking=True))
        else:
            self._tasks.cancel("everything")
            self._tell(EverythingState(typed=typed))

    def more(self) -> None:
        """Twice as many."""
        state = self.state
        if state.has_more and not state.is_looking:
            self._tasks.start(
                "everything", self._look(state.typed, 2 * max(len(state.found), _A_PAGE), after_s=0)
            )
            self._tell(replace(state, is_looking=True))

    def look_again(self) -> None:
        """Something was written or deleted since."""
        if self.state.typed.strip():
            n = max(len(self.state.found), _A_PAGE)
            self._tasks.start("everything", self._look(self.state.typed, n, after_s=_TYPING_S))

    def choose(self, found: Found) -> None:
        self._ports.open_message(found, self.state.typed)

    async def _look(self, typed: str, limit: int, *, after_s: float) -> None:
        await asyncio.sleep(after_s)
        findings = await self._ports.find(typed, limit)
        is_more = findings.has_more and len(findings.found) >= limit
        self._tell(EverythingState(typed=typed, found=findings.found, has_more=is_more))

    def _tell(self, state: EverythingState) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit(state)
