"""What SQLite and the disk refuse, told in sentences; each kind has a code of its own."""

import errno
import sqlite3
from pathlib import Path

from app.core.errors import StoreError


class StoreLocked(StoreError):
    """Another program kept the database for longer than we wait."""

    code = "store_locked"


class StoreFull(StoreError):
    code = "store_full"


class StoreUnwritable(StoreError):
    """The folder or its files may not be written, or not be opened at all."""

    code = "store_unwritable"


class StoreNewer(StoreError):
    """A later version of the program made this database; nothing was touched."""

    code = "store_newer"


class StoreDamaged(StoreError):
    """The database cannot be read. `backups`: copies it can be restored from, newest first."""

    code = "store_damaged"
    backups: tuple[Path, ...] = ()


_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_UNWRITABLE = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR}


def told(error: sqlite3.Error | OSError, path: Path) -> StoreError:
    """The sentence for what went wrong at `path`."""
    detail = str(error)
    name = getattr(error, "sqlite_errorname", "") or ""
    number = error.errno if isinstance(error, OSError) else None
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreLocked(
            "Another program is using the chats at this moment.",
            hint="Close other windows of this program, then try again.",
            detail=detail,
        )
    if name == "SQLITE_FULL" or number in _FULL:
        return StoreFull(
            "The disk is full, so this could not be saved.",
            hint="Make room on the disk, then try again.",
            detail=detail,
        )
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")) or number in _UNWRITABLE:
        return StoreUnwritable(
            f"The folder {str(path.parent)!r} cannot be written.",
            hint="Allow this program to write there, or choose another data folder.",
            detail=detail,
            folder=str(path.parent),
        )
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return StoreDamaged("The database of the chats is damaged.", detail=detail)
    return StoreError("The chats could not be read or written.", detail=detail)
