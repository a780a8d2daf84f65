"""How full an open chat's window is, from its context, its requests and its counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.context.budget import (
    Category,
    Fill,
    base_of,
    composition_weights,
    fill_of,
    project,
    ratio_of,
    request_tokens,
)
from app.context.context import Context
from app.context.counting import Counter
from app.core.parts import Part
from app.core.records import RequestRecord
from app.models.families import Family
from app.models.window import Window
from app.tokens.estimate import estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measured:
    estimated_tokens: int
    base: RequestRecord | None
    base_estimated_tokens: int
    weights: Mapping[Category, int]


class Meter:
    """Measures one chat; walks its parts only when they, their counts or its requests have changed."""

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._last: tuple[object, _Measured] | None = None

    def fill(
        self,
        context: Context,
        requests: Sequence[RequestRecord],
        family: Family,
        *,
        window: Window,
        max_output_tokens: int | None = None,
        draft: str = "",
    ) -> Fill:
        """The next request of `context`, with `draft` as its newest words.

        Args:
            requests: Of this chat, oldest first, of any model.
        """
        newest = requests[-1] if requests else None
        key = (context.tip, len(context.chain), family, len(requests), newest, self._counter.version)
        if self._last is None or self._last[0] != key:
            self._last = key, _measured(context, requests, self._counter, family)
        found = self._last[1]
        draft_tokens = estimate(draft) + family.message_tokens if draft else 0
        projection = project(
            estimated_tokens=found.estimated_tokens,
            base=found.base,
            base_estimated_tokens=found.base_estimated_tokens,
            ratio=ratio_of(requests, context.model, family.ratio),
            draft_tokens=draft_tokens,
        )
        return fill_of(
            projection,
            window,
            family,
            max_output_tokens=max_output_tokens,
            weights={**found.weights, Category.DRAFT: draft_tokens},
        )


def _measured(
    context: Context, requests: Sequence[RequestRecord], counter: Counter, family: Family
) -> _Measured:
    def tokens(part: Part) -> int:
        return counter.tokens(part, family)

    def request(n_blocks: int | None = None) -> int:
        return request_tokens(
            context.messages, family, tokens, prelude_tokens=system_tokens + tool_tokens, n_blocks=n_blocks
        )

    system_tokens = counter.system_tokens(context.prelude, family)
    tool_tokens = counter.tool_tokens(context.prelude, family)
    base = base_of(requests, context.model, context.holds_prefix)
    return _Measured(
        estimated_tokens=request(),
        base=base,
        base_estimated_tokens=request(base.n_blocks) if base else 0,
        weights=composition_weights(
            context.items, family, tokens, system_tokens=system_tokens, tool_tokens=tool_tokens
        ),
    )
