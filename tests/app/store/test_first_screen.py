"""Tests of what the window shows first."""

import shutil
import subprocess
import sys
import time
from dataclasses import replace

from app.core.ids import EntryId
from app.settings import Paths, Settings
from app.store.first_screen import FirstScreen, Found, first_screen
from app.store.store import Store
from tests.app.store.making import CHAT, a_chat, a_talk, said, sql


async def test_the_first_screen_is_what_the_store_says(store: Store, paths: Paths) -> None:
    await store.create_chat(a_chat("other"))
    await a_talk(store, 5)
    await store.save_setting("theme", "dark")

    shown = first_screen(paths, n=3)

    assert shown == FirstScreen(
        found=Found.READY,
        settings=Settings(theme="dark"),
        chats=await store.chats(),
        open_chat=CHAT,
        tail=await store.tail(CHAT, 3),
    )


async def test_the_chat_that_was_open_last_is_shown_before_a_newer_one(store: Store, paths: Paths) -> None:
    await store.create_chat(a_chat("old"))
    await a_talk(store, 2)
    await store.save_setting("last_chat", "old")

    assert first_screen(paths).open_chat == "old"
    await store.trash_chat(replace(a_chat("old")).id)
    assert first_screen(paths).open_chat == CHAT


async def test_a_head_that_is_gone_still_shows_a_tail(store: Store, paths: Paths) -> None:
    await a_talk(store, 3)
    await store.append(CHAT, [said("x", "e1")])
    sql(paths, "UPDATE chats SET head = 'nowhere'")

    assert [entry.id for entry in first_screen(paths, n=2).tail] == [EntryId("e1"), EntryId("x")]


async def test_it_reads_beside_a_store_that_was_killed(store: Store, paths: Paths) -> None:
    """What lies in the WAL only is there too."""
    await a_talk(store, 2)
    copy = Paths(data=paths.data.with_name("killed"))
    shutil.copytree(paths.data, copy.data)
    (copy.data / "palimpsest.sqlite3-shm").unlink()

    assert len(first_screen(copy).tail) == 2


def test_no_database_is_nothing_yet_and_none_is_made(paths: Paths) -> None:
    paths.database.unlink()

    assert first_screen(paths) == FirstScreen(found=Found.NOTHING)
    assert not paths.database.exists()


def test_an_older_schema_is_nothing_yet_and_a_newer_one_is_named(paths: Paths) -> None:
    sql(paths, "UPDATE alembic_version SET version_num = '9999'")
    newer = first_screen(paths)
    sql(paths, "DELETE FROM alembic_version")

    assert newer == FirstScreen(found=Found.NEWER)
    assert first_screen(paths) == FirstScreen(found=Found.NOTHING)


def test_a_damaged_file_is_a_value_too(paths: Paths) -> None:
    paths.database.write_bytes(b"\0" * 8192)
    assert first_screen(paths).found in (Found.DAMAGED, Found.NOTHING)
    paths.database.write_bytes(b"no database at all" * 99)
    assert first_screen(paths) == FirstScreen(found=Found.DAMAGED)


async def test_ten_thousand_messages_take_no_longer_than_a_few(store: Store, paths: Paths) -> None:
    """Q: at most 20 ms."""
    await a_talk(store, 10_000)
    took: list[float] = []

    for _ in range(5):
        before = time.thread_time()
        first_screen(paths)
        took.append(time.thread_time() - before)

    assert min(took) < 0.02


def test_neither_sqlmodel_nor_alembic_is_loaded_for_it_or_by_the_door() -> None:
    code = (
        "import sys, app.store.first_screen, app.store.store, app.store.secrets;"
        "print([name for name in ('sqlmodel', 'sqlalchemy', 'alembic', 'keyring', 'cryptography')"
        " if name in sys.modules])"
    )

    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert run.stdout.strip() == "[]"
