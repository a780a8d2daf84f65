"""`kill -9` at any moment (Q17, case B70): what was reported as done is there, and the chat goes on at once."""

import asyncio
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from app.core.entries import Finish
from app.core.ids import ChatId, CompactionId, EntryId, RequestId
from app.core.parts import blobs_of
from app.core.records import RequestState
from app.settings import Paths
from app.store import backups
from app.store.store import Store
from app.store.upgrade import REVISIONS, upgrade
from app.vault.vault import Vault
from tests.app.store import victim
from tests.app.store.making import CHAT, a_chat, a_talk, said, sql

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks the programs that it kills")

_LATER = f"""
from alembic import op
revision, down_revision = "9000", "{REVISIONS[-1]}"
def upgrade():
    for i in range(30):
        op.execute(f"ALTER TABLE chats ADD COLUMN later_{{i}} TEXT DEFAULT 'x'")
        op.execute(f"UPDATE entries SET provider_fields = provider_fields || '{{i}}'")
"""


class Killer:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def start(self, task: str, folder: Path, seed: int) -> int:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{task} {folder} {seed}\n")
        self._process.stdin.flush()
        return int(self._line())

    def kill(self, pid: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        assert self._line() == "dead"

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


@contextmanager
def _killer() -> Generator[Killer]:
    command = [sys.executable, "-m", victim.__name__]
    root = Path(__file__).parents[3]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root
    ) as process:
        yield Killer(process)
        assert process.stdin is not None
        process.stdin.close()


def _wait_for_steps(folder: Path, n_bytes: int) -> None:
    """Until the program has noted so much, or for 20 s."""
    steps, until = folder / "steps", time.monotonic() + 20
    while time.monotonic() < until and (not steps.exists() or steps.stat().st_size < n_bytes):
        time.sleep(0.001)


def _steps(folder: Path) -> list[list[str]]:
    """What was noted; a last line without its end was being written."""
    return [line.split() for line in (folder / "steps").read_text().split("\n")[:-1]]


async def _check(paths: Paths, steps: list[list[str]]) -> None:
    store = await Store.open(paths)
    await store.recover()
    again = await store.recover()
    contents = await store.load(CHAT)
    entries = {entry.id: entry for entry in contents.entries}
    requests = {record.id: record.state for record in await store.requests(CHAT)}
    folds = [fold.compaction_id for fold in contents.folds]
    imported = {
        str(chat): n
        for chat, n in sql(
            paths,
            "SELECT c.id, count(e.id) FROM chats c LEFT JOIN entries e ON e.chat_id = c.id GROUP BY c.id",
        )
        if chat != CHAT
    }

    assert again == ()
    for kind, name, *more in steps:
        match kind:
            case "entry":
                assert name in entries
            case "partial":
                assert len(entries[EntryId(name)].text) >= int(more[0])
            case "blob":
                (blob,) = blobs_of(entries[EntryId(name)].parts)
                assert len(await Vault(paths.vault).get(blob)) == blob.n_bytes
            case "fold":
                assert folds.count(CompactionId(name)) == 3
            case "request":
                assert requests[RequestId(name)] in (RequestState.FINISHED, RequestState.UNKNOWN)
            case _:
                assert imported[name] == victim.BATCH
    assert set(imported.values()) <= {0, victim.BATCH}
    assert len({fold.rev for fold in contents.folds} | {e.rev for e in entries.values()}) == len(folds) + len(
        entries
    )
    await store.append(CHAT, [said(f"on{contents.chat.rev}", contents.chat.head)])
    await store.aclose()


async def _kill_often(paths: Paths, n_runs: int, seed: int) -> set[str]:
    draw = random.Random(seed)
    store = await Store.open(paths)
    await store.create_chat(a_chat())
    await store.aclose()
    (paths.data / "steps").touch()
    with _killer() as killer:
        for _ in range(n_runs):
            size = (paths.data / "steps").stat().st_size
            pid = killer.start("live", paths.data, draw.randrange(1 << 30))
            _wait_for_steps(paths.data, size + draw.randrange(1, 700))
            await asyncio.sleep(draw.random() * 0.005)
            killer.kill(pid)
            await _check(paths, _steps(paths.data))
    finishes = await _finishes(paths)
    return {step[0] for step in _steps(paths.data)} | finishes


async def _finishes(paths: Paths) -> set[str]:
    store = await Store.open(paths)
    entries = (await store.load(ChatId(CHAT))).entries
    await store.aclose()
    return {entry.finish for entry in entries if entry.finish}


async def test_nothing_that_was_reported_is_lost_by_a_kill(paths: Paths) -> None:
    seen = await _kill_often(paths, 20, seed=17)

    assert seen >= {"entry", "request", "partial", "fold", "import", "blob"}


@pytest.mark.slow
@pytest.mark.timeout(1_200)
async def test_nothing_that_was_reported_is_lost_by_two_hundred_kills(paths: Paths) -> None:
    seen = await _kill_often(paths, 200, seed=random.randrange(1 << 30))

    assert seen >= {"entry", "request", "partial", "fold", "import", "blob", Finish.INTERRUPTED}


async def _killed_while_purging(paths: Paths, n_runs: int, n_chats: int) -> set[int]:
    """Each chat is whole or gone, and after the next sweep of what is gone there is no word left."""
    store = await Store.open(paths)
    for n in range(n_chats):
        chat = ChatId(f"chat{n}")
        await store.create_chat(a_chat(chat))
        await store.append(chat, [said(f"{chat}.0", None, f"short {_canary(n)}")])
        await store.append(chat, [said(f"{chat}.1", f"{chat}.0", f"{_canary(n)} long " * 4_000)])
        await store.trash_chat(chat)
    await store.aclose()
    for path in paths.vault.rglob("*"):
        os.utime(path, (0, 0))
    numbers: set[int] = set()
    with _killer() as killer:
        for run in range(n_runs):
            folder = paths.data.with_name(f"run{run}")
            await asyncio.to_thread(shutil.copytree, paths.data, folder)
            pid = killer.start("purge", folder, run)
            _wait_for_steps(folder, random.randrange(1, 14 * n_chats))
            killer.kill(pid)
            numbers.add(await _check_purged(Paths(data=folder), n_chats))
    return numbers


def _canary(n: int) -> str:
    return f"CANARY-{n:04}-of-a-chat"


async def _check_purged(paths: Paths, n_chats: int) -> int:
    """Returns: how many were gone."""
    done = {name for _, name in _steps(paths.data)}
    store = await Store.open(paths)
    await store.recover()
    await store.sweep_vault()
    left = {chat.id for chat in await store.chats(trash=True)}
    assert left.isdisjoint(done)
    vault = Vault(paths.vault)
    for chat in left:
        first, second = (await store.load(chat)).entries
        (blob,) = blobs_of(second.parts)
        n = int(chat.removeprefix("chat"))
        assert _canary(n) in first.text
        assert (await vault.get(blob)).startswith(_canary(n).encode())
    await store.aclose()
    words = b"".join([path.read_bytes() for path in paths.data.glob("palimpsest*")])
    gone = [n for n in range(n_chats) if ChatId(f"chat{n}") not in left]
    assert not [n for n in gone if _canary(n).encode() in words]
    files = [path for path in paths.vault.rglob("*") if path.is_file()]
    assert len(files) == len(left)
    return len(gone)


async def test_a_kill_while_chats_are_deleted_for_good_leaves_each_whole_or_gone(paths: Paths) -> None:
    """M13."""
    assert len(await _killed_while_purging(paths, 6, 12)) > 1


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_sixty_kills_while_chats_are_deleted_for_good_leave_each_whole_or_gone(paths: Paths) -> None:
    assert len(await _killed_while_purging(paths, 60, 12)) > 4


async def _killed_while_migrating(paths: Paths, n_runs: int) -> set[object]:
    store = await Store.open(paths)
    await a_talk(store, 30)
    await store.aclose()
    ends: set[object] = set()
    with _killer() as killer:
        for run in range(n_runs):
            folder = paths.data.with_name(f"run{run}")
            shutil.copytree(paths.data, folder)
            _add_later_release(folder)
            pid = killer.start("migrate", folder, run)
            if run:
                await asyncio.sleep(random.random() * 0.05)
            else:
                _wait_for_steps(folder, 0)  # the first one ends
            killer.kill(pid)
            ends.add(await _check_migrated(Paths(data=folder)))
    return ends


def _add_later_release(folder: Path) -> None:
    shutil.copytree(Path(__file__).parents[3] / "migrations", folder / "migrations")
    (folder / "migrations" / "versions" / "v9000_later.py").write_text(_LATER)


async def _check_migrated(paths: Paths) -> object:
    """All of it or nothing of it, and every message either way."""
    ((revision,),) = sql(paths, "SELECT version_num FROM alembic_version")
    columns = [row for row in sql(paths, "PRAGMA table_info(chats)") if str(row[1]).startswith("later")]
    fields = sql(paths, "SELECT DISTINCT provider_fields FROM entries")
    for backup in backups.backups(paths):
        with closing(backups.read_only(backup)) as copy:
            backups.check(copy)
            assert copy.execute("SELECT count(*) FROM entries").fetchall() == [(30,)]
    assert sql(paths, "SELECT count(*) FROM entries") == [(30,)]
    if revision == REVISIONS[-1]:
        assert (columns, fields) == ([], [("",)])
        upgrade(paths)  # opens as before
    else:
        assert (len(columns), fields) == (30, [("".join(map(str, range(30))),)])
    return revision


async def test_a_kill_while_migrating_leaves_the_old_schema_or_the_new_one(paths: Paths) -> None:
    assert await _killed_while_migrating(paths, 6) >= {"9000"}


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_sixty_kills_while_migrating_leave_the_old_schema_or_the_new_one(paths: Paths) -> None:
    assert await _killed_while_migrating(paths, 60) == {REVISIONS[-1], "9000"}
