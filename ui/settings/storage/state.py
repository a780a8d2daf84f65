"""What the data page draws: the folder, how large it is, and its backups."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from app.settings import Paths
from app.store.backups import backups


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupFile:
    name: str
    path: Path
    n_bytes: int
    made_at: datetime
    """UTC, aware."""

    @property
    def is_upgrade(self) -> bool:
        """Made before the database was brought to a newer form, and not by the day."""
        return self.name.startswith("upgrade-")


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageState:
    folder: Path
    database_bytes: int = 0
    vault_bytes: int = 0
    backups: tuple[BackupFile, ...] = ()


def read_storage(paths: Paths) -> StorageState:
    """As it is on disk; slow where the vault holds much."""
    return StorageState(
        folder=paths.data,
        database_bytes=sum(_size(path) for path in paths.data.glob(f"{paths.database.name}*")),
        vault_bytes=sum(_size(path) for path in paths.vault.rglob("*") if path.is_file()),
        backups=tuple(
            BackupFile(
                name=path.name,
                path=path,
                n_bytes=_size(path),
                made_at=datetime.fromtimestamp(path.stat().st_mtime, UTC),
            )
            for path in backups(paths)
        ),
    )


def _size(path: Path) -> int:
    return path.stat().st_size
