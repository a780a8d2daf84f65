"""`context.ports.Files`: what the engine reads of a chat's workspace after a summary (S9)."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from app.agent.tools.files import read_whole
from app.agent.tools.roots import roots_of
from app.core.errors import AppError
from app.settings import Settings

MOST_BYTES = 1024 * 1024
"""Of one file; what is longer is not read again whole."""


class NoFiles:
    """`context.ports.Files` where there is no workspace."""

    async def read(self, path: str) -> bytes | None:
        return None


class WorkspaceFiles:
    """Files of one chat.

    Args:
        settings: The chat's, as they are now.
        data: Our own folder.
    """

    def __init__(self, settings: Callable[[], Awaitable[Settings]], data: Path) -> None:
        self._settings = settings
        self._data = data

    async def read(self, path: str) -> bytes | None:
        """See `Files`."""
        roots = roots_of(await self._settings(), self._data)
        try:
            return await asyncio.to_thread(read_whole, roots, path, most_bytes=MOST_BYTES)
        except (AppError, OSError):
            return None
