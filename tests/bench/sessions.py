"""Open chats without a window, for benches: of any data folder, and of recorded conversations."""

# pyright: reportPrivateUsage=false

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from app.agent.session import ChatSession
from app.bootstrap.application import Application
from app.context.ports import NewEntry
from app.core.entries import Chat, Origin
from app.core.ids import ChatId, EntryId
from app.core.loading import loading
from app.settings import Paths
from app.store.store import Store
from tests.app.context.counts import conversation
from tests.bench.stages import ToldGateway

_BATCH = 1_000


async def write_recorded(store: Store, name: str, recorded: Iterable[str]) -> ChatId:
    """A chat of recorded conversations, one after the other."""
    now = datetime.now(UTC)
    chat_id = ChatId(name)
    await store.create_chat(
        Chat(id=chat_id, title=f"Chat {name}", created_at=now, updated_at=now, rev=0, head=None)
    )
    said = [entry for each in recorded for entry in conversation(each) if entry.origin is not Origin.SYSTEM]
    new = [
        NewEntry(
            id=EntryId(f"{name}-{at:07}"),
            parent_id=EntryId(f"{name}-{at - 1:07}") if at else None,
            origin=entry.origin,
            parts=entry.parts,
        )
        for at, entry in enumerate(said)
    ]
    for start in range(0, len(new), _BATCH):
        await store.append(chat_id, new[start : start + _BATCH])
    return chat_id


@asynccontextmanager
async def opened(paths: Paths, gateway: ToldGateway) -> AsyncGenerator[ChatSession, None]:
    """The newest chat of a data folder, open and counted; as it is when somebody has been reading in it."""
    application = Application(paths)
    application.gateway = gateway  # pyright: ignore[reportAttributeAccessIssue]  # what a turn needs of it
    try:
        with loading():
            await application.prepare()
            newest, *_ = await application.library.chats()
            session = await application.session(newest.id)
            await application._tasks.wait(f"look {newest.id}")
            await session._scope.wait("count")
        yield session
        await session.aclose()
    finally:
        await application.text.aclose()
        await application.store.aclose()
