"""`file_read`: files of the workspace, and what was folded out of sight, by range or by pattern (C27)."""

import asyncio
from pathlib import Path

from pydantic import BaseModel, Field

from app.agent.paths import Use, resolve
from app.agent.tools.failing import ToolFailed
from app.agent.tools.files import read_whole
from app.agent.tools.tool import BuiltIn, Given, Place
from app.core.errors import AppError
from app.core.parts import Blob
from app.tokens.estimate import estimate
from app.vault.address import parse
from app.vault.reading import Reading, read_pattern, read_range

_MOST_PATHS = 8
_FILE_LINES, _FILE_TOKENS = 2_000, 16_000
"""Of a file of the workspace, which is read to be worked on; of an original only what a question needs (C27)."""


class FileRead(BaseModel):
    paths: list[str] = Field(
        min_length=1,
        max_length=_MOST_PATHS,
        description="Files of the workspace, or vault:// addresses as they stand in the conversation.",
    )
    line_range: str = Field(
        default="",
        description='Lines, from 1, both ends included: "100:200", "100:", "-50:" for the last 50.',
    )
    pattern: str = Field(
        default="",
        description="A regular expression; only lines in which it is found come, with two around each.",
    )


async def _file_read(wanted: FileRead, place: Place) -> Given:
    readings = [await _read(name, wanted, place) for name in wanted.paths]
    if len(readings) == 1:
        text, is_error = readings[0]
        return Given(text=text, is_error=is_error)
    texts = (f"== {name}\n{text}" for name, (text, _) in zip(wanted.paths, readings, strict=True))
    return Given(text="\n\n".join(texts), is_error=all(is_error for _, is_error in readings))


async def _read(name: str, wanted: FileRead, place: Place) -> tuple[str, bool]:
    """What one path gives, and whether that is a failure; the others are read all the same."""
    try:
        if name.strip().startswith("vault:"):
            text = await _original(name, place)
            reading = await asyncio.to_thread(_piece, text, wanted)
        else:
            path = resolve(place.roots, name, Use.READ)
            data = await asyncio.to_thread(read_whole, place.roots, name)
            reading = await asyncio.to_thread(_piece_of_file, data, name, wanted)
            if reading.n_found is None and (reading.first, reading.last) in ((1, reading.n_lines), (0, 0)):
                place.seen.note(path, data)
        return str(reading), False
    except AppError as error:
        return f"[error] {error.message}", True
    except OSError as error:
        return f"[error] {error.strerror}: {name!r}", True


async def _original(name: str, place: Place) -> str:
    wanted = parse(name.rstrip("/"))
    found = await asyncio.to_thread(place.originals().find, wanted) if wanted else None
    if found is None:
        raise ToolFailed(f"Nothing in this conversation has the address {name!r}.")
    return await _text_of(found, place) if isinstance(found, Blob) else found


async def _text_of(blob: Blob, place: Place) -> str:
    data = await place.vault.get(blob)
    return await asyncio.to_thread(as_text, data, blob.name)


def as_text(data: bytes, name: str) -> str:
    """
    Raises:
        ToolFailed: it is no text.
    """
    if b"\x00" in data[:8192]:
        raise ToolFailed(f"{Path(name).name!r} is no text: {len(data):,} bytes.")
    return data.decode("utf-8", "replace")


def _piece_of_file(data: bytes, name: str, wanted: FileRead) -> Reading:
    return _piece(as_text(data, name), wanted, most_lines=_FILE_LINES, most_tokens=_FILE_TOKENS)


def _piece(text: str, wanted: FileRead, **most: int) -> Reading:
    if wanted.pattern:
        return read_pattern(text, wanted.pattern, wanted.line_range, count=estimate)
    return read_range(text, wanted.line_range, count=estimate, **most)


FILE_READ = BuiltIn(
    name="file_read",
    description=(
        "Read files, or what was folded out of this conversation (vault:// addresses stand where a text was "
        "shortened). Long texts come in pieces; the end of a piece tells how to read on. With `pattern` only "
        "matching lines come, which is the quickest way to one fact."
    ),
    arguments=FileRead,
    deed=_file_read,
    is_read_only=True,
)
