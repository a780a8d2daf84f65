"""Tests of what the disk and other programs refuse (Q18): a sentence, and nothing half written."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.core.errors import StoreError
from app.core.parts import TextPart
from app.settings import Paths
from app.store.errors import StoreFull, StoreLocked, StoreUnwritable
from app.store.store import Store
from tests.app.store.making import CHAT, a_chat, a_talk, made, said

_HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
connection.execute("COMMIT")
"""


@contextmanager
def _held(database: Path) -> Generator[Callable[[], None]]:
    """Another process keeps the database, until the block ends or what it gives is called."""
    command = [sys.executable, "-c", _HOLD, str(database)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        other.stdout.readline()
        try:
            yield other.stdin.close
        finally:
            other.kill()


async def test_a_message_waits_for_another_program_and_is_saved_once(store: Store, paths: Paths) -> None:
    """Case B74, with a part of its three seconds."""
    await a_talk(store, 1)

    with _held(paths.database) as release:
        async with asyncio.TaskGroup() as group:
            saving = group.create_task(store.append(CHAT, [said("x", "e0")]))
            await asyncio.sleep(0.3)
            assert not saving.done()
            release()

    entries = saving.result()
    assert [entry.id for entry in await store.tail(CHAT, 9)] == ["e0", entries[0].id]


async def test_reads_do_not_wait_for_another_programs_write(store: Store, paths: Paths) -> None:
    await a_talk(store, 1)

    with _held(paths.database):
        entries = await store.tail(CHAT, 9)

    assert [entry.id for entry in entries] == ["e0"]


async def test_a_program_that_keeps_the_database_is_told_in_words(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.store.engine.WRITER", ("busy_timeout=50", "journal_mode=WAL", "foreign_keys=ON"))
    store = await Store.open(paths)
    await a_talk(store, 1)

    with _held(paths.database), pytest.raises(StoreLocked, match="Another program is using the chats"):
        await store.append(CHAT, [said("x", "e0")])

    await store.append(CHAT, [said("x", "e0")])
    assert [entry.id for entry in await store.tail(CHAT, 9)] == ["e0", "x"]
    await store.aclose()


async def test_a_full_disk_is_told_and_the_store_goes_on_when_there_is_room(
    store: Store,
) -> None:
    await a_talk(store, 1)
    await store._engine.outside(  # pyright: ignore[reportPrivateUsage]  # a disk that fills up, without one
        lambda c: c.execute("PRAGMA max_page_count = 60").close()
    )

    long = [TextPart(text="y" * 60_000)] * 17
    with pytest.raises(StoreFull, match="disk is full"):
        await store.append(CHAT, [made("x", "e0", *long)])

    await store._engine.outside(  # pyright: ignore[reportPrivateUsage]
        lambda c: c.execute("PRAGMA max_page_count = 1000000").close()
    )
    await store.append(CHAT, [made("x", "e0", *long)])
    chat = await store.chat(CHAT)
    assert (chat.head, chat.rev) == ("x", 2)


async def test_a_folder_that_is_a_file_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")

    with pytest.raises(StoreUnwritable, match=r"The folder .* cannot be written"):
        await Store.open(Paths(data=tmp_path / "data" / "below"))


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="gives up root's rights for a while"
)
@pytest.mark.parametrize("what", ["open", "make"])
async def test_a_folder_of_another_user_is_told_in_words(
    tmp_path_factory: pytest.TempPathFactory, what: str
) -> None:
    folder = tmp_path_factory.mktemp("others")
    for parent in (folder, *folder.parents[:2]):
        parent.chmod(0o755)
    paths = Paths(data=folder / "data")
    if what == "open":
        await (await Store.open(paths)).aclose()
        paths.data.chmod(0o755)
        paths.database.chmod(0o644)

    os.seteuid(65534)
    try:
        with pytest.raises(StoreUnwritable, match="cannot be written"):
            await Store.open(paths)
    finally:
        os.seteuid(0)


async def test_a_clock_that_jumps_back_changes_no_order(paths: Paths) -> None:
    """Q18: before and after are numbers, never a clock."""
    hours = iter(range(23, 0, -1))
    store = await Store.open(paths, lambda: datetime(2026, 1, 1, next(hours), tzinfo=UTC))
    await store.create_chat(a_chat())
    for i in range(4):
        await store.append(CHAT, [said(f"e{i}", f"e{i - 1}" if i else None)])

    assert [entry.id for entry in (await store.load(CHAT)).entries] == ["e0", "e1", "e2", "e3"]
    await store.aclose()


async def test_an_error_leaves_no_open_transaction(store: Store) -> None:
    await a_talk(store, 1)

    for _ in range(3):
        with pytest.raises(StoreError):
            await store.append(CHAT, [said("x", "nowhere")])

    await store.append(CHAT, [said("x", "e0")])
    assert (await store.chat(CHAT)).rev == 2
