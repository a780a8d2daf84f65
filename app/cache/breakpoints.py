"""Up to where a provider shall keep a prompt: at most four marks, set anew for each request and stored nowhere (P3)."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.cache.terms import Terms
from app.core.requests import Breakpoint, Layer
from app.models.families import CacheKind

MOST = 4
LOOK_BACK_BLOCKS = 20
"""A mark finds what was kept at most so many blocks before it (Anthropic's documentation of prompt caching)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A request in figures, tokens by our count."""

    tools_tokens: int
    """0: there are none."""
    system_tokens: int
    tokens: Sequence[int]
    """Of all messages up to the end of each."""
    blocks: Sequence[int]
    """Of all messages up to the end of each."""
    sealed_blocks: int = 0
    """How many the last accepted request had, if they all stand unchanged here."""
    scale: float = 1.0
    """The provider's tokens for one of ours."""

    def first(self, n: int) -> "Shape":
        """Of a request that ends with the `n`th message."""
        return replace(self, tokens=self.tokens[:n], blocks=self.blocks[:n])

    def tokens_until(self, after: Layer | int) -> float:
        """The provider's tokens up to the end of a layer or a message."""
        prelude = self.tools_tokens + (0 if after is Layer.TOOLS else self.system_tokens)
        return self.scale * (prelude + (self.tokens[after] if isinstance(after, int) else 0))


def breakpoints(shape: Shape, terms: Terms, *, keeps_long: bool = False) -> tuple[Breakpoint, ...]:
    """The marks in the order of the prompt: the newest message, where the last request ended if that is too far back
    to be found, the system text, the head of the chat, the tools; the least useful is left out first.

    Args:
        keeps_long: The first layers are asked to be kept for the longer life, which must stand before the short one.
    """
    if terms.kind is not CacheKind.MARKERS or not shape.tokens:
        return ()
    last = len(shape.tokens) - 1
    wanted: list[Layer | int] = [last, Layer.SYSTEM, 0]
    ended = bisect_left(shape.blocks, shape.sealed_blocks) if shape.sealed_blocks else last
    is_far = shape.blocks[last] - shape.sealed_blocks >= LOOK_BACK_BLOCKS
    if ended < last and is_far and shape.blocks[ended] == shape.sealed_blocks:
        wanted.insert(1, ended)
    if shape.tools_tokens:
        wanted.append(Layer.TOOLS)
    kept = [after for after in dict.fromkeys(wanted) if shape.tokens_until(after) >= terms.minimum_tokens]
    first_layers = {Layer.TOOLS, Layer.SYSTEM, 0} if keeps_long and terms.long_ttl_s else set[Layer | int]()
    return tuple(
        Breakpoint(after=after, ttl_s=terms.long_ttl_s if after in first_layers - {last} else terms.ttl_s)
        for after in sorted(kept[:MOST], key=_place)
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
