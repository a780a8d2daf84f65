"""`context.ports.Files`: what the engine reads of a chat's workspace after a summary (S9)."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from app.agent.paths import Use, resolve
from app.agent.tools.files import read_whole
from app.agent.tools.roots import roots_of
from app.agent.tools.seen import SeenFiles
from app.core.errors import AppError
from app.settings import Settings

MOST_BYTES = 1024 * 1024
"""Of one file; what is longer is not read again whole."""


class NoFiles:
    """`context.ports.Files` where there is no workspace."""

    async def read(self, path: str) -> bytes | None:
        return None

    async def note(self, path: str, text: str) -> None:
        return None


class WorkspaceFiles:
    """Files of one chat.

    Args:
        settings: The chat's, as they are now.
        data: Our own folder.
        seen: What the chat's model has read.
    """

    def __init__(self, settings: Callable[[], Awaitable[Settings]], data: Path, seen: SeenFiles) -> None:
        self._settings = settings
        self._data = data
        self._seen = seen

    async def read(self, path: str) -> bytes | None:
        """See `Files`."""
        roots = roots_of(await self._settings(), self._data)
        try:
            return await asyncio.to_thread(read_whole, roots, path, most_bytes=MOST_BYTES)
        except (AppError, OSError):
            return None

    async def note(self, path: str, text: str) -> None:
        """See `Files`. What was changed since it was read is not what the model has."""
        data, roots = text.encode(), roots_of(await self._settings(), self._data)
        if await self.read(path) == data:
            with suppress(AppError, OSError):
                await asyncio.to_thread(lambda: self._seen.note(resolve(roots, path, Use.READ), data))
