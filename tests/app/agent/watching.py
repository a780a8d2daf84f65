"""A store that tells what was written, and refuses what it is told to."""

from collections.abc import AsyncIterator, Sequence

import pytest

from app.context.ports import NewEntry, Outcome
from app.core.entries import Entry
from app.core.errors import (
    StoreError,
)
from app.core.ids import ChatId, RequestId
from app.core.parts import TextPart
from app.core.records import Draft, Partial, RequestRecord
from app.core.requests import Prelude
from app.settings import Paths
from app.store.store import Store


class WatchedStore(Store):
    """Notes what was written, in order; refuses what it is told to."""

    def __init__(self, paths: Paths) -> None:
        super().__init__(paths)
        self.writes: list[str] = []
        self.refused: set[str] = set()

    def _note(self, write: str) -> None:
        if write in self.refused:
            raise StoreError("The disk is full.")
        self.writes.append(write)

    async def append(
        self, chat_id: ChatId, entries: Sequence[NewEntry], *, draft: Draft | None = None
    ) -> tuple[Entry, ...]:
        self._note("append")
        return await super().append(chat_id, entries, draft=draft)

    async def begin_request(
        self, record: RequestRecord, prelude: Prelude, partial: Partial | None = None
    ) -> None:
        self._note(record.state)
        await super().begin_request(record, prelude, partial)

    async def mark_request(self, request_id: RequestId, outcome: Outcome) -> None:
        self._note(outcome.state)
        await super().mark_request(request_id, outcome)

    async def save_partial(self, partial: Partial) -> None:
        self._note("partial: " + "".join(str(part) for part in _texts(partial)))
        await super().save_partial(partial)

    async def end_request(
        self, chat_id: ChatId, request_id: RequestId, outcome: Outcome, answer: NewEntry | None
    ) -> Entry | None:
        self._note(outcome.state)
        return await super().end_request(chat_id, request_id, outcome, answer)


def _texts(partial: Partial) -> list[object]:
    return [part.text for part in partial.parts if isinstance(part, TextPart)]


@pytest.fixture
async def store(paths: Paths) -> AsyncIterator[WatchedStore]:
    found = WatchedStore(paths)
    await found.prepare()
    yield found
    await found.aclose()
