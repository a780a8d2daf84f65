"""Up to where a provider shall keep a prompt: at most four marks, set anew for each request and stored nowhere (P3)."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from app.cache.terms import Terms
from app.core.requests import Breakpoint, Layer
from app.models.families import CacheKind

MOST = 4
LOOK_BACK_BLOCKS = 20
"""A mark finds what was kept at most so many blocks before it (Anthropic's documentation of prompt caching)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A request in figures. Tokens are as the provider is expected to count them, from the prompt's beginning on."""

    tools_tokens: int
    """At the end of the tools; 0: there are none."""
    system_tokens: int
    """At the end of the system text."""
    tokens: Sequence[int]
    """At the end of each message."""
    blocks: Sequence[int]
    """Of all messages up to the end of each."""
    sealed_blocks: int = 0
    """How many the last accepted request had, if they all stand unchanged here."""


def breakpoints(shape: Shape, terms: Terms, *, keeps_long: bool = False) -> tuple[Breakpoint, ...]:
    """The marks in the order of the prompt: the newest message, where the last request ended if that is too far back
    to be found, the system text, the head of the chat, the tools; the least useful is left out first.

    Args:
        keeps_long: The first layers are asked to be kept for the longer life, which must stand before the short one.
    """
    if terms.kind is not CacheKind.MARKERS or not shape.tokens:
        return ()
    last = len(shape.tokens) - 1
    wanted: list[tuple[Layer | int, int]] = [(last, shape.tokens[last])]
    ended = bisect_left(shape.blocks, shape.sealed_blocks) if shape.sealed_blocks else last
    is_far = shape.blocks[last] - shape.sealed_blocks >= LOOK_BACK_BLOCKS
    if ended < last and is_far and shape.blocks[ended] == shape.sealed_blocks:
        wanted.append((ended, shape.tokens[ended]))
    wanted.append((Layer.SYSTEM, shape.system_tokens))
    wanted.append((0, shape.tokens[0]))
    if shape.tools_tokens:
        wanted.append((Layer.TOOLS, shape.tools_tokens))
    kept: dict[Layer | int, int] = {}
    for after, tokens in wanted:
        if tokens >= terms.minimum_tokens and len(kept) < MOST:
            kept.setdefault(after, tokens)
    first_layers = {Layer.TOOLS, Layer.SYSTEM, 0} if keeps_long and terms.long_ttl_s else set[Layer | int]()
    return tuple(
        Breakpoint(after=after, ttl_s=terms.long_ttl_s if after in first_layers - {last} else terms.ttl_s)
        for after in sorted(kept, key=_place)
    )


def _place(after: Layer | int) -> int:
    match after:
        case Layer.TOOLS:
            return -2
        case Layer.SYSTEM:
            return -1
        case int():
            return after


def long_life_pays(terms: Terms, idle_s: Sequence[float]) -> bool:
    """Whether the first layers shall live longer: once a pause outlasted the short life but not the long one.

    From then on, since the request after such a pause writes everything anew, and only such pauses pay for it.

    Args:
        idle_s: From each use of this chat's cache to the next request, oldest first, this request's last.
    """
    if terms.long_write - terms.write >= terms.write - terms.read:
        return False
    return any(terms.ttl_s < pause < terms.long_ttl_s for pause in idle_s)
