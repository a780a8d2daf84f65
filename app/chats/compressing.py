"""One compression of a stored chat outside the window: decided, planned, stored and measured, counted exactly throughout.

For programs that hold the engine to its figures: nothing here is an estimate, so the same chat gives the same
request, and the figure before is held against the figure after by one and the same count.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.context.budget import Count, Fill, fill_of, project
from app.context.conversation import Conversation
from app.context.counting import never_leaves
from app.context.engine import Engine, Standing, Wish
from app.context.fact_check import Receipt, receipt_of
from app.context.facts import CacheFacts
from app.context.pipeline import Planned
from app.context.plan import Decision
from app.context.ports import Clock
from app.context.sums import Sums
from app.context.validate import faults, mended
from app.core.entries import Origin
from app.core.errors import AppError
from app.core.ids import ModelId
from app.core.parts import Blob, Body, MediaPart, Part, TextPart, ThinkingPart, ToolCallPart, body_of
from app.core.requests import Prelude, Request, ToolSpec
from app.models.families import CacheKind, Family, media_tokens
from app.models.window import Window
from app.tokens.estimate import estimate, estimate_body


class Push(StrEnum):
    """What sets a compression off."""

    AUTO = "auto"
    """The figures, as before any request."""
    MANUAL = "manual"
    EMERGENCY = "emergency"
    """As after a refusal for length."""


class NothingToSend(AppError):
    """The chat gives no request that a provider would take."""

    code = "nothing_to_send"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    push: Push = Push.AUTO
    target_tokens: int | None = None
    """As the provider counts; None: the stage's."""
    topic: str = ""
    is_offline: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Compressed:
    request: Request
    decision: Decision
    planned: Planned | None
    """None: the decision was to leave everything as it is."""
    receipt: Receipt
    before: Fill
    after: Fill
    elapsed_ms: float

    @property
    def is_over(self) -> bool:
        """Whether the request would be refused for its length."""
        return 0 < self.after.window.tokens < self.after.projection.projected_tokens


class ExactCounts:
    """Exact tokens of any part, of those that a plan makes, too; each is counted once.

    Args:
        count: Exact tokens of a text.
        bytes_of: Contents of the chat's blobs, by hash; one that is missing is estimated by its size.
    """

    def __init__(self, family: Family, count: Callable[[str], int], bytes_of: Mapping[str, bytes]) -> None:
        self._family = family
        self._count = count
        self._bytes_of = bytes_of
        self._known: dict[Part, int] = {}

    def tokens(self, part: Part) -> int:
        """Of a part as this family's model reads it; reasoning that never goes out is none."""
        if part not in self._known:
            self._known[part] = self._tokens(part)
        return self._known[part]

    def _tokens(self, part: Part) -> int:
        if isinstance(part, MediaPart):
            return media_tokens(self._family, part)
        if never_leaves(part, self._family):
            return 0
        body = body_of(part)
        if isinstance(body, Blob) and body.sha256 not in self._bytes_of:
            return estimate_body(body)
        text = self.text_of(body)
        named = f"{part.name} {text}" if isinstance(part, ToolCallPart) else text
        signature = part.signature if isinstance(part, ThinkingPart) else None
        return self._count(named) + (estimate(signature) if signature else 0)

    def text_of(self, body: Body) -> str:
        """Empty for a blob that is missing."""
        if isinstance(body, str):
            return body
        return self._bytes_of.get(body.sha256, b"").decode(errors="replace")

    def tool_tokens(self, tool: ToolSpec) -> int:
        """With its whole schema."""
        return self.tokens(TextPart(text=f"{tool.name}\n{tool.description}\n{tool.schema}"))


class Compressing:
    """The compression of one conversation for one model.

    Args:
        engine: Of this conversation.
        prelude: The chat's own; what leading system entries say comes after it.
    """

    def __init__(
        self,
        conversation: Conversation,
        engine: Engine,
        *,
        counts: ExactCounts,
        family: Family,
        window: Window,
        model: ModelId,
        prelude: Prelude,
        clock: Clock,
    ) -> None:
        self._conversation = conversation
        self._engine = engine
        self._counts = counts
        self._family = family
        self._window = window
        self._model = model
        self._prelude = prelude
        self._clock = clock

    async def compress(self, asked: Asked) -> Compressed:
        """Make room as `asked` and store what is smaller.

        Raises:
            NothingToSend: nothing was changed.
            StoreError: nothing was stored.
        """
        request = self.request()
        before = after = self.fill(request)
        began_s = self._clock.monotonic()  # what was said is counted by now, as in an open chat
        standing, wish = self._standing(request, before, asked), self._wish(asked)
        decision = await self._engine.decision(standing, wish)
        planned, receipt = None, Receipt()
        if decision.rewrites:
            planned = await self._engine.planned(standing, wish, decision)
            if planned.is_smaller and planned.proposal.proposed:
                receipt = receipt_of(planned.proposal, self._counts.text_of)
                elapsed_ms = (self._clock.monotonic() - began_s) * 1000
                await self._engine.commit(standing, decision, planned, elapsed_ms=elapsed_ms)
                request = self.request()
                after = self.fill(request)
        return Compressed(
            request=request,
            decision=decision,
            planned=planned,
            receipt=receipt,
            before=before,
            after=after,
            elapsed_ms=(self._clock.monotonic() - began_s) * 1000,
        )

    def request(self) -> Request:
        """The next request as it would leave.

        Raises:
            NothingToSend: a provider would refuse it.
        """
        context = self._conversation.context(model=self._model, prelude=self._prelude)
        asked = Request(model=self._model, prelude=context.prelude, messages=tuple(context.messages))
        request = mended(asked, self._family)
        if found := faults(request, self._family):
            raise NothingToSend("This conversation gives no request that can be sent.", hint=" ".join(found))
        return request

    def fill(self, request: Request) -> Fill:
        """How full the window is with `request`: the ring's projection, before any answer was reported."""
        sums = Sums()
        for message in request.messages:
            sums.add_message(message, self._family.message_tokens, self._counted)
        fixed = self._system_tokens(request.prelude) + self._tools_tokens(request.prelude)
        projection = project(
            estimated_tokens=fixed + sums.total(self._family),
            base=None,
            base_estimated_tokens=0,
            ratio=self._family.ratio,
        )
        return fill_of(projection, self._window, self._family, max_output_tokens=None, weights={})

    def _counted(self, part: Part) -> Count:
        return Count(tokens=self._counts.tokens(part))

    def _system_tokens(self, prelude: Prelude) -> int:
        if not prelude.system:
            return 0
        return self._counts.tokens(TextPart(text=prelude.system)) + self._family.message_tokens

    def _tools_tokens(self, prelude: Prelude) -> int:
        return sum(map(self._counts.tool_tokens, prelude.tools))

    def _standing(self, request: Request, fill: Fill, asked: Asked) -> Standing:
        return Standing(
            family=self._family,
            model=self._model,
            fill=fill,
            fixed_tokens=self._system_tokens(request.prelude) + self._tools_tokens(request.prelude),
            tokens=self._counts.tokens,
            cache=CacheFacts(is_cold=self._family.cache.kind is not CacheKind.NONE),
            is_offline=asked.is_offline,
        )

    def _wish(self, asked: Asked) -> Wish:
        path = self._conversation.path
        answering = next((entry.id for entry in reversed(path) if entry.origin is Origin.USER), None)
        return Wish(
            answering=answering,
            is_asked_for=asked.push is Push.MANUAL,
            has_overflowed=asked.push is Push.EMERGENCY,
            target_tokens=asked.target_tokens,
            topic=asked.topic,
        )
