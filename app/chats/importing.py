"""Chats from files into the store: whole or not at all, in batches, never in the way of the window."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from app.chats.faults import Fault
from app.chats.formats import FileUnreadable, Imported, read_file
from app.context.ports import Clock, NewEntry, Store, Vault
from app.core.entries import Chat
from app.core.ids import ChatId, new_id
from app.core.parts import Blob, MediaPart, Part, body_of, with_body
from app.core.records import Changes, Fact

_BATCH = 100
"""Entries in one transaction, so that none holds the writer for long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one file."""

    file: str
    chats: tuple[ChatId, ...] = ()
    n_messages: int = 0
    faults: tuple[Fault, ...] = ()
    error: FileUnreadable | None = None
    """Nothing of the file could be taken."""

    def __str__(self) -> str:
        if self.error:
            return self.error.message
        head = "1 message" if self.n_messages == 1 else f"{self.n_messages} messages"
        if not self.faults:
            return f"{head}."
        told = " ".join(str(fault) for fault in self.faults)
        return f"{head}, {len(self.faults)} could not be read in full: {told}"


async def import_file(path: Path, *, store: Store, vault: Vault, clock: Clock) -> tuple[Outcome, Changes]:
    """Store every chat of a file; a file that can't be read is an outcome, not an exception.

    Raises:
        StoreError: the disk refused; nothing of that chat is left.
    """
    try:
        found = await asyncio.to_thread(read_file, path)
    except FileUnreadable as error:
        return Outcome(file=path.name, error=error), Changes()
    changes = Changes()
    chats: list[ChatId] = []
    for imported in found:
        chat_id, changed = await store_imported(imported, store=store, vault=vault, clock=clock)
        chats.append(chat_id)
        changes |= changed
    outcome = Outcome(
        file=path.name,
        chats=tuple(chats),
        n_messages=sum(imported.n_messages for imported in found),
        faults=tuple(fault for imported in found for fault in imported.faults),
    )
    return outcome, changes


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
        source=imported.source,
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
        changes = await store.trash_chat(chat.id, restore=True)
    except BaseException:
        await store.purge_chat(chat.id)
        raise
    return chat.id, changes | Changes(facts=frozenset({Fact.CHATS, Fact.ENTRIES}), chats=frozenset({chat.id}))


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
