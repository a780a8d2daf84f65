"""What the engine asks of the outside; the adapters meet only in `bootstrap`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from pydantic import JsonValue

from app.context.breaker import Breaker
from app.core.entries import Chat, Entry, Finish, Origin
from app.core.folds import Deletion, Fold, FoldKind, Pin
from app.core.ids import ChatId, CompactionId, EntryId, ModelId, RequestId
from app.core.ledger import LedgerItem
from app.core.parts import Blob, Part
from app.core.records import (
    CacheBreak,
    Changes,
    Compaction,
    Draft,
    FileChange,
    Partial,
    RequestRecord,
    RequestState,
    SummaryVersion,
    ToolRun,
)
from app.core.requests import Prelude
from app.core.usage import Usage
from app.filters.filtered import Filtered, Focus, Hint
from app.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEntry:
    """An entry before the store gave it a `rev`, a depth and a time."""

    id: EntryId
    parent_id: EntryId | None
    origin: Origin
    parts: tuple[Part, ...]
    model: ModelId | None = None
    finish: Finish | None = None
    usage: Usage | None = None
    provider_fields: str = ""
    created_at: datetime | None = None
    """UTC, aware; None: now. An import brings its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFold:
    """A fold before the store gave it a `rev`; see `Fold`."""

    compaction_id: CompactionId
    kind: FoldKind
    first: EntryId
    last: EntryId
    anchor: EntryId
    part: int | None = None
    replacement: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatContents:
    """Everything of a chat that reading it needs, its ancestors' entries up to the fork included."""

    chat: Chat
    entries: tuple[Entry, ...]
    folds: tuple[Fold, ...]
    pins: tuple[Pin, ...]
    deletions: tuple[Deletion, ...]
    compactions: tuple[Compaction, ...] = ()
    """With `ledger`: what an export adds; reading a chat needs neither."""
    ledger: tuple[LedgerItem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What changes the reading of a chat's entries, undone ones included."""

    rev: int
    folds: tuple[Fold, ...]
    pins: tuple[Pin, ...]
    deletions: tuple[Deletion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """What deleting a chat or a group for good would take along, for the question asked first (M13)."""

    entries: int
    shared_with: tuple[ChatId, ...]
    """Other chats that still show these entries, and keep them."""
    backups: tuple[str, ...]
    """File names of backups that still hold them."""
    kept: tuple[Blob, ...] = ()
    """Originals of theirs that stay in the vault, since the person keeps them for ever (C26)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How far a request got, and what is known of it by then; None: not known."""

    state: RequestState
    usage: Usage | None = None
    cost_usd: float | None = None
    time_to_first_token_s: float | None = None
    duration_s: float | None = None
    error: str = ""
    cache_break: CacheBreak | None = None


class Store(Protocol):
    """The one file that everything lies in. Each writing method is one transaction, durable when it returns.

    Raises (all methods):
        StoreError: nothing was written, and the sentence says why.
    """

    # -- chats
    async def chats(self, *, trash: bool = False) -> tuple[Chat, ...]:
        """All chats, newest first; only those in the trash when `trash`."""
        ...

    async def chat(self, chat_id: ChatId) -> Chat: ...

    async def called_by(self, entry_ids: Iterable[EntryId]) -> tuple[Chat, ...]:
        """Chats of the sub-agents that calls of these answers made, in the order in which they were."""
        ...

    async def caller(self, chat_id: ChatId) -> Chat | None:
        """The chat whose call made this sub-agent's; None: it is a person's own, or that one is gone."""
        ...

    async def tail(self, chat_id: ChatId, n: int) -> tuple[Entry, ...]:
        """The last `n` entries of the shown path, in order: what a first paint needs, whatever the length."""
        ...

    async def load(self, chat_id: ChatId) -> ChatContents: ...

    async def create_chat(self, chat: Chat) -> Changes: ...

    async def import_digests(self) -> Mapping[str, ChatId]:
        """Of the imported chats that are not in the trash, by what they held when they came."""
        ...

    async def update_chat(
        self,
        chat_id: ChatId,
        *,
        title: str | None = None,
        is_title_manual: bool | None = None,
        is_pinned: bool | None = None,
        model: ModelId | None = None,
        fill: tuple[int, int] | None = None,
    ) -> Changes:
        """Change what is given. `fill`: (projected tokens, window tokens) for the list's dot."""
        ...

    async def move_head(self, chat_id: ChatId, head: EntryId) -> Changes:
        """Show the path to `head`, remembering the child chosen at each branch point on it."""
        ...

    async def fork_chat(self, chat_id: ChatId, at: EntryId, *, title: str) -> Chat:
        """A new chat that shares the entries up to `at` and the folds that M11 names."""
        ...

    async def trash_chat(self, chat_id: ChatId, *, restore: bool = False) -> Changes: ...

    async def removal(self, chat_id: ChatId, group: EntryId | None = None) -> Removal: ...

    async def purge_chat(self, chat_id: ChatId) -> Changes:
        """Delete a chat for good (M13): purge entries on no other chat's path, then all that was the chat's."""
        ...

    # -- the transcript
    async def append(
        self, chat_id: ChatId, entries: Sequence[NewEntry], *, draft: Draft | None = None
    ) -> tuple[Entry, ...]:
        """Append, and save the chat's draft with it where one is given; the last entry becomes the head.

        Texts over 64 KiB go to the vault first, and the entries that come back point at them (M6).
        An entry with a stored id is returned as stored. A parent may be an earlier one of the same call. A chat's first write sets `updated_at` too.
        """
        ...

    async def delete_group(self, chat_id: ChatId, entry_id: EntryId, *, undo: bool = False) -> Changes: ...

    async def purge_group(self, chat_id: ChatId, entry_id: EntryId) -> Changes:
        """Blank a group's parts for good, in every chat that shares it (M10)."""
        ...

    async def pin(self, chat_id: ChatId, entry_id: EntryId, *, undo: bool = False) -> Changes: ...

    # -- folds
    async def commit(
        self, compaction: Compaction, folds: Sequence[NewFold], *, planned_rev: int
    ) -> tuple[Fold, ...] | None:
        """Store a compaction and its folds together (M9); `compaction.rev` is given by the store.

        None: something in the cover was deleted, pinned, folded or undone after `planned_rev`.
        """
        ...

    async def undo(self, chat_id: ChatId, compaction_id: CompactionId) -> Changes: ...

    async def marks(self, chat_id: ChatId) -> Marks: ...

    async def summary_versions(self, chat_id: ChatId) -> tuple[SummaryVersion, ...]:
        """Summaries in the person's words, undone ones included, in the order in which they were written."""
        ...

    async def write_summary(
        self, chat_id: ChatId, compaction_id: CompactionId, summary: str
    ) -> SummaryVersion:
        """One more version of a compaction's summary; it takes the next number (M1)."""
        ...

    async def undo_summary(self, chat_id: ChatId, rev: int) -> Changes: ...

    async def ledger(self, chat_id: ChatId) -> tuple[LedgerItem, ...]:
        """Superseded lines included, in the order in which they were saved."""
        ...

    async def save_ledger(self, chat_id: ChatId, items: Sequence[LedgerItem]) -> None: ...

    async def change_ledger(self, chat_id: ChatId, change: Callable[[int], Sequence[LedgerItem]]) -> int:
        """Save what `change` gives when it is told the number that this write takes (M1). Returns: that number."""
        ...

    async def compactions(self, chat_id: ChatId) -> tuple[Compaction, ...]: ...

    # -- requests and running answers
    async def prelude(self, prelude_hash: str) -> Prelude: ...

    async def begin_request(
        self, record: RequestRecord, prelude: Prelude, partial: Partial | None = None
    ) -> None:
        """The write-ahead of M7: record, prelude and an empty running answer, before a byte leaves.

        `partial` None: what is answered is not kept.
        """
        ...

    async def mark_request(self, request_id: RequestId, outcome: Outcome) -> None: ...

    async def requests(self, chat_id: ChatId, *, newest: int | None = None) -> tuple[RequestRecord, ...]:
        """Oldest first; only the `newest` ones when given."""
        ...

    async def requests_since(self, moment: datetime) -> tuple[RequestRecord, ...]:
        """Of all chats, those begun from `moment` (aware) on, oldest first."""
        ...

    async def save_partial(self, partial: Partial) -> None: ...

    async def end_request(
        self, chat_id: ChatId, request_id: RequestId, outcome: Outcome, answer: NewEntry | None
    ) -> Entry | None:
        """Mark the request, make its running answer an entry and drop its row, in one transaction.

        `answer` None: nothing had come, so there is no entry.
        """
        ...

    async def save_tool_run(self, run: ToolRun) -> None:
        """How far a call got; those that an answer makes are noted as requested by `end_request` (M8)."""
        ...

    async def file_changes(self, chat_id: ChatId) -> tuple[FileChange, ...]:
        """In the order in which they were made, reverted ones included."""
        ...

    async def save_file_change(self, change: FileChange) -> None:
        """Write it down, or that it was reverted; what the file held stays in the vault as long as its answer."""
        ...

    async def recover(self) -> tuple[ChatId, ...]:
        """At start: running answers become interrupted entries, requests under way UNKNOWN; twice changes nothing.

        Returns: the chats it touched.
        """
        ...

    # -- small things
    async def draft(self, chat_id: ChatId) -> Draft: ...

    async def save_draft(self, chat_id: ChatId, draft: Draft) -> None: ...

    async def token_counts(self, chat_id: ChatId, tokenizer: str) -> Mapping[EntryId, tuple[int, ...]]:
        """Exact counts per part of entries counted before."""
        ...

    async def save_token_counts(self, tokenizer: str, counts: Mapping[EntryId, tuple[int, ...]]) -> None: ...

    async def breakers(self) -> Mapping[ModelId, Breaker]:
        """Of the models that wrote summaries, as last saved."""
        ...

    async def save_breaker(self, model: ModelId, breaker: Breaker) -> None: ...

    # -- the vault
    async def keep_blob(self, blob: Blob, *, keep: bool) -> Changes:
        """Keep an original for ever, whatever refers to it, or no longer (C26)."""
        ...

    async def kept_blobs(self) -> tuple[Blob, ...]:
        """What is kept last comes first."""
        ...

    # -- settings
    async def settings(self) -> Settings: ...

    async def save_settings(self, values: Mapping[str, JsonValue]) -> Changes:
        """All of them, or none."""
        ...

    async def chat_settings(self, chat_id: ChatId) -> Mapping[str, JsonValue]: ...

    async def save_chat_setting(self, chat_id: ChatId, name: str, value: JsonValue | None) -> Changes:
        """None: back to what the app layer says."""
        ...


class Vault(Protocol):
    """Large originals, by what they are."""

    async def put(self, data: bytes, *, mime: str, name: str) -> Blob:
        """Stored once per content, durable when it returns."""
        ...

    async def get(self, blob: Blob) -> bytes:
        """Raises:
        OriginalLost: missing or damaged (its hash is checked).
        """
        ...


class TextWork(Protocol):
    """Work on long texts, done in the process of `worker.py`, never in the window's."""

    async def count(self, texts: Sequence[str], tokenizer: str) -> tuple[int, ...]:
        """Exact tokens of each text."""
        ...


class Clock(Protocol):
    def now(self) -> datetime:
        """UTC, aware."""
        ...

    def monotonic(self) -> float:
        """Seconds."""
        ...

    async def sleep(self, seconds: float) -> None: ...


class Secrets(Protocol):
    """The operating system's keyring, or what stands in for it (A4)."""

    async def get(self, name: str) -> str | None: ...

    async def put(self, name: str, value: str) -> None: ...

    async def delete(self, name: str) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a writer said, and whether it ended well."""

    text: str
    finish: Finish
    model: ModelId
    usage: Usage | None = None
    cost_usd: float | None = None


class Writer(Protocol):
    """A model that writes summaries and descriptions; never the compressing path itself (C17)."""

    @property
    def window_tokens(self) -> int:
        """What it can read; 0: not known."""
        ...

    @property
    def model(self) -> ModelId: ...

    @property
    def why(self) -> str:
        """Why this one, in words."""
        ...

    @property
    def warm(self) -> "WarmWriter | None":
        """Who is asked first, where that costs less; what it says is no summary: then this one writes."""
        ...

    async def write(
        self, system: str, text: str, *, max_tokens: int, on_progress: Callable[[], None]
    ) -> Reply:
        """One answer; `on_progress` is told of any byte, reasoning included (C19).

        Raises:
            ProviderError: it could not.
        """
        ...


class WarmWriter(Protocol):
    """The chat's own model on the prompt that its provider holds in its cache (C17)."""

    async def go_on(self, instruction: str, *, max_tokens: int, on_progress: Callable[[], None]) -> Reply:
        """One answer to the chat as it was sent last, with `instruction` after it; else as `Writer.write`."""
        ...


class Filters(Protocol):
    """The filters, where long texts are worked on."""

    async def filter(
        self, text: str, *, limit_tokens: int, tokenizer: str, hint: Hint, focus: Focus
    ) -> Filtered:
        """`text` in at most so many tokens, exactly counted; never longer than it was."""
        ...


class Files(Protocol):
    """Files of the chat's workspace, for the re-read after a summary (S9)."""

    async def read(self, path: str) -> bytes | None:
        """None: missing, outside the roots, or sensitive by name."""
        ...

    async def note(self, path: str, text: str) -> None:
        """The model has been shown all of the file, as it was when it was read."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class StepPorts:
    """What the steps of a compaction may ask of the outside."""

    vault: Vault
    text: TextWork
    filters: Filters
    files: Files
    clock: Clock
    writer: Writer | None = None
    """None: there is no model that could write; the offline summary stands in (C18)."""
    prompts: Mapping[str, str] = field(default_factory=dict[str, str])
    """Texts of `resources/prompts/` by file stem, as `summary.en`; without one no model is asked."""
