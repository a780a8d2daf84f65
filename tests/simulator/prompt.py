"""A prompt as its provider reads it: blocks in order, each with its bytes, tokens and marker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from tests.simulator.wire import Body, mappings

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.simulator.counting import Counter
    from tests.simulator.models import Model
    from tests.simulator.wire import Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One cacheable unit.

    `text` is what must be equal for a hit; `raw_tokens` come before the counter's factor. `marker` is
    the lifetime in seconds that a `cache_control` on it asks for. A `barrier` is no content: it stands
    for settings that part what follows from what was cached under others.
    """

    text: str
    raw_tokens: int
    part: Literal["tools", "system", "messages"] = "messages"
    marker: float | None = None
    barrier: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    blocks: tuple[Block, ...]
    counter: Counter

    @property
    def tokens(self) -> int:
        return self.counter.billed(sum(block.raw_tokens for block in self.blocks))

    @property
    def tool_tokens(self) -> int:
        return self.counter.billed(sum(block.raw_tokens for block in self.blocks if block.part == "tools"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request that a rule judges: the body as it came, the model's row, the prompt as counted.

    `thinking_of` tells the signatures of the thinking that came with a call, by the call's id.
    """

    body: Body
    name: str
    model: Model
    prompt: Prompt
    thinking_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    @property
    def messages(self) -> list[Body]:
        return mappings(self.body.get("messages"))


def first_refusal(asked: Asked, rules: tuple[Callable[[Asked], Refusal | None], ...]) -> Refusal | None:
    """What the first rule that is broken says; None if the request is legal."""
    return next((refusal for rule in rules if (refusal := rule(asked))), None)
