"""The answer under way, as one value; how each event of its turn changes it."""

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import assert_never

from app.core.approvals import Wish
from app.core.events import (
    CallSaid,
    CallStarted,
    ModelChanged,
    PersonAsked,
    ReasoningDelta,
    RequestQueued,
    RequestSent,
    RetryScheduled,
    RoomMade,
    RoomWanted,
    TextDelta,
)
from app.core.ids import EntryId, TurnId


class Phase(Enum):
    """What an answer under way is doing; all but `WRITING` are told with their seconds."""

    SENDING = auto()
    QUEUED = auto()
    """The provider takes no more for the moment."""
    STARTING = auto()
    """What talks to models is still coming up."""
    WAITING = auto()
    THINKING = auto()
    WRITING = auto()
    RETRYING = auto()
    FOLDING = auto()
    """Room is made before the request goes out."""
    WORKING = auto()
    """Tools are at work."""
    ASKING = auto()
    """A tool waits for the person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveCall:
    """A call that is being carried out, or waits for the person (`wish`)."""

    answer_id: EntryId
    index: int
    output: str = ""
    """What it has written so far; the end of it."""
    wish: Wish | None = None
    has_started: bool = False
    """It is being carried out; else it was only asked about."""
    ran_s: int = 0
    """Whole seconds that it has run, as far as this window saw it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """The answer under way."""

    turn: TurnId
    answer_id: EntryId | None = None
    """None until a request has left."""
    text: str = ""
    reasoning: str = ""
    is_waiting: bool = False
    """The process that talks to models is still coming up."""
    compacting: str = ""
    """The pipeline's step while room is made; empty: none is."""
    retry: RetryScheduled | None = None
    """Set while a request waits to go out again."""
    queued: RequestQueued | None = None
    """Set while a request waits for its provider's limit."""
    instead: ModelChanged | None = None
    """Set when another model is asked, because the first one failed."""
    calls: tuple[LiveCall, ...] = ()
    """In the order in which they began."""
    is_working: bool = False
    """The last answer calls for tools, and the model is not asked anew yet."""
    phase_s: int = 0
    """Whole seconds since the phase began, as far as this window saw it."""

    @property
    def phase(self) -> Phase:
        if self.compacting:
            return Phase.FOLDING
        if self.retry:
            return Phase.RETRYING
        if self.queued:
            return Phase.QUEUED
        if self.is_working:
            return Phase.ASKING if any(call.wish for call in self.calls) else Phase.WORKING
        if self.text:
            return Phase.WRITING
        if self.reasoning:
            return Phase.THINKING
        if self.is_waiting:
            return Phase.STARTING
        return Phase.WAITING if self.answer_id else Phase.SENDING


Underway = (
    RequestSent
    | TextDelta
    | ReasoningDelta
    | RoomWanted
    | RoomMade
    | RetryScheduled
    | RequestQueued
    | ModelChanged
)
OfCalls = CallStarted | CallSaid | PersonAsked
_SHOWN_CHARS = 20_000
"""Of the output of a call that still runs."""


def called(live: Live, event: OfCalls) -> Live:
    """The running answer after something was heard of a call."""
    known = next((call for call in live.calls if call.index == event.index), None)
    call = known or LiveCall(answer_id=event.answer_id, index=event.index)
    match event:
        case CallStarted():
            call = replace(call, wish=None, has_started=True)
        case CallSaid(text=text):
            call = replace(call, output=(call.output + text)[-_SHOWN_CHARS:])
        case PersonAsked(wish=wish):
            call = replace(call, wish=wish)
        case _:
            assert_never(event)
    others = [item for item in live.calls if item.index != event.index]
    at = live.calls.index(known) if known else len(others)
    return replace(live, calls=(*others[:at], call, *others[at:]))


def grown(live: Live, event: Underway) -> Live:
    """The running answer after an event that doesn't end it."""
    match event:
        case RequestSent(answer_id=answer_id, is_waiting=is_waiting):
            return Live(turn=live.turn, answer_id=answer_id, is_waiting=is_waiting, instead=live.instead)
        case TextDelta(text=text):
            return replace(live, text=live.text + text)
        case ReasoningDelta(text=text):
            return replace(live, reasoning=live.reasoning + text)
        case RoomWanted(step=step):
            return replace(live, compacting=step)
        case RoomMade():
            return replace(live, compacting="")
        case RetryScheduled():
            return replace(live, retry=event)
        case RequestQueued():
            return replace(live, retry=None, queued=event)
        case ModelChanged():
            return replace(live, retry=None, instead=event)
        case _:
            assert_never(event)


def phased(live: Live, now: Live) -> Live:
    """`now`, its seconds counted anew where another phase began."""
    return now if now.phase is live.phase else replace(now, phase_s=0)
