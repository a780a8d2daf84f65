"""Reading an original off the window's thread."""

import asyncio
from pathlib import Path

from app.chats.artifacts import Opened
from app.core.errors import AppError

_PIECE_BYTES = 4 << 20


async def read_some(original: Opened, n_bytes: int) -> bytes:
    """Its beginning.

    Raises:
        StoreError: it can't be read.
    """
    return await asyncio.to_thread(original.read, 0, min(n_bytes, original.n_bytes))


async def read_all(original: Opened) -> bytes:
    return await read_some(original, original.n_bytes)


async def write_to(original: Opened, path: Path) -> None:
    """All of it into a file, piece by piece; the file is whole, or as it was.

    Raises:
        AppError: it can't be read, or the file can't be written.
    """
    await asyncio.to_thread(_write, original, path)


def _write(original: Opened, path: Path) -> None:
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            for at in range(0, original.n_bytes, _PIECE_BYTES):
                file.write(original.read(at, min(at + _PIECE_BYTES, original.n_bytes)))
        part.replace(path)
    except OSError as error:
        raise AppError(f"The file {path.name!r} could not be written.", detail=str(error)) from error
    finally:
        part.unlink(missing_ok=True)
