"""At start: running answers become interrupted entries, and no call stays without a result (M8)."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from sqlmodel import Session, col, select, update

from app.context.ports import NewEntry
from app.core.entries import Entry, Finish, Origin
from app.core.ids import ChatId, EntryId, new_id
from app.core.parts import ToolResultPart
from app.core.records import Partial, RequestState, ToolRun, ToolRunState
from app.store.chats import Chats
from app.store.entries import Entries
from app.store.requests import Requests
from app.store.tables import EntryRow, RequestRow

_UNDER_WAY = (RequestState.PREPARED, RequestState.SENT, RequestState.ACCEPTED)
_BEFORE_START = (ToolRunState.REQUESTED, ToolRunState.APPROVED)
_NOT_STARTED = "This call was not started: the program ended before it."
_MAY_HAVE_RUN = "The program ended while this call was running: it may have run, wholly or in part."


class Recovery:
    def __init__(self, session: Session, now: datetime) -> None:
        self._session = session
        self._chats = Chats(session, now)
        self._entries = Entries(session, now)
        self._requests = Requests(session, now)

    def recover(self, partials: Iterable[Partial]) -> tuple[ChatId, ...]:
        """
        Args:
            partials: The running answers that are stored, their long texts in the vault.
        Returns: the chats it touched, none when it is run again.
        """
        touched = self._mark_unknown()
        for partial in partials:
            self._keep(partial)
            touched.add(partial.chat_id)
        for entry_id, states in self._requests.open_tool_runs().items():
            touched |= self._answer_calls(entry_id, states)
        return tuple(sorted(touched))

    def _mark_unknown(self) -> set[ChatId]:
        under_way = col(RequestRow.state).in_(_UNDER_WAY)
        chats = {ChatId(chat) for chat in self._session.exec(select(RequestRow.chat_id).where(under_way))}
        self._session.exec(update(RequestRow).where(under_way).values(state=RequestState.UNKNOWN))
        return chats

    def _keep(self, partial: Partial) -> None:
        self._requests.drop_partial(partial)
        if not partial.parts or partial.parent_id not in self._entries.get((partial.parent_id,)):
            return
        answer = NewEntry(
            id=partial.entry_id,
            parent_id=partial.parent_id,
            origin=Origin.ASSISTANT,
            parts=partial.parts,
            model=partial.model,
            finish=Finish.INTERRUPTED,
            created_at=partial.updated_at,
        )
        self._requests.add_answer(partial.chat_id, answer)

    def _answer_calls(self, entry_id: EntryId, states: dict[int, ToolRunState]) -> set[ChatId]:
        group = self._entries.group(entry_id)
        chat_id = self._session.exec(select(EntryRow.chat_id).where(col(EntryRow.id) == entry_id)).one()
        chat_id = ChatId(chat_id)
        missing = () if self._goes_on(group) else _unanswered(group)
        new: list[NewEntry] = []
        for index in missing:
            call = group[0].calls[index]
            text = _NOT_STARTED if states.get(index) in _BEFORE_START else _MAY_HAVE_RUN
            result = ToolResultPart(call_id=call.call_id, name=call.name, text=text, is_error=True)
            parent = new[-1].id if new else group[-1].id
            entry = NewEntry(
                id=EntryId(new_id("entry_")), parent_id=parent, origin=Origin.TOOL, parts=(result,)
            )
            new.append(entry)
        self._append(chat_id, group, new)
        for index in states:
            self._requests.save_tool_run(
                ToolRun(entry_id=entry_id, call_index=index, state=ToolRunState.FINISHED)
            )
        return {chat_id} if new else set()

    def _append(self, chat_id: ChatId, group: tuple[Entry, ...], new: list[NewEntry]) -> None:
        """The head follows only where it stood in the group."""
        if not new:
            return
        chat = self._chats.get(chat_id)
        self._entries.append(chat_id, new)
        if chat.head not in {entry.id for entry in group}:
            self._chats.set(chat_id, head=chat.head)

    def _goes_on(self, group: tuple[Entry, ...]) -> bool:
        return bool(self._entries.children(group[-1].id))


def _unanswered(group: tuple[Entry, ...]) -> tuple[int, ...]:
    """Indexes of the calls without a result; of calls that share an id the first are answered first (C31)."""
    answers = Counter(result.call_id for entry in group[1:] for result in entry.results)
    missing: list[int] = []
    for index, call in enumerate(group[0].calls):
        if answers[call.call_id]:
            answers[call.call_id] -= 1
        else:
            missing.append(index)
    return tuple(missing)
