"""All chats as one file: a ZIP of our own JSON, a file a chat, that any program opens and `import_files` takes back."""

import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

from app.chats.export import export_own
from app.context.ports import ChatContents

_MOST_NAME_CHARS = 60


class Archive:
    """Written beside its place and put there whole, so that what stood there stays until then.

    Raises (all methods but `discard`):
        OSError: the disk refuses.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._part = path.with_name(path.name + ".part")
        self._zip: zipfile.ZipFile | None = None
        self._n = 0

    def open(self) -> None:
        self._zip = zipfile.ZipFile(self._part, "w", zipfile.ZIP_DEFLATED, compresslevel=6)

    def add(self, contents: ChatContents, bytes_of: Mapping[str, bytes]) -> None:
        assert self._zip
        self._n += 1
        title = re.sub(r"[^\w -]+", "_", contents.chat.title).strip()[:_MOST_NAME_CHARS]
        self._zip.writestr(f"chats/{self._n:05} {title}.json", export_own(contents, bytes_of))

    def close(self) -> None:
        assert self._zip
        self._zip.close()
        self._zip = None
        self._part.replace(self._path)

    def discard(self) -> None:
        """What was not finished goes."""
        if self._zip:
            self._zip.close()
            self._zip = None
        self._part.unlink(missing_ok=True)
