"""The file-integrity guard: what a chat has read, by hash, so that nothing is overwritten unseen (A10)."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple


class _Look(NamedTuple):
    sha256: str
    n_bytes: int
    changed_ns: int


@dataclass(slots=True)
class SeenFiles:
    """Files as they were last shown to the model in full, or written by it."""

    _looks: dict[Path, _Look] = field(default_factory=dict[Path, _Look])

    def note(self, path: Path, data: bytes) -> None:
        """Args: `data`: all of the file, read or written a moment ago."""
        self._looks[path] = _Look(hashlib.sha256(data).hexdigest(), len(data), path.stat().st_mtime_ns)

    def knows(self, path: Path) -> bool:
        return path in self._looks

    def is_as_known(self, path: Path) -> bool:
        """Whether nothing has touched the file since, as far as its size and time tell; reads nothing."""
        try:
            now = path.stat()
        except OSError:
            return False
        look = self._looks.get(path)
        return look is not None and (look.n_bytes, look.changed_ns) == (now.st_size, now.st_mtime_ns)

    def is_same(self, path: Path, data: bytes) -> bool:
        """Whether these bytes are what the model knows."""
        look = self._looks.get(path)
        return look is not None and look.sha256 == hashlib.sha256(data).hexdigest()
