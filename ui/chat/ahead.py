"""What the next turn will do with the window, as the line above the composer tells it (U4)."""

from dataclasses import dataclass
from enum import Enum, auto

from app.agent.outlook import Outlook

FORK_FROM = 0.75
"""Share of the window from which going on in a fork is suggested, whatever else is planned."""


class Ahead(Enum):
    FOLDS = auto()
    """The next turn compresses before its request leaves."""
    WAITS = auto()
    """A compression is due, and put off."""
    FULL = auto()
    """The window is that full, and nothing will be folded by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomAhead:
    kind: Ahead
    use: float
    """Of the window, by the next request."""
    folds_tokens: int = 0
    """About."""


def room_ahead(outlook: Outlook | None) -> RoomAhead | None:
    """None: there is nothing to say."""
    if outlook is None or not (use := outlook.fill.use):
        return None
    if outlook.compresses or outlook.waits:
        kind = Ahead.FOLDS if outlook.compresses else Ahead.WAITS
        return RoomAhead(kind=kind, use=use, folds_tokens=outlook.folds_tokens)
    return RoomAhead(kind=Ahead.FULL, use=use) if use >= FORK_FROM else None
