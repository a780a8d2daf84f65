"""Large originals by SHA-256: written once, durable before anything points at them, checked when read (M6)."""

import asyncio
import errno
import hashlib
import logging
import os
import struct
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import suppress
from functools import partial
from pathlib import Path

import zstandard

from app.core.errors import OriginalLost, StoreError
from app.core.parts import (
    INLINE_BYTES,
    Blob,
    OpaquePart,
    Part,
    ToolCallPart,
    body_of,
    file_name_of,
    long_bytes,
    with_body,
)

log = logging.getLogger(__name__)

# The seekable format of zstd: frames that are compressed each for itself, then a table of their sizes in a frame
# that other programs skip, so that `zstd -d` reads the file too.
# https://github.com/facebook/zstd/blob/dev/contrib/seekable_format/zstd_seekable_compression_format.md
_FRAME_BYTES = 1 << 20
_LEVEL = 1
_SKIPPABLE = struct.Struct("<II")
_SKIPPABLE_MAGIC = 0x184D2A5E
_SIZES = struct.Struct("<II")
_FOOTER = struct.Struct("<IBI")
_FOOTER_MAGIC = 0x8F92EAB1


class Vault:
    """`context.ports.Vault` over a folder; any number of them may work on the same one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def put(self, data: bytes, *, mime: str, name: str) -> Blob:
        # Both release the GIL, so they share the two cores.
        sha256, frames = await asyncio.gather(
            asyncio.to_thread(lambda: hashlib.sha256(data).hexdigest()), asyncio.to_thread(_compressed, data)
        )
        await asyncio.shield(asyncio.to_thread(self._write, sha256, frames))
        has_lines = mime.startswith("text/") or mime == "application/json"
        n_lines = data.count(b"\n") + (not data.endswith(b"\n")) if has_lines and data else 0
        return Blob(sha256=sha256, n_bytes=len(data), mime=mime, name=name, n_lines=n_lines)

    async def take_in(self, parts: tuple[Part, ...]) -> tuple[Part, ...]:
        """`parts` with the texts over 64 KiB in here; one that can't be written stays where it is."""
        bodies = map(body_of, parts)
        if all(isinstance(body, Blob) or len(body) * 4 <= INLINE_BYTES for body in bodies):
            return parts
        return tuple([await self._taken_in(part) for part in parts])

    async def _taken_in(self, part: Part) -> Part:
        body = body_of(part)
        if isinstance(body, Blob) or isinstance(part, OpaquePart):
            return part
        data = await asyncio.to_thread(long_bytes, body)
        if data is None:
            return part
        mime = "application/json" if isinstance(part, ToolCallPart) else "text/plain"
        try:
            return with_body(part, await self.put(data, mime=mime, name=file_name_of(part)))
        except StoreError as error:
            log.warning("A long text stays in its entry: %s", error)
            return part

    async def get(self, blob: Blob) -> bytes:
        return await asyncio.to_thread(self._read_whole, blob)

    async def read_range(self, blob: Blob, start: int, end: int) -> bytes:
        """Bytes `start` up to and without `end`, cut at the blob's ends; each frame's own checksum is checked.

        Raises:
            OriginalLost: missing or damaged.
        """
        return await asyncio.to_thread(self._read_range, blob, start, end)

    def read_piece(self, sha256: str, start: int, end: int) -> bytes:
        """As `read_range`, of a blob whose length is not known; for a thread."""
        return self._read_range(Blob(sha256=sha256, n_bytes=end, mime="", name=sha256[:12]), start, end)

    def reader(self, blob: Blob) -> Callable[[int, int], bytes]:
        """As `read_range`, for who is in a thread already."""
        return partial(self._read_range, blob)

    def path(self, blob: Blob) -> Path:
        """The file in which it lies, compressed."""
        return self._path(blob.sha256)

    def remove(self, sha256s: Iterable[str], *, before_s: float) -> None:
        """Delete these at once, but for what was put again since `before_s`, which is about to be referred to.

        For a thread in which nothing can begin to refer to a blob meanwhile.
        """
        try:
            for sha256 in sha256s:
                _remove(self._path(sha256), before_s)
        except OSError as error:
            raise _told(error, self._folder) from error

    def sweep(self, kept: Set[str], *, older_than_s: float) -> int:
        """Delete what is not in `kept` and was last put so long ago, and what writes that were killed left.

        For a thread in which nothing can begin to refer to a blob meanwhile.
        Returns: how many files went.
        """
        oldest_s = time.time() - older_than_s
        return sum(_remove(path, oldest_s) for path in self._folder.glob("??/??/*") if path.name not in kept)

    # ---- in threads

    def _path(self, sha256: str) -> Path:
        return self._folder / sha256[:2] / sha256[2:4] / sha256

    def _write(self, sha256: str, frames: list[bytes]) -> None:
        path = self._path(sha256)
        if _is_there(path, frames):
            return
        part = path.with_name(f"{sha256}.{uuid.uuid4().hex}.part")
        try:
            made = _make_folders(path.parent)
            handle = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o600)
            with os.fdopen(handle, "wb") as file:
                file.writelines(frames)
                file.flush()
                os.fsync(handle)
            _make_young(part)
            part.replace(path)
            for folder in (path.parent, *made):
                _sync_folder(folder)
        except OSError as error:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise _told(error, self._folder) from error

    def _read_whole(self, blob: Blob) -> bytes:
        data = self._read_range(blob, 0, blob.n_bytes)
        if len(data) != blob.n_bytes or hashlib.sha256(data).hexdigest() != blob.sha256:
            raise _damaged(blob)
        return data

    def _read_range(self, blob: Blob, start: int, end: int) -> bytes:
        start, end = max(0, start), min(end, blob.n_bytes)
        try:
            with self._path(blob.sha256).open("rb") as file:
                found: list[bytes] = []
                for at, offset, packed, size in _frames(file.fileno()):
                    if at < end and at + size > start:
                        file.seek(offset)
                        found.append(zstandard.ZstdDecompressor().decompress(file.read(packed)))
                        found[-1] = found[-1][max(0, start - at) : end - at]
            return b"".join(found)
        except FileNotFoundError as error:
            raise OriginalLost(f"{blob.name!r} is not in the vault any more.", name=blob.name) from error
        except (zstandard.ZstdError, struct.error, ValueError) as error:
            raise _damaged(blob) from error
        except OSError as error:
            raise _told(error, self._folder) from error


def _compressed(data: bytes) -> list[bytes]:
    """The file's content: frames, then the table of their sizes."""
    compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
    view = memoryview(data)
    pieces = [view[at : at + _FRAME_BYTES] for at in range(0, len(view), _FRAME_BYTES)]
    frames = [compressor.compress(piece) for piece in pieces]
    sizes = b"".join(_SIZES.pack(len(frame), len(piece)) for frame, piece in zip(frames, pieces, strict=True))
    table = sizes + _FOOTER.pack(len(frames), 0, _FOOTER_MAGIC)
    return [*frames, _SKIPPABLE.pack(_SKIPPABLE_MAGIC, len(table)), table]


def _frames(file: int) -> Iterator[tuple[int, int, int, int]]:
    """Of each frame: where its text begins, where it lies in the file, its packed and its plain size."""
    file_bytes = os.fstat(file).st_size
    if file_bytes < _FOOTER.size + _SKIPPABLE.size:
        raise ValueError("the file is cut")
    n_frames, _, magic = _FOOTER.unpack(_read_at(file, file_bytes - _FOOTER.size, _FOOTER.size))
    table_bytes = n_frames * _SIZES.size
    table_at = file_bytes - _FOOTER.size - table_bytes
    if magic != _FOOTER_MAGIC or table_at < _SKIPPABLE.size:
        raise ValueError("the table of frames is not there")
    at = offset = 0
    for packed, size in _SIZES.iter_unpack(_read_at(file, table_at, table_bytes)):
        yield at, offset, packed, size
        at += size
        offset += packed
    if offset != table_at - _SKIPPABLE.size:
        raise ValueError("frames are missing")


def _read_at(file: int, offset: int, n_bytes: int) -> bytes:
    os.lseek(file, offset, os.SEEK_SET)
    return os.read(file, n_bytes)


def _is_there(path: Path, frames: list[bytes]) -> bool:
    """Whether the same content lies there, as far as its size tells; a cut file is written anew.

    Makes it young, so that it is left alone until something refers to it.
    """
    with suppress(FileNotFoundError, NotADirectoryError):
        if path.stat().st_size == sum(map(len, frames)):
            _make_young(path)
            return True
    return False


def _make_young(path: Path) -> None:
    now_ns = time.time_ns()  # the file system's own clock may be some milliseconds late
    os.utime(path, ns=(now_ns, now_ns))


def _remove(path: Path, before_s: float) -> bool:
    """Delete a file that was last put before `before_s`.

    It is set aside first: whoever puts it in that moment has made it young before, which is seen then, or finds
    it gone and writes it anew.
    """
    aside = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
    with suppress(FileNotFoundError):
        if path.stat().st_mtime < before_s:
            path.replace(aside)
            if aside.stat().st_mtime < before_s:
                aside.unlink()
                return True
            aside.replace(path)
    return False


def _make_folders(folder: Path) -> list[Path]:
    """Make the folder for this user alone.

    Returns: the folders whose names are new in them.
    """
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    for parent in reversed(missing):
        parent.mkdir(mode=0o700, exist_ok=True)
    return [parent.parent for parent in missing]


def _sync_folder(folder: Path) -> None:
    """Make a new name durable; Windows does it by itself and can't open folders."""
    if os.name != "nt":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _damaged(blob: Blob) -> OriginalLost:
    return OriginalLost(
        f"{blob.name!r} in the vault is damaged.",
        hint="The rest of the chat is not touched. Restore the file from a backup of the data folder.",
        name=blob.name,
    )


def _told(error: OSError, folder: Path) -> StoreError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreError("The disk is full, so this could not be saved.", detail=str(error))
    return StoreError(f"The folder {str(folder)!r} cannot be used.", detail=str(error), folder=str(folder))
