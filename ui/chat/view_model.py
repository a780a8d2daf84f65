"""One chat between its session and its view: state down, intentions up; no widget in it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from app.context.budget import Fill
from PySide6.QtCore import QObject, QTimer, Signal

from app.agent.session import ChatSession
from app.core.entries import Entry, Origin
from app.core.events import TurnEvent, TurnStarted
from app.core.ids import ChatId, EntryId, ModelId
from app.core.parts import Blob, MediaPart, body_of
from app.core.records import Changes, Draft, Fact, RequestRecord
from app.tasks import TaskScope
from ui.chat.items import ChatItems, Told
from ui.chat.state import ChatState, reduce

_LONGEST_SHOWN_BYTES = 256 * 1024
"""Longer texts stay in the vault and are shown as a card (architecture.md, Concurrency)."""
_DRAFT_MS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPorts:
    """What the view model asks of the application."""

    read_blob: Callable[[Blob], Awaitable[bytes]]
    fill: Callable[[ChatSession, str], Fill | None]
    model_name: Callable[[ChatSession], str]
    choose_model: Callable[[ChatId, ModelId], Awaitable[None]]
    rename: Callable[[ChatId, str], Awaitable[None]]
    tell: Callable[[Exception], Told]
    on_error: Callable[[BaseException], None]


class ChatViewModel(QObject):
    """
    Signals:
        items_changed(): the list of items is another one.
        item_changed(str): one item's content is.
        changed(ChatState): the whole new state, for all that is not in the list.
        fill_changed(Fill | None): what the next request will hold, the draft included.
        draft_replaced(str): the composer shall hold this text.
    """

    items_changed = Signal()
    item_changed = Signal(str)
    changed = Signal(object)
    fill_changed = Signal(object)
    draft_replaced = Signal(str)

    def __init__(self, session: ChatSession, ports: ChatPorts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._ports = ports
        self._tasks = TaskScope(ports.on_error)
        self._texts: dict[str, str] = {}
        self._typed = session.draft.text
        self.items = ChatItems(
            versions=self._versions, record=self._record, tell=ports.tell, texts=self._texts
        )
        self.state = ChatState()
        self._saving = QTimer(self, interval=_DRAFT_MS, singleShot=True)
        self._saving.timeout.connect(self._save_draft)
        self._fold(self._from_session(self.state))
        self._read_blobs(self.state.path)
        self._unwatch = session.watch(self._on_event)

    @property
    def id(self) -> ChatId:
        return self.session.conversation.id

    @property
    def draft(self) -> str:
        return self._typed

    # -- intentions

    def type(self, text: str) -> None:
        """The composer holds `text` now."""
        self._typed = text
        if self.state.editing is None:
            self._saving.start()
        self.fill_changed.emit(self._ports.fill(self.session, text))

    def send(self, text: str) -> None:
        if text.strip():
            self._tasks.start("send", self._send(text))

    def stop(self) -> None:
        self.session.stop()

    def begin_edit(self, entry_id: EntryId) -> None:
        """Take a user's message into the composer; what stood there comes back with `cancel_edit`."""
        if not self.session.is_running:
            self._fold(replace(self.state, editing=entry_id))
            self.draft_replaced.emit(self.session.conversation.transcript[entry_id].text)

    def cancel_edit(self) -> None:
        if self.state.editing:
            self._fold(replace(self.state, editing=None))
            self.draft_replaced.emit(self.session.draft.text)

    def edit_last(self) -> None:
        own = (entry.id for entry in reversed(self.state.path) if entry.origin is Origin.USER)
        if entry_id := next(own, None):
            self.begin_edit(entry_id)

    def retry(self, entry_id: EntryId | None = None, model: ModelId | None = None) -> None:
        """Answer again; None: the last message."""
        entry_id = entry_id or (self.state.path[-1].id if self.state.path else None)
        if entry_id and not self.session.is_running:
            self._tasks.start("send", self._then_show(self.session.retry(entry_id, model)))

    def show_version(self, entry_id: EntryId, step: int) -> None:
        if not self.session.is_running:
            self._tasks.start("send", self._then_show(self.session.show_version(entry_id, step)))

    def unqueue(self, index: int) -> None:
        """Take a waiting message back out of the queue."""
        queue = tuple(text for at, text in enumerate(self.session.draft.queue) if at != index)
        self._tasks.start("draft", self._save(replace(self.session.draft, queue=queue)))

    def resume_queue(self) -> None:
        self._tasks.start("send", self._then_show(self.session.resume_queue()))

    def rename(self, title: str) -> None:
        if title.strip():
            self._tasks.start("rename", self._awaited(self._ports.rename(self.id, title.strip())))

    def choose_model(self, model: ModelId) -> None:
        self._tasks.start("model", self._awaited(self._ports.choose_model(self.id, model)))

    def on_changes(self, changes: Changes) -> None:
        """Something was written; take over what concerns this chat."""
        if self.id in changes.chats or Fact.SETTINGS in changes.facts:
            self._fold(self._from_session(self.state))
            self.fill_changed.emit(self._ports.fill(self.session, self._typed))

    async def aclose(self) -> None:
        """Save the draft and stop watching; a running answer goes on."""
        self._unwatch()
        if self._saving.isActive():
            self._saving.stop()
            await self.session.save_draft(replace(self.session.draft, text=self._typed))
        await self._tasks.aclose()

    # -- from the session

    def _on_event(self, event: TurnEvent) -> None:
        if isinstance(event, TurnStarted):
            self._read_blobs((event.user,))
        self._fold(reduce(self.state, event))
        if self.state.live is None:
            self.fill_changed.emit(self._ports.fill(self.session, self._typed))

    def _from_session(self, state: ChatState) -> ChatState:
        conversation = self.session.conversation
        path = state.path if state.live else tuple(conversation.path)
        return replace(
            state,
            path=path,
            queue=self.session.draft.queue,
            title=conversation.chat.title,
            model_name=self._ports.model_name(self.session),
        )

    def _fold(self, state: ChatState) -> None:
        if state == self.state:
            return
        self.state = state
        is_other_list, changed = self.items.update(state)
        if is_other_list:
            self.items_changed.emit()
        for item in changed:
            self.item_changed.emit(item)
        self.changed.emit(state)

    # -- tasks

    async def _send(self, text: str) -> None:
        editing = self.state.editing
        if editing:
            await self.session.edit(editing, text)
            self._fold(replace(self.state, editing=None))
            self.draft_replaced.emit(self.session.draft.text)
        else:
            self._saving.stop()
            await self.session.send(text)
            self._typed = ""
            self.draft_replaced.emit("")
        self._fold(self._from_session(self.state))

    async def _then_show(self, work: Awaitable[None]) -> None:
        await work
        self._fold(self._from_session(self.state))

    async def _awaited(self, work: Awaitable[None]) -> None:
        await work

    def _save_draft(self) -> None:
        self._tasks.start("draft", self._save(replace(self.session.draft, text=self._typed)))

    async def _save(self, draft: Draft) -> None:
        await self.session.save_draft(draft)
        self._fold(self._from_session(self.state))

    def _read_blobs(self, entries: tuple[Entry, ...]) -> None:
        found = [
            body
            for entry in entries
            for part in entry.parts
            if not isinstance(part, MediaPart)
            and isinstance(body := body_of(part), Blob)
            and body.n_bytes <= _LONGEST_SHOWN_BYTES
            and body.sha256 not in self._texts
        ]
        if found:
            self._tasks.start(f"blobs {entries[0].id}", self._read(found))

    async def _read(self, blobs: list[Blob]) -> None:
        for blob in blobs:
            data = await self._ports.read_blob(blob)
            self._texts[blob.sha256] = data.decode(errors="replace")
            for item in self.items.refresh(blob):
                self.item_changed.emit(item)
            await asyncio.sleep(0)

    # -- facts for the items

    def _versions(self, entry_id: EntryId) -> tuple[int, int]:
        siblings = self.session.conversation.transcript.siblings(entry_id)
        return siblings.index(entry_id) + 1, len(siblings)

    def _record(self, entry_id: EntryId) -> RequestRecord | None:
        return self.session.record_of(entry_id)
