"""Programs that are killed in the middle of their work; started by test_kill.py, never imported by the app.

Reads `task folder seed` lines, forks for each, since loading SQLModel takes longer than a whole run, and
writes the child's id, and `dead` when it is. A child notes each durable step in `steps` of its folder.
"""

import asyncio
import importlib.resources
import os
import random
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import alembic.command
import alembic.config

import app.store.repositories
from app.context.ports import Outcome
from app.core.entries import Origin
from app.core.ids import ChatId, EntryId, new_id
from app.core.parts import TextPart
from app.core.records import RequestState
from app.settings import Paths
from app.store import upgrade
from app.store.store import Store
from app.vault.vault import Vault
from tests.app.store.making import (
    CHAT,
    PRELUDE,
    a_chat,
    a_compaction,
    a_partial,
    a_request,
    a_run,
    made,
    said,
)

LOADED = (alembic.command, alembic.config, app.store.repositories)
BATCH = 300


class Life:
    """Works on one chat for as long as it lives."""

    def __init__(self, store: Store, paths: Paths, draw: random.Random) -> None:
        self._store = store
        self._vault = Vault(paths.vault)
        self._draw = draw
        self._steps = os.open(paths.data / "steps", os.O_APPEND | os.O_CREAT | os.O_WRONLY)

    async def go_on(self) -> None:
        tasks: list[Callable[[], Awaitable[None]]] = [
            self.say,
            self.paste,
            self.stream,
            self.fold,
            self.bring_in,
            self.keep,
        ]
        while True:
            await self._draw.choice(tasks)()

    async def say(self) -> None:
        entry = said(new_id("e"), (await self._store.chat(CHAT)).head)
        await self._store.append(CHAT, [entry])
        self._did("entry", entry.id)

    async def paste(self) -> None:
        """Something too long for an entry (M6)."""
        text = f"{new_id('text')} " * 5_000
        entry = said(new_id("e"), (await self._store.chat(CHAT)).head, text)
        await self._store.append(CHAT, [entry])
        self._did("blob", entry.id)

    async def stream(self) -> None:
        await self.say()
        head = (await self._store.chat(CHAT)).head
        record = a_request(new_id("q"), head or "")
        partial = replace(a_partial(record), entry_id=EntryId(new_id("e")))
        await self._store.begin_request(record, PRELUDE, partial)
        self._did("request", record.id)
        text = ""
        for _ in range(self._draw.randrange(5)):
            text += "token " * 50
            await self._store.save_partial(replace(partial, parts=(TextPart(text=text),)))
            self._did("partial", partial.entry_id, str(len(text)))
        answer = made(partial.entry_id, head, TextPart(text=text))
        await self._store.end_request(CHAT, record.id, Outcome(state=RequestState.FINISHED), answer)
        self._did("entry", partial.entry_id)

    async def fold(self) -> None:
        entries = await self._store.tail(CHAT, 4)
        rev = (await self._store.chat(CHAT)).rev
        if len(entries) == 4:
            name = new_id("k")
            runs = [a_run(name, entry.id, entry.id, entries[-1].id) for entry in entries[:3]]
            if await self._store.commit(a_compaction(name), runs, planned_rev=rev):
                self._did("fold", name)

    async def bring_in(self) -> None:
        chat = ChatId(new_id("import"))
        await self._store.create_chat(a_chat(chat))
        ids = [new_id("i") for _ in range(BATCH)]
        await self._store.append(
            chat, [said(one, before) for one, before in zip(ids, [None, *ids], strict=False)]
        )
        self._did("import", chat)

    async def keep(self) -> None:
        blob = await self._vault.put(os.urandom(200_000), mime="a/b", name="b")
        entry = made(
            new_id("e"), (await self._store.chat(CHAT)).head, TextPart(text=blob), origin=Origin.USER
        )
        await self._store.append(CHAT, [entry])
        self._did("blob", entry.id)

    def _did(self, *words: str) -> None:
        os.write(self._steps, (" ".join(words) + "\n").encode())


async def live(folder: Path, seed: int) -> None:
    paths = Paths(data=folder)
    store = await Store.open(paths)
    await store.recover()
    await Life(store, paths, random.Random(seed)).go_on()


async def purge(folder: Path) -> None:
    """Delete one chat of the trash after another for good."""
    store = await Store.open(Paths(data=folder))
    steps = os.open(folder / "steps", os.O_APPEND | os.O_CREAT | os.O_WRONLY)
    for chat in await store.chats(trash=True):
        await store.purge_chat(chat.id)
        os.write(steps, f"purged {chat.id}\n".encode())
    await asyncio.Event().wait()


def migrate(folder: Path) -> None:
    """Bring the folder's database to a schema that a later release might have."""
    later = folder / "migrations"
    upgrade.REVISIONS = (*upgrade.REVISIONS, "9000")

    def files(_: str) -> Path:
        return later

    importlib.resources.files = files  # pyright: ignore[reportAttributeAccessIssue]  # in this process only
    upgrade.upgrade(Paths(data=folder))
    os.close(os.open(folder / "steps", os.O_CREAT | os.O_WRONLY))


def main() -> None:
    for line in sys.stdin:
        task, folder, seed = line.split()
        pid = os.fork()
        if pid == 0:
            sys.stdin.close()
            if task == "live":
                asyncio.run(live(Path(folder), int(seed)))
            elif task == "purge":
                asyncio.run(purge(Path(folder)))
            else:
                migrate(Path(folder))
            os._exit(0)
        print(pid, flush=True)
        os.waitpid(pid, 0)
        print("dead", flush=True)


if __name__ == "__main__":
    main()
