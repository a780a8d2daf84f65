"""What a chat shows, as one value; how each event of a turn changes it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from app.agent.reverting import Reverted
from app.agent.subagents import SubAgent
from app.core.artifacts import PartKey, Sight
from app.core.entries import Chat, Entry, Finish, Origin
from app.core.errors import AppError
from app.core.events import (
    AlertRaised,
    AnswerDropped,
    AnswerKept,
    CallFinished,
    CallSaid,
    CallStarted,
    HookFailed,
    Pause,
    PersonAsked,
    RequestSent,
    SubAgentBegan,
    TurnCompleted,
    TurnEvent,
    TurnFailed,
    TurnPaused,
    TurnStarted,
    TurnStopped,
)
from app.core.ids import ChatId, CompactionId, EntryId, ModelId
from app.core.records import Alert
from ui.chat.ahead import RoomAhead
from ui.chat.live import Live, OfCalls, Phase, called, grown, phased
from ui.chat.prospect import Switch


@dataclass(frozen=True, slots=True, kw_only=True)
class Compressed:
    """A compaction that stands, as the transcript tells it: a line after the last entry that there was then."""

    id: CompactionId
    after: EntryId
    n_messages: int
    tokens_before: int
    tokens_after: int
    has_summary: bool = False
    is_undone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Kin:
    """A chat that shares this one's beginning up to an entry, as a line after it tells."""

    id: ChatId
    title: str
    """Empty: it has none yet."""
    after: EntryId
    is_parent: bool = False
    """This chat was forked from it; else it was forked from this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reverting:
    """The person wants back what a turn's calls changed of files."""

    answers: tuple[EntryId, ...]
    paths: tuple[str, ...]
    done: Reverted | None = None
    """What became of it; None: they are asked whether they are sure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """A sub-agent that a call of this chat made."""

    stored: SubAgent
    live: Live | None = None
    """What it does at this moment, without its words; None: it does not work."""
    call: tuple[str, str] | None = None
    """Name and arguments of the call that it has carried out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HookNote:
    """A hook of the person's failed: a line after what was the last entry then."""

    after: EntryId | None
    failed: HookFailed


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The chat for which a sub-agent works."""

    chat_id: ChatId | None
    """None: it is gone."""
    title: str


def caller_of(chat: Chat | None) -> Caller:
    return Caller(chat_id=chat.id, title=chat.title) if chat else Caller(chat_id=None, title="")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatState:
    path: tuple[Entry, ...] = ()
    """The shown branch, root to head; what a running turn stores is added as it comes."""
    live: Live | None = None
    failure: AppError | None = None
    """Why the last turn ended early; until the next one begins, or another version is shown."""
    pause: Pause | None = None
    """Why the last turn waits for the person to say whether it goes on; as long."""
    n_requests: int = 0
    """So often the running turn, or the last one, has asked the model, as far as this window saw it."""
    compressed: tuple[Compressed, ...] = ()
    """Oldest first."""
    alerts: tuple[Alert, ...] = ()
    """What of the chat's requests was worth a word, oldest first."""
    kin: tuple[Kin, ...] = ()
    deleted: frozenset[EntryId] = frozenset()
    """Entries in whose place a line stands with the way back (M10)."""
    pinned: frozenset[EntryId] = frozenset()
    """Entries that no compression folds by itself."""
    compressing: str | None = None
    """The pipeline's step while the person waits for a compression; None: no one does."""
    compressing_s: int = 0
    """Whole seconds since that began."""
    sights: Mapping[PartKey, Sight] = field(default_factory=dict[PartKey, Sight])
    """What the model sees of the originals of the path."""
    changed: frozenset[EntryId] = frozenset()
    """Answers whose calls changed files, as long as that is not taken back."""
    reverting: Reverting | None = None
    agents: tuple[Agent, ...] = ()
    """Sub-agents of the shown branch's calls, oldest first."""
    hook_notes: tuple[HookNote, ...] = ()
    """Oldest first; as long as the chat is open in this window."""
    caller: Caller | None = None
    """Set in a sub-agent's own chat, which is there to be read."""
    queue: tuple[str, ...] = ()
    editing: EntryId | None = None
    """The user's entry that the composer holds for a new version."""
    switch: Switch | None = None
    """The next message goes to another model than the last one."""
    room: RoomAhead | None = None
    """The line above the composer."""
    title: str = ""
    model: ModelId | None = None
    """Whom the next message goes to; None: that is not known yet."""
    model_name: str = ""
    """As the header shows it."""
    is_busy: bool = False
    """What was asked for is not stored yet; until it is, it stays in the composer (case B74)."""

    @property
    def is_waiting(self) -> bool:
        """Whether the turn goes on only when the person says something."""
        return self.pause is not None or (self.live is not None and self.live.phase is Phase.ASKING)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said here, and nothing is about to be."""
        return not (self.path or self.live or self.queue)


def reduce(state: ChatState, event: TurnEvent) -> ChatState:
    """The state after `event`; late words of a turn that was replaced change nothing."""
    if isinstance(event, TurnStarted):
        path = _up_to(state.path, event)
        live = Live(turn=event.turn)
        return replace(state, path=path, live=live, failure=None, pause=None, n_requests=0)
    if state.live is None or event.turn != state.live.turn:
        return state
    match event:
        case TurnCompleted(answer=answer):
            return replace(state, path=(*state.path, answer), live=None)
        case TurnFailed(error=error, answer=answer):
            return replace(state, path=_with(state.path, answer), live=None, failure=error)
        case TurnStopped(answer=answer):
            return replace(state, path=_with(state.path, answer), live=None)
        case TurnPaused(why=why):
            return replace(state, live=None, pause=why)
        case HookFailed() | SubAgentBegan() | AlertRaised():
            return _noted(state, event)
        case AnswerKept() | AnswerDropped() | CallFinished() | CallStarted() | CallSaid() | PersonAsked():
            return _worked(state, state.live, event)
        case _:
            n_more = isinstance(event, RequestSent)
            live = phased(state.live, grown(state.live, event))
            return replace(state, live=live, n_requests=state.n_requests + n_more)


def _noted(state: ChatState, event: HookFailed | SubAgentBegan | AlertRaised) -> ChatState:
    """The state after what stands among the entries, or beside them."""
    match event:
        case HookFailed():
            told = HookNote(after=state.path[-1].id if state.path else None, failed=event)
            return replace(state, hook_notes=(*state.hook_notes, told))
        case AlertRaised(alert=alert):
            return replace(state, alerts=(*state.alerts, alert))
        case SubAgentBegan():
            return state


def _worked(
    state: ChatState, live: Live, event: AnswerKept | AnswerDropped | CallFinished | OfCalls
) -> ChatState:
    """The state after something was heard of the calls of an answer."""
    match event:
        case AnswerKept(answer=answer):
            now = Live(turn=event.turn, is_working=True)
            return replace(state, path=_with(state.path, answer), live=phased(live, now))
        case AnswerDropped(answer_id=answer_id):
            path = tuple(entry for entry in state.path if entry.id != answer_id)
            return replace(state, path=path, live=Live(turn=event.turn))
        case CallFinished(result=result, index=index):
            calls = tuple(call for call in live.calls if call.index != index)
            now = replace(live, calls=calls)
            return replace(state, path=_with(state.path, result), live=phased(live, now))
        case _:
            return replace(state, live=phased(live, called(live, event)))


def passed(state: ChatState, seconds: int) -> ChatState:
    """The state `seconds` after the present phase of the answer began."""
    live = state.live
    if live is None:
        return state
    more_s = max(0, seconds - live.phase_s)
    calls = tuple(
        replace(call, ran_s=call.ran_s + more_s) if call.has_started and not call.wish else call
        for call in live.calls
    )
    return replace(state, live=replace(live, phase_s=seconds, calls=calls))


def replied(state: ChatState, answer_id: EntryId, index: int) -> ChatState:
    """The state after the person has said something to a call."""
    live = state.live
    if live is None:
        return state
    calls = tuple(
        replace(call, wish=None) if (call.answer_id, call.index) == (answer_id, index) else call
        for call in live.calls
    )
    return replace(state, live=phased(live, replace(live, calls=calls)))


def turn_of(path: tuple[Entry, ...], entry_id: EntryId) -> tuple[EntryId, ...]:
    """All of the turn to which an entry belongs: from the person's message to before their next one."""
    found: list[EntryId] = []
    for entry in path:
        if entry.origin is Origin.USER:
            if entry_id in found:
                break
            found.clear()
        found.append(entry.id)
    return tuple(found) if entry_id in found else ()


def is_open_ended(state: ChatState) -> bool:
    """Whether the shown branch ends before an answer: in the person's message, or in the work on it."""
    if not state.path or state.path[-1].id in state.deleted:
        return False
    last = state.path[-1]
    return last.origin in (Origin.USER, Origin.TOOL, Origin.NOTE) or (
        last.origin is Origin.ASSISTANT and last.finish is Finish.TOOL_CALLS and bool(last.calls)
    )


def _up_to(path: tuple[Entry, ...], started: TurnStarted) -> tuple[Entry, ...]:
    """The branch that a turn goes on from: up to its head, or to the user's entry, or that after its parent."""
    user = started.user
    if path and path[-1].id in (started.head, user.id):
        return path
    for at in range(len(path) - 1, -1, -1):
        if path[at].id == started.head:
            return path[: at + 1]
        if path[at].id == user.id:
            return path[: at + 1]
        if path[at].id == user.parent_id:
            return (*path[: at + 1], user)
    return (user,)


def _with(path: tuple[Entry, ...], entry: Entry | None) -> tuple[Entry, ...]:
    """What is there already, as the calls of a turn that failed later, is not shown twice."""
    return (*path, entry) if entry and entry not in path[-_NEAR:] else path


_NEAR = 256
