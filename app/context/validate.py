"""The last look at a request: what its family of models refuses, told and mended (C31, C32).

Every request goes through here, a title's and a summary's as a chat's (case B13). What families differ in stands
in the rows of `app/models/families.py`; ids of calls and arguments that are no object are the wire form's
business (`app/providers/translate.py`).
"""

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

from pydantic import JsonValue

from app.context.context import Context
from app.context.pairing import loop_start, paired
from app.context.render import NO_OUTPUT, ordered
from app.context.steps.media import placeholder
from app.core.errors import ProviderError
from app.core.parts import (
    MediaPart,
    OpaquePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from app.core.requests import Message, Request, Role
from app.models.families import UNKNOWN, Family, takes_field, takes_media

GO_ON = "[go on]"
_QUICK = 200
"""So many messages are looked at within a frame."""

_ALLOWED: dict[Role, tuple[type, ...]] = {
    Role.USER: (TextPart, MediaPart, OpaquePart),
    Role.ASSISTANT: (TextPart, ThinkingPart, ToolCallPart, OpaquePart),
    Role.TOOL: (ToolResultPart,),
}


def faults(request: Request, family: Family = UNKNOWN, *, n_sound: int = 0) -> tuple[str, ...]:
    """What would be refused, a sentence each; empty for a good request.

    Args:
        n_sound: So many first messages were in a request without a fault, and the user's side begins after them.
    """
    new = tuple(enumerate(request.messages))[n_sound:]
    return (
        *_order(request.messages, n_sound),
        *_pairs(new),
        *_contents(new, family),
        *_thinking(request, family),
    )


def mended(request: Request, family: Family, *, n_sound: int = 0) -> Request:
    """The nearest request without a fault; the same one where there is none. Only an empty one stays faulty.

    Args: as `faults`.
    """
    if not faults(request, family, n_sound=n_sound):
        return request
    fitted = (_fitted_message(message, family) for message in paired(request.messages))
    messages = list(ordered(fitted, is_start=True))
    if messages and messages[-1].role is Role.ASSISTANT:
        messages.append(Message(role=Role.USER, parts=(TextPart(text=GO_ON),)))
    found = replace(request, messages=tuple(messages))
    if any(_thinking(found, family)):
        # The provider's own advice for a loop that another model, or one that did not think, began.
        found = replace(found, sampling=replace(found.sampling, reasoning_effort=None))
    return found


async def last_look(request: Request, context: Context, family: Family) -> Request:
    """The request of `context` as it may leave; what was found without a fault before, and stands, is not looked at.

    Raises:
        ProviderError: it would be refused, and can't be mended.
    """
    n_sound = context.n_sound if context.sound_for == family else 0
    look = partial(mended, request, family, n_sound=n_sound)
    is_quick = len(request.messages) - n_sound <= _QUICK
    found = look() if is_quick else await asyncio.to_thread(look)
    if found is request:
        context.n_sound, context.sound_for = context.n_settled, family
    elif told := faults(found, family):
        raise ProviderError("This request would be refused.", detail=" ".join(told))
    return found


# ---- what is looked for


def _order(messages: tuple[Message, ...], n_sound: int) -> Iterator[str]:
    if not messages:
        yield "There is no message to send."
        return
    if messages[0].role is not Role.USER:
        yield "The first message is not the user's."
    if messages[-1].role is Role.ASSISTANT:
        yield "The last message is the assistant's."
    start = max(n_sound - 1, 0)
    for at, (one, other) in enumerate(pairwise(messages[start:]), start):
        if one.role is other.role and one.role is not Role.TOOL:
            yield f"Messages {at} and {at + 1} are both of the {one.role.value}."


def _pairs(messages: Sequence[tuple[int, Message]]) -> Iterator[str]:
    """Each call answered, directly after it and once; each result with its call."""
    unanswered: list[str] = []
    for at, message in messages:
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


def _contents(messages: Sequence[tuple[int, Message]], family: Family) -> Iterator[str]:
    for at, message in messages:
        if all(isinstance(part, ThinkingPart) for part in message.parts):
            yield f"Message {at} is empty."
        for part in message.parts:
            if not isinstance(part, _ALLOWED[message.role]):
                yield f"Message {at} of the {message.role.value} holds a {type(part).__name__}."
            elif _fitted_part(part, family) is not part:
                yield f"Message {at} holds {_named(part)}."
        if _fitted_fields(message, family) is not message:
            yield f"Message {at} holds fields of another family, or lacks its own."


def _named(part: Part) -> str:
    match part:
        case TextPart():
            return "an empty text"
        case ToolResultPart():
            return "an empty result"
        case ToolCallPart(name=name):
            return f"a call of {name!r}, or fields with it, that this model does not take"
        case MediaPart(mime=mime):
            return f"media ({mime}) that this model does not take"
        case OpaquePart(kind=kind):
            return f"a block {kind!r} that this model does not take"
        case _:
            return "reasoning"


def _thinking(request: Request, family: Family) -> Iterator[str]:
    """Who gives thinking a budget wants the running loop to begin with it, while the model thinks."""
    if not family.thinking.has_budget or not request.sampling.reasoning_effort:
        return
    loop = request.messages[loop_start(request.messages) :]
    if loop and not any(_is_signed(part) for part in loop[0].parts):
        yield "The running tool loop does not begin with its thinking."


def _is_signed(part: Part) -> bool:
    return isinstance(part, ThinkingPart) and bool(part.redacted or part.signature)


# ---- and put right


def _fitted_message(message: Message, family: Family) -> Message:
    parts = (_fitted_part(_allowed(part, message.role), family) for part in message.parts)
    kept = tuple(part for part in parts if part is not None)
    return _fitted_fields(replace(message, parts=kept), family)


def _allowed(part: Part, role: Role) -> Part:
    if isinstance(part, MediaPart) and role is Role.ASSISTANT:
        return TextPart(text=placeholder(part))
    return part


def _fitted_part(part: Part, family: Family) -> Part | None:
    """The part as the family takes it, the same one where it is so already; None: it says nothing."""
    match part:
        case TextPart(text=str(text)):
            return part if text.strip() else None
        case ToolResultPart(text=str(text)) if not text.strip():
            return replace(part, text=NO_OUTPUT)
        case MediaPart(mime=mime) if not takes_media(family, mime):
            return TextPart(text=f"{placeholder(part)} (this model takes no {mime.partition('/')[0]})")
        case OpaquePart(kind=kind) if kind not in family.roles.blocks:
            return TextPart(text=f"[{kind}: this model does not take it]")
        case ToolCallPart(name=name):
            fields, fitted = _fitted_json(part.provider_fields, family), _fitted_name(name, family)
            is_fit = (fitted, fields) == (name, part.provider_fields)
            return part if is_fit else replace(part, name=fitted, provider_fields=fields)
        case _:
            return part


def _fitted_name(name: str, family: Family) -> str:
    if re.fullmatch(family.roles.call_name_pattern, name):
        return name
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:64] or "tool"


def _fitted_fields(message: Message, family: Family) -> Message:
    """The message's own unread fields without those of another family, its first call with what must be there."""
    fields, parts = _fitted_json(message.provider_fields, family), message.parts
    at = next((at for at, part in enumerate(parts) if isinstance(part, ToolCallPart)), None)
    if at is not None and family.thinking.unsigned_call:
        call = parts[at]
        assert isinstance(call, ToolCallPart)
        if not call.provider_fields:
            signed = replace(call, provider_fields=family.thinking.unsigned_call)
            parts = (*parts[:at], signed, *parts[at + 1 :])
    is_fit = parts is message.parts and fields == message.provider_fields
    return message if is_fit else replace(message, parts=parts, provider_fields=fields)


def _fitted_json(fields: str, family: Family) -> str:
    if not fields:
        return ""
    value: dict[str, JsonValue] = json.loads(fields)
    kept = {name: item for name, item in value.items() if takes_field(family, name)}
    if len(kept) == len(value):
        return fields
    return json.dumps(kept, ensure_ascii=False) if kept else ""
