"""The chats that are open: a view model each, what they are handed, and which of them wait for the person."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.agent.session import ChatSession
from app.bootstrap.application import Application
from app.core.artifacts import PartKey, Sight
from app.core.errors import AppError
from app.core.ids import ChatId, ModelId
from app.core.parts import Blob
from app.core.records import Changes
from app.models.families import Family
from app.providers.catalogue import OfferedModel
from ui.chat.model_picker import ModelChoice
from ui.chat.ports import ChatPorts
from ui.chat.view_model import ChatViewModel
from ui.kit.endpoint_names import endpoint_name
from ui.shell.telling import told_in_a_chat


class OpenChats(QObject):
    """
    Signals:
        waits_changed(frozenset[ChatId], frozenset[ChatId]): those that wait for the person, and those of them that
            did not before.
        little_won(Preview): as of the chats.
        added(ChatViewModel): one more is open.
    """

    waits_changed = Signal(object, object)
    little_won = Signal(object)
    added = Signal(object)

    def __init__(
        self, app: Application, *, on_error: Callable[[BaseException], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._app, self._on_error = app, on_error
        self._models: dict[ChatId, ChatViewModel] = {}
        self._offers: tuple[OfferedModel, ...] = ()
        self._waiting: frozenset[ChatId] = frozenset()

    def __contains__(self, chat_id: ChatId) -> bool:
        return chat_id in self._models

    def __iter__(self) -> Iterator[ChatViewModel]:
        return iter(self._models.values())

    async def model(self, chat_id: ChatId) -> ChatViewModel:
        """That of a chat, which is read first if it is not open yet."""
        if chat_id not in self._models:
            model = ChatViewModel(await self._app.session(chat_id), self._ports())
            await model.read()
            model.setParent(self)  # it ends with the window, in the window's thread
            self._models[chat_id] = model
            model.changed.connect(self._note_waiting)
            model.compressing.little_won.connect(self.little_won)
            self.added.emit(model)
        return self._models[chat_id]

    @property
    def running(self) -> frozenset[ChatId]:
        """Those in which an answer is under way."""
        return frozenset(chat for chat, model in self._models.items() if model.session.is_running)

    @property
    def has_met_limit(self) -> bool:
        """One of them is not kept warm any more, since the day's money for it is spent."""
        return any(model.session.keep_alive.has_met_limit for model in self._models.values())

    async def empty(self) -> ChatId:
        """A chat in which nothing was said yet: the one there is, so that none are left behind, or a new one."""
        for chat in await self._app.library.chats():
            if chat.head is None and not chat.title:
                return chat.id
        chat_id, changes = await self._app.library.new_chat()
        self._app.publish(changes)
        return chat_id

    def on_changes(self, changes: Changes) -> None:
        for model in self._models.values():
            model.on_changes(changes)

    async def aclose(self) -> None:
        for model in self._models.values():
            await model.aclose()

    # -- models to choose from

    async def load_offers(self) -> None:
        """Find out how large the windows are: known a second after a start."""
        self._offers = await self._app.endpoints.offers()

    def choices(self) -> tuple[ModelChoice, ...]:
        """Every model by its name, at once."""
        windows = {offer.id: offer.window.tokens for offer in self._offers}
        return tuple(
            ModelChoice(
                id=model, name=name, group=endpoint_name(endpoint), window_tokens=windows.get(model, 0)
            )
            for endpoint in (*self._app.settings.endpoints, *self._app.endpoints.built_in())
            for name in dict.fromkeys(endpoint.models)
            for model in [ModelId(f"{endpoint.id}/{name}")]
        )

    # -- what a chat is handed

    def _ports(self) -> ChatPorts:
        app = self._app
        return ChatPorts(
            read_blob=app.vault.get,
            read_range=app.vault.read_range,
            put_blob=self._put,
            family=self._family,
            sights=self._sights,
            chats=app.library.chats,
            fill=lambda session, draft, pasted_tokens: session.fill(draft, pasted_tokens),
            model_name=self._model_name,
            choose_model=app.choose_model,
            rename=self._rename,
            folding=app.uses.folding,
            settings=app.settings_of,
            choose_workspace=app.choose_workspace,
            changed_files=app.tools.changed_files,
            revert=app.tools.revert,
            sub_agents=app.sub_agents,
            caller=app.store.caller,
            tell=told_in_a_chat,
            on_error=self._on_error,
        )

    async def _put(self, data: bytes, mime: str, name: str) -> Blob:
        return await self._app.vault.put(data, mime=mime, name=name)

    async def _family(self, session: ChatSession) -> Family | None:
        try:
            return (await session.desk.look()).family
        except AppError:  # told when the message is sent
            return None

    async def _sights(self, chat_id: ChatId) -> Mapping[PartKey, Sight]:
        return await (await self._app.uses.artifacts(chat_id)).sights()

    def _model_name(self, session: ChatSession) -> str:
        model = session.conversation.chat.model or self._app.settings.model
        if not model:
            return self._app.endpoints.built_in()[0].name
        name = model.partition("/")[2]
        fill = session.fill()
        return f"{name} · {_short(fill.window.tokens)}" if fill and fill.window.tokens else name

    async def _rename(self, chat_id: ChatId, title: str) -> None:
        changes = await self._app.library.rename(chat_id, title)
        session = await self._app.session(chat_id)
        session.conversation.chat = replace(session.conversation.chat, title=title, is_title_manual=True)
        self._app.publish(changes)

    # -- who waits

    def _note_waiting(self) -> None:
        states = ((chat, model.state) for chat, model in self._models.items())
        waiting = frozenset(chat for chat, state in states if state.is_waiting and not state.caller)
        if waiting != self._waiting:
            new, self._waiting = waiting - self._waiting, waiting
            self.waits_changed.emit(waiting, new)


def _short(tokens: int) -> str:
    return f"{round(tokens / 1000)}K" if tokens >= 1000 else str(tokens)
