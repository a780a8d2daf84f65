"""Where conversations come from: a file, a folder, or a ZIP, which is read in place and never unpacked to disk.

What a ZIP says of itself is not believed: names are only compared, never paths to write to, so that none can slip
out of a folder, and what comes out is counted, so that a bomb ends where it becomes one (Q23).
"""

import threading
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO

from app.chats.kinds.kind import FileUnreadable

READ = (".json", ".jsonl", ".ndjson", ".md", ".markdown", ".txt", ".yaml", ".yml", ".traj")
"""Endings of files that may hold conversations; a ZIP and a folder are gone through for them."""
_CHUNK_BYTES = 256 * 1024
_MOST_FILES = 100_000
_MOST_BESIDE_BYTES = 256_000_000
_RATIO, _RATIO_FROM_BYTES = 200, 10_000_000
"""A member that unpacks to more than so many times its size is no export; small ones may."""


class ReadingStopped(Exception):
    """Caught by the import: whoever asked for it does not want it any more."""


@dataclass(slots=True)
class Watch:
    """How far a reading is; written by its thread, looked at from others."""

    total_bytes: int = 0
    """0: not known yet."""
    done_bytes: int = 0
    stop: threading.Event = field(default_factory=threading.Event)
    """Set: the reading ends at its next piece."""

    def take(self, n_bytes: int) -> None:
        if self.stop.is_set():
            raise ReadingStopped
        self.done_bytes += n_bytes


class Package:
    """A path and what lies in it.

    Raises (everything):
        FileUnreadable: it can't be opened, is damaged, locked, or a bomb.
    """

    def __init__(self, path: Path, watch: Watch) -> None:
        self.path, self._watch = path, watch
        self._zip: zipfile.ZipFile | None = None
        self._names: dict[str, int] = {}
        try:
            self._open()
        except (OSError, zipfile.BadZipFile, UnicodeDecodeError) as error:
            raise self._refusal(error) from error
        watch.total_bytes = sum(size for name, size in self._names.items() if self._is_read(name))

    @property
    def is_single(self) -> bool:
        return not self._zip and not self.path.is_dir()

    def close(self) -> None:
        if self._zip:
            self._zip.close()

    def names(self) -> tuple[str, ...]:
        """Of what may hold conversations, in order."""
        return tuple(sorted(name for name in self._names if self._is_read(name)))

    def chunks(self, name: str) -> Iterator[bytes]:
        """What a file holds, piece by piece, counted."""
        n_bytes = 0
        most = self._most(name)
        try:
            with self._stream(name) as stream:
                while chunk := stream.read(_CHUNK_BYTES):
                    n_bytes += len(chunk)
                    if n_bytes > most:
                        raise FileUnreadable(
                            f"{self.path.name!r} unpacks to far more than it says, and was not read.",
                            file=self.path.name,
                        )
                    self._watch.take(len(chunk))
                    yield chunk
        except (
            OSError,
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            RuntimeError,
            NotImplementedError,
        ) as error:
            raise self._refusal(error) from error

    def beside(self, wanted: str) -> bytes | None:
        """A file by its path, or by how its name begins; None: there is none, or it is too large for a picture."""
        if not wanted:
            return None
        found = wanted if wanted in self._names else None
        base = PurePosixPath(wanted).name
        found = found or next(
            (name for name in self._names if PurePosixPath(name).name.startswith(base)), None
        )
        if found is None or self._names[found] > _MOST_BESIDE_BYTES:
            return None
        data = b"".join(self.chunks(found))
        self._watch.done_bytes -= len(data)  # the total counts conversations
        return data

    def _open(self) -> None:
        path = self.path
        if path.is_dir():
            for n, file in enumerate(sorted(path.rglob("*"))):
                if n > _MOST_FILES:
                    break
                if file.is_file() and not file.is_symlink():
                    self._names[file.relative_to(path).as_posix()] = file.stat().st_size
        elif zipfile.is_zipfile(path):
            self._zip = zipfile.ZipFile(path)
            infos = self._zip.infolist()[:_MOST_FILES]
            self._names = {info.filename: info.file_size for info in infos if not info.is_dir()}
        else:
            self._names = {path.name: path.stat().st_size}

    def _is_read(self, name: str) -> bool:
        is_hidden = any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(name).parts)
        return self.is_single or (name.lower().endswith(READ) and not is_hidden)

    def _stream(self, name: str) -> IO[bytes]:
        if self._zip:
            return self._zip.open(name)
        return (self.path / name if self.path.is_dir() else self.path).open("rb")

    def _most(self, name: str) -> int:
        if not self._zip:
            return 1 << 62
        return max(_RATIO_FROM_BYTES, _RATIO * self._zip.getinfo(name).compress_size)

    def _refusal(self, error: Exception) -> FileUnreadable:
        name = self.path.name
        if isinstance(error, OSError):
            return FileUnreadable(f"The file {name!r} can't be opened.", detail=str(error), file=name)
        return FileUnreadable(f"The archive {name!r} is damaged or locked.", detail=str(error), file=name)
