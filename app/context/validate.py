"""The last look at a request: what every provider refuses, in sentences (C31, C32)."""

from collections.abc import Iterator

from app.core.parts import Blob, MediaPart, OpaquePart, Part, TextPart, ToolCallPart, ToolResultPart
from app.core.requests import Message, Request, Role

_ALLOWED: dict[Role, tuple[type, ...]] = {
    Role.USER: (TextPart, MediaPart, OpaquePart),
    Role.TOOL: (ToolResultPart,),
}


def faults(request: Request) -> tuple[str, ...]:
    """What would be refused, a sentence each; empty for a good request."""
    return tuple(_order(request.messages)) + tuple(_contents(request.messages))


def _order(messages: tuple[Message, ...]) -> Iterator[str]:
    if not messages:
        yield "There is no message to send."
        return
    if messages[0].role is not Role.USER:
        yield "The first message is not the user's."
    if messages[-1].role is Role.ASSISTANT:
        yield "The last message is the assistant's."
    open_calls: list[str] = []
    for at, message in enumerate(messages):
        if message.role is Role.TOOL:
            for part in message.parts:
                if isinstance(part, ToolResultPart) and part.call_id in open_calls:
                    open_calls.remove(part.call_id)
                else:
                    yield f"Message {at} holds a result without its call."
            continue
        if open_calls:
            yield f"Before message {at}, {len(open_calls)} call(s) have no result."
        if at and messages[at - 1].role is message.role:
            yield f"Messages {at - 1} and {at} are both of the {message.role.value}."
        open_calls = [part.call_id for part in message.parts if isinstance(part, ToolCallPart)]
    if open_calls:
        yield f"At the end, {len(open_calls)} call(s) have no result."


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
