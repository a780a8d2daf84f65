"""The door to everything that is stored: `context.ports.Store` over one SQLite file."""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Self

from pydantic import JsonValue

from app.context.breaker import Breaker
from app.context.ports import ChatContents, Marks, NewEntry, NewFold, Outcome, Removal
from app.core.entries import Chat, Entry
from app.core.folds import Fold
from app.core.ids import ChatId, CompactionId, EntryId, ModelId, RequestId
from app.core.ledger import LedgerItem
from app.core.parts import Blob
from app.core.records import (
    Changes,
    Compaction,
    Draft,
    Fact,
    FileChange,
    Partial,
    RequestRecord,
    Spending,
    SummaryVersion,
    ToolRun,
)
from app.core.requests import Prelude
from app.finding.found import Findings, originals_in
from app.finding.wanted import Wanted
from app.settings import Paths, Settings
from app.store import backups, upgrade
from app.store.engine import Engine
from app.vault.vault import Vault

if TYPE_CHECKING:
    from app.store.removal import Purged
    from app.store.repositories import Repositories
    from app.store.samples import Rows


def _now() -> datetime:
    return datetime.now(UTC)


class Store:
    """See `context.ports.Store` for what each method promises.

    Reads run beside writes, on a thread and a connection of their own.
    """

    def __init__(self, paths: Paths, now: Callable[[], datetime] = _now) -> None:
        self._paths = paths
        self._now = now
        self._engine = Engine(paths.database, now)
        self._vault = Vault(paths.vault)
        self.has_waiting = asyncio.Event()
        """Set when a text may wait for `read_texts`: at the start, and when one went to the vault."""
        self.has_waiting.set()

    @classmethod
    async def open(cls, paths: Paths, now: Callable[[], datetime] = _now) -> Self:
        """A store that is prepared."""
        store = cls(paths, now)
        await store.prepare()
        return store

    async def prepare(self) -> None:
        """Bring the database to this version's schema; whatever was asked of the store waits for that.

        Raises:
            StoreError: see `upgrade.upgrade`; everything that waits gets the same.
        """
        try:
            await self._engine.prepare(lambda: upgrade.upgrade(self._paths))
        except BaseException:
            await self.aclose()
            raise

    async def aclose(self) -> None:
        await self._engine.aclose()

    # -- chats

    async def chats(self, *, trash: bool = False) -> tuple[Chat, ...]:
        return await self._engine.read(lambda at: at.chats.list(trash=trash))

    async def called_by(self, entry_ids: Iterable[EntryId]) -> tuple[Chat, ...]:
        ids = tuple(entry_ids)
        return await self._engine.read(lambda at: at.chats.called_by(ids))

    async def caller(self, chat_id: ChatId) -> Chat | None:
        return await self._engine.read(lambda at: at.chats.caller(chat_id))

    async def chat(self, chat_id: ChatId) -> Chat:
        return await self._engine.read(lambda at: at.chats.get(chat_id))

    async def tail(self, chat_id: ChatId, n: int) -> tuple[Entry, ...]:
        return await self._engine.read(lambda at: at.entries.tail(at.chats.get(chat_id), n))

    async def load(self, chat_id: ChatId) -> ChatContents:
        def load(at: "Repositories") -> ChatContents:
            chat = at.chats.get(chat_id)
            return ChatContents(
                chat=chat,
                entries=at.entries.contents(chat),
                folds=at.folds.of(chat_id),
                pins=at.folds.pins(chat_id),
                deletions=at.folds.deletions(chat_id),
            )

        return await self._engine.read(load)

    async def create_chat(self, chat: Chat) -> Changes:
        await self._engine.write(lambda at: at.chats.create(chat))
        return _changed(chat.id, Fact.CHATS)

    async def import_digests(self) -> Mapping[str, ChatId]:
        return await self._engine.read(lambda at: at.chats.import_digests())

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
        await self._engine.write(
            lambda at: at.chats.update(
                chat_id,
                title=title,
                is_title_manual=is_title_manual,
                is_pinned=is_pinned,
                model=model,
                fill=fill,
            )
        )
        return _changed(chat_id, Fact.CHATS)

    async def move_head(self, chat_id: ChatId, head: EntryId) -> Changes:
        await self._engine.write(lambda at: at.chats.move_head(at.chats.get(chat_id), head))
        return _changed(chat_id, Fact.CHATS)

    async def fork_chat(self, chat_id: ChatId, at: EntryId, *, title: str) -> Chat:
        return await self._engine.write(lambda here: here.forks.fork(chat_id, at, title=title))

    async def trash_chat(self, chat_id: ChatId, *, restore: bool = False) -> Changes:
        await self._engine.write(lambda at: at.chats.trash(chat_id, restore=restore))
        return _changed(chat_id, Fact.CHATS)

    async def removal(self, chat_id: ChatId, group: EntryId | None = None) -> Removal:
        def removal(at: "Repositories") -> Removal:
            ids, gone, shared_with = at.removals.scope(chat_id, group)
            table, wanted = ("entries", sorted(ids)) if group else ("chats", [chat_id])
            held = backups.holders(self._paths, table, wanted)
            return Removal(
                entries=len(gone), shared_with=shared_with, backups=held, kept=at.removals.kept(gone)
            )

        return await self._engine.read(removal)

    async def purge_chat(self, chat_id: ChatId) -> Changes:
        return await self._purge(lambda at: at.removals.purge_chat(chat_id))

    # -- the transcript

    async def append(
        self, chat_id: ChatId, entries: Sequence[NewEntry], *, draft: Draft | None = None
    ) -> tuple[Entry, ...]:
        new = [await self._vaulted(entry) for entry in entries]

        def append(at: "Repositories") -> tuple[Entry, ...]:
            if draft is not None:
                at.small.save_draft(chat_id, draft)
            return at.entries.append(chat_id, new)

        stored = await self._engine.write(append)
        self._note_originals(stored)
        return stored

    async def delete_group(self, chat_id: ChatId, entry_id: EntryId, *, undo: bool = False) -> Changes:
        did = await self._engine.write(lambda at: at.folds.delete_group(chat_id, entry_id, undo=undo))
        return _changed(chat_id, Fact.ENTRIES) if did else Changes()

    async def purge_group(self, chat_id: ChatId, entry_id: EntryId) -> Changes:
        return await self._purge(lambda at: at.removals.purge_group(chat_id, entry_id))

    async def pin(self, chat_id: ChatId, entry_id: EntryId, *, undo: bool = False) -> Changes:
        did = await self._engine.write(lambda at: at.folds.pin(chat_id, entry_id, undo=undo))
        return _changed(chat_id, Fact.ENTRIES) if did else Changes()

    # -- a chat that is shipped

    async def take_rows(self, chat_id: ChatId) -> "Rows":
        return await self._engine.read(lambda at: at.samples.taken(chat_id))

    async def lay_down(self, rows: "Rows", *, later_us: int) -> Changes:
        """A chat that `take_rows` gave, whose originals are in the vault; what is here already stays."""
        await self._engine.write(lambda at: at.samples.lay_down(rows, later_us=later_us))
        return Changes(facts=frozenset({Fact.CHATS, Fact.ENTRIES}))

    # -- folds

    async def commit(
        self, compaction: Compaction, folds: Sequence[NewFold], *, planned_rev: int
    ) -> tuple[Fold, ...] | None:
        return await self._engine.write(
            lambda at: at.folds.commit(compaction, folds, planned_rev=planned_rev)
        )

    async def undo(self, chat_id: ChatId, compaction_id: CompactionId) -> Changes:
        did = await self._engine.write(lambda at: at.folds.undo(chat_id, compaction_id))
        return _changed(chat_id, Fact.FOLDS) if did else Changes()

    async def summary_versions(self, chat_id: ChatId) -> tuple[SummaryVersion, ...]:
        return await self._engine.read(lambda at: at.folds.summary_versions(chat_id))

    async def write_summary(
        self, chat_id: ChatId, compaction_id: CompactionId, summary: str
    ) -> SummaryVersion:
        return await self._engine.write(lambda at: at.folds.write_summary(chat_id, compaction_id, summary))

    async def undo_summary(self, chat_id: ChatId, rev: int) -> Changes:
        did = await self._engine.write(lambda at: at.folds.undo_summary(chat_id, rev))
        return _changed(chat_id, Fact.LEDGER) if did else Changes()

    async def ledger(self, chat_id: ChatId) -> tuple[LedgerItem, ...]:
        return await self._engine.read(lambda at: at.small.ledger(chat_id))

    async def save_ledger(self, chat_id: ChatId, items: Sequence[LedgerItem]) -> None:
        await self._engine.write(lambda at: at.small.save_ledger(chat_id, items))

    async def change_ledger(self, chat_id: ChatId, change: Callable[[int], Sequence[LedgerItem]]) -> int:
        return await self._engine.write(lambda at: at.small.change_ledger(chat_id, change))

    async def marks(self, chat_id: ChatId) -> Marks:
        def marks(at: "Repositories") -> Marks:
            return Marks(
                rev=at.chats.get(chat_id).rev,
                folds=at.folds.of(chat_id),
                pins=at.folds.pins(chat_id),
                deletions=at.folds.deletions(chat_id),
            )

        return await self._engine.read(marks)

    async def compactions(self, chat_id: ChatId) -> tuple[Compaction, ...]:
        return await self._engine.read(lambda at: at.folds.compactions(chat_id))

    # -- requests and running answers

    async def prelude(self, prelude_hash: str) -> Prelude:
        return await self._engine.read(lambda at: at.requests.prelude(prelude_hash))

    async def begin_request(
        self, record: RequestRecord, prelude: Prelude, partial: Partial | None = None
    ) -> None:
        await self._engine.write(lambda at: at.requests.begin(record, prelude, partial))

    async def mark_request(self, request_id: RequestId, outcome: Outcome) -> None:
        await self._engine.write(lambda at: at.requests.mark(request_id, outcome))

    async def requests(self, chat_id: ChatId, *, newest: int | None = None) -> tuple[RequestRecord, ...]:
        return await self._engine.read(lambda at: at.requests.of(chat_id, newest=newest))

    async def requests_since(self, moment: datetime) -> tuple[RequestRecord, ...]:
        return await self._engine.read(lambda at: at.requests.since(moment))

    async def spending(self) -> tuple[Spending, ...]:
        """What all requests of the chats that are still there came to, newest day first."""
        return await self._engine.read(lambda at: at.requests.spending())

    async def save_partial(self, partial: Partial) -> None:
        await self._engine.write(lambda at: at.requests.save_partial(partial))

    async def end_request(
        self, chat_id: ChatId, request_id: RequestId, outcome: Outcome, answer: NewEntry | None
    ) -> Entry | None:
        kept = await self._vaulted(answer) if answer else None
        entry = await self._engine.write(lambda at: at.requests.end(chat_id, request_id, outcome, kept))
        self._note_originals((entry,) if entry else ())
        return entry

    async def save_tool_run(self, run: ToolRun) -> None:
        """How far a call got; each call of an answer is REQUESTED from the moment that the answer is stored."""
        await self._engine.write(lambda at: at.requests.save_tool_run(run))

    async def file_changes(self, chat_id: ChatId) -> tuple[FileChange, ...]:
        return await self._engine.read(lambda at: at.small.file_changes(chat_id))

    async def save_file_change(self, change: FileChange) -> None:
        await self._engine.write(lambda at: at.small.save_file_change(change))

    async def recover(self) -> tuple[ChatId, ...]:
        found = await self._engine.write(lambda at: at.requests.partials())  # after what is being written
        partials = [replace(partial, parts=await self._vault.take_in(partial.parts)) for partial in found]
        return await self._engine.write(lambda at: at.recovery.recover(partials))

    # -- small things

    async def draft(self, chat_id: ChatId) -> Draft:
        return await self._engine.read(lambda at: at.small.draft(chat_id))

    async def save_draft(self, chat_id: ChatId, draft: Draft) -> None:
        await self._engine.write(lambda at: at.small.save_draft(chat_id, draft))

    async def token_counts(self, chat_id: ChatId, tokenizer: str) -> Mapping[EntryId, tuple[int, ...]]:
        def counts(at: "Repositories") -> Mapping[EntryId, tuple[int, ...]]:
            return at.small.token_counts(at.entries.ids(at.chats.get(chat_id)), tokenizer)

        return await self._engine.read(counts)

    async def save_token_counts(self, tokenizer: str, counts: Mapping[EntryId, tuple[int, ...]]) -> None:
        await self._engine.write(lambda at: at.small.save_token_counts(tokenizer, counts))

    async def breakers(self) -> Mapping[ModelId, Breaker]:
        return await self._engine.read(lambda at: at.small.breakers())

    async def save_breaker(self, model: ModelId, breaker: Breaker) -> None:
        await self._engine.write(lambda at: at.small.save_breaker(model, breaker))

    # -- settings

    async def settings(self) -> Settings:
        return await self._engine.read(lambda at: at.settings.of_app())

    async def save_setting(self, name: str, value: JsonValue) -> Changes:
        return await self.save_settings({name: value})

    async def save_settings(self, values: Mapping[str, JsonValue]) -> Changes:
        def save(at: "Repositories") -> None:
            for name, value in values.items():
                at.settings.save(name=name, value=value)

        await self._engine.write(save)
        return Changes(facts=frozenset({Fact.SETTINGS}))

    async def chat_settings(self, chat_id: ChatId) -> Mapping[str, JsonValue]:
        return await self._engine.read(lambda at: at.settings.of_chat(chat_id))

    async def save_chat_setting(self, chat_id: ChatId, name: str, value: JsonValue | None) -> Changes:
        def save(at: "Repositories") -> None:
            if value is None:
                at.settings.forget(chat_id, name)
            else:
                at.settings.save(chat=chat_id, name=name, value=value)

        await self._engine.write(save)
        return _changed(chat_id, Fact.SETTINGS)

    # -- the vault

    async def keep_blob(self, blob: Blob, *, keep: bool) -> Changes:
        await self._engine.write(lambda at: at.small.keep_blob(blob, keep=keep))
        return Changes(facts=frozenset({Fact.VAULT}))

    async def kept_blobs(self) -> tuple[Blob, ...]:
        return await self._engine.read(lambda at: at.small.kept_blobs())

    # -- finding

    async def find(self, typed: str, *, limit: int) -> Findings:
        """The messages that hold all the words, in chats that are not in the trash; at most `limit`."""
        wanted = Wanted.of(typed)
        return await self._engine.read(lambda at: at.finder(self._vault.read_piece).find(wanted, limit=limit))

    async def read_texts(self) -> bool:
        """Read some of the texts into the index that wait for it.

        Returns: False when none waits.
        """
        waiting = await self._engine.read(lambda at: at.texts.waiting())
        if waiting:
            from app.store.texts import terms_of_waiting  # with SQLModel, which no first paint waits for

            read = await asyncio.to_thread(terms_of_waiting, waiting, self._vault.read_piece)
            await self._engine.write(lambda at: at.texts.take(read))
        return bool(waiting)

    # -- the file itself

    async def back_up_daily(self) -> Path | None:
        """Copy the database once a day; None: today's copy is there."""
        return await asyncio.to_thread(backups.back_up_daily, self._paths, self._now())

    async def sweep_vault(self) -> int:
        """Delete blobs that nothing has referred to for an hour, and empty the WAL; for an idle moment.

        So nothing is left of a purge that was killed after its transaction.

        Returns: how many went.
        """

        await self._sweep_words()

        def sweep(connection: sqlite3.Connection) -> int:
            _truncate(connection)
            return self._vault.sweep(_referred(connection), older_than_s=3_600)

        return await self._engine.outside(sweep)

    async def _vaulted(self, new: NewEntry) -> NewEntry:
        """The entry with its long texts in the vault, durable before anything points at them (M6)."""
        parts = await self._vault.take_in(new.parts)
        return new if parts is new.parts else replace(new, parts=parts)

    def _note_originals(self, stored: Iterable[Entry]) -> None:
        if any(blob for entry in stored for blob in originals_in(entry.parts)):
            self.has_waiting.set()

    async def _purge(self, purge: "Callable[[Repositories], Purged]") -> Changes:
        before_s = time.time()
        purged = await self._engine.write(purge)
        await self._sweep_words()

        def clean(connection: sqlite3.Connection) -> None:
            self._vault.remove(set(purged.blobs) - _referred(connection), before_s=before_s)
            _truncate(connection)

        await self._engine.outside(clean)
        return purged.changes

    async def _sweep_words(self) -> None:
        """Have no page of the index hold words of what was purged; other writes come in between."""
        if unwanted := await self._engine.read(lambda at: at.texts.unwanted()):
            from app.store.texts import terms_of_unwanted  # same

            terms = await asyncio.to_thread(terms_of_unwanted, unwanted, self._vault.read_piece)
            if terms is None:
                await self._engine.write(lambda at: at.texts.start_again())
                self.has_waiting.set()
                terms = {doc: set[str]() for doc, _, _ in unwanted}
            await self._engine.write(lambda at: at.texts.forget_originals(terms))
        if await self._engine.read(lambda at: at.texts.is_swept()):
            return
        is_swept = await self._engine.write(lambda at: at.texts.sweep(is_first=True))
        while not is_swept:
            is_swept = await self._engine.write(lambda at: at.texts.sweep(is_first=False))


def _referred(connection: sqlite3.Connection) -> set[str]:
    query = (
        "SELECT sha256 FROM blob_refs UNION SELECT sha256 FROM kept_blobs UNION"
        " SELECT json_extract(m.value, '$.source.sha256') FROM drafts, json_each(drafts.media) m"
    )
    return {str(row[0]) for row in connection.execute(query)}


def _truncate(connection: sqlite3.Connection) -> None:
    """Empty the WAL, where what was deleted still stands."""
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _changed(chat_id: ChatId, *facts: Fact) -> Changes:
    return Changes(facts=frozenset(facts), chats=frozenset({chat_id}))
