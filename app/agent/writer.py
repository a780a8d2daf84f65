"""A model that writes summaries, behind the gateway: which one, asked how, and what its failures lead to (C17, A5)."""

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass

from app.agent.answer import Answer
from app.agent.breakers import Breakers
from app.agent.execution import Execution
from app.agent.ports import Gateway, Target
from app.context.ports import Clock, Reply, Writer
from app.context.summary.progress import SILENCE_S
from app.context.summary.writer import Offer, Way, choose_writer
from app.core.entries import Finish
from app.core.errors import AppError, ProviderError
from app.core.events import Accepted
from app.core.ids import ModelId
from app.core.parts import TextPart
from app.core.requests import Message, Prelude, Request, Role, Sampling
from app.models.registry import ModelFacts, cost_usd
from app.models.window import Window
from app.tasks import uncancelled

BUILT_IN = frozenset({"builtin", "embedded"})
"""Kinds of endpoints whose models are too small to write summaries."""
_THINKING_TOKENS = 8_192
"""On top of the answer's room where a model thinks first: providers count both as one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriterPorts:
    gateway: Gateway
    clock: Clock
    breakers: Breakers
    lite: Callable[[Execution], Awaitable[Target | None]]
    """The lite model of A5; None: there is none."""
    known: Callable[[Target], Awaitable[tuple[ModelFacts, Window]]]


async def writer_for(execution: Execution, text_tokens: int, ports: WriterPorts) -> Writer | None:
    """Who writes a summary of so many tokens in a chat that runs on `execution`.

    None: its model is built in, or every model that could write was found failing (C18).
    """
    if execution.target.endpoint.kind in BUILT_IN:
        return None
    main = ModelWriter(execution.target, execution.facts, execution.window, ports)
    found = await ports.lite(execution)
    lite = None
    if found and found.model != execution.model and found.endpoint.kind not in BUILT_IN:
        lite = ModelWriter(found, *(await ports.known(found)), ports)
    if lite and ports.breakers.allows(lite.model):
        # One that the person chose may cost as much as the main model, and still goes before it.
        price = min(lite.input_price, main.input_price)
        choice = choose_writer(
            text_tokens,
            main=Offer(window_tokens=main.window_tokens, input_price=main.input_price),
            lite=Offer(window_tokens=lite.window_tokens, input_price=price),
        )
        if choice.way is Way.LITE:
            return LiteFirst(lite, main)
    return main if ports.breakers.allows(main.model) else None


class ModelWriter:
    """`Writer` of one model; its breaker hears how each request ended."""

    def __init__(self, target: Target, facts: ModelFacts, window: Window, ports: WriterPorts) -> None:
        self._target = target
        self._facts = facts
        self._window = window
        self._ports = ports

    @property
    def window_tokens(self) -> int:
        return self._window.tokens

    @property
    def model(self) -> ModelId:
        return self._target.model

    @property
    def input_price(self) -> float:
        """USD per token; 0 where it is not known."""
        return self._facts.prices.input_usd or 0.0

    async def write(
        self, system: str, text: str, *, max_tokens: int, on_progress: Callable[[], None]
    ) -> Reply:
        """See `context.ports.Writer`. Cancelled, the request's socket is closed."""
        request = Request(
            model=self.model,
            prelude=Prelude(system=system),
            messages=(Message(role=Role.USER, parts=(TextPart(text=text),)),),
            sampling=Sampling(max_tokens=self._answer_tokens(max_tokens)),
        )
        breakers, clock = self._ports.breakers, self._ports.clock
        answer = Answer()
        breakers.begin(self.model)
        heard_s = clock.monotonic()
        try:
            async with aclosing(self._ports.gateway.stream(request, self._target)) as events:
                async for event in events:
                    answer.fold(event)
                    if not isinstance(event, Accepted):  # until the first byte, a long prompt is being read
                        heard_s = clock.monotonic()
                        on_progress()
        except AppError as error:
            await breakers.fail(self.model, error)
            if isinstance(error, ProviderError):
                raise
            raise ProviderError(error.message, hint=error.hint, detail=error.detail) from error
        except BaseException:  # cancelled: by the person, or since it took too long
            if clock.monotonic() - heard_s >= SILENCE_S:
                await uncancelled(breakers.fail(self.model))
            else:
                breakers.give_up(self.model)
            raise
        reply = self._reply(answer)
        if reply.finish is Finish.STOP and reply.text.strip():
            await breakers.succeed(self.model)
        else:
            await breakers.fail(self.model)
        return reply

    def _answer_tokens(self, max_tokens: int) -> int:
        wanted = max_tokens + _THINKING_TOKENS if self._facts.reasoning else max_tokens
        return min(wanted, self._facts.max_output_tokens or wanted)

    def _reply(self, answer: Answer) -> Reply:
        texts = (part.text for part in answer.parts if isinstance(part, TextPart))
        return Reply(
            text="".join(text for text in texts if isinstance(text, str)),
            finish=answer.finish or Finish.FAILED,
            model=self.model,
            usage=answer.usage,
            cost_usd=cost_usd(self._facts, answer.usage) if answer.usage else None,
        )


class LiteFirst:
    """`Writer`: the lite model until it fails once, the main one from then on (A5)."""

    def __init__(self, lite: ModelWriter, main: ModelWriter) -> None:
        self._lite = lite
        self._main = main
        self._has_failed = False

    @property
    def window_tokens(self) -> int:
        """What either can read, so that the parts need not be cut anew."""
        return min(self._lite.window_tokens, self._main.window_tokens)

    @property
    def model(self) -> ModelId:
        return (self._main if self._has_failed else self._lite).model

    async def write(
        self, system: str, text: str, *, max_tokens: int, on_progress: Callable[[], None]
    ) -> Reply:
        if not self._has_failed:
            try:
                return await self._lite.write(system, text, max_tokens=max_tokens, on_progress=on_progress)
            except ProviderError:
                self._has_failed = True
        return await self._main.write(system, text, max_tokens=max_tokens, on_progress=on_progress)
