"""An open chat that lives on while nobody watches it: its conversation, its running turn, its queue."""

import asyncio
import logging
import re
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.agent.between import BetweenTurns
from app.agent.cache_card import card_of
from app.agent.desk import Desk, DeskPorts
from app.agent.health_facts import HealthReader
from app.agent.outlook import Outlook
from app.agent.titles import local_title
from app.agent.titling import TitleTarget, Titling
from app.agent.tools.tool import Reply
from app.agent.turns import Turn, TurnPorts
from app.agent.warmth import KeepAlive, WarmthPorts
from app.agent.watched import Watched
from app.context.budget import Fill, Growth, growth_of
from app.context.conversation import Conversation
from app.context.counting import Counter
from app.context.engine import Engine
from app.context.ports import NewEntry
from app.core.entries import Entry, Finish, Origin
from app.core.errors import AppError, StoreError
from app.core.events import (
    RoomWanted,
    TurnEvent,
    TurnFailed,
    TurnStarted,
    TurnStopped,
)
from app.core.ids import EntryId, ModelId, new_id
from app.core.parts import MediaPart, Said, TextPart, clean_text, said_parts
from app.core.records import Changes, Draft, Fact, RequestKind, RequestRecord
from app.health.cache import CacheCard
from app.health.course import last_reported
from app.tasks import TaskScope, uncancelled

if TYPE_CHECKING:
    from app.health.log import HealthFacts

log = logging.getLogger(__name__)

_NEWEST = 50
"""Entries among which the last request's nearly always are."""
_RECENT = 200
"""Requests that growth is read off."""

Listener = Callable[[TurnEvent], None]


def _nobody(answer_id: EntryId, index: int, reply: Reply) -> None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPorts:
    turn: TurnPorts
    publish: Callable[[Changes], None]
    on_error: Callable[[BaseException], None]
    """Told of bugs."""
    desk: DeskPorts
    title_target: TitleTarget
    warmth: WarmthPorts
    noise: Callable[[], re.Pattern[str]]
    """Lines that tell nothing (A18); read from disk."""
    reply: Callable[[EntryId, int, Reply], None] = _nobody
    """Told of what the person says to a call that waits for them."""


class ChatSession:
    """One open chat. Any number of them may be answering at once; closing a view stops none."""

    def __init__(
        self,
        conversation: Conversation,
        draft: Draft,
        counter: Counter,
        engine: Engine,
        ports: SessionPorts,
    ) -> None:
        self.conversation = conversation
        self.draft = draft
        self.engine = engine
        self.desk = Desk(
            conversation, counter, engine, ports.desk, counted=self._publish, report=self._report
        )
        self.keep_alive = KeepAlive(conversation, self.desk, ports.warmth, told=self._publish)
        self._ports = ports
        self._health = HealthReader(conversation, self.desk, ports.warmth, ports.noise)
        self._store = ports.turn.store
        self._listeners: list[Listener] = []
        self._running: Watched | None = None
        self._speaking = asyncio.Lock()
        """Held while something is said, so that no two messages follow the same entry."""
        self._scope = TaskScope(ports.on_error)
        self._between = BetweenTurns(
            conversation=conversation,
            desk=self.desk,
            ports=ports.desk,
            keep_alive=self.keep_alive,
            scope=self._scope,
            publish=ports.publish,
        )
        self._titling = Titling(conversation, ports.title_target, ports.warmth.asides, publish=ports.publish)

    @property
    def is_running(self) -> bool:
        return self._scope.is_running("turn")

    def watch(self, listener: Listener) -> Callable[[], None]:
        """Hear of every turn from now on; a running one is told from its beginning. Returns: stop hearing."""
        self._listeners.append(listener)
        for event in self._running.events(self.conversation.chat.head) if self._running else ():
            listener(event)
        return lambda: self._listeners.remove(listener)

    async def send(self, text: str, pastes: Collection[str] = (), media: Collection[MediaPart] = ()) -> None:
        """Say `text`, or queue it behind the running answer; durable when this returns.

        Args:
            pastes: What of it was put in whole (U14).
            media: Files whose `stand_in` is in it.
        Raises:
            StoreError: nothing was said, the text is still the caller's.
        """
        text = clean_text(text)
        if not text.strip():
            return
        async with self._speaking:
            if self._scope.is_ending("turn"):  # Stop was pressed: what it keeps comes before this message
                await self.settled()
            if self.is_running:
                queue = (*self.draft.queue, text)
                await self.save_draft(self.draft.but(text="", queue=queue, pastes=pastes, media=media))
            else:
                parts, draft = said_parts(text, pastes, media), self.draft.but(text="")
                await self._say(parts, parent_id=self.conversation.chat.head, draft=draft)

    async def edit(
        self,
        entry_id: EntryId,
        text: str,
        pastes: Collection[str] = (),
        media: Collection[MediaPart] = (),
    ) -> None:
        """Say it differently: a sibling of the user's entry, and a new answer (M10)."""
        text = clean_text(text)
        if not text.strip():
            return
        async with self._quiet():
            parent_id = self.conversation.transcript[entry_id].parent_id
            await self._say(said_parts(text, pastes, media), parent_id=parent_id, draft=self.draft)

    async def retry(self, entry_id: EntryId, model: ModelId | None = None) -> None:
        """Ask again where the answer at `entry_id` was asked for; the new one is its sibling.

        What tools gave before it stays: nothing is done to files a second time.
        """
        async with self._quiet():
            transcript = self.conversation.transcript
            head = transcript[entry_id]
            while head.origin is Origin.ASSISTANT and head.parent_id:
                head = transcript[head.parent_id]
            user = head
            while user.origin is not Origin.USER and user.parent_id:
                user = transcript[user.parent_id]
            await self._show(head.id)
            self._start(user, model)

    def _with_notes(self, user: Entry) -> Entry:
        """The last of what was stored beside the person's entry on the shown branch: it is not noted anew."""
        here, found = self.conversation, user
        for entry in here.path[here.n_until(user.id) :] if here.n_until(user.id) else ():
            if entry.origin is not Origin.NOTE:
                break
            found = entry
        return found

    async def go_on(self) -> None:
        """Take up a turn where it stands: after a pause, Stop, or a failure in the middle of its tools."""
        async with self._quiet():
            path = self.conversation.path
            asked = next((entry for entry in reversed(path) if entry.origin is Origin.USER), None)
            if asked:
                self._start(asked, None)

    def reply(self, answer_id: EntryId, index: int, reply: Reply) -> None:
        """Say something to a call that waits for the person (`PersonAsked`)."""
        if self._running:
            self._running.replied(answer_id, index)
        self._ports.reply(answer_id, index, reply)

    async def show_version(self, entry_id: EntryId, step: int) -> None:
        """Show the version `step` places after this one, with the branch below it as it was last seen."""
        transcript = self.conversation.transcript
        versions = transcript.siblings(entry_id)
        chosen = versions[(versions.index(entry_id) + step) % len(versions)]
        await self._show(transcript.leaf(chosen, self.conversation.chat.chosen))

    async def show_entry(self, entry_id: EntryId) -> None:
        """Show a branch that holds it, the one that was seen last."""
        chat = self.conversation.chat
        await self._show(self.conversation.transcript.leaf(entry_id, chat.chosen))

    def record_of(self, entry_id: EntryId) -> RequestRecord | None:
        """The request that an answer came from; None for what was imported."""
        newest_first = reversed(self.conversation.requests)
        return next((record for record in newest_first if record.answer_id == entry_id), None)

    def failed_before(self, entry_id: EntryId) -> ModelId | None:
        """The model that was asked first and failed, where another one gave this answer (A6)."""
        record = self.record_of(entry_id)
        if record is None:
            return None
        return next(
            (
                item.model
                for item in self.conversation.requests
                if item.turn_id == record.turn_id
                and item.kind is RequestKind.ANSWER
                and item.model != record.model
            ),
            None,
        )

    @property
    def model(self) -> ModelId | None:
        """Whom the next message goes to; None until `look` has found out."""
        return self.desk.model

    @property
    def is_switched(self) -> bool:
        """Whether the next message goes to another model than the last one."""
        return bool(self.conversation.path) and self.model not in (None, self.desk.answered_by)

    @property
    def is_imported(self) -> bool:
        """Whether no model of ours has answered in it yet."""
        return self.desk.answered_by is None

    async def outlook(
        self, model: ModelId | None = None, draft: str = "", pasted_tokens: int = 0
    ) -> Outlook | None:
        """What the next message meets at `model`, or at the chat's own; None: nothing was said yet.

        Raises:
            NoModel: it is not set up.
        """
        here = self.conversation
        return await self.desk.outlook(model, draft, pasted_tokens) if here.path else None

    def fill(self, draft: str = "", pasted_tokens: int = 0) -> Fill | None:
        """How full the window is with the next request; None until `look` has measured the chat."""
        return self.desk.fill(draft, pasted_tokens)

    async def cache_card(self) -> CacheCard | None:
        """What is told of the prompt cache; None until `look` has found out what the next turn runs on."""
        return await card_of(self.conversation, self.desk, self._ports.warmth, self.keep_alive)

    async def health_facts(self, *, wants_shares: bool = False) -> "HealthFacts | None":
        """What the health panel shows; as `HealthReader.read`."""
        return await self._health.read(wants_shares=wants_shares)

    @property
    def last_request_tokens(self) -> int | None:
        """What the provider said that the newest request of the shown branch had; None: nothing yet."""
        here = self.conversation
        newest = here.path[-_NEWEST:]
        ids = {entry.id for entry in newest}
        found = last_reported(reversed(here.requests), ids)
        if found is None and len(here.path) > _NEWEST:
            found = last_reported(reversed(here.requests), {entry.id for entry in here.path})
        return found

    def growth(self, fill: Fill) -> Growth | None:
        """How fast the chat grows at its model (C5); None until `look` has found that out."""
        model, recent = self.desk.model, self.conversation.requests[-_RECENT:]
        if model is None:
            return None
        return growth_of(recent, model, fill.projection.projected_tokens, fill.window.tokens)

    async def look(self) -> None:
        """Find out what the next turn runs on, and count what is not counted yet."""
        await self._between.look()

    def _report(self, step: str) -> None:
        if self._running:
            self._emit(RoomWanted(turn=self._running.turn, step=step))

    async def save_draft(self, draft: Draft) -> None:
        """
        Raises:
            StoreError: the draft is as it was.
        """
        async with self._drafted(draft):
            await self._store.save_draft(self.conversation.id, draft)
        if draft.text:
            self._between.read_ahead()

    @asynccontextmanager
    async def _drafted(self, draft: Draft) -> AsyncGenerator[None, None]:
        """Have `draft` from now on, so that what comes meanwhile builds on it; as it was where it isn't stored."""
        before, self.draft = self.draft, draft
        try:
            yield
        except StoreError:
            if self.draft is draft:
                self.draft = before
            raise

    async def resume_queue(self) -> None:
        """Go on with what waits, after Stop or an error had paused it."""
        async with self._speaking:
            if self.draft.queue and not self.is_running:
                text, *rest = self.draft.queue
                parts, draft = (
                    said_parts(text, self.draft.pastes, self.draft.media),
                    self.draft.but(queue=tuple(rest)),
                )
                await self._say(parts, parent_id=self.conversation.chat.head, draft=draft)

    def stop(self) -> None:
        """End the running answer now; what had arrived is kept, and the queue waits."""
        self._scope.cancel("turn")

    async def settled(self) -> None:
        """Wait until no turn runs."""
        await self._scope.wait("turn")

    async def aclose(self) -> None:
        await self._scope.aclose()

    async def _show(self, head: EntryId) -> None:
        changes = await self._store.move_head(self.conversation.id, head)
        self.conversation.show(head)
        self._ports.publish(changes)
        self._between.count()

    @asynccontextmanager
    async def _quiet(self) -> AsyncGenerator[None, None]:
        """No turn runs, and nothing else is being said; a queued message may go first."""
        while True:
            await self.settled()
            async with self._speaking:
                if not self.is_running:
                    yield
                    return

    async def _say(self, parts: tuple[Said, ...], *, parent_id: EntryId | None, draft: Draft) -> None:
        """Store the message and what `draft` is from then on, at once, and have it answered."""
        entry = await uncancelled(self._append(parts, parent_id, draft))
        self._start(entry, None)
        if not self.conversation.chat.title:
            try:
                await self._titling.name(local_title(_words_of(parts)))
            except StoreError as error:  # the message is stored, and that is what the caller is told
                log.info("The chat stays without a title: %s", error)

    async def _append(self, parts: tuple[Said, ...], parent_id: EntryId | None, draft: Draft) -> Entry:
        new = NewEntry(id=EntryId(new_id("e")), parent_id=parent_id, origin=Origin.USER, parts=parts)
        async with self._drafted(draft):
            (entry,) = await self._store.append(self.conversation.id, [new], draft=draft)
        self.conversation.add(entry)
        return entry

    def _start(self, entry: Entry, model: ModelId | None) -> None:
        self._between.turn_begins()
        self._scope.start("turn", self._follow(entry, model))

    async def _follow(self, user: Entry, model: ModelId | None) -> None:
        turn = Turn(self.conversation, self.desk, self._ports.turn, tell=self._emit)
        try:
            async with aclosing(turn.run(user, model)) as events:
                async for event in events:
                    self._emit(event)
        except asyncio.CancelledError:
            self._emit(TurnStopped(turn=turn.id, answer=turn.answer))
            raise
        except BaseException as error:  # a bug: it ends the turn in words, and the window reports it
            told = AppError("Something went wrong inside Palimpsest.", detail=repr(error))
            self._emit(TurnFailed(turn=turn.id, error=told, answer=turn.answer))
            raise
        finally:
            self._running = None
            self._settle()
        if turn.answer and turn.execution and turn.answer.finish in _WELL:
            self._scope.start("title", self._titling.write(turn.execution))
            self._scope.start("queue", self._go_on())

    async def _go_on(self) -> None:
        await self.settled()
        await self.resume_queue()

    def _settle(self) -> None:
        """After a turn, however it ended: the list's dot, and word to every screen."""
        self._publish(Fact.CHATS, Fact.ENTRIES, Fact.REQUESTS)
        self._between.after_a_turn()

    def keep_warm(self) -> None:
        """See `BetweenTurns.keep_warm`."""
        self._between.keep_warm()

    def take_up(self) -> None:
        """See `BetweenTurns.take_up`."""
        self._between.take_up()

    def _publish(self, *facts: Fact) -> None:
        self._ports.publish(Changes(facts=frozenset(facts), chats=frozenset({self.conversation.id})))

    def _emit(self, event: TurnEvent) -> None:
        if isinstance(event, TurnStarted):
            self._running = Watched(event)
        elif self._running:
            self._running.take(event)
        for listener in tuple(self._listeners):
            listener(event)


def _words_of(parts: tuple[Said, ...]) -> str:
    """What the person wrote, before what they pasted."""
    texts = (part for part in parts if isinstance(part, TextPart))
    own_first = sorted(texts, key=lambda part: part.is_paste)
    return "\n\n".join(str(part.text) for part in own_first)


_WELL = {Finish.STOP, Finish.LENGTH, Finish.TOOL_CALLS}
