"""The files that a chat made or changed last, as they are now: what S9 shows, and what S8 keeps room for."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from app.context.facts import FileTouch, TurnFacts
from app.context.ports import Files
from app.context.redaction import has_secret
from app.context.summary.notes import files_written
from app.core.parts import TextPart

MOST_FILES, MOST_TOKENS = 5, 50_000
FILE_SHARE = 0.4
"""Of the budget: what one file may have."""
OVERHEAD_TOKENS = 2 * MOST_FILES * 10
"""Of headings, fences and notes."""
_BINARY_LOOK_BYTES = 8_192
_LARGEST_BYTES = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class FileNow:
    path: str
    text: str
    """Empty: it is not shown."""
    why_not: str = ""


async def files_now(touches: Sequence[FileTouch], files: Files) -> tuple[FileNow, ...]:
    """The newest first; none where not one can be shown."""
    paths = tuple(reversed(files_written(touches)))[:MOST_FILES]
    found = [await _now(path, files) for path in paths]
    return tuple(found) if any(file.text for file in found) else ()


async def tokens_wanted(turn: TurnFacts, files: Files, *, most: int) -> int:
    """What S9 would fill of at most `most` tokens, by our estimate."""
    found = await files_now(turn.touches, files)

    def wanted() -> int:
        cap = round(FILE_SHARE * min(most, MOST_TOKENS))
        shown = (min(turn.tokens(TextPart(text=file.text)), cap) for file in found if file.text)
        return min(most, sum(shown) + OVERHEAD_TOKENS)

    return await asyncio.to_thread(wanted) if found else 0


async def _now(path: str, files: Files) -> FileNow:
    data = await files.read(path)
    text, why_not = await asyncio.to_thread(_readable, data)
    return FileNow(path=path, text=text, why_not=why_not)


def _readable(data: bytes | None) -> tuple[str, str]:
    """The text, or why there is none."""
    if data is None:
        return "", "not there, or not to be read"
    if len(data) > _LARGEST_BYTES:
        return "", "too large to be shown"
    if b"\0" in data[:_BINARY_LOOK_BYTES]:
        return "", "binary"
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return "", "binary"
    if not text.strip():
        return "", "empty"
    return ("", "it holds a secret") if has_secret(text) else (text, "")
