"""Large originals on their way between a file and the vault, by their hash."""

from collections.abc import Mapping
from hashlib import sha256

from app.core.parts import Blob, Body, clean_text, long_bytes


class Originals:
    """What a file held that is too large for an entry; the vault gets it before the entries are stored."""

    def __init__(self) -> None:
        self.blobs: dict[str, Blob] = {}
        self.bytes_of: dict[str, bytes] = {}

    def body(self, text: str, *, name: str) -> Body:
        """`text` cleaned (case B76), as a blob when it is long."""
        text = clean_text(text)
        data = long_bytes(text)
        if data is None:
            return text
        return self.blob(data, mime="text/plain", name=name, n_lines=text.count("\n") + 1)

    def blob(self, data: bytes, *, mime: str, name: str, n_lines: int = 0) -> Blob:
        key = sha256(data).hexdigest()
        self.bytes_of[key] = data
        return self.blobs.setdefault(
            key, Blob(sha256=key, n_bytes=len(data), mime=mime, name=name, n_lines=n_lines)
        )


def text_of(body: Body, bytes_of: Mapping[str, bytes]) -> str:
    """The text of a part wherever it lies.

    Args:
        bytes_of: Contents of all blobs of the chat, by hash.
    """
    return body if isinstance(body, str) else bytes_of[body.sha256].decode()
