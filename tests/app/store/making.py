"""Short ways to make what the tests store."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime

from app.context.ports import NewEntry, NewFold
from app.core.entries import Chat, Entry, Origin
from app.core.folds import FoldKind
from app.core.ids import ChatId, CompactionId, EntryId, ModelId, RequestId, TurnId
from app.core.parts import Part, TextPart, ToolCallPart, ToolResultPart
from app.core.records import Compaction, Partial, RequestRecord, RequestState
from app.core.requests import Prelude
from app.settings import Paths
from app.store.store import Store

NOW = datetime(2026, 3, 4, 5, 6, 7, 89, tzinfo=UTC)
CHAT = ChatId("chat")
MODEL = ModelId("own/model")
PRELUDE = Prelude(system="Be brief.")


def a_chat(chat_id: str = CHAT, *, title: str = "") -> Chat:
    return Chat(id=ChatId(chat_id), title=title, created_at=NOW, updated_at=NOW, rev=0, head=None)


def said(
    entry_id: str, parent: str | None = None, text: str = "", *, origin: Origin = Origin.USER
) -> NewEntry:
    return made(entry_id, parent, TextPart(text=text or f"text of {entry_id}"), origin=origin)


def made(entry_id: str, parent: str | None, *parts: Part, origin: Origin = Origin.ASSISTANT) -> NewEntry:
    return NewEntry(
        id=EntryId(entry_id), parent_id=EntryId(parent) if parent else None, origin=origin, parts=parts
    )


def called(entry_id: str, parent: str | None, *call_ids: str) -> NewEntry:
    calls = (ToolCallPart(call_id=call_id, name="run", arguments="{}") for call_id in call_ids)
    return made(entry_id, parent, *calls)


def resulted(entry_id: str, parent: str, call_id: str, text: str = "done") -> NewEntry:
    part = ToolResultPart(call_id=call_id, name="run", text=text)
    return made(entry_id, parent, part, origin=Origin.TOOL)


async def a_talk(store: Store, n: int, chat_id: ChatId = CHAT) -> tuple[Entry, ...]:
    """A new chat of entries e0, e1 …, the person and the model in turn."""
    await store.create_chat(a_chat(chat_id))
    return await store.append(
        chat_id,
        [
            said(f"e{i}", f"e{i - 1}" if i else None, origin=Origin.ASSISTANT if i % 2 else Origin.USER)
            for i in range(n)
        ],
    )


def a_compaction(name: str, chat_id: ChatId = CHAT, *, summary: str = "") -> Compaction:
    return Compaction(
        id=CompactionId(name),
        chat_id=chat_id,
        rev=0,
        trigger="manual",
        reason="asked for",
        tokens_before=100,
        tokens_after=10,
        elapsed_ms=1.5,
        created_at=NOW,
        summary=summary,
        cost_usd=0.25,
    )


def a_run(name: str, first: str, last: str, anchor: str, text: str = "summary") -> NewFold:
    return NewFold(
        compaction_id=CompactionId(name),
        kind=FoldKind.SUMMARISED,
        first=EntryId(first),
        last=EntryId(last),
        anchor=EntryId(anchor),
        replacement=(TextPart(text=text),),
    )


def a_request(name: str, head: str, *, chat_id: ChatId = CHAT, rev: int = 1) -> RequestRecord:
    return RequestRecord(
        id=RequestId(name),
        chat_id=chat_id,
        turn_id=TurnId(f"turn of {name}"),
        head=EntryId(head),
        answer_id=EntryId("answer"),
        rev=rev,
        model=MODEL,
        prelude_hash="p1",
        n_blocks=1,
        chain_tip="tip",
        renderer=1,
        fingerprint="f1",
        estimated_tokens=10,
        projected_tokens=12,
        state=RequestState.PREPARED,
        created_at=NOW,
    )


def a_partial(record: RequestRecord, *parts: Part) -> Partial:
    return Partial(
        turn_id=record.turn_id,
        chat_id=record.chat_id,
        request_id=record.id,
        parent_id=record.head,
        entry_id=EntryId(f"answer of {record.id}"),
        model=record.model,
        parts=parts,
        updated_at=NOW,
    )


async def an_answer_under_way(store: Store, *parts: Part, head: str = "e0") -> RequestRecord:
    """A request whose answer has come as far as `parts` when the program ends."""
    record = a_request("request", head)
    await store.begin_request(record, PRELUDE, a_partial(record))
    if parts:
        await store.save_partial(replace(a_partial(record), parts=parts))
    return record


def sql(paths: Paths, statement: str) -> list[tuple[object, ...]]:
    """What another program reads or does in the database."""
    with closing(sqlite3.connect(paths.database)) as connection, connection:
        return connection.execute(statement).fetchall()
