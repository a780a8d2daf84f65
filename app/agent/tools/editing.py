"""`file_write` and `file_edit`: changes the person sees as a diff first, and can take back (A10, A12).

A file that exists is changed only as the model last read it: it must have read all of it in this chat, and
nothing may have touched it since.
"""

import asyncio
import difflib
from pathlib import Path

from pydantic import BaseModel, Field

from app.agent.approvals import file_wish
from app.agent.paths import Use, resolve, write_whole
from app.agent.tools.failing import ToolFailed
from app.agent.tools.files import read_whole
from app.agent.tools.reading import as_text
from app.agent.tools.tool import BuiltIn, Given, Place
from app.core.approvals import Wish

_DIFF_LINES = 2_000


class FileWrite(BaseModel):
    path: str = Field(description="A file of the workspace; folders on the way are made.")
    text: str = Field(description="All that the file will hold.")


class FileEdit(BaseModel):
    path: str = Field(description="A file of the workspace that was read before.")
    old: str = Field(min_length=1, description="The text to be replaced, exactly as it stands in the file.")
    new: str = Field(description="What stands there then; empty: the text is removed.")
    all: bool = Field(default=False, description="Replace it wherever it stands; else it must stand once.")


async def _written(wanted: FileWrite | FileEdit, place: Place) -> tuple[Path, bytes | None, bytes]:
    """Where a change goes, what is there now, and what will be.

    Raises:
        AppError: it can't be made.
    """
    path = resolve(place.roots, wanted.path, Use.WRITE)
    before = await asyncio.to_thread(_before, place, wanted.path)
    if before is not None and not place.seen.is_same(path, before):
        known = place.seen.knows(path)
        why = "has changed since you read it" if known else "was not read in full in this conversation"
        raise ToolFailed(f"{wanted.path!r} {why}. Read it with file_read, then change it.")
    if isinstance(wanted, FileWrite):
        return path, before, wanted.text.encode()
    if before is None:
        raise ToolFailed(f"There is no file {wanted.path!r}.")
    return path, before, _edited(wanted, as_text(before, wanted.path)).encode()


def _before(place: Place, path: str) -> bytes | None:
    try:
        return read_whole(place.roots, path, Use.WRITE)
    except FileNotFoundError:
        return None


def _edited(wanted: FileEdit, text: str) -> str:
    old, new = wanted.old, wanted.new
    n = text.count(old)
    if not n and "\r\n" in text:  # a model writes line feeds, whatever the file has
        old, new = (piece.replace("\r\n", "\n").replace("\n", "\r\n") for piece in (old, new))
        n = text.count(old)
    if not n:
        raise ToolFailed(
            f"`old` does not stand in {wanted.path!r}. Read the lines around it and copy them exactly."
        )
    if n > 1 and not wanted.all:
        raise ToolFailed(
            f"`old` stands {n} times in {wanted.path!r}. Give more of what is around it, or set `all`."
        )
    return text.replace(old, new)


async def _asks(wanted: FileWrite | FileEdit, place: Place) -> Wish | None:
    path, before, after = await _written(wanted, place)
    detail = await asyncio.to_thread(diff, before, after, wanted.path)
    tool = "file_write" if isinstance(wanted, FileWrite) else "file_edit"
    return file_wish(tool, path, place.roots, diff=detail)


async def _change(wanted: FileWrite | FileEdit, place: Place) -> Given:
    path, before, after = await _written(wanted, place)  # once more: the person may have taken their time
    await place.journal(path, before, after)
    await asyncio.to_thread(write_whole, place.roots, wanted.path, after)
    place.seen.note(path, after)
    if before is None:
        return Given(text=f"Made {wanted.path}: {_lines(after)} lines.")
    changed = await asyncio.to_thread(diff, before, after, wanted.path)
    return Given(text=changed or f"{wanted.path} is as it was.")


def _lines(data: bytes) -> int:
    return data.count(b"\n") + (not data.endswith(b"\n") and bool(data))


def diff(before: bytes | None, after: bytes, name: str) -> str:
    """A unified diff; empty where nothing changes."""
    old = (before or b"").decode("utf-8", "replace").splitlines(keepends=True)
    new = after.decode("utf-8", "replace").splitlines(keepends=True)
    if len(old) + len(new) > 40_000:  # difflib takes minutes there
        return f"{name}: {len(old):,} lines become {len(new):,}"
    found = list(difflib.unified_diff(old, new, name if before is not None else "/dev/null", name))
    left = len(found) - _DIFF_LINES
    tail = [f"… {left:,} more lines\n"] if left > 0 else []
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in (*found[:_DIFF_LINES], *tail))


FILE_WRITE = BuiltIn(
    name="file_write",
    description="Make a file, or replace all of one that was read before.",
    arguments=FileWrite,
    deed=_change,
    asks=_asks,
)
FILE_EDIT = BuiltIn(
    name="file_edit",
    description="Replace a text in a file that was read before. The result is a diff.",
    arguments=FileEdit,
    deed=_change,
    asks=_asks,
)
