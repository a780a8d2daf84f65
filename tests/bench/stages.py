"""What the benches measure on: data folders with chats of any length, and a model that answers as told."""

import time
from collections.abc import AsyncGenerator, Callable
from datetime import UTC, datetime
from pathlib import Path

from app.agent.ports import Target
from app.context.ports import NewEntry, NewFold
from app.core.entries import Chat, Finish, Origin
from app.core.events import Accepted, Finished, GatewayEvent, TextArrived, UsageReported
from app.core.folds import FoldKind
from app.core.ids import ChatId, CompactionId, EntryId
from app.core.parts import Part, TextPart, body_of
from app.core.records import Compaction
from app.core.requests import Request
from app.core.usage import Usage
from app.settings import Endpoint, Paths
from app.store.store import Store

MODEL = "bench/gpt-4o"
WINDOW_TOKENS = 65_536
PARAGRAPH = "The ledger rounds **per line**, the old code rounded `per invoice`; 中文与 English 混排也要快。 "
_BATCH = 1_000


def endpoint(base_url: str = "http://127.0.0.1:9") -> Endpoint:
    return Endpoint(
        id="bench", kind="openai", name="Bench", base_url=base_url, needs_key=False, models=("gpt-4o",)
    )


async def furnish(
    store: Store,
    *,
    base_url: str = "http://127.0.0.1:9",
    window_tokens: int = WINDOW_TOKENS,
    **settings: str,
) -> None:
    """Settings of somebody who has been here before."""
    await store.save_setting("has_started", value=True)
    await store.save_setting("write_titles", value=False)
    await store.save_setting("endpoints", [endpoint(base_url).model_dump(mode="json")])
    await store.save_setting("model", MODEL)
    await store.save_setting("model_overrides", {MODEL: {"window_tokens": window_tokens}})
    for name, value in settings.items():
        await store.save_setting(name, value)


def words(number: int, n_chars: int = 310) -> str:
    text = f"Message {number}: {PARAGRAPH * (n_chars // len(PARAGRAPH) + 1)}"
    return f"{text[:n_chars]}\n\n- one\n- two `code`" if number % 2 else text[:n_chars]


async def write_chat(store: Store, name: str, n: int, *, n_chars: int = 310) -> ChatId:
    """A chat of `n` messages, the person and the model in turn; each differs from all others."""
    now = datetime.now(UTC)
    chat_id = ChatId(name)
    await store.create_chat(
        Chat(id=chat_id, title=f"Chat {name}", created_at=now, updated_at=now, rev=0, head=None)
    )
    for start in range(0, n, _BATCH):
        await store.append(
            chat_id,
            [
                NewEntry(
                    id=_entry_id(name, at),
                    parent_id=_entry_id(name, at - 1) if at else None,
                    origin=Origin.ASSISTANT if at % 2 else Origin.USER,
                    parts=(TextPart(text=words(at, n_chars)),),
                )
                for at in range(start, min(n, start + _BATCH))
            ],
        )
    return chat_id


async def fold_all_but(store: Store, chat_id: ChatId, n: int, tail: int) -> None:
    """One run fold over all but the last `tail` messages."""
    chat = await store.chat(chat_id)
    compaction = Compaction(
        id=CompactionId(f"fold of {chat_id}"),
        chat_id=chat_id,
        rev=0,
        trigger="manual",
        reason="bench",
        tokens_before=0,
        tokens_after=0,
        elapsed_ms=0.0,
        created_at=datetime.now(UTC),
    )
    fold = NewFold(
        compaction_id=compaction.id,
        kind=FoldKind.MERGED,
        first=_entry_id(chat_id, 0),
        last=_entry_id(chat_id, n - tail - 1),
        anchor=_entry_id(chat_id, n - 1),
        replacement=(TextPart(text="What was said before, in a few words."),),
    )
    assert await store.commit(compaction, [fold], planned_rev=chat.rev) is not None


def _entry_id(chat: str, at: int) -> EntryId:
    return EntryId(f"{chat}-{at:07}")


class ToldGateway:
    """`agent.ports.Gateway` that notes when it was handed a request; `answering` is what it says."""

    is_ready = True

    def __init__(self, answering: Callable[[], AsyncGenerator[str, None]] | None = None) -> None:
        self.handed_at = 0.0
        self.handed_cpu = 0.0
        self._answering = answering

    def is_ready_for(self, target: Target) -> bool:
        return True

    async def stream(self, request: Request, target: Target) -> AsyncGenerator[GatewayEvent, None]:
        self.handed_at, self.handed_cpu = time.perf_counter(), time.process_time()
        yield Accepted()
        if self._answering:
            async for text in self._answering():
                yield TextArrived(text=text)
        else:
            yield TextArrived(text=words(1))
        n_chars = sum(_n_chars(part) for message in request.messages for part in message.parts)
        yield UsageReported(usage=Usage(prompt_tokens=n_chars // 4, completion_tokens=80))
        yield Finished(finish=Finish.STOP)


def _n_chars(part: Part) -> int:
    body = body_of(part)
    return len(body) if isinstance(body, str) else body.n_bytes


def paths_in(folder: str, name: str = "data") -> Paths:
    paths = Paths(data=Path(folder) / name)
    paths.data.mkdir(mode=0o700, parents=True)
    return paths
