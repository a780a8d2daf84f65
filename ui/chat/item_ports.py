"""What the items of a chat ask of whoever holds it, and how an error is told in them."""

from collections.abc import Callable
from dataclasses import dataclass

from app.core.ids import EntryId, ModelId
from app.core.parts import Blob
from app.core.records import RequestRecord
from ui.kit.items import Action


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An error in the words of the window; made by the shell, which knows every code."""

    title: str
    text: str
    hint: str
    detail: str
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemPorts:
    """What the items ask of their chat."""

    versions: Callable[[EntryId], tuple[int, int]]
    """1-based place and number of the versions of an entry."""
    record: Callable[[EntryId], RequestRecord | None]
    """The request that an answer came from."""
    failed: Callable[[EntryId], ModelId | None]
    """The model that failed, where another one gave an answer."""
    tell: Callable[[Exception], Told]
    want: Callable[[Blob], None]
    """A text that is on or near the screen lies in the vault: read it and hand it to `take`."""
    peek: Callable[[Blob], None]
    """Its card is on or near the screen: read its first lines and hand them to `take_beginning`."""
