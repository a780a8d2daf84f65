"""Files of a chat's roots, whole, within what a chat can bear."""

from app.agent.paths import Roots, Use, safe_open
from app.agent.tools.failing import ToolFailed

MOST_BYTES = 64 * 1024 * 1024


def read_whole(roots: Roots, path: str, use: Use = Use.READ, *, most_bytes: int = MOST_BYTES) -> bytes:
    """
    Raises:
        PathRefused, OSError: as `safe_open`.
        ToolFailed: it is longer.
    """
    with safe_open(roots, path, use) as file:
        data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise ToolFailed(f"{path!r} is longer than {most_bytes // 1024**2} MB; look into it with a command.")
    return data
