"""Texts of a chat wherever they lie: read from the vault for the screen, the composer, the clipboard or a file."""

from collections.abc import Awaitable, Callable, Iterable

from app.core.errors import StoreError
from app.core.parts import Blob, Body
from ui.chat.item_ports import Told

Read = Callable[[Blob], Awaitable[bytes]]


async def joined(bodies: Iterable[Body], read: Read) -> str:
    """
    Raises:
        StoreError: one of them can't be read.
    """
    texts = [
        body if isinstance(body, str) else (await read(body)).decode(errors="replace") for body in bodies
    ]
    return "\n\n".join(texts)


async def shown(blob: Blob, read: Read, tell: Callable[[Exception], Told]) -> str:
    """The text, or why it can't be read: that stands in its place, and the rest of the chat is read as ever."""
    try:
        return await joined((blob,), read)
    except StoreError as error:
        told = tell(error)
        return f"{told.text} {told.hint}".strip()
