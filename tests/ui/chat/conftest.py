"""A real application with a scripted model, and chats that are open on it."""

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from app.agent.session import ChatSession
from app.bootstrap.application import Application
from app.core.artifacts import PartKey, Sight
from app.core.errors import AppError
from app.core.ids import ChatId
from app.models.families import Family
from app.settings import Paths
from tests.fakes import ScriptedGateway
from ui.chat.item_ports import Told
from ui.chat.ports import ChatPorts
from ui.chat.view import ChatView
from ui.chat.view_model import ChatViewModel
from ui.kit.items import Action
from ui.kit.showcase import Stage


class Gateway(ScriptedGateway):
    """Starts and ends as the real one does."""

    async def start(self) -> None:
        pass

    async def aclose(self) -> None:
        pass


def told(error: Exception) -> Told:
    assert isinstance(error, AppError)
    actions = tuple(Action(id=action, label=action) for action in error.actions)
    return Told(title=error.code, text=error.message, hint=error.hint, detail=error.detail, actions=actions)


@dataclass(slots=True)
class Desk:
    """An application, what its model says, and what failed."""

    application: Application
    gateway: Gateway
    errors: list[BaseException] = field(default_factory=list[BaseException])
    models: list[ChatViewModel] = field(default_factory=list[ChatViewModel])

    async def chat(self, chat_id: ChatId | None = None) -> ChatViewModel:
        """The view model of a chat; None: a new one."""
        app = self.application
        if chat_id is None:
            chat_id, _ = await app.library.new_chat()
        session = await app.session(chat_id)
        ports = ChatPorts(
            read_blob=app.vault.get,
            read_range=app.vault.read_range,
            put_blob=lambda data, mime, name: app.vault.put(data, mime=mime, name=name),
            family=self._family,
            sights=self._sights,
            chats=app.library.chats,
            fill=lambda session, draft, pasted_tokens: session.fill(draft, pasted_tokens),
            model_name=lambda session: session.conversation.chat.model or "",
            choose_model=app.choose_model,
            rename=self._rename,
            folding=app.uses.folding,
            settings=app.settings_of,
            choose_workspace=app.choose_workspace,
            changed_files=app.tools.changed_files,
            revert=app.tools.revert,
            sub_agents=app.sub_agents,
            caller=app.store.caller,
            tell=told,
            on_error=self.errors.append,
        )
        model = ChatViewModel(session, ports)
        await model.read()
        app.watch(model.on_changes)
        self.models.append(model)
        return model

    async def _family(self, session: ChatSession) -> Family | None:
        return (await session.desk.look()).family

    async def _sights(self, chat_id: ChatId) -> Mapping[PartKey, Sight]:
        return await (await self.application.uses.artifacts(chat_id)).sights()

    async def _rename(self, chat_id: ChatId, title: str) -> None:
        changes = await self.application.library.rename(chat_id, title)
        conversation = (await self.application.session(chat_id)).conversation
        conversation.chat = replace(conversation.chat, title=title)
        self.application.publish(changes)

    async def aclose(self) -> None:
        for model in self.models:
            await model.aclose()
        await self.application.aclose()


async def desk_at(folder: Path) -> Desk:
    errors: list[BaseException] = []
    application = Application(Paths(data=folder), on_error=errors.append)
    gateway = Gateway()
    application.gateway = gateway  # pyright: ignore[reportAttributeAccessIssue]  # the port's other adapter
    await application.prepare()
    await application.change(has_started=True, model="builtin/extractive")
    return Desk(application, gateway, errors)


@pytest.fixture
async def desk(qapp: QApplication, tmp_path: Path) -> AsyncIterator[Desk]:
    desk = await desk_at(tmp_path)
    yield desk
    await desk.aclose()
    assert desk.errors == []
    assert desk.gateway.n_open == 0


@pytest.fixture
def view(qtbot: QtBot, stage: Stage) -> Iterator[ChatView]:
    """Of a chat that can choose no model."""
    view = ChatView(stage.theme, stage.icons, QPushButton("ring"), tuple)
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.show()
    yield view
    view.leave()
