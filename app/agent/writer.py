"""A model that writes summaries, behind the gateway: which one, asked how, and what its failures lead to (C17, A5)."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from app.agent.answer import Answer
from app.agent.asides import Aside, AsidePorts, record_beside, told
from app.agent.breakers import Breakers
from app.agent.commission import Commission, Prefix
from app.agent.execution import Execution
from app.agent.ports import Target
from app.context.ports import Reply, WarmWriter, Writer
from app.context.summary.progress import SILENCE_S
from app.context.summary.writer import Offer, Way, choose_writer
from app.context.validate import mended
from app.core.entries import Finish
from app.core.errors import AppError, ContextTooLong, ProviderError
from app.core.events import Accepted
from app.core.ids import ChatId, ModelId
from app.core.parts import TextPart
from app.core.records import RequestKind
from app.core.requests import Message, Prelude, Request, Role
from app.models.families import Family
from app.models.registry import ModelFacts, cost_usd
from app.models.window import Window
from app.tasks import uncancelled

BUILT_IN = frozenset({"builtin", "embedded"})
"""Kinds of endpoints whose models are too small to write summaries."""
_THINKING_TOKENS = 8_192
"""On top of the answer's room where a model thinks first: providers count both as one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriterPorts:
    asides: AsidePorts
    breakers: Breakers
    lite: Callable[[Execution], Awaitable[Target | None]]
    """The lite model of A5; None: there is none."""
    known: Callable[[Target], Awaitable[tuple[ModelFacts, Window]]]


async def writer_for(commission: Commission, ports: WriterPorts) -> Writer | None:
    """Who writes a summary, by its price (C17).

    None: the chat's model is built in, or every model that could write was found failing (C18).
    """
    execution, prefix = commission.execution, commission.prefix
    chat, text_tokens = commission.chat_id, commission.text_tokens
    if execution.target.endpoint.kind in BUILT_IN:
        return None
    main = ModelWriter(execution.target, execution.facts, execution.window, ports, chat_id=chat)
    found = await ports.lite(execution)
    lite = None
    if found and found.model != execution.model and found.endpoint.kind not in BUILT_IN:
        lite = ModelWriter(found, *(await ports.known(found)), ports, chat_id=chat)
    if lite and not ports.breakers.allows(lite.model):
        lite = None
    may_main = ports.breakers.allows(main.model)
    held = prefix if may_main else None
    choice = choose_writer(
        text_tokens,
        main=main.offer(text_tokens),
        lite=_at_most(lite.offer(text_tokens), main.offer(text_tokens)) if lite else None,
        prefix_tokens=held.tokens if held else 0,
        cached_tokens=held.cached_tokens if held else 0,
        cached_price=held.cached_usd if held else 0.0,
    )
    main.why = choice.why
    if held and choice.way is Way.WARM:
        main.warm = WarmModel(main, held, execution.family)
    if lite and choice.way is Way.LITE:
        lite.why = choice.why
        return LiteFirst(lite, main)
    return main if may_main else None


def _at_most(lite: Offer, main: Offer) -> Offer:
    """A lite model that the person chose may cost as much as the main model, and still goes before it."""
    return replace(
        lite,
        input_price=min(lite.input_price, main.input_price),
        output_price=min(lite.output_price, main.output_price),
    )


class ModelWriter:
    """`Writer` of one model; its breaker hears how each request ended."""

    def __init__(
        self,
        target: Target,
        facts: ModelFacts,
        window: Window,
        ports: WriterPorts,
        *,
        chat_id: ChatId,
    ) -> None:
        self.why = ""
        self.warm: WarmWriter | None = None
        self._target = target
        self._facts = facts
        self._window = window
        self._chat_id = chat_id
        self._ports = ports

    @property
    def window_tokens(self) -> int:
        return self._window.tokens

    @property
    def model(self) -> ModelId:
        return self._target.model

    def offer(self, text_tokens: int) -> Offer:
        """In USD; 0 where a price is not known."""
        prices = self._facts.prices_at(text_tokens)
        return Offer(
            window_tokens=self.window_tokens,
            input_price=prices.input_usd or 0.0,
            output_price=prices.output_usd or 0.0,
        )

    async def write(
        self, system: str, text: str, *, max_tokens: int, on_progress: Callable[[], None]
    ) -> Reply:
        """See `context.ports.Writer`. Cancelled, the request's socket is closed."""
        request = Request(
            model=self.model,
            prelude=Prelude(system=system),
            messages=(Message(role=Role.USER, parts=(TextPart(text=text),)),),
        )
        reply = await self.ask(request, max_tokens=max_tokens, on_progress=on_progress)
        if reply.finish is Finish.STOP and reply.text.strip():
            await self.answered()
        else:
            await self._ports.breakers.fail(self.model)
        return reply

    async def answered(self) -> None:
        await self._ports.breakers.succeed(self.model)

    async def ask(self, request: Request, *, max_tokens: int, on_progress: Callable[[], None]) -> Reply:
        """What came of one request; whether the answer is a good one is the caller's to say."""
        breakers, clock = self._ports.breakers, self._ports.asides.clock
        sampling = replace(request.sampling, max_tokens=self._answer_tokens(max_tokens))
        request = replace(request, sampling=sampling)
        record = record_beside(RequestKind.SUMMARY, self._chat_id, request, clock)
        aside = Aside(record=record, request=request, target=self._target, facts=self._facts)
        answer = Answer()
        breakers.begin(self.model)
        heard_s = clock.monotonic()
        try:
            async with aclosing(told(aside, self._ports.asides)) as events:
                async for event in events:
                    answer.fold(event)
                    if not isinstance(event, Accepted):  # until the first byte, a long prompt is being read
                        heard_s = clock.monotonic()
                        on_progress()
        except ContextTooLong:  # of how long a text is, not of the model
            breakers.give_up(self.model)
            raise
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
        return self._reply(answer)

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


class WarmModel:
    """`WarmWriter`: the chat's next request to the byte, with an instruction after its last message."""

    def __init__(self, writer: ModelWriter, prefix: Prefix, family: Family) -> None:
        self._writer = writer
        self._family = family
        self._prefix = prefix

    async def go_on(self, instruction: str, *, max_tokens: int, on_progress: Callable[[], None]) -> Reply:
        messages = _after(self._prefix.request.messages, instruction)
        asked = mended(replace(self._prefix.request, messages=messages), self._family)
        reply = await self._writer.ask(asked, max_tokens=max_tokens, on_progress=on_progress)
        await self._writer.answered()  # a call of a tool, or a word to the person, is no failure of the model
        return reply


def _after(messages: Sequence[Message], instruction: str) -> tuple[Message, ...]:
    part = TextPart(text=instruction)
    *before, last = messages
    if last.role is Role.USER:
        return (*before, replace(last, parts=(*last.parts, part)))
    return (*messages, Message(role=Role.USER, parts=(part,)))


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
    def why(self) -> str:
        return "The lite model failed, so the main model wrote." if self._has_failed else self._lite.why

    @property
    def warm(self) -> None:
        return None

    @property
    def model(self) -> ModelId:
        return (self._main if self._has_failed else self._lite).model

    async def write(
        self, system: str, text: str, *, max_tokens: int, on_progress: Callable[[], None]
    ) -> Reply:
        if not self._has_failed:
            try:
                return await self._lite.write(system, text, max_tokens=max_tokens, on_progress=on_progress)
            except ContextTooLong:
                raise  # asked again with less
            except ProviderError:
                self._has_failed = True
        return await self._main.write(system, text, max_tokens=max_tokens, on_progress=on_progress)
