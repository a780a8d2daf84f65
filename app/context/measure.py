"""How full an open chat's window is, from its context, its requests and its counts; measures only what is new."""

import asyncio
from collections.abc import Sequence

from app.cache.breakpoints import Shape
from app.context.budget import Category, Count, Fill, Projection, base_of, fill_of, project, ratio_of
from app.context.context import Context
from app.context.counting import Counter
from app.context.sums import Sums
from app.core.parts import Part
from app.core.records import RequestRecord
from app.core.requests import Message
from app.models.families import Family
from app.models.window import Window
from app.tokens.estimate import estimate

_SLICE = 50
"""Messages measured at a stretch; 2 ms at most when nothing is counted exactly yet."""
_QUICK = 200
"""So many are measured within a frame."""


class Meter:
    """Measures one chat. What was measured is kept while the context grows by appending."""

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._family: Family | None = None
        self._context: Context | None = None
        self._version = -1
        self._messages = Sums()
        self._items = Sums()

    async def follow(self, context: Context, family: Family) -> None:
        """Measure in slices, so that the next `fill` takes no time; ends early once another context is measured."""
        while not self._advance(context, family, at_most=_SLICE):
            await asyncio.sleep(0)  # the window's other work goes on
            if self._context is not context:
                return

    def is_near(self, context: Context, family: Family) -> bool:
        """Whether `fill` has so little left to measure that it takes no time."""
        n_kept = 0
        if self._context is context and self._family == family:
            is_current = self._version == self._counter.version
            n_kept = len(self._messages.units) if is_current else self._messages.n_exact
        return len(context.messages) - n_kept <= _QUICK

    def fill(
        self,
        context: Context,
        requests: Sequence[RequestRecord],
        family: Family,
        *,
        window: Window,
        max_output_tokens: int | None = None,
        draft: str = "",
        pasted_tokens: int = 0,
    ) -> Fill:
        """The next request of `context`, with `draft` as its newest words.

        Args:
            pasted_tokens: Of what was pasted beside `draft`: a megabyte is not counted anew at each key.
            requests: Of this chat, oldest first, of any model.
        """
        self._advance(context, family)
        system_tokens = self._counter.system_tokens(context.prelude, family)
        tool_tokens = self._counter.tool_tokens(context.prelude, family)
        draft_tokens = estimate(draft) + pasted_tokens
        draft_tokens += family.message_tokens if draft_tokens else 0
        prelude_tokens = system_tokens + tool_tokens
        base = base_of(requests, context.model, context.holds_prefix)
        of_base = self._messages.total_up_to(base.n_blocks, family, self._count) if base else 0
        projection = project(
            estimated_tokens=prelude_tokens + self._messages.total(family),
            base=base,
            base_estimated_tokens=prelude_tokens + of_base,
            ratio=ratio_of(requests, context.model, family.ratio),
            draft_tokens=draft_tokens,
        )
        weights = self._items.by_category | {
            Category.SYSTEM: system_tokens + self._items.by_category[Category.SYSTEM],
            Category.TOOLS: tool_tokens,
            Category.REASONING: self._items.thinking_read(family),
            Category.DRAFT: draft_tokens,
        }
        return fill_of(projection, window, family, max_output_tokens=max_output_tokens, weights=weights)

    def shape(
        self, context: Context, family: Family, projection: Projection, *, sealed_by: RequestRecord | None
    ) -> Shape:
        """The next request in figures, for its marks (P3).

        Args:
            projection: Of `context`.
            sealed_by: The newest accepted request that begins it.
        """
        self._advance(context, family)
        return Shape(
            tools_tokens=self._counter.tool_tokens(context.prelude, family),
            system_tokens=self._counter.system_tokens(context.prelude, family),
            tokens=self._messages.plain[1:],
            blocks=self._messages.blocks[1:],
            sealed_blocks=sealed_by.n_blocks if sealed_by else 0,
            scale=projection.scale,
        )

    def uncounted_tokens(self, context: Context, family: Family) -> int:
        """Estimated tokens of what is not counted exactly yet."""
        self._advance(context, family)
        return self._messages.inexact[-1]

    def uncounted(self, context: Context, family: Family) -> Sequence[Message]:
        """Messages from the first one on that is not counted exactly."""
        self._advance(context, family)
        return context.messages[self._messages.n_exact :]

    def _count(self, part: Part) -> Count:
        assert self._family
        return self._counter.count(part, self._family)

    def _advance(self, context: Context, family: Family, *, at_most: int | None = None) -> bool:
        """Measure up to `at_most` new messages; True when all are measured."""
        if self._context is not context or self._family != family:
            self._context, self._family = context, family
            self._messages, self._items = Sums(), Sums()
        if self._version != self._counter.version:
            self._version = self._counter.version
            self._messages.forget_inexact()
            self._items.forget_inexact()
        done = self._messages.keep(context.messages)
        end = len(context.messages) if at_most is None else done + at_most
        for message in context.messages[done:end]:
            self._messages.add_message(message, family.message_tokens, self._count)
        done = self._items.keep(context.items)
        end = len(context.items) if at_most is None else done + at_most
        for item in context.items[done:end]:
            self._items.add_item(item, self._count)
        return len(self._messages.units) == len(context.messages) and len(self._items.units) == len(
            context.items
        )
