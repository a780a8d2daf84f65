"""The last look at a request: what every provider refuses, in sentences (C31, C32)."""

from collections.abc import Iterator
from itertools import pairwise

from app.core.parts import Blob, MediaPart, OpaquePart, Part, TextPart, ToolCallPart, ToolResultPart
from app.core.requests import Message, Request, Role

_ALLOWED: dict[Role, tuple[type, ...]] = {
    Role.USER: (TextPart, MediaPart, OpaquePart),
    Role.TOOL: (ToolResultPart,),
}


def faults(request: Request) -> tuple[str, ...]:
    """What would be refused, a sentence each; empty for a good request."""
    return (*_order(request.messages), *_pairs(request.messages), *_contents(request.messages))


def _order(messages: tuple[Message, ...]) -> Iterator[str]:
    if not messages:
        yield "There is no message to send."
        return
    if messages[0].role is not Role.USER:
        yield "The first message is not the user's."
    if messages[-1].role is Role.ASSISTANT:
        yield "The last message is the assistant's."
    for at, (one, other) in enumerate(pairwise(messages)):
        if one.role is other.role and one.role is not Role.TOOL:
            yield f"Messages {at} and {at + 1} are both of the {one.role.value}."


def _pairs(messages: tuple[Message, ...]) -> Iterator[str]:
    """Each call answered, directly after it and once; each result with its call."""
    unanswered: list[str] = []
    for at, message in enumerate(messages):
        for part in message.parts if message.role is Role.TOOL else ():
            if isinstance(part, ToolResultPart) and part.call_id in unanswered:
                unanswered.remove(part.call_id)
            else:
                yield f"Message {at} holds a result without its call."
        if message.role is not Role.TOOL:
            if unanswered:
                yield f"Before message {at}, {len(unanswered)} call(s) have no result."
            unanswered = [part.call_id for part in message.parts if isinstance(part, ToolCallPart)]
    if unanswered:
        yield f"At the end, {len(unanswered)} call(s) have no result."


def _contents(messages: tuple[Message, ...]) -> Iterator[str]:
    for at, message in enumerate(messages):
        if not message.parts:
            yield f"Message {at} is empty."
        for part in message.parts:
            if _is_blank(part):
                yield f"Message {at} holds an empty text."
            if message.role in _ALLOWED and not isinstance(part, _ALLOWED[message.role]):
                yield f"Message {at} of the {message.role.value} holds a {type(part).__name__}."


def _is_blank(part: Part) -> bool:
    return isinstance(part, TextPart) and not isinstance(part.text, Blob) and not part.text.strip()
