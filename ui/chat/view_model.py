"""One chat between its session and its view: state down, intentions up; no widget in it."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.agent.session import ChatSession
from app.agent.tools.tool import Reply
from app.core.entries import Origin
from app.core.events import TurnEvent, TurnStarted
from app.core.ids import ChatId, EntryId, ModelId, new_id
from app.core.parts import Blob, Body, MediaPart, TextPart, stand_in
from app.core.records import Changes, Fact
from app.health.metrics import alerts_of
from app.tasks import TaskScope, uncancelled
from ui.chat.attaching import Attaching
from ui.chat.compressed import compressed, deleted, pinned
from ui.chat.compressing import Compressing
from ui.chat.copies import Copies
from ui.chat.drafting import Drafting
from ui.chat.finding import FindInChat
from ui.chat.item_ports import ItemPorts
from ui.chat.items import ChatItems
from ui.chat.kin import Kinship
from ui.chat.live import LiveCall, Phase
from ui.chat.long_texts import joined
from ui.chat.originals import Originals
from ui.chat.ports import ChatPorts
from ui.chat.reverting import Reverts
from ui.chat.state import ChatState, caller_of, passed, reduce, replied
from ui.chat.sub_agents import SubAgents
from ui.chat.switching import Switching
from ui.chat.texts import Beginning
from ui.chat.workplace import Workplace
from ui.kit.items import ItemId
from ui.kit.seconds import each_second


class ChatViewModel(QObject):
    """Empty until `read`.

    Signals:
        items_changed(): the list of items is another one.
        item_changed(str): one item's content is.
        changed(ChatState): the whole new state, for all that is not in the list.
        fill_changed(Fill | None): what the next request will hold, the draft included.
    """

    items_changed = Signal()
    item_changed = Signal(str)
    changed = Signal(object)
    fill_changed = Signal(object)

    def __init__(self, session: ChatSession, ports: ChatPorts) -> None:
        super().__init__()
        self.session = session
        self._ports = ports
        self._tasks = TaskScope(ports.on_error)
        self._doing = asyncio.Lock()
        self._n_deeds = 0
        self.drafting = Drafting(
            session,
            self._tasks,
            can_save=lambda: not self.state.is_busy,
            on_error=ports.on_error,
            parent=self,
        )
        self.drafting.changed.connect(self._measure)
        self.attaching = Attaching(
            self._tasks,
            put=ports.put_blob,
            get=ports.read_blob,
            family=partial(ports.family, session),
            parent=self,
        )
        self.compressing = Compressing(self.id, self._tasks, ports.folding, self)
        self.compressing.told.connect(self._tell_beside)
        self.compressing.ended.connect(self._end_compressing)
        self.originals = Originals(self.id, self._tasks, ports, self)
        self.originals.told.connect(self._tell_beside)
        self.originals.peeked.connect(self._show_beginning)
        self.originals.read.connect(self._show_text)
        self.kinship = Kinship(self.id, self._tasks, ports.chats, self)
        self.kinship.told.connect(self._tell_beside)
        self.items = ChatItems(
            ItemPorts(
                versions=self._versions,
                record=session.record_of,
                failed=session.failed_before,
                tell=ports.tell,
                want=self.originals.want,
                peek=self.originals.peek,
            )
        )
        self.copies = Copies(self.items, self._tasks, ports.read_blob, self)
        self.switching = Switching(session, self._tasks, self)
        self.switching.told.connect(self._tell_beside)
        self.workplace = Workplace(
            self.id, self._tasks, settings=ports.settings, choose=ports.choose_workspace, parent=self
        )
        self.reverts = Reverts(
            self.id, self._tasks, changed=ports.changed_files, revert=ports.revert, parent=self
        )
        self.reverts.told.connect(self._tell_beside)
        self.finding = FindInChat(self.items.texts, ports.read_blob, self._tasks, self)
        self.sub_agents = SubAgents(ports.sub_agents, self._tasks, answers=self.items.delegating, parent=self)
        self.sub_agents.told.connect(self._tell_beside)
        self.state = ChatState()

    async def read(self) -> None:
        """Take in what the session holds, once and before all else; 10,000 messages keep a thread busy for 20 ms."""
        if self.session.conversation.chat.called_by:
            self.state = replace(self.state, caller=caller_of(await self._ports.caller(self.id)))
        session = self.session
        made, window = tuple(session.conversation.requests), session.conversation.chat.window_tokens
        alerts = await asyncio.to_thread(alerts_of, made, window_tokens=window)
        state = replace(self._from_session(has_path=True), alerts=alerts)
        await asyncio.to_thread(self.items.update, state)
        self.state = state
        self._fold(self._from_session(has_path=True))  # with what was written meanwhile
        self._unwatch = self.session.watch(self._on_event)
        await self.workplace.read()
        await self.reverts.read()
        self.originals.look()
        self.kinship.look()
        await self.sub_agents.read()

    @property
    def id(self) -> ChatId:
        return self.session.conversation.id

    # -- intentions

    def send(self, text: str) -> None:
        """Say it, or queue it, or make it the new version of the edited message."""
        editing = self.state.editing
        if editing and text.strip():
            self._do(lambda: self._edit(editing, text))
        elif not editing and not self.state.caller and (rest := self.drafting.begin_saying(text)).strip():
            self._do(lambda: uncancelled(self.drafting.say(rest)), can_wait=True)

    def undo(self, item: ItemId) -> None:
        """Take back the compression, or the deletion, that a line of the transcript tells of."""
        entry = self.items.entry_of(item)
        if told := self.items.compressed_of(item):
            self._do(lambda: self.compressing.undo(told.id))
        elif entry and entry.id in self.state.deleted:
            self._do(lambda: self.compressing.delete(entry.id, is_deleted=False))

    def delete(self, item: ItemId) -> None:
        """Delete the message that an item shows, and what its calls gave (M10); not while an answer runs."""
        entry = self.items.entry_of(item)
        if entry and entry.id not in self.state.deleted and not self.session.is_running:
            self._do(lambda: self.compressing.delete(entry.id, is_deleted=True))

    def pin(self, entry_id: EntryId) -> None:
        """Have a message never folded, or as others again."""
        self._do(lambda: self.compressing.pin(entry_id, is_pinned=entry_id not in self.state.pinned))

    def stop(self) -> None:
        """End the running answer, or the compression that is waited for."""
        self.compressing.stop()
        self.session.stop()

    def begin_edit(self, entry_id: EntryId) -> None:
        """Take a user's message into the composer, whole; what stood there comes back with `cancel_edit`."""
        parts = self.session.conversation.transcript[entry_id].parts
        media = tuple(part for part in parts if isinstance(part, MediaPart))
        texts = tuple(part for part in parts if isinstance(part, TextPart))
        bodies = tuple(
            part.text if isinstance(part, TextPart) else stand_in(part)
            for part in parts
            if isinstance(part, TextPart | MediaPart)
        )
        pasted = (part.text for part in texts if part.is_paste and isinstance(part.text, str))
        self.drafting.know(pasted, media)
        if any(isinstance(body, Blob) for body in bodies):
            self._tasks.start("edit", self._read_for(bodies, partial(self._edit_text, entry_id)))
        else:
            self._edit_text(entry_id, "\n\n".join(map(str, bodies)))

    def _edit_text(self, entry_id: EntryId, text: str) -> None:
        if not self.session.is_running:
            self._fold(replace(self.state, editing=entry_id))
            self.drafting.stand_aside(text)

    def cancel_edit(self) -> None:
        self._tasks.cancel("edit")
        if self.state.editing:
            self._fold(replace(self.state, editing=None))
            self.drafting.come_back()

    def edit_last(self) -> None:
        own = (entry.id for entry in reversed(self.state.path) if entry.origin is Origin.USER)
        if entry_id := next(own, None):
            self.begin_edit(entry_id)

    def retry(self, entry_id: EntryId | None = None, model: ModelId | None = None) -> None:
        """Answer again; None: the last message."""
        asked = entry_id or (self.state.path[-1].id if self.state.path else None)
        if asked and not self.session.is_running:
            self._do(lambda: self.session.retry(asked, model))

    def go_on(self) -> None:
        """Take up the last turn where it stands."""
        if not self.session.is_running:
            self._do(self.session.go_on)

    def reply(self, call: LiveCall, reply: Reply) -> None:
        """What the person says to a call that asks."""
        self.session.reply(call.answer_id, call.index, reply)
        self._take(replied(self.state, call.answer_id, call.index))

    def show_version(self, entry_id: EntryId, step: int) -> None:
        if not self.session.is_running:
            self._do(lambda: self._show_version(entry_id, step))

    def unqueue(self, index: int) -> None:
        """Take a waiting message back into the composer."""
        text = self.state.queue[index]
        self._do(lambda: self.drafting.unqueue(text))

    def drop(self, index: int) -> None:
        """A waiting message shall never be said."""
        text = self.state.queue[index]
        self._do(lambda: self.drafting.drop(text))

    def resume_queue(self) -> None:
        self._do(self.session.resume_queue)

    def rename(self, title: str) -> None:
        if title.strip():
            self._tasks.start("rename", self._ports.rename(self.id, title.strip()))

    def choose_model(self, model: ModelId) -> None:
        self._tasks.start("model", self._ports.choose_model(self.id, model))

    def on_changes(self, changes: Changes) -> None:
        """Something was written; take over what concerns this chat."""
        if self.id in changes.chats or Fact.SETTINGS in changes.facts:
            is_quiet = not (self.session.is_running or self.state.is_busy)
            self._fold(self._from_session(has_path=is_quiet))
            self._measure()
        if self.id in changes.chats and changes.facts & {Fact.FOLDS, Fact.ENTRIES}:
            self.originals.look()
        if Fact.CHATS in changes.facts:
            self.kinship.look()
        if Fact.SETTINGS in changes.facts:
            self.workplace.look()

    async def aclose(self) -> None:
        """Save the draft and stop watching; a running answer goes on."""
        self._unwatch()
        self.sub_agents.leave()
        await self._tasks.aclose()
        await self.drafting.aclose()

    # -- from the session

    def _on_event(self, event: TurnEvent) -> None:
        if isinstance(event, TurnStarted):  # the message is stored
            self.drafting.end_saying()
        self._take(reduce(self.state, event))
        self.sub_agents.hear(event)
        if self.state.live is None:
            self._measure()
            self.reverts.look()

    def _take(self, state: ChatState) -> None:
        before = self._phase
        self._fold(state)
        if self._phase != before:
            self._count()

    def _measure(self) -> None:
        typed, pasted_tokens = self.drafting.parted()
        fill = self._ports.fill(self.session, typed, pasted_tokens)
        self.fill_changed.emit(fill)
        self.switching.look(fill, typed, pasted_tokens)

    def _tell_beside(self) -> None:
        changed, wanted = self.reverts.changed, self.reverts.wanted
        state = replace(self.state, changed=changed, reverting=wanted, kin=self.kinship.kin)
        state = replace(state, switch=self.switching.switch, room=self.switching.room)
        state = replace(state, compressing=self.compressing.step, compressing_s=self.compressing.seconds)
        self._fold(replace(state, sights=self.originals.sights, agents=self.sub_agents.agents))

    def _end_compressing(self) -> None:
        state = self._from_session(has_path=not self.session.is_running)
        self._fold(replace(state, compressing=None, compressing_s=0))

    def _show_beginning(self, blob: Blob, beginning: Beginning) -> None:
        for item in self.items.take_beginning(blob, beginning):
            self.item_changed.emit(item)

    def _show_text(self, blob: Blob, text: str) -> None:
        for item in self.items.take(blob, text):
            self.item_changed.emit(item)

    @property
    def _phase(self) -> tuple[str, Phase] | None:
        live = self.state.live
        return (live.turn, live.phase) if live else None

    def _count(self) -> None:
        """Count the seconds of the phase that has begun, where there is nothing to read meanwhile."""
        live = self.state.live
        if live is None or live.phase is Phase.WRITING:
            self._tasks.cancel("count")
        else:
            self._tasks.start("count", each_second(self._pass))

    def _pass(self, seconds: int) -> None:
        self._fold(passed(self.state, seconds))

    def _from_session(self, *, has_path: bool) -> ChatState:
        """The state with what the session holds. `has_path`: while a turn runs, its events tell the path."""
        conversation = self.session.conversation
        return replace(
            self.state,
            path=tuple(conversation.path) if has_path else self.state.path,
            compressed=compressed(conversation),
            deleted=deleted(conversation),
            pinned=pinned(conversation),
            queue=self.session.draft.queue,
            title=conversation.chat.title,
            model=self.session.model,
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

    # -- what is done, one thing at a time

    def _do(self, work: Callable[[], Coroutine[object, object, None]], *, can_wait: bool = False) -> None:
        """Do it; while something else is being stored, do it after that, or not at all. A sub-agent's is read only."""
        if not self.state.caller and (can_wait or not self._n_deeds):
            self._n_deeds += 1
            self._fold(replace(self.state, is_busy=True))
            self._tasks.start(new_id("deed"), self._deed(work))

    async def _deed(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        try:
            async with self._doing:
                await work()
        finally:
            self._n_deeds -= 1
            has_path = not self.session.is_running
            self._fold(replace(self._from_session(has_path=has_path), is_busy=self._n_deeds > 0))
            self.drafting.save_later()

    async def _edit(self, entry_id: EntryId, text: str) -> None:
        await self.session.edit(entry_id, text, *self.drafting.put_in)
        self.cancel_edit()

    async def _show_version(self, entry_id: EntryId, step: int) -> None:
        await self.session.show_version(entry_id, step)
        self._fold(replace(self.state, failure=None, pause=None))

    async def reach(self, entry_id: EntryId) -> bool:
        """Have the branch shown that holds an entry. Returns: False while an answer of another one runs."""
        transcript = self.session.conversation.transcript
        if entry_id in transcript and not any(entry.id == entry_id for entry in self.state.path):
            if self.session.is_running:
                return False
            await self.session.show_entry(entry_id)
            self._fold(replace(self._from_session(has_path=True), failure=None, pause=None))
        return True

    async def _read_for(self, bodies: tuple[Body, ...], take: Callable[[str], None]) -> None:
        take(await joined(bodies, self._ports.read_blob))

    def _versions(self, entry_id: EntryId) -> tuple[int, int]:
        siblings = self.session.conversation.transcript.siblings(entry_id)
        return siblings.index(entry_id) + 1, len(siblings)
