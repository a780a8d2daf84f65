"""What happens while an answer is made: first as the gateway tells it, then as a turn tells it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from app.core.approvals import Wish
from app.core.entries import Entry, Finish
from app.core.errors import AppError
from app.core.ids import ChatId, EntryId, ModelId, TurnId
from app.core.records import Alert, Compaction
from app.core.usage import Usage

# ---- what the gateway yields for one request (A1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A limit of the provider's, and how much of it is left (A19)."""

    of: Literal["requests", "tokens"]
    most: int
    left: int
    period_s: float
    """In which all of it comes back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """The first byte of the answer came."""

    rates: tuple[Rate, ...] = ()
    """As far as the provider tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextArrived:
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasoningArrived:
    """A piece of thinking; `signature` completes the block it belongs to."""

    text: str = ""
    signature: str | None = None
    redacted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallArrived:
    """A piece of a call. `index` is ours: one number per call, whatever the provider's said (case B55)."""

    index: int
    call_id: str = ""
    name: str = ""
    arguments: str = ""
    provider_fields: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageReported:
    usage: Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    finish: Finish
    provider_fields: str = ""


GatewayEvent = Accepted | TextArrived | ReasoningArrived | ToolCallArrived | UsageReported | Finished

# ---- what a turn tells whoever watches it


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted:
    """The user's entry is durable, and an answer to it is on its way."""

    chat_id: ChatId
    turn: TurnId
    user: Entry
    head: EntryId | None = None
    """The last entry of the branch it goes on from, where that holds more than `user`; None: it ends there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestSent:
    """A request left, or waits for the model's process to come up (`is_waiting`)."""

    turn: TurnId
    answer_id: EntryId
    """The id that the answer's entry will have."""
    projected_tokens: int
    is_waiting: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDelta:
    turn: TurnId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasoningDelta:
    turn: TurnId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryScheduled:
    """The same request goes out again by itself; no token of an answer had come."""

    turn: TurnId
    attempt: int
    of: int
    in_s: float
    error: AppError


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestQueued:
    """The provider's limit is reached: the request leaves when its turn comes (A19)."""

    turn: TurnId
    in_s: float
    """At least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChanged:
    """The model that was asked failed before its first word; another one of the person's list is asked (A6)."""

    turn: TurnId
    model: ModelId
    error: AppError


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomWanted:
    """The context is being compacted before the request leaves; `step` is the pipeline's."""

    turn: TurnId
    step: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomMade:
    """A compaction was stored, and its reason told (C28 L4, L5)."""

    turn: TurnId
    compaction: Compaction


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertRaised:
    """A request is worth a word; nothing is stopped by it (A18)."""

    turn: TurnId
    alert: Alert


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerKept:
    """An answer that calls for tools is stored; the turn goes on with what they give."""

    turn: TurnId
    answer: Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDropped:
    """Its calls repeat what the run was told already: it stays beside the path, and is asked for anew (C29)."""

    turn: TurnId
    answer_id: EntryId
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallStarted:
    """A call of a stored answer is being carried out."""

    turn: TurnId
    answer_id: EntryId
    index: int
    """Of the call among the answer's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSaid:
    """Output of a call that still runs."""

    turn: TurnId
    answer_id: EntryId
    index: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAsked:
    """A call waits for the person: to be allowed, or to be told something."""

    turn: TurnId
    answer_id: EntryId
    index: int
    wish: Wish


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgentBegan:
    """The sub-agent of a call has a chat of its own now (A14)."""

    turn: TurnId
    answer_id: EntryId
    index: int
    chat_id: ChatId


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFinished:
    """What a call gave is stored."""

    turn: TurnId
    answer_id: EntryId
    index: int
    result: Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class HookFailed:
    """A command of the person's failed, or took too long; the turn goes on (A16)."""

    turn: TurnId
    event: str
    command: str
    code: int | None
    """With which it ended; None: it was ended after `timeout_s`; -1: it was not started."""
    timeout_s: float
    text: str
    """The last line that it wrote; of one that was not started why."""


class Pause(StrEnum):
    """Why a turn waits for the person to say whether it goes on."""

    REQUESTS = "requests"
    """It asked the model as often as a turn may."""
    LOOP = "loop"
    """It goes round in circles, and was told so (C30)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPaused:
    """All is stored; `ChatSession.go_on` takes it up where it stands."""

    turn: TurnId
    why: Pause
    answer: Entry | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCompleted:
    turn: TurnId
    answer: Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFailed:
    """`answer` holds what had arrived; None when nothing had."""

    turn: TurnId
    error: AppError
    answer: Entry | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStopped:
    turn: TurnId
    answer: Entry | None


TurnEvent = (
    TurnStarted
    | RequestSent
    | TextDelta
    | ReasoningDelta
    | RetryScheduled
    | RequestQueued
    | ModelChanged
    | RoomWanted
    | RoomMade
    | AlertRaised
    | AnswerKept
    | AnswerDropped
    | CallStarted
    | CallSaid
    | PersonAsked
    | SubAgentBegan
    | CallFinished
    | HookFailed
    | TurnPaused
    | TurnCompleted
    | TurnFailed
    | TurnStopped
)
