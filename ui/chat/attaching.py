"""What is put into a message whole: pictures and files become chips, and what can't is told in a sentence (U14)."""

import asyncio
import mimetypes
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, Signal
from PySide6.QtGui import QImage, QImageReader

from app.core.parts import Blob, MediaPart
from app.models.families import Family, media_tokens, takes_media
from app.tasks import TaskScope
from ui.chat.pastes import Paste, file_paste, media_paste

MOST_BYTES = 20 * 1024 * 1024
"""Of a file; providers refuse more."""
_SENT_AS_IS = {"png": "image/png", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"}
"""By the name that Qt has for a form; every provider that takes pictures takes these."""
_MOST_IMAGE_BYTES, _MOST_IMAGE_PX = 4 * 1024 * 1024, 8_000
"""Larger pictures are refused by some providers."""
_SCALED_PX = 2_048
"""No provider looks at more than this many pixels of a side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A picture or another file as bytes, on its way into the vault."""

    data: bytes
    name: str
    mime: str
    width_px: int = 0
    height_px: int = 0


class Attaching(QObject):
    """
    Args:
        put: Stores bytes in the vault (bytes, media type, name); `get` reads them.
        family: What the next message's model is like.

    Signals:
        attached(tuple[Paste, ...]): they shall stand in the composer.
        told(str, str): what could not be attached, or not be seen by the model: a word of `AttachWords`, and the name.
    """

    attached = Signal(object)
    told = Signal(str, str)

    def __init__(
        self,
        tasks: TaskScope,
        *,
        put: Callable[[bytes, str, str], Awaitable[Blob]],
        get: Callable[[Blob], Awaitable[bytes]],
        family: Callable[[], Awaitable[Family | None]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._tasks, self._put, self._get, self._family = tasks, put, get, family
        self._n = 0

    def files(self, paths: Sequence[str]) -> None:
        self._start(self._attach(tuple(paths)))

    def picture(self, image: QImage) -> None:
        """A picture without a file, as a screenshot from the clipboard."""
        self._start(self._attach_picture(image))

    def look(self, part: MediaPart, take: Callable[[bytes], None]) -> None:
        """Have `take` told what a file holds."""
        if isinstance(part.source, Blob):
            self._start(self._look(part.source, take))

    async def _look(self, blob: Blob, take: Callable[[bytes], None]) -> None:
        take(await self._get(blob))

    def text(self, name: str, text: str) -> None:
        """Words that have a name, as another chat's."""
        self.attached.emit((file_paste(name, text),))

    async def priced(self, media: Sequence[MediaPart]) -> tuple[Paste, ...]:
        """Files of a stored draft, or of a message that is edited, as chips."""
        family = await self._family() if media else None
        return tuple(self._paste(part, family) for part in media)

    def _start(self, work: Coroutine[object, object, None]) -> None:
        self._n += 1
        self._tasks.start(f"attach {self._n}", work)

    async def _attach(self, paths: tuple[str, ...]) -> None:
        family = await self._family()
        found: list[Paste] = []
        for path in paths:
            name = Path(path).name
            try:
                taken = await asyncio.to_thread(read, Path(path))
            except OSError:
                self.told.emit("unreadable", name)
            except ValueError as error:
                self.told.emit(str(error), name)
            else:
                found.append(taken if isinstance(taken, Paste) else await self._stored(taken, family))
        if found:
            self.attached.emit(tuple(found))

    async def _attach_picture(self, image: QImage) -> None:
        taken = await asyncio.to_thread(_as_png, image, "image.png")
        self.attached.emit((await self._stored(taken, await self._family()),))

    async def _stored(self, taken: Taken, family: Family | None) -> Paste:
        blob = await self._put(taken.data, taken.mime, " ".join(taken.name.split()))
        part = MediaPart(source=blob, mime=taken.mime, width_px=taken.width_px, height_px=taken.height_px)
        if family and not takes_media(family, taken.mime):
            self.told.emit("unseen", taken.name)
        return self._paste(part, family)

    def _paste(self, part: MediaPart, family: Family | None) -> Paste:
        return media_paste(part, media_tokens(family, part) if family else 0)


def read(path: Path) -> Paste | Taken:
    """A file as what becomes of it in a message. For a thread.

    Raises:
        OSError: it can't be read.
        ValueError: it can't be attached; the word that `AttachWords` has for that.
    """
    if path.is_dir():
        raise ValueError("folder")
    if path.stat().st_size > MOST_BYTES:
        raise ValueError("large")
    data = path.read_bytes()
    mime = mimetypes.guess_type(path.name)[0] or ""
    if picture := _picture(data, path.name):
        return picture
    if mime == "application/pdf" or mime.startswith(("audio/", "video/")):
        return Taken(data=data, name=path.name, mime=mime)
    text = _decoded(data)
    if text is None:
        raise ValueError("binary")
    if not text.strip():
        raise ValueError("empty")
    return file_paste(path.name, text)


def _picture(data: bytes, name: str) -> Taken | None:
    """A picture in a form that providers take, and no larger than they do; None: it is none."""
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setDecideFormatFromContent(True)
    if not reader.canRead():
        return None
    form, size = bytes(reader.format().data()).decode(), reader.size()
    is_small = len(data) <= _MOST_IMAGE_BYTES and max(size.width(), size.height()) <= _MOST_IMAGE_PX
    if form in _SENT_AS_IS and is_small:
        return Taken(
            data=data, name=name, mime=_SENT_AS_IS[form], width_px=size.width(), height_px=size.height()
        )
    image = reader.read()
    return None if image.isNull() else _as_png(image, f"{Path(name).stem}.png")


def _as_png(image: QImage, name: str) -> Taken:
    taken = _encoded(image, name)
    if len(taken.data) <= _MOST_IMAGE_BYTES and max(image.width(), image.height()) <= _MOST_IMAGE_PX:
        return taken
    ratio = _SCALED_PX / max(image.width(), image.height(), _SCALED_PX)
    return _encoded(image.scaled(round(image.width() * ratio), round(image.height() * ratio)), name)


def _encoded(image: QImage, name: str) -> Taken:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # pyright: ignore[reportArgumentType, reportCallIssue]  # takes str
    return Taken(
        data=bytes(data.data()), name=name, mime="image/png", width_px=image.width(), height_px=image.height()
    )


def _decoded(data: bytes) -> str | None:
    """The text that a file holds; None: it holds none."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    if b"\0" in data:
        return None
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return None
