"""Requests and running answers: what is written before a byte leaves, while it comes, and at its end (M7, M8)."""

from datetime import date, datetime

from sqlalchemy import text
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlmodel import Session, col, delete, insert, select, update

from app.context.ports import NewEntry, Outcome
from app.core.entries import Entry
from app.core.errors import StoreError
from app.core.ids import ChatId, EntryId, ModelId, RequestId
from app.core.records import Partial, RequestRecord, Spending, ToolRun, ToolRunState
from app.core.requests import Prelude
from app.store.entries import Entries
from app.store.tables import PartialRow, PreludeRow, RequestRow, ToolRunRow, from_row, to_row

_SPENDING = text(
    """
    SELECT date(requests.created_at / 1000000, 'unixepoch', 'localtime') AS day, requests.model,
           requests.chat_id, chats.title, count(*),
           sum(json_extract(usage, '$.prompt_tokens')), sum(coalesce(json_extract(usage, '$.cached_tokens'), 0)),
           sum(json_extract(usage, '$.completion_tokens')), total(cost_usd), sum(cost_usd IS NULL)
    FROM requests JOIN chats ON chats.id = requests.chat_id
    WHERE usage IS NOT NULL
    GROUP BY day, requests.model, requests.chat_id
    ORDER BY day DESC
    """
)
"""Summed up by SQLite: a hundred thousand requests are a few thousand rows."""


class Requests:
    def __init__(self, session: Session, now: datetime) -> None:
        self._session = session
        self._entries = Entries(session, now)

    def prelude(self, prelude_hash: str) -> Prelude:
        row = self._session.get(PreludeRow, prelude_hash)
        if row is None:
            raise StoreError("What this request began with is not stored any more.")
        return from_row(row, Prelude)

    def of(self, chat_id: ChatId, *, newest: int | None) -> tuple[RequestRecord, ...]:
        query = (
            select(RequestRow)
            .where(col(RequestRow.chat_id) == chat_id)
            .order_by(col(RequestRow.created_at).desc(), col(RequestRow.id).desc())
            .limit(newest)
        )
        return tuple(from_row(row, RequestRecord) for row in self._session.exec(query))[::-1]

    def since(self, moment: datetime) -> tuple[RequestRecord, ...]:
        query = (
            select(RequestRow)
            .where(col(RequestRow.created_at) >= moment)
            .order_by(col(RequestRow.created_at))
        )
        return tuple(from_row(row, RequestRecord) for row in self._session.exec(query))

    def spending(self) -> tuple[Spending, ...]:
        """All that was used, newest day first; what was never answered cost nothing."""
        found = self._session.connection().execute(_SPENDING)
        return tuple(
            Spending(
                day=date.fromisoformat(day),
                model=ModelId(model),
                chat_id=ChatId(chat_id),
                title=title,
                n_requests=n,
                prompt_tokens=prompt,
                cached_tokens=cached,
                completion_tokens=completion,
                cost_usd=usd,
                n_unpriced=unpriced,
            )
            for day, model, chat_id, title, n, prompt, cached, completion, usd, unpriced in found
        )

    def begin(self, record: RequestRecord, prelude: Prelude, partial: Partial | None) -> None:
        stored = to_row(prelude, hash=record.prelude_hash)
        self._session.exec(upsert(PreludeRow).values(stored).on_conflict_do_nothing())
        self._session.exec(insert(RequestRow).values(to_row(record)))
        if partial:
            running = to_row(partial)
            self._session.exec(
                upsert(PartialRow)
                .values(running)
                .on_conflict_do_update(index_elements=["turn_id"], set_=running)
            )

    def mark(self, request_id: RequestId, outcome: Outcome) -> None:
        known = {name: value for name, value in to_row(outcome).items() if value is not None}
        found = self._session.exec(
            update(RequestRow)
            .where(col(RequestRow.id) == request_id)
            .values(known)
            .returning(col(RequestRow.id))
        )
        if found.first() is None:
            raise StoreError("This request is not stored.")

    def save_partial(self, partial: Partial) -> None:
        """A late flush never brings back an answer that has ended."""
        self._session.exec(
            update(PartialRow)
            .where(
                col(PartialRow.turn_id) == partial.turn_id, col(PartialRow.request_id) == partial.request_id
            )
            .values(parts=partial.parts, updated_at=partial.updated_at)
        )

    def end(
        self, chat_id: ChatId, request_id: RequestId, outcome: Outcome, answer: NewEntry | None
    ) -> Entry | None:
        self.mark(request_id, outcome)
        self._session.exec(delete(PartialRow).where(col(PartialRow.request_id) == request_id))
        return self.add_answer(chat_id, answer) if answer else None

    def add_answer(self, chat_id: ChatId, answer: NewEntry) -> Entry:
        """Append an answer; each call in it is noted as requested, for the case that its result never comes."""
        (entry,) = self._entries.append(chat_id, (answer,))
        for index, _ in enumerate(entry.calls):
            run = ToolRun(entry_id=entry.id, call_index=index, state=ToolRunState.REQUESTED)
            self._session.exec(upsert(ToolRunRow).values(to_row(run)).on_conflict_do_nothing())
        return entry

    # ---- what a restart finds

    def partials(self) -> tuple[Partial, ...]:
        return tuple(from_row(row, Partial) for row in self._session.exec(select(PartialRow)))

    def drop_partial(self, partial: Partial) -> None:
        self._session.exec(delete(PartialRow).where(col(PartialRow.turn_id) == partial.turn_id))

    def save_tool_run(self, run: ToolRun) -> None:
        row = to_row(run)
        self._session.exec(
            upsert(ToolRunRow)
            .values(row)
            .on_conflict_do_update(index_elements=["entry_id", "call_index"], set_=row)
        )

    def open_tool_runs(self) -> dict[EntryId, dict[int, ToolRunState]]:
        """Calls that are not noted as finished: how far each got, by entry and index of the call."""
        found: dict[EntryId, dict[int, ToolRunState]] = {}
        query = select(ToolRunRow).where(col(ToolRunRow.state) != ToolRunState.FINISHED)
        for row in self._session.exec(query):
            found.setdefault(EntryId(row.entry_id), {})[row.call_index] = row.state
        return found
