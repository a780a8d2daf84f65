"""The database on disk is brought to this version's schema, or left alone with a sentence that says why (Q18, Q25)."""

import importlib.resources
import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from app.settings import Paths
from app.store import backups
from app.store.engine import WRITER, connected
from app.store.errors import StoreDamaged, StoreNewer, told

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009")
"""Every schema this version knows, oldest first; the last is the one it works with."""


def upgrade(paths: Paths) -> None:
    """Make the database ready: made if missing, checked, migrated in one transaction after a backup.

    Raises:
        StoreNewer: a later version made it; nothing was touched.
        StoreDamaged: it cannot be read; its `backups` can be restored.
        StoreError: the folder or the disk refuses.
    """
    try:
        revision = _revision(paths)
        if revision == REVISIONS[-1]:
            return
        if revision:
            backups.back_up(paths, "upgrade", f"{revision}-{datetime.now(UTC).strftime('%Y-%m-%dT%H-%M-%S')}")
        migrate(paths.database)
    except (sqlite3.Error, OSError) as error:
        raise _damage_told(told(error, paths.database), paths) from error
    except StoreDamaged as error:
        raise _damage_told(error, paths) from error


def restore(paths: Paths, backup: Path) -> Path:
    """Make `backup` the database, without what was deleted for good since it was made (M13).

    Called while no store is open.
    Returns: where the replaced database was set aside.
    """
    gone = backups.tombstones(paths)
    aside = backups.put_in_place(paths, backup, datetime.now(UTC))
    upgrade(paths)
    _bury(paths, gone)
    return aside


def revision_of(connection: sqlite3.Connection) -> str:
    """Schema of a database, without loading Alembic; empty: it has none yet."""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone() is None:
        return ""
    found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(found[0]) if found else ""


def migrate(database: Path, *, to: str = "head", is_down: bool = False) -> None:
    """Run the migrations up or down to revision `to` in one transaction, or none of it."""
    from alembic import command
    from alembic.config import Config
    from sqlalchemy.exc import DBAPIError

    # Rebuilding a table must not cascade; the keys are checked as a whole before the commit.
    pragmas = (*(pragma for pragma in WRITER if not pragma.startswith("foreign_keys")), "foreign_keys=OFF")
    engine = connected(database, begin="BEGIN IMMEDIATE", pragmas=pragmas)
    config = Config()
    try:
        with (
            importlib.resources.as_file(importlib.resources.files("migrations")) as folder,
            engine.begin() as connection,
        ):
            config.set_main_option("script_location", str(folder).replace("%", "%%"))
            config.attributes["connection"] = connection
            run = command.downgrade if is_down else command.upgrade
            run(config, to)
            if broken := connection.exec_driver_sql("PRAGMA foreign_key_check").first():
                raise sqlite3.IntegrityError(f"The upgrade would lose a reference of {broken[0]!r}")
    except DBAPIError as error:
        raise (error.orig if isinstance(error.orig, sqlite3.Error) else sqlite3.Error(str(error))) from error
    finally:
        engine.dispose()


def _revision(paths: Paths) -> str:
    """Of the database on disk, which is made when it is missing, and found whole."""
    paths.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Made before SQLite opens it, so that its WAL too gets these permissions.
    os.close(os.open(paths.database, os.O_CREAT | os.O_RDWR, 0o600))
    with closing(sqlite3.connect(paths.database)) as connection:
        connection.execute("PRAGMA busy_timeout=5000")
        backups.check(connection)
        _check_size(connection, paths.database)
        revision = revision_of(connection)
    if revision and revision not in REVISIONS:
        raise StoreNewer(
            "These chats were last opened by a newer version of this program.",
            hint="Install the newest version, or choose another data folder. Nothing was changed.",
            detail=f"schema {revision}, this version knows {REVISIONS[-1]}",
        )
    return revision


def _check_size(connection: sqlite3.Connection, database: Path) -> None:
    """A last page that was cut reads as zeros, which `quick_check` does not see (case B70)."""
    wal = database.with_name(f"{database.name}-wal")
    if wal.exists() and wal.stat().st_size:
        return  # the page may still stand there
    (n_pages,) = connection.execute("PRAGMA page_count").fetchone()
    (page_bytes,) = connection.execute("PRAGMA page_size").fetchone()
    if database.stat().st_size < n_pages * page_bytes:
        raise backups.corrupt("the last page is cut")


def _damage_told(error: Exception, paths: Paths) -> Exception:
    if not isinstance(error, StoreDamaged):
        return error
    copies = backups.backups(paths)
    damaged = StoreDamaged(
        error.message,
        hint="It can be restored from a backup; the damaged file is kept." if copies else "",
        detail=error.detail,
    )
    damaged.backups = copies
    return damaged


def _bury(paths: Paths, gone: set[str]) -> None:
    from app.store.repositories import Repositories, Session

    engine = connected(paths.database, begin="BEGIN IMMEDIATE", pragmas=WRITER)
    with Session(engine) as session, session.begin():
        Repositories(session, datetime.now(UTC)).removals.apply_tombstones(gone)
    engine.dispose()
