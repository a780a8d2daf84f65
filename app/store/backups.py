"""Copies of the database: before each upgrade and once a day; restoring one, without what was deleted for good."""

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from app.settings import Paths
from app.store.errors import told

_KEPT = {"upgrade": 3, "daily": 7}
_PAGES = 256
"""Pages copied at a stretch; other connections get in between."""


def backups(paths: Paths) -> tuple[Path, ...]:
    """All copies, newest first."""
    return tuple(
        sorted(paths.backups.glob("*.sqlite3"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    )


def back_up(paths: Paths, kind: str, label: str) -> Path:
    """Copy the database to `{kind}-{label}.sqlite3`; older copies of the kind go, but for the newest few.

    Args:
        kind: `upgrade` or `daily`.
    Raises:
        StoreError: the disk is full, or the database is damaged; then no older copy is touched.
    """
    target = paths.backups / f"{kind}-{label}.sqlite3"
    part = target.with_suffix(".part")
    try:
        paths.backups.mkdir(mode=0o700, parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_WRONLY, 0o600))
        with closing(read_only(paths.database)) as source, closing(sqlite3.connect(part)) as copy:
            source.backup(copy, pages=_PAGES)
            check(copy)
        sync(part)
        part.replace(target)
    except (sqlite3.Error, OSError) as error:
        part.unlink(missing_ok=True)
        raise told(error, paths.database) from error
    for old in [path for path in backups(paths) if path.name.startswith(f"{kind}-")][_KEPT[kind] :]:
        old.unlink()
    return target


def back_up_daily(paths: Paths, now: datetime) -> Path | None:
    """Returns: None when there is one of this day."""
    label = now.strftime("%Y-%m-%d")
    if (paths.backups / f"daily-{label}.sqlite3").exists():
        return None
    return back_up(paths, "daily", label)


def holders(paths: Paths, table: str, ids: Sequence[str]) -> tuple[str, ...]:
    """Names of the backups that hold any of `ids` in `table`, for the question asked before deleting (M13)."""
    found: list[str] = []
    for path in backups(paths):
        with suppress(sqlite3.Error), closing(read_only(path)) as copy:
            marks = ",".join("?" * len(ids))
            if copy.execute(f"SELECT 1 FROM {table} WHERE id IN ({marks}) LIMIT 1", ids).fetchone():
                found.append(path.name)
    return tuple(found)


def tombstones(paths: Paths) -> set[str]:
    """Ids deleted for good, as far as the database and the backups still tell."""
    found: set[str] = set()
    for path in (paths.database, *backups(paths)):
        with suppress(sqlite3.Error), closing(read_only(path)) as copy:
            found |= {str(row[0]) for row in copy.execute("SELECT id FROM tombstones")}
    return found


def put_in_place(paths: Paths, backup: Path, now: datetime) -> Path:
    """Make `backup` the database; the one that stood there is set aside, not deleted.

    Returns: where it is now.
    """
    aside = paths.data / f"damaged-{now.strftime('%Y-%m-%dT%H-%M-%S')}.sqlite3"
    part = paths.database.with_suffix(".part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_WRONLY, 0o600))
        with closing(read_only(backup)) as source, closing(sqlite3.connect(part)) as copy:
            source.backup(copy)
            check(copy)
        sync(part)
        for suffix in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                Path(f"{paths.database}{suffix}").replace(f"{aside}{suffix}")
        part.replace(paths.database)
        sync(paths.data)
    except (sqlite3.Error, OSError) as error:
        raise told(error, paths.database) from error
    return aside


def check(connection: sqlite3.Connection) -> None:
    """
    Raises:
        sqlite3.DatabaseError: the file is damaged.
    """
    found = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != ("ok",):
        raise corrupt(str(found[0]))


def corrupt(detail: str) -> sqlite3.DatabaseError:
    """The error that SQLite itself would raise on finding it."""
    error = sqlite3.DatabaseError(detail)
    error.sqlite_errorname = "SQLITE_CORRUPT"
    return error


def read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def sync(path: Path) -> None:
    """Make a file, or the names in a folder, durable; Windows does the latter by itself."""
    if path.is_dir() and os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
