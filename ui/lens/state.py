"""What the Lens shows: one request, and one band of it in full."""

from dataclasses import dataclass

from app.chats.lensing import LensItem
from app.health.lens import Look


@dataclass(frozen=True, slots=True, kw_only=True)
class LensState:
    n: int = 0
    """The request that is wanted, counted from 1; 0: nothing is known yet."""
    of: int = 0
    look: Look | None = None
    """What is shown; of another request than `n` until that one is read."""
    selected: int | None = None
    """A band of `look`, by index."""
    item: LensItem | None = None
    """The selected band in full; None until it is read."""
    window_tokens: int = 0
    """0: not known."""
    error: str = ""
    """Why nothing is shown, in words."""

    @property
    def is_loading(self) -> bool:
        return bool(self.of) and (self.look is None or self.look.moment.n != self.n)

    @property
    def can_put_back(self) -> bool:
        return self.item is not None and self.item.put_back_tokens > 0

    @property
    def can_pin(self) -> bool:
        """Of the next request, and a message of its own."""
        is_next = self.look is not None and self.look.is_next
        return (
            is_next
            and self.item is not None
            and self.item.first is not None
            and self.item.band.n_entries == 1
        )


def carried(old: Look | None, selected: int | None, new: Look) -> int | None:
    """The band of `new` that is, or stands for, what was selected in `old`; else the last message."""
    if old is None or selected is None:
        return new.n - 1 if new.n else None
    place = selected - len(old.prelude)
    if place < 0:
        return selected if selected < len(new.prelude) else 0 if new.n else None
    if place >= old.n_messages:
        return new.n - 1
    at = new.strip.n_until(old.strip.at[place]) - 1
    return len(new.prelude) + min(max(at, 0), new.n_messages - 1) if new.n_messages else new.n - 1
