"""Chats from files into the store: each whole or not at all, in batches, never in the way of the window."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.chats.digests import digest_of, with_digest
from app.chats.faults import Fault, FaultKind
from app.chats.kinds.kind import FileUnreadable, Imported
from app.chats.packages import ReadingStopped, Watch
from app.context.ports import Clock, NewEntry, Store, Vault
from app.core.entries import Chat
from app.core.ids import ChatId, new_id
from app.core.parts import Blob, MediaPart, Part, body_of, with_body
from app.core.records import Changes, Fact

_BATCH = 100
"""Entries in one transaction, so that none holds the writer for long."""
_NO_OTHER = 1 << 62
"""A number after all others: nobody else changes a chat that is coming in."""
_TOLD_FAULTS = 1_000
"""So many of a file are told; what comes after is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one file. Chats taken, known and left out are all that it holds (case B85)."""

    file: str
    chats: tuple[ChatId, ...] = ()
    """What was really stored (case B84)."""
    known: tuple[ChatId, ...] = ()
    """Chats that are here already, and were not taken again."""
    n_left_out: int = 0
    """Chats that hold nothing or could not be read; a fault says why."""
    n_messages: int = 0
    faults: tuple[Fault, ...] = ()
    error: FileUnreadable | None = None
    """Nothing of the file could be taken."""
    is_stopped: bool = False
    """The person did not want the rest."""

    def __str__(self) -> str:
        if self.error:
            return self.error.message
        head = "1 message" if self.n_messages == 1 else f"{self.n_messages} messages"
        if len(self.chats) > 1:
            head = f"{len(self.chats)} chats, {head}"
        if self.known:
            head += f"; {len(self.known)} here already"
        if not self.faults:
            return f"{head}."
        told = " ".join(str(fault) for fault in self.faults)
        return f"{head}, {len(self.faults)} could not be read in full: {told}"


@dataclass(kw_only=True)
class Import:
    """An import under way: how far it is, and how to stop it. Stopped, it keeps what it has taken."""

    watch: Watch = field(default_factory=Watch)
    file: str = ""
    n_chats: int = 0
    takes_known: bool = False
    """Also what is here already."""
    told: Callable[[Changes], None] = lambda _: None
    """Hears of each chat as it is stored."""

    def stop(self) -> None:
        self.watch.stop.set()

    @property
    def share(self) -> float:
        """0…1 of what is known to be read."""
        total = self.watch.total_bytes
        return min(1.0, self.watch.done_bytes / total) if total else 0.0


async def import_file(
    path: Path, *, store: Store, vault: Vault, clock: Clock, under_way: Import | None = None
) -> tuple[Outcome, Changes]:
    """Store every chat of a file, a folder or a ZIP; one that can't be read is an outcome, not an exception.

    Raises:
        StoreError: the disk refused; nothing of that chat is left, those before it are here.
    """
    under_way = under_way or Import()
    under_way.file = path.name
    here = dict(await store.import_digests())
    outcome, changes = Outcome(file=path.name), Changes()
    try:
        async for imported, digest in _read(path, under_way.watch):
            if digest in here and not under_way.takes_known:
                outcome = replace(outcome, known=(*outcome.known, here[digest]))
                continue
            if not imported.entries and imported.faults:
                outcome = _left_out(outcome, imported)
                continue
            chat_id, changed = await store_imported(imported, store=store, vault=vault, clock=clock)
            here[digest] = chat_id
            changes |= changed
            under_way.n_chats += 1
            under_way.told(changed)
            outcome = replace(
                outcome,
                chats=(*outcome.chats, chat_id),
                n_messages=outcome.n_messages + imported.n_messages,
                faults=(outcome.faults + imported.faults)[:_TOLD_FAULTS],
            )
    except FileUnreadable as error:
        if not outcome.chats and not outcome.known:
            return Outcome(file=path.name, error=error), changes
        outcome = replace(outcome, faults=(*outcome.faults, Fault(kind=FaultKind.CUT_FILE)))
    except ReadingStopped:
        outcome = replace(outcome, is_stopped=True)
    return outcome, changes


async def _read(path: Path, watch: Watch) -> AsyncIterator[tuple[Imported, str]]:
    """Conversations with their digests, each read in a thread when it is asked for."""
    from app.chats.formats import conversations  # no start waits for the forms of others

    found = conversations(path, watch)
    try:
        while one := await asyncio.to_thread(_next, found):
            yield one
    except asyncio.CancelledError:
        watch.stop.set()  # the thread ends at its next piece
        raise


def _next(found: Iterator[Imported]) -> tuple[Imported, str] | None:
    imported = next(found, None)
    return imported and (imported, digest_of(imported))


def _left_out(outcome: Outcome, imported: Imported) -> Outcome:
    is_chat = any(fault.kind in (FaultKind.EMPTY_CHAT, FaultKind.BROKEN_CHAT) for fault in imported.faults)
    return replace(
        outcome,
        n_left_out=outcome.n_left_out + is_chat,
        faults=(outcome.faults + imported.faults)[:_TOLD_FAULTS],
    )


async def store_imported(
    imported: Imported, *, store: Store, vault: Vault, clock: Clock
) -> tuple[ChatId, Changes]:
    """The chat stands in the trash until it is whole, so that a death in the middle leaves no half chat."""
    now = clock.now()
    chat = Chat(
        id=ChatId(new_id("c")),
        title=imported.title,
        is_title_manual=bool(imported.title),
        created_at=imported.created_at or now,
        updated_at=now,
        rev=0,
        head=None,
        model=imported.model,
        source=with_digest(imported.source, digest_of(imported)),
        deleted_at=now,
    )
    await store.create_chat(chat)
    try:
        stored = {
            key: await vault.put(imported.bytes_of[key], mime=blob.mime, name=blob.name)
            for key, blob in imported.blobs.items()
        }
        entries = imported.entries
        for start in range(0, len(entries), _BATCH):
            batch = entries[start : start + _BATCH]
            await store.append(chat.id, [_with_blobs(entry, stored) for entry in batch])
        if imported.head and imported.head != entries[-1].id:
            await store.move_head(chat.id, imported.head)
        await _keep(chat.id, imported, stored, store)
        changes = await store.trash_chat(chat.id, restore=True)
    except BaseException:
        await store.purge_chat(chat.id)
        raise
    return chat.id, changes | Changes(facts=frozenset({Fact.CHATS, Fact.ENTRIES}), chats=frozenset({chat.id}))


async def _keep(chat_id: ChatId, imported: Imported, stored: Mapping[str, Blob], store: Store) -> None:
    """Folds, pins and the ledger, after all that they hang on."""
    rev = len(imported.entries)
    for batch in imported.kept.batches:
        folds = [
            replace(fold, replacement=tuple(_with_blob(part, stored) for part in fold.replacement))
            for fold in batch.folds
        ]
        await store.commit(replace(batch.compaction, chat_id=chat_id), folds, planned_rev=_NO_OTHER)
    for entry_id in imported.kept.pins:
        await store.pin(chat_id, entry_id)
    lines = [
        replace(line, rev=rev, superseded_rev=None if line.superseded_rev is None else rev)
        for line in imported.kept.ledger
    ]
    if lines:
        await store.save_ledger(chat_id, lines)


def _with_blobs(entry: NewEntry, stored: Mapping[str, Blob]) -> NewEntry:
    """The entry pointing at the blobs as the vault knows them."""
    if not stored:
        return entry
    return replace(entry, parts=tuple(_with_blob(part, stored) for part in entry.parts))


def _with_blob(part: Part, stored: Mapping[str, Blob]) -> Part:
    if isinstance(part, MediaPart):
        return replace(part, source=stored[part.source.sha256]) if isinstance(part.source, Blob) else part
    body = body_of(part)
    return with_body(part, stored[body.sha256]) if isinstance(body, Blob) else part
