"""Files that are dropped on the window: exports of chats are imported, all others attached to the open chat (U14, U24)."""

from pathlib import Path

from PySide6.QtGui import QDropEvent

_IMPORTED = (".zip", ".json", ".jsonl", ".ndjson", ".md", ".markdown", ".traj")
"""Endings of exports; of a folder those inside."""


def dropped(event: QDropEvent) -> tuple[list[Path], list[str]]:
    """What is imported, and what is attached."""
    paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
    exports = [path for path in paths if path.suffix.lower() in _IMPORTED or path.is_dir()]
    return exports, [str(path) for path in paths if path not in exports]
