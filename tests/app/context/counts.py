"""A real conversation as entries, counted in this process; shared by the tests of budget and counting."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from app.context.context import Context
from app.core.entries import Entry, Origin
from app.core.errors import OriginalLost
from app.core.ids import ChatId, EntryId, ModelId, RequestId, TurnId
from app.core.parts import Blob, MediaPart, Part, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from app.core.records import RequestRecord, RequestState
from app.core.requests import Prelude
from app.core.usage import Usage
from app.tokens.exact import Vocabularies, vocabulary_folder

CONVERSATIONS = Path(__file__).parents[2] / "data" / "conversations"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
CHAT = ChatId("c1")
MODEL = ModelId("here/gpt-4o")


@cache
def vocabularies() -> Vocabularies:
    folder = vocabulary_folder()
    assert folder
    return Vocabularies(folder)


class CountingHere:
    """`TextWork` without its process; remembers what it was asked."""

    def __init__(self) -> None:
        self.vocabularies = vocabularies()
        self.asked: list[str] = []

    async def count(self, texts: Sequence[str], tokenizer: str) -> tuple[int, ...]:
        self.asked += texts
        return tuple(self.vocabularies.count(text, tokenizer) for text in texts)


class CountsHere:
    """`CountStore` in memory."""

    def __init__(self) -> None:
        self.counts: dict[EntryId, tuple[int, ...]] = {}

    async def token_counts(self, chat_id: ChatId, tokenizer: str) -> Mapping[EntryId, tuple[int, ...]]:
        return dict(self.counts)

    async def save_token_counts(self, tokenizer: str, counts: Mapping[EntryId, tuple[int, ...]]) -> None:
        self.counts |= counts


class VaultHere:
    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    async def put(self, data: bytes, *, mime: str, name: str) -> Blob:
        blob = Blob(sha256=f"{len(self.files):064}", n_bytes=len(data), mime=mime, name=name)
        self.files[blob.sha256] = data
        return blob

    async def get(self, blob: Blob) -> bytes:
        if blob.sha256 not in self.files:
            raise OriginalLost(f"{blob.name!r} is not in the vault any more.")
        return self.files[blob.sha256]


def entry(number: int, origin: Origin, *parts: Part) -> Entry:
    parent = EntryId(f"e{number - 1}") if number else None
    return Entry(
        id=EntryId(f"e{number}"),
        parent_id=parent,
        rev=number + 1,
        depth=number,
        origin=origin,
        parts=parts,
        created_at=NOW,
    )


def context_of(*entries: Entry, prelude: Prelude | None = None) -> Context:
    return Context(entries, rev=1_000_000, model=MODEL, prelude=prelude or Prelude(system="Be brief."))


def record(context: Context, *, estimated: int, reported: int, turn: int = 0) -> RequestRecord:
    """A finished request of `context` as it stands."""
    assert context.head
    return RequestRecord(
        id=RequestId(f"r{turn}"),
        chat_id=CHAT,
        turn_id=TurnId(f"t{turn}"),
        head=context.head,
        answer_id=EntryId("answer"),
        rev=context.rev,
        model=context.model,
        prelude_hash=context.prelude_hash,
        n_blocks=len(context.chain),
        chain_tip=context.tip,
        renderer=1,
        fingerprint="",
        estimated_tokens=estimated,
        projected_tokens=estimated,
        state=RequestState.FINISHED,
        created_at=NOW,
        usage=Usage(prompt_tokens=reported, completion_tokens=1),
    )


def conversation(name: str) -> tuple[Entry, ...]:
    return entries_of(json.loads((CONVERSATIONS / f"{name}.json").read_text("utf-8"))["messages"])


def entries_of(messages: Iterable[dict[str, Any]]) -> tuple[Entry, ...]:
    """Args: messages: In the form of chat completions."""
    return tuple(entry(i, Origin(message["role"]), *_parts(message)) for i, message in enumerate(messages))


def _parts(message: dict[str, Any]) -> tuple[Part, ...]:
    content: Any = message.get("content") or ""
    items: list[dict[str, Any]] = [{"text": content}] if isinstance(content, str) else content
    if message["role"] == "tool":
        text = "".join(item.get("text", "") for item in items)
        return (ToolResultPart(call_id=message["tool_call_id"], name="", text=text),)
    parts: list[Part] = []
    if thought := message.get("reasoning_content"):
        parts.append(ThinkingPart(text=thought))
    for item in items:
        if item.get("type") == "image_url":
            parts.append(
                MediaPart(source="https://example.com/a.png", mime="image/png", width_px=800, height_px=600)
            )
        else:
            parts.append(TextPart(text=item.get("text", "")))
    for call in message.get("tool_calls") or ():
        function = call["function"]
        parts.append(ToolCallPart(call_id=call["id"], name=function["name"], arguments=function["arguments"]))
    return tuple(parts)
