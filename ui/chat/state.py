"""What a chat shows, as one value; how each event of a turn changes it."""

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import assert_never

from app.core.entries import Entry
from app.core.errors import AppError
from app.core.events import (
    ModelChanged,
    ReasoningDelta,
    RequestSent,
    RetryScheduled,
    RoomMade,
    RoomWanted,
    TextDelta,
    TurnCompleted,
    TurnEvent,
    TurnFailed,
    TurnStarted,
    TurnStopped,
)
from app.core.ids import CompactionId, EntryId, TurnId


class Phase(Enum):
    """What an answer under way is doing; all but `WRITING` are told with their seconds."""

    SENDING = auto()
    STARTING = auto()
    """What talks to models is still coming up."""
    WAITING = auto()
    THINKING = auto()
    WRITING = auto()
    RETRYING = auto()
    FOLDING = auto()
    """Room is made before the request goes out."""


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
    instead: ModelChanged | None = None
    """Set when another model is asked, because the first one failed."""
    phase_s: int = 0
    """Whole seconds since the phase began, as far as this window saw it."""

    @property
    def phase(self) -> Phase:
        if self.compacting:
            return Phase.FOLDING
        if self.retry:
            return Phase.RETRYING
        if self.text:
            return Phase.WRITING
        if self.reasoning:
            return Phase.THINKING
        if self.is_waiting:
            return Phase.STARTING
        return Phase.WAITING if self.answer_id else Phase.SENDING


@dataclass(frozen=True, slots=True, kw_only=True)
class Compressed:
    """A compaction that stands, as the transcript tells it: a line after the last entry that there was then."""

    id: CompactionId
    after: EntryId
    n_messages: int
    tokens_before: int
    tokens_after: int
    is_undone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatState:
    path: tuple[Entry, ...] = ()
    """The shown branch, root to head; what a running turn stores is added as it comes."""
    live: Live | None = None
    failure: AppError | None = None
    """Why the last turn ended early; until the next one begins, or another version is shown."""
    compressed: tuple[Compressed, ...] = ()
    """Oldest first."""
    compressing: str | None = None
    """The pipeline's step while the person waits for a compression; None: no one does."""
    queue: tuple[str, ...] = ()
    editing: EntryId | None = None
    """The user's entry that the composer holds for a new version."""
    title: str = ""
    model_name: str = ""
    is_busy: bool = False
    """What was asked for is not stored yet; until it is, it stays in the composer (case B74)."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said here, and nothing is about to be."""
        return not (self.path or self.live or self.queue)


_Underway = RequestSent | TextDelta | ReasoningDelta | RoomWanted | RoomMade | RetryScheduled | ModelChanged


def reduce(state: ChatState, event: TurnEvent) -> ChatState:
    """The state after `event`; late words of a turn that was replaced change nothing."""
    if isinstance(event, TurnStarted):
        path = state.path if event.user in state.path[-1:] else _up_to(state.path, event.user)
        return replace(state, path=path, live=Live(turn=event.turn), failure=None)
    if state.live is None or event.turn != state.live.turn:
        return state
    match event:
        case TurnCompleted(answer=answer):
            return replace(state, path=(*state.path, answer), live=None)
        case TurnFailed(error=error, answer=answer):
            return replace(state, path=_with(state.path, answer), live=None, failure=error)
        case TurnStopped(answer=answer):
            return replace(state, path=_with(state.path, answer), live=None)
        case _:
            return replace(state, live=_next(state.live, _grown(state.live, event)))


def _grown(live: Live, event: _Underway) -> Live:
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
        case ModelChanged():
            return replace(live, retry=None, instead=event)
        case _:
            assert_never(event)


def passed(state: ChatState, seconds: int) -> ChatState:
    """The state `seconds` after the present phase of the answer began."""
    return replace(state, live=replace(state.live, phase_s=seconds)) if state.live else state


def _next(live: Live, now: Live) -> Live:
    """`now`, its seconds counted anew where another phase began."""
    return now if now.phase is live.phase else replace(now, phase_s=0)


def _up_to(path: tuple[Entry, ...], user: Entry) -> tuple[Entry, ...]:
    """The branch that ends in `user`: its own place in `path`, or after its parent."""
    for at in range(len(path) - 1, -1, -1):
        if path[at].id == user.id:
            return path[: at + 1]
        if path[at].id == user.parent_id:
            return (*path[: at + 1], user)
    return (user,)


def _with(path: tuple[Entry, ...], answer: Entry | None) -> tuple[Entry, ...]:
    return (*path, answer) if answer else path
