"""An answer before it takes a wire form: what is said, how long it is, why it ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Protocol

from tests.simulator.faults import Kind
from tests.simulator.prompt import Asked, Prompt
from tests.simulator.script import Turn, pieces
from tests.simulator.wire import Body, Refusal

if TYPE_CHECKING:
    from tests.simulator.cache import CacheUse
    from tests.simulator.counting import Counter
    from tests.simulator.models import Family, Model

_CALL_TOKENS = 8  # what a call costs beside its name and arguments

_SINGLE, _MANY = 200, 16
"""So many bits come a token at a time; then each has so many, as where a provider batches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`turn` is cut to the allowed length and its calls have ids; tokens are as billed."""

    number: int
    created: int
    asked: Asked
    turn: Turn
    use: CacheUse
    output_tokens: int
    reasoning_tokens: int
    end: Literal["stop", "length", "window", "tool"]

    @property
    def model(self) -> Model:
        return self.asked.model


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One server-sent event: its name (OpenAI's have none), its data, the tokens that it carries."""

    data: str
    event: str = ""
    tokens: int = 0


class Form(Protocol):
    """A wire form: reads prompts, judges them, renders answers and errors."""

    call_prefix: str

    def prompt(self, body: Body, model: Model, counter: Counter) -> Prompt: ...

    def refusal(self, asked: Asked) -> Refusal | None: ...

    def remark(self, asked: Asked) -> str:
        """What this provider lets pass although others wouldn't; "" if nothing."""
        ...

    def shows_reasoning(self, asked: Asked) -> bool: ...

    def room(self, asked: Asked) -> tuple[int, Literal["length", "window"]]:
        """The most tokens of an answer, and what ends it there."""
        ...

    def usage(self, answer: Answer) -> Mapping[str, object]: ...

    def whole(self, answer: Answer, fault: Kind | None) -> Mapping[str, object]: ...

    def frames(self, answer: Answer, fault: Kind | None) -> Iterator[Frame]: ...

    def error(self, refusal: Refusal, family: Family) -> object: ...

    def error_frame(self) -> Frame: ...


def prepare(turn: Turn, *, form: Form, asked: Asked, use: CacheUse, number: int, created: int) -> Answer:
    """Fit a scripted turn into what the request allows, and count it."""
    room, limit = form.room(asked)
    counter = asked.prompt.counter
    reasoning = turn.reasoning if form.shows_reasoning(asked) else ""
    hidden = counter.tokens(turn.reasoning) if turn.reasoning and asked.model.reasons else 0
    calls = tuple(
        replace(
            call,
            id=call.id or f"{form.call_prefix}{number:06d}{at:04d}",
            index=at if call.index is None else call.index,
        )
        for at, call in enumerate(turn.tool_calls)
    )
    call_tokens = sum(counter.tokens(call.name + call.arguments) + _CALL_TOKENS for call in calls)
    reasoning_tokens = counter.tokens(reasoning) if reasoning else hidden
    output = reasoning_tokens + counter.tokens(turn.text) + call_tokens
    end: Literal["stop", "length", "window", "tool"] = "tool" if calls else "stop"
    text = turn.text
    if output > room:
        reasoning, left = _cut(reasoning, room, counter)
        text, _ = _cut(text, left if reasoning_tokens <= room else 0, counter)
        output, calls, end = room, (), limit
    fitted = replace(turn, text=text, reasoning=reasoning, tool_calls=calls)
    return Answer(
        number=number, created=created, asked=asked, turn=fitted, use=use,
        output_tokens=turn.output_tokens if turn.output_tokens is not None else output,
        reasoning_tokens=min(reasoning_tokens, output), end=end,
    )  # fmt: skip


def text_frames(text: str, counter: Counter) -> Iterator[tuple[str, int]]:
    """The bits of a text and how many tokens each carries: of a long one, larger bits after the first."""
    bits = pieces(text)
    yield from _counted(bits[:_SINGLE], counter)
    yield from _counted(("".join(bits[at : at + _MANY]) for at in range(_SINGLE, len(bits), _MANY)), counter)


def _counted(bits: Iterable[str], counter: Counter) -> Iterator[tuple[str, int]]:
    return ((bit, max(1, counter.tokens(bit))) for bit in bits)


def _cut(text: str, room: int, counter: Counter) -> tuple[str, int]:
    """The beginning of `text` that fits, and how much room is left after it."""
    kept = list[str]()
    for piece, tokens in _counted(pieces(text), counter):
        if tokens > room:
            break
        room -= tokens
        kept.append(piece)
    return "".join(kept), room
