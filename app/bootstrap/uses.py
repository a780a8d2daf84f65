"""What a person can do with an open chat beside talking in it; each is made when it is asked for."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.agent.execution import ChatAgentExecutionCache
from app.agent.session import ChatSession
from app.cache.warmth import Warmth
from app.chats.folding import Folding
from app.chats.forking import Forking
from app.chats.library import Library
from app.context.engine import Standing
from app.context.ports import Clock
from app.core.ids import ChatId
from app.core.records import Changes
from app.core.requests import Prelude
from app.settings import Settings
from app.store.store import Store
from app.vault.vault import Vault

if TYPE_CHECKING:
    from app.chats.artifacts import Artifacts
    from app.chats.ledger_editing import LedgerEditing
    from app.chats.lensing import Lens
    from app.chats.summary_editing import SummaryEditing


@dataclass(frozen=True, slots=True, kw_only=True)
class Uses:
    """Use cases on chats, by the chat's id. No start waits for what they import."""

    session: Callable[[ChatId], Awaitable[ChatSession]]
    executions: ChatAgentExecutionCache
    settings: Callable[[], Settings]
    library: Library
    store: Store
    vault: Vault
    clock: Clock
    publish: Callable[[Changes], None]

    async def sample(self) -> ChatId:
        """Have the sample among the chats.

        Raises:
            StoreError: it could not be stored.
        """
        from app.chats.sample import SAMPLE, lay_down_sample

        self.publish(await lay_down_sample(self.store, self.vault, self.clock.now()))
        return SAMPLE

    async def folding(self, chat_id: ChatId) -> Folding:
        """What a person can do with the folds of an open chat."""
        session = await self.session(chat_id)

        async def standing() -> Standing:
            return await session.desk.standing(await self.executions.of(session.conversation.chat))

        def published(changes: Changes) -> None:
            session.keep_warm()
            self.publish(changes)

        return Folding(
            session.conversation,
            session.engine,
            store=self.store,
            clock=self.clock,
            standing=standing,
            writer=session.desk.writer,
            publish=published,
        )

    async def lens(self, chat_id: ChatId) -> "Lens":
        """What the model sees of an open chat, and what it saw."""
        from app.bootstrap.wire import wired
        from app.chats.lensing import Lens

        session = await self.session(chat_id)

        async def standing() -> tuple[Standing, Prelude]:
            execution = await self.executions.of(session.conversation.chat)
            found = await session.desk.standing(execution)
            asked = session.conversation.context(model=execution.model, prelude=execution.prelude)
            return found, asked.prelude

        def held_tokens() -> int:
            execution = self.executions.last(chat_id)
            held = session.desk.held(execution)[1] if execution else None
            return held.tokens if held and held.warmth is Warmth.WARM else 0

        return Lens(
            session.conversation,
            standing=standing,
            stored_prelude=self.store.prelude,
            held_tokens=held_tokens,
            read_blob=self.vault.get,
            wire=lambda request: wired(self.settings().endpoints, self.vault.get, request),
        )

    async def ledger(self, chat_id: ChatId) -> "LedgerEditing":
        """What a person can do with the ledger of an open chat."""
        from app.chats.ledger_editing import LedgerEditing

        session = await self.session(chat_id)
        return LedgerEditing(session.conversation, session.engine, publish=self.publish)

    async def summaries(self, chat_id: ChatId) -> "SummaryEditing":
        """What a person can do with the summaries of an open chat."""
        from app.chats.summary_editing import SummaryEditing

        session = await self.session(chat_id)
        return SummaryEditing(session.conversation, store=self.store, publish=self.publish)

    async def artifacts(self, chat_id: ChatId) -> "Artifacts":
        """What a person can do with the originals of an open chat."""
        from app.chats.artifacts import Artifacts

        chat = (await self.session(chat_id)).conversation
        return Artifacts(chat, vault=self.vault, kept=self.library.kept_blobs)

    @property
    def forking(self) -> Forking:
        """Going on in new chats."""
        return Forking(self.library, folding=self.folding, publish=self.publish)
