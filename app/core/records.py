"""What is kept of each request and each compaction: the facts that panel, Lens and restart are made from."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from app.core.ids import ChatId, CompactionId, EntryId, ModelId, RequestId, TurnId
from app.core.parts import Blob, MediaPart, Part, stand_in
from app.core.usage import Usage


class RequestState(StrEnum):
    """How far a request got (M7); what was under way when the program died is UNKNOWN, and never re-sent."""

    PREPARED = "prepared"
    SENT = "sent"
    ACCEPTED = "accepted"
    """The first byte of the answer came."""
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"
    UNKNOWN = "unknown"


class RequestKind(StrEnum):
    """What a request was for. All of them cost; only answers make a chat grow."""

    ANSWER = "answer"
    PROBE = "probe"
    """An accepted request once more, without an answer, so that its prompt stays in the provider's cache (P7, P8)."""
    SUMMARY = "summary"
    TITLE = "title"


class BreakCause(StrEnum):
    """Why less of a prompt was read from the cache than the chat's last request had (P5)."""

    MODEL = "model"
    PROVIDER = "provider"
    SYSTEM = "system"
    TOOLS = "tools"
    """Some came or went."""
    SCHEMA = "schema"
    """One of them is described otherwise."""
    COMPACTION = "compaction"
    UNDO = "undo"
    EDIT = "edit"
    """Another branch, or another message in it: said again otherwise, deleted, or joined by a note."""
    SETTING = "setting"
    """Another effort of reasoning, where what is kept of messages goes by it."""
    EXPIRED = "expired"
    SMALL = "small"
    """Below what the model keeps at all."""
    THEIRS = "theirs"
    """The same prompt, in time: the provider did not have it any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheBreak:
    cause: BreakCause
    missed_tokens: int
    """Read anew, though the last request had held as much."""
    cost_usd: float | None = None
    """What that cost more; None: no price is known."""
    detail: str = ""
    """Names of tools with + and −, or the model before; empty: nothing to add."""
    message: int = 0
    """The first changed message, counted from 1; 0: not one of the messages."""
    idle_s: float = 0.0
    """Since the cache was last used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestRecord:
    """One request, written before a byte of it leaves; rebuilt exactly from prelude + `read(head, rev)`."""

    id: RequestId
    kind: RequestKind = RequestKind.ANSWER
    chat_id: ChatId
    turn_id: TurnId
    head: EntryId
    """The last entry it held."""
    answer_id: EntryId
    """The id of its answer's entry, which is there once anything of it came; empty: none is kept."""
    rev: int
    model: ModelId
    prelude_hash: str
    n_blocks: int
    chain_tip: str
    """Hash chain over all blocks (architecture.md, sealed parts)."""
    renderer: int
    """Version of the code that turns a reading into messages."""
    fingerprint: str
    estimated_tokens: int
    """Our count of exactly this request, for the ratio (C3)."""
    projected_tokens: int
    state: RequestState
    created_at: datetime
    usage: Usage | None = None
    cost_usd: float | None = None
    """None: the price is not known."""
    time_to_first_token_s: float | None = None
    duration_s: float | None = None
    error: str = ""
    """Code of the `AppError` that ended it; empty: none."""
    cache_break: CacheBreak | None = None
    """None: the cache held what it should, or that is not known."""
    effort: str = ""
    """Of its reasoning, as it was asked for; empty: none was."""

    @property
    def was_accepted(self) -> bool:
        """Whether the provider took it: only then does its cache hold it."""
        return self.state in (RequestState.ACCEPTED, RequestState.FINISHED, RequestState.STOPPED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What the requests of one day, one model and one chat came to, of all kinds."""

    day: date
    """By this machine's clock."""
    model: ModelId
    chat_id: ChatId
    title: str
    """Of the chat; empty: it has none."""
    n_requests: int
    prompt_tokens: int
    cached_tokens: int
    """Part of `prompt_tokens`."""
    completion_tokens: int
    cost_usd: float
    n_unpriced: int
    """Requests of which no price is known; they are not in `cost_usd`."""


class AlertKind(StrEnum):
    """What about a request is worth a word (A18)."""

    SURGE = "step_surge"
    """It was much longer than the one before it."""
    SOFT = "soft_threshold"
    HARD = "hard_limit"
    """Nearly no room is left, or the provider refused the length."""
    SLOW = "slow_start"
    """The first token took twice as long as is usual in its chat."""
    LOOP = "loop"
    """Its turn went round in circles (C30)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """Derived from the records of a chat's requests, and stored nowhere."""

    kind: AlertKind
    request: RequestId
    after: EntryId
    """The last entry that the request held."""
    amount: float = 0.0
    """Tokens that it grew by, its share of the window, or how many times too slow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepReport:
    step: str
    candidates: int
    folded: int
    tokens_saved: int
    ms: float
    why: str


PUT_BACK = "put back"
"""Trigger of the compaction that shows a group whole again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """A batch of folds made together and undone as one."""

    id: CompactionId
    chat_id: ChatId
    rev: int
    trigger: str
    reason: str
    tokens_before: int
    tokens_after: int
    elapsed_ms: float
    created_at: datetime
    steps: tuple[StepReport, ...] = ()
    model: ModelId | None = None
    cost_usd: float | None = None
    intent: str = ""
    """JSON of the intent it followed; empty: none."""
    summary: str = ""
    """JSON of the fourteen fields; empty: no summary was made."""
    fact_check: str = ""
    """JSON of the loss receipt; empty: not checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryVersion:
    """A compaction's summary in the person's words; sent from the next compaction on that is made anyway (C38)."""

    compaction_id: CompactionId
    rev: int
    summary: str
    """JSON of the fourteen fields."""
    created_at: datetime
    undone_rev: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Partial:
    """The running answer of a turn, check-pointed every second (M8)."""

    turn_id: TurnId
    chat_id: ChatId
    request_id: RequestId
    parent_id: EntryId
    entry_id: EntryId
    """The id its entry will have."""
    model: ModelId
    parts: tuple[Part, ...]
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What stands in a chat's composer, and what waits behind the running answer."""

    text: str = ""
    queue: tuple[str, ...] = ()
    pastes: tuple[str, ...] = ()
    """What of both was put in whole, and is shown as a chip (U14)."""
    media: tuple[MediaPart, ...] = ()
    """The files whose `stand_in` is in either."""

    def but(
        self,
        *,
        text: str | None = None,
        queue: tuple[str, ...] | None = None,
        pastes: Iterable[str] = (),
        media: Iterable[MediaPart] = (),
    ) -> "Draft":
        """With other words; of the pastes and files, and of `pastes` and `media`, those that they hold."""
        text, queue = self.text if text is None else text, self.queue if queue is None else queue
        known = dict.fromkeys((*self.pastes, *pastes))
        held = tuple(paste for paste in known if any(paste in one for one in (text, *queue)))
        files = {stand_in(part): part for part in (*self.media, *media)}
        left = tuple(part for name, part in files.items() if any(name in one for one in (text, *queue)))
        return Draft(text=text, queue=queue, pastes=held, media=left)


class ToolRunState(StrEnum):
    REQUESTED = "requested"
    APPROVED = "approved"
    STARTED = "started"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRun:
    """How far one tool call got, so that a restart can say whether it may have run (M8)."""

    entry_id: EntryId
    call_index: int
    state: ToolRunState


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """A file that a call changed, written down before it was, so that it can be taken back (A12)."""

    id: str
    chat_id: ChatId
    entry_id: EntryId
    """The answer whose call it was."""
    call_index: int
    path: str
    """Absolute."""
    before: Blob | None
    """What it held; None: there was none."""
    after_sha256: str
    created_at: datetime
    reverted_at: datetime | None = None


class Fact(StrEnum):
    """Kinds of stored facts, for `Changes`."""

    CHATS = "chats"
    ENTRIES = "entries"
    FOLDS = "folds"
    LEDGER = "ledger"
    REQUESTS = "requests"
    DRAFTS = "drafts"
    SETTINGS = "settings"
    VAULT = "vault"
    """What the person keeps of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What a write changed; each screen decides whether to reload."""

    facts: frozenset[Fact] = frozenset()
    chats: frozenset[ChatId] = frozenset()

    def __or__(self, other: "Changes") -> "Changes":
        return Changes(facts=self.facts | other.facts, chats=self.chats | other.chats)
