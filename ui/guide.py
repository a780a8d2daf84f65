"""What a stop of the tour may do: what a person could, and wait for what is seen then."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from app.chats.sample import MODEL, SAMPLE
from app.core.ids import ChatId
from ui.shell.notices import Notices
from ui.shell.workbench import Workbench

FRAME_S = 0.03
PATIENCE_S = 30.0


@dataclass(slots=True)
class Guide:
    """What a stop may use."""

    workbench: Workbench
    notices: Notices
    size: QSize
    chat_file: Path | None
    folder: Path
    """For files that a stop makes."""
    notes: list[str] = field(default_factory=list[str])
    """Said below the picture, beside what the stop shows."""

    async def until(self, is_so: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not is_so():  # noqa: ASYNC110  # what is seen on a window tells nobody that it changed
                await asyncio.sleep(FRAME_S)

    async def settled(self) -> None:
        """Animations have ended, layouts are done."""
        for _ in range(14):
            await asyncio.sleep(FRAME_S)

    def command(self, name: str) -> None:
        self.workbench.window.command(name).run()

    def press(self, widget: QWidget, key: Qt.Key, text: str = "") -> None:
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.sendEvent(widget, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, text))

    def click(self, text: str) -> None:
        """Press the visible button that says `text`."""
        buttons = self.workbench.window.findChildren(QPushButton)
        next(each for each in buttons if each.text() == text and each.isVisible()).click()

    async def ask(self, text: str) -> None:
        """Type a message and send it."""
        composer = self.workbench.chat.composer.input
        composer.insertPlainText(text)
        self.press(composer, Qt.Key.Key_Return, "\r")
        await self.until(lambda: self.workbench.chat.model and self.workbench.chat.model.state.path)

    async def open_sample(self) -> None:
        """The sample chat, measured."""
        await self.workbench.application.change(has_started=True, model=MODEL)
        self.workbench.open_sample()
        await self.until(lambda: (model := self.workbench.chat.model) and model.id == SAMPLE)
        model = self.workbench.chat.model
        assert model
        await self.until(model.session.fill)

    async def import_chat(self, path: Path) -> ChatId:
        before = {chat.id for chat in await self.workbench.application.library.chats()}
        self.workbench.doors.import_files([path])
        async with asyncio.timeout(PATIENCE_S):
            while True:
                await asyncio.sleep(FRAME_S)
                chats = await self.workbench.application.library.chats()
                model = self.workbench.chat.model
                new = [chat.id for chat in chats if chat.id not in before]
                if new and model and model.id == new[0]:
                    return new[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """One picture; `name` is that of its file, `shows` a sentence for people."""

    name: str
    shows: str
    bring: Callable[[Guide], Awaitable[None]]
    needs: str = ""
    """The stop that it goes on from: gone to first where it was left out."""
