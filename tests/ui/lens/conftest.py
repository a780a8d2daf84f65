"""A real conversation that is open in the Lens, with requests of its own."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from pytestqt.qtbot import QtBot

from app.chats.lensing import Lens
from app.core.usage import Usage
from tests.fakes import answer, until
from tests.ui.chat.conftest import Desk, desk
from tests.ui.folding.conftest import CONVERSATIONS
from ui.chat.view_model import ChatViewModel
from ui.kit.showcase import Stage
from ui.lens.state import LensState
from ui.lens.view import LensView
from ui.lens.view_model import LensViewModel

__all__ = ["desk"]


@dataclass(slots=True)
class Looking:
    desk: Desk
    chat: ChatViewModel
    lens: Lens
    model: LensViewModel
    view: LensView

    @property
    def state(self) -> LensState:
        return self.model.state

    async def ask(self, text: str, usage: Usage | None = None) -> None:
        n = len(self.chat.state.path)
        if usage:
            self.desk.gateway.say(answer("Fine.", usage=usage))
        self.chat.send(text)
        await until(lambda: len(self.chat.state.path) == n + 2 and not self.chat.session.is_running)

    async def compress(self) -> None:
        self.chat.compressing.begin()
        await until(lambda: self.chat.state.compressing is not None)
        await until(lambda: self.chat.state.compressing is None)

    async def opened(self) -> None:
        self.model.open()
        await until(lambda: self.state.of == len(self.lens.moments) and self.is_read)

    async def read(self) -> None:
        await until(lambda: self.is_read)

    @property
    def is_read(self) -> bool:
        return self.state.look is not None and not self.state.is_loading and self.state.item is not None


@pytest.fixture
async def looking(desk: Desk, stage: Stage, qtbot: QtBot) -> AsyncIterator[Looking]:
    _, changes = await desk.application.library.import_files(
        [CONVERSATIONS / "sweagent-marshmallow-1867.json"]
    )
    chat = await desk.chat(next(iter(changes.chats)))
    await until(lambda: chat.session.fill() is not None)
    lens = await desk.application.uses.lens(chat.id)

    async def same() -> Lens:
        return lens

    model = LensViewModel(
        same,
        lambda: desk.application.uses.folding(chat.id),
        fill=lambda: chat.session.fill(chat.drafting.text),
        is_running=lambda: chat.session.is_running,
        tell=str,
        on_error=desk.errors.append,
    )
    view = LensView(stage.theme, stage.icons)
    qtbot.addWidget(view)
    view.resize(1200, 760)
    view.show_model(model)
    view.show()
    yield Looking(desk, chat, lens, model, view)
    view.show_model(None)
    await model.aclose()
