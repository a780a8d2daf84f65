"""The texts of a chat wherever they lie: in their entries, or read from the vault while somebody looks at them."""

from collections.abc import Callable
from dataclasses import dataclass

from app.core.parts import Blob, MediaPart, Part, body_of
from ui.chat.parts import LONGEST_SHOWN_BYTES
from ui.kit.items import ItemId


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """The first lines of an original, or why it can't be read."""

    lines: str = ""
    lost: str = ""
    """A sentence; empty: it is there."""


class Texts:
    """
    Args:
        want, peek: See `ItemPorts`; asked for as often as the item is drawn.
    """

    def __init__(self, want: Callable[[Blob], None], peek: Callable[[Blob], None]) -> None:
        self._want = want
        self._peek = peek
        self._whole: dict[str, str] = {}
        """By hash; so is what follows."""
        self._beginnings: dict[str, Beginning] = {}
        self._showing: dict[str, set[ItemId]] = {}
        """The items that asked for a blob."""

    def of(self, item: ItemId, parts: tuple[Part, ...]) -> str:
        """What of `parts` is text and here; what is in the vault and not too long is asked for."""
        found: list[str] = []
        for part in parts:
            body = body_of(part)
            if isinstance(body, Blob) and self.is_away(part):
                if body.n_bytes <= LONGEST_SHOWN_BYTES:
                    self._showing.setdefault(body.sha256, set()).add(item)
                    self._want(body)
            else:
                found.append(self._whole[body.sha256] if isinstance(body, Blob) else body)
        return "\n\n".join(filter(None, found))

    def beginning(self, item: ItemId, blob: Blob) -> Beginning | None:
        """None: it is being read."""
        if blob.sha256 not in self._beginnings:
            self._showing.setdefault(blob.sha256, set()).add(item)
            self._peek(blob)
        return self._beginnings.get(blob.sha256)

    def is_away(self, part: Part) -> bool:
        body = body_of(part)
        return isinstance(part, MediaPart) or (isinstance(body, Blob) and body.sha256 not in self._whole)

    def keep(self, blob: Blob, text: str) -> None:
        """It is known already, and needn't be read."""
        if blob.n_bytes <= LONGEST_SHOWN_BYTES:
            self._whole[blob.sha256] = text

    def take(self, blob: Blob, text: str) -> tuple[ItemId, ...]:
        """What was wanted has come. Returns: the items that show it."""
        self._whole[blob.sha256] = text
        return tuple(self._showing.pop(blob.sha256, ()))

    def take_beginning(self, blob: Blob, beginning: Beginning) -> tuple[ItemId, ...]:
        self._beginnings[blob.sha256] = beginning
        return tuple(self._showing.get(blob.sha256, ()))


def is_too_long(parts: tuple[Part, ...]) -> bool:
    """Whether there is a text among them that the window never holds."""
    bodies = map(body_of, parts)
    return any(isinstance(body, Blob) and body.n_bytes > LONGEST_SHOWN_BYTES for body in bodies)
