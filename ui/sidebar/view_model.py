"""The list of chats as it stands, and what a person can do with a chat in it."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QLocale, QObject, Signal

from app.chats.export import Words
from app.chats.library import Library
from app.core.entries import Chat
from app.core.ids import ChatId
from app.core.records import Changes, Fact
from app.tasks import TaskScope
from ui.kit.printing import print_pdf
from ui.sidebar.state import SidebarState, neighbour, sidebar_state


class Intentions(Protocol):
    """What the sidebar wants of the window."""

    def open_chat(self, chat_id: ChatId) -> None: ...

    def new_chat(self) -> None: ...

    def open_settings(self) -> None: ...

    def say(self, text: str, *, action: str = "", run: Callable[[], None] | None = None) -> None:
        """A word at the window's edge that goes away by itself; `run` is done if `action` is pressed."""
        ...


class SidebarViewModel(QObject):
    """Args:
        publish: Told what a deed has changed; the sidebar hears of it through `take` like everybody.
        on_error: Decides what a failure is and where it is shown.

    Signals:
        changed(SidebarState): the whole new state.
    """

    changed = Signal(object)

    def __init__(
        self,
        library: Library,
        intentions: Intentions,
        *,
        publish: Callable[[Changes], None],
        on_error: Callable[[BaseException], None],
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.state = SidebarState()
        self.intentions = intentions
        self._library = library
        self._publish = publish
        self._now = now
        self._tasks = TaskScope(on_error)
        self._chats: tuple[Chat, ...] = ()
        self._current: ChatId | None = None
        self._running: frozenset[ChatId] = frozenset()
        self._waiting: frozenset[ChatId] = frozenset()
        self._wanted = ""

    @property
    def chats(self) -> tuple[Chat, ...]:
        """Newest first."""
        return self._chats

    async def load(self) -> None:
        self.show(await self._library.chats())

    def show(self, chats: tuple[Chat, ...]) -> None:
        self._chats = chats
        self.redate()

    def take(self, changes: Changes) -> None:
        if Fact.CHATS in changes.facts:
            self._tasks.start("load", self.load())

    def redate(self) -> None:
        """Work the rows out anew: what was today may be yesterday by now."""
        state = sidebar_state(
            self._chats,
            now=self._now(),
            current=self._current,
            wanted=self._wanted,
            running=self._running,
            waiting=self._waiting,
        )
        if state != self.state:
            self.state = state
            self.changed.emit(state)

    def set_current(self, chat_id: ChatId | None) -> None:
        self._current = chat_id
        self.redate()

    def set_running(self, running: frozenset[ChatId]) -> None:
        """Which chats are answering at this moment."""
        self._running = running
        self.redate()

    def set_waiting(self, waiting: frozenset[ChatId]) -> None:
        """Which chats wait for the person at this moment."""
        self._waiting = waiting
        self.redate()

    def search(self, wanted: str) -> None:
        self._wanted = wanted
        self.redate()

    def step(self, step: int) -> None:
        """Open the chat `step` rows further down."""
        if self._current and (other := neighbour(self.state.rows, self._current, step)):
            self.intentions.open_chat(other)

    def title(self, chat_id: ChatId) -> str:
        """Its title, in words even when it has none."""
        found = next((chat.title for chat in self._chats if chat.id == chat_id), "")
        return found or self.tr("New chat")

    def rename(self, chat_id: ChatId, title: str) -> None:
        """An empty title gives it back to the title writer."""
        self._tasks.start(f"rename {chat_id}", self._rename(chat_id, title))

    def pin(self, chat_id: ChatId, *, is_pinned: bool) -> None:
        self._tasks.start(f"pin {chat_id}", self._pin(chat_id, is_pinned=is_pinned))

    def duplicate(self, chat_id: ChatId) -> None:
        self._tasks.start(f"duplicate {chat_id}", self._duplicate(chat_id))

    def trash(self, chat_id: ChatId) -> None:
        """Into the trash, with Undo; the next chat takes the place of the open one."""
        self._tasks.start(f"trash {chat_id}", self._trash(chat_id))

    def restore(self, chat_id: ChatId) -> None:
        self._tasks.start(f"trash {chat_id}", self._restore(chat_id))

    def export(self, chat_id: ChatId, path: Path) -> None:
        """Write it to `path`, in the form that its ending says: Markdown, HTML, PDF, else JSON."""
        self._tasks.start(f"export {chat_id}", self._export(chat_id, path))

    async def aclose(self) -> None:
        await self._tasks.aclose()

    async def _rename(self, chat_id: ChatId, title: str) -> None:
        self._publish(await self._library.rename(chat_id, title))

    async def _pin(self, chat_id: ChatId, *, is_pinned: bool) -> None:
        self._publish(await self._library.pin(chat_id, is_pinned=is_pinned))

    async def _duplicate(self, chat_id: ChatId) -> None:
        title = self.tr("{title} (copy)").format(title=self.title(chat_id))
        copy, changes = await self._library.duplicate(chat_id, title=title)
        self._publish(changes)
        self.intentions.open_chat(copy)

    async def _trash(self, chat_id: ChatId) -> None:
        title, next_id = self.title(chat_id), neighbour(self.state.rows, chat_id, 1)
        self._publish(await self._library.trash(chat_id))
        if chat_id == self._current:
            if next_id:
                self.intentions.open_chat(next_id)
            else:
                self.intentions.new_chat()
        self.intentions.say(
            self.tr("Deleted “{title}”").format(title=title),
            action=self.tr("Undo"),
            run=lambda: self.restore(chat_id),
        )

    async def _restore(self, chat_id: ChatId) -> None:
        self._publish(await self._library.restore(chat_id))

    async def _export(self, chat_id: ChatId, path: Path) -> None:
        words, language = self._words(), QLocale().name()[:2]
        if path.suffix.lower() == ".pdf":
            page = await self._library.as_html(chat_id, words=words, language=language, is_print=True)
            await print_pdf(page, path)
        else:
            await self._library.export_to(chat_id, path, words=words, language=language)
        lost = await self._library.lost(chat_id)
        told = self.tr("Saved as {file}")
        if lost:
            told = self.tr(
                "Saved as {file}, with a sentence for %n original(s) that could not be read", "", len(lost)
            )
        self.intentions.say(told.format(file=path.name))

    def _words(self) -> Words:
        return Words(
            you=self.tr("You"),
            assistant=self.tr("Assistant"),
            system=self.tr("System"),
            reasoning=self.tr("Reasoning"),
            call=self.tr("Call"),
            result=self.tr("Result"),
            error=self.tr("Error"),
        )
