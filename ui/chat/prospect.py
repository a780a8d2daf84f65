"""What becomes of a chat at another model, in the words of its state (A6)."""

from dataclasses import dataclass
from enum import Enum, auto

from app.agent.outlook import Outlook


class Prospect(Enum):
    """What becomes of the chat at a model."""

    FITS = auto()
    COMPRESSES = auto()
    """Room is made before the request leaves."""
    UNKNOWN = auto()
    """Nobody knows the model's window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """What the next message meets at another model (A6); the tokens are the ring's (C3)."""

    prospect: Prospect
    used_tokens: int
    window_tokens: int
    writes_cache: bool
    """Worth telling: its price is not known, or not next to nothing."""
    cost_usd: float | None
    """Of reading all of it anew; None: not known."""


LEAST_TOLD_USD = 0.005
"""Half a cent; what costs less is not told."""


def switch_of(outlook: Outlook) -> Switch:
    """What choosing the model of `outlook` would do."""
    fill, cost_usd = outlook.fill, outlook.prompt_usd
    if outlook.compresses:
        prospect = Prospect.COMPRESSES
    else:
        prospect = Prospect.FITS if fill.window.tokens else Prospect.UNKNOWN
    return Switch(
        prospect=prospect,
        used_tokens=fill.projection.projected_tokens,
        window_tokens=fill.window.tokens,
        writes_cache=outlook.writes_cache and (cost_usd is None or cost_usd >= LEAST_TOLD_USD),
        cost_usd=cost_usd,
    )


def pending(outlook: Outlook | None) -> Switch | None:
    """What is told from a switch until the next message; None: nothing.

    An imported chat was answered by no model of ours: only what would be folded is worth a word there.
    """
    if outlook is None or not outlook.is_switch:
        return None
    return switch_of(outlook) if outlook.answered_by or outlook.compresses else None
