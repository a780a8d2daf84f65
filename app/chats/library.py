"""Use cases of the list of chats: each returns what it made or what it changed."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path

from app.chats.export import Markdown, Words, export_json, export_markdown, needed_blobs
from app.chats.importing import Import, Outcome, import_file
from app.context.ports import ChatContents, Clock, Removal, Store, Vault
from app.core.entries import Chat
from app.core.errors import AppError, OriginalLost
from app.core.ids import ChatId, EntryId, ModelId, new_id
from app.core.parts import Blob
from app.core.records import Changes, Fact


class FileUnwritable(AppError):
    code = "file_unwritable"


TRASH_LIFE = timedelta(days=30)
"""So long a deleted chat can be put back."""


class Period(StrEnum):
    """Headings of the list, in their order."""

    PINNED = "pinned"
    TODAY = "today"
    YESTERDAY = "yesterday"
    WEEK = "week"
    """The seven days before today, yesterday left out."""
    OLDER = "older"


def by_period(chats: Iterable[Chat], *, now: datetime) -> tuple[tuple[Period, tuple[Chat, ...]], ...]:
    """Chats under their headings, newest first; headings with none are left out.

    Args:
        now: In the time zone whose days count.
    """
    found: dict[Period, list[Chat]] = {period: [] for period in Period}
    for chat in sorted(chats, key=lambda chat: chat.updated_at, reverse=True):
        found[_period(chat, now)].append(chat)
    return tuple((period, tuple(held)) for period, held in found.items() if held)


def _period(chat: Chat, now: datetime) -> Period:
    if chat.is_pinned:
        return Period.PINNED
    day, today = chat.updated_at.astimezone(now.tzinfo).date(), now.date()
    if day >= today:  # a clock that was put back makes no chat of tomorrow
        return Period.TODAY
    if day == today - timedelta(days=1):
        return Period.YESTERDAY
    return Period.WEEK if day >= today - timedelta(days=7) else Period.OLDER


class Library:
    """All chats, as the sidebar and the command line use them."""

    def __init__(self, *, store: Store, vault: Vault, clock: Clock) -> None:
        self._store = store
        self._vault = vault
        self._clock = clock

    async def chats(self, *, trash: bool = False) -> tuple[Chat, ...]:
        return await self._store.chats(trash=trash)

    async def new_chat(self, *, title: str = "", model: ModelId | None = None) -> tuple[ChatId, Changes]:
        now = self._clock.now()
        chat = Chat(
            id=ChatId(new_id("c")),
            title=title,
            created_at=now,
            updated_at=now,
            rev=0,
            head=None,
            is_title_manual=bool(title),
            model=model,
        )
        return chat.id, await self._store.create_chat(chat)

    async def rename(self, chat_id: ChatId, title: str) -> Changes:
        """The title is the person's from now on; an empty one gives it back to the title writer."""
        title = " ".join(title.split())
        return await self._store.update_chat(chat_id, title=title, is_title_manual=bool(title))

    async def pin(self, chat_id: ChatId, *, is_pinned: bool) -> Changes:
        return await self._store.update_chat(chat_id, is_pinned=is_pinned)

    async def trash(self, chat_id: ChatId) -> Changes:
        return await self._store.trash_chat(chat_id)

    async def restore(self, chat_id: ChatId) -> Changes:
        return await self._store.trash_chat(chat_id, restore=True)

    async def removal(self, chat_id: ChatId) -> Removal:
        """What `delete_for_good` would take along, for the question asked first."""
        return await self._store.removal(chat_id)

    async def expired(self) -> tuple[Chat, ...]:
        """What has been in the trash for so long that it goes for good."""
        oldest = self._clock.now() - TRASH_LIFE
        trashed = await self.chats(trash=True)
        return tuple(chat for chat in trashed if chat.deleted_at and chat.deleted_at <= oldest)

    async def delete_for_good(self, chat_id: ChatId) -> Changes:
        return await self._store.purge_chat(chat_id)

    async def duplicate(self, chat_id: ChatId, *, title: str) -> tuple[ChatId, Changes]:
        """A chat of its own that begins with the same transcript, which both share."""
        chat = await self._store.chat(chat_id)
        if chat.head is None:
            return await self.new_chat(title=title, model=chat.model)
        return await self.fork(chat_id, chat.head, title=title)

    async def fork(self, chat_id: ChatId, at: EntryId, *, title: str) -> tuple[ChatId, Changes]:
        """A chat of its own that begins with the transcript up to `at`'s group; nothing of the other changes.

        The model sees in it what it saw there, before a compaction that was made later, too (M11).
        """
        copy = await self._store.fork_chat(chat_id, at, title=title)
        return copy.id, Changes(facts=frozenset({Fact.CHATS, Fact.ENTRIES}), chats=frozenset({copy.id}))

    async def import_files(
        self, paths: Sequence[Path], under_way: Import | None = None
    ) -> tuple[tuple[Outcome, ...], Changes]:
        """An outcome per file, in order; one that can't be read stops no other."""
        outcomes: list[Outcome] = []
        changes = Changes()
        under_way = under_way or Import()
        for path in paths:
            under_way.watch.total_bytes = under_way.watch.done_bytes = 0
            outcome, changed = await import_file(
                path, store=self._store, vault=self._vault, clock=self._clock, under_way=under_way
            )
            outcomes.append(outcome)
            changes |= changed
        return tuple(outcomes), changes

    async def as_json(self, chat_id: ChatId) -> bytes:
        """As it was imported, to the letter, with what was said since; else in our own form."""
        contents, bytes_of = await self._whole(chat_id)
        return await asyncio.to_thread(export_json, contents, bytes_of)

    async def as_markdown(self, chat_id: ChatId, *, folder: str, words: Words | None = None) -> Markdown:
        contents, bytes_of = await self._whole(chat_id)
        return await asyncio.to_thread(export_markdown, contents, bytes_of, folder=folder, words=words)

    async def as_html(
        self, chat_id: ChatId, *, words: Words | None = None, language: str = "en", is_print: bool = False
    ) -> str:
        """A page that needs nothing else; see `export_html`."""
        from app.chats.html import export_html  # no start waits for it

        contents, bytes_of = await self._whole(chat_id)
        return await asyncio.to_thread(
            export_html, contents, bytes_of, words=words, language=language, is_print=is_print
        )

    async def export_to(
        self, chat_id: ChatId, path: Path, *, words: Words | None = None, language: str = "en"
    ) -> None:
        """Write what the ending of `path` says: Markdown, its pictures in a folder beside it; HTML; else JSON.

        Raises:
            FileUnwritable: the file that was there before still is.
        """
        if path.suffix.lower() in (".md", ".markdown"):
            written = await self.as_markdown(chat_id, folder=f"{path.stem}-files", words=words)
            files = {path.parent / name: data for name, data in written.files.items()}
            files[path] = written.text.encode()
        elif path.suffix.lower() in (".html", ".htm"):
            files = {path: (await self.as_html(chat_id, words=words, language=language)).encode()}
        else:
            files = {path: await self.as_json(chat_id)}
        await _written(files, path)

    async def export_all(self, path: Path, watch: Callable[[int, int], bool] = lambda _n, _of: True) -> int:
        """Write every chat that is not in the trash into one ZIP, each in our own form, which `import_files` reads.

        Settings and keys are not in it.

        Args:
            watch: Told of how many chats of how many are written; False: stop, and leave nothing.
        Returns: how many chats it holds; 0: it was stopped.
        Raises:
            FileUnwritable: the file that was there before still is.
        """
        from app.chats.archive import Archive  # no start waits for it

        chats = await self.chats()
        archive = Archive(path)
        try:
            await asyncio.to_thread(archive.open)
            for n, chat in enumerate(chats):
                if not watch(n, len(chats)):
                    return 0
                contents, bytes_of = await self._whole(chat.id)
                await asyncio.to_thread(archive.add, contents, bytes_of)
            await asyncio.to_thread(archive.close)
        except OSError as error:
            raise _unwritable(path, error) from error
        finally:
            archive.discard()
        return len(chats)

    async def keep_blob(self, blob: Blob, *, keep: bool) -> Changes:
        """Keep an original for ever, even where its chats are deleted for good, or no longer (C26).

        What nothing else refers to then goes with the next sweep.
        """
        return await self._store.keep_blob(blob, keep=keep)

    async def kept_blobs(self) -> tuple[Blob, ...]:
        """Originals that are kept for ever, with their sizes; what is kept last comes first."""
        return await self._store.kept_blobs()

    async def lost(self, chat_id: ChatId) -> tuple[OriginalLost, ...]:
        """Why originals of the chat can't be read; an export has the sentence in place of each."""
        blobs = needed_blobs(await self._store.load(chat_id))
        return tuple([found for blob in blobs if isinstance(found := await self._read(blob), OriginalLost)])

    async def _whole(self, chat_id: ChatId) -> tuple[ChatContents, Mapping[str, bytes]]:
        contents = replace(
            await self._store.load(chat_id),
            compactions=await self._store.compactions(chat_id),
            ledger=await self._store.ledger(chat_id),
        )
        bytes_of: dict[str, bytes] = {}
        for blob in needed_blobs(contents):
            found = await self._read(blob)
            bytes_of[blob.sha256] = found if isinstance(found, bytes) else f"[{found.message}]".encode()
        return contents, bytes_of

    async def _read(self, blob: Blob) -> bytes | OriginalLost:
        try:
            return await self._vault.get(blob)
        except OriginalLost as error:
            return error


async def _written(files: Mapping[Path, bytes], path: Path) -> None:
    try:
        await asyncio.to_thread(_write, files)
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> FileUnwritable:
    return FileUnwritable(f"The file {path.name!r} can't be written.", detail=str(error), file=path.name)


def _write(files: Mapping[Path, bytes]) -> None:
    """Each file whole or as it was."""
    for path, data in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(path.name + ".part")
        part.write_bytes(data)
        part.replace(path)
