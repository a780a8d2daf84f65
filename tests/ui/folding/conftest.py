"""Real conversations, imported and open, with the preview of their compression."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.chats.folding import Folding
from app.tasks import TaskScope
from tests.fakes import until
from tests.ui.chat.conftest import Desk, desk, view
from ui.chat.view import ChatView
from ui.chat.view_model import ChatViewModel
from ui.folding.state import PreviewState, Work
from ui.folding.view import PreviewDialog
from ui.kit.showcase import Stage
from ui.shell.compression import Compression

__all__ = ["desk", "view"]

CONVERSATIONS = Path(__file__).parents[2] / "data" / "conversations"


@dataclass(slots=True)
class Looking:
    """A person who looks at what compressing would do."""

    desk: Desk
    chat: ChatView
    compression: Compression

    @property
    def model(self) -> ChatViewModel:
        assert self.chat.model
        return self.chat.model

    @property
    def dialog(self) -> PreviewDialog:
        assert self.compression.dialog
        return self.compression.dialog

    @property
    def state(self) -> PreviewState:
        return self.dialog.state

    async def folding(self) -> Folding:
        return await self.desk.application.uses.folding(self.model.id)

    async def open(self, name: str) -> None:
        """Import a conversation and show it."""
        library = self.desk.application.library
        _, changes = await library.import_files([CONVERSATIONS / f"{name}.json"])
        await self.show(await self.desk.chat(next(iter(changes.chats))))

    async def show(self, model: ChatViewModel) -> None:
        self.chat.show_chat(model)
        model.compressing.little_won.connect(self.compression.ask)
        await until(lambda: model.session.fill() is not None)

    async def look(self) -> None:
        """Open the preview and wait for its plan."""
        self.compression.preview()
        await self.planned()

    async def planned(self) -> None:
        await until(lambda: self.compression.dialog is not None and self.state.work is Work.NONE)


@pytest.fixture
async def looking(desk: Desk, view: ChatView, stage: Stage, qtbot: QtBot) -> AsyncIterator[Looking]:
    tasks = TaskScope(desk.errors.append)
    compression = Compression(
        desk.application, view, tasks, stage.theme, window=view, on_error=desk.errors.append
    )
    yield Looking(desk, view, compression)
    await tasks.aclose()
