"""Calls and their results belong together: by id and by occurrence, inside one message and what follows it (C31).

Ids are never looked for across messages: many models number their calls anew in each round (case B03).
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pydantic import JsonValue

from app.core.parts import OpaquePart, Part, ThinkingPart, ToolCallPart, ToolResultPart
from app.core.requests import Message, Role

NO_RESULT = "[no result: the call was not answered]"


def pair(calls: Sequence[ToolCallPart], results: Sequence[ToolResultPart]) -> tuple[int | None, ...]:
    """For each call the index of its result, each result taken once; None: it has none."""
    waiting: dict[str, list[int]] = {}
    for index in reversed(range(len(results))):
        waiting.setdefault(results[index].call_id, []).append(index)
    return tuple(waiting[call.call_id].pop() if waiting.get(call.call_id) else None for call in calls)


def missing_result(call: ToolCallPart) -> ToolResultPart:
    return ToolResultPart(call_id=call.call_id, name=call.name, text=NO_RESULT, is_error=True)


def loop_start(messages: Sequence[Message]) -> int:
    """Index after the last message with which the person's side begins anew; the running tool loop is from there.

    What the person's side says directly after results goes on with their round, as providers see it.
    """
    for at in reversed(range(len(messages))):
        if messages[at].role is Role.USER and (at == 0 or messages[at - 1].role is not Role.TOOL):
            return at + 1
    return 0


def paired(messages: Sequence[Message]) -> Iterator[Message]:
    """`messages` with each call answered once, directly after it, in call order, and no result without its call.

    A message of the person's that begins with results keeps what else it says (case B05); media in a tool's
    message go to the person's side after the results.
    """
    at = 0
    while at < len(messages):
        message = _typed(messages[at])
        at += 1
        parts = tuple(part for part in message.parts if not isinstance(part, ToolResultPart))
        if message.role is not Role.ASSISTANT:
            yield _said(message, parts)
            continue
        calls = [part for part in parts if isinstance(part, ToolCallPart)]
        yield message if parts == message.parts else replace(message, parts=parts)
        answers: list[Message] = []
        while calls and at < len(messages) and _answers(answer := _typed(messages[at])):
            answers.append(answer)
            at += 1
        yield from _round(calls, answers)


def _answers(message: Message) -> bool:
    holds_results = any(isinstance(part, ToolResultPart) for part in message.parts)
    return message.role is Role.TOOL or (message.role is Role.USER and holds_results)


def _round(calls: Sequence[ToolCallPart], answers: Sequence[Message]) -> Iterator[Message]:
    found = [
        (message, part) for message in answers for part in message.parts if isinstance(part, ToolResultPart)
    ]
    for call, index in zip(calls, pair(calls, [part for _, part in found]), strict=True):
        if index is None:
            yield Message(role=Role.TOOL, parts=(missing_result(call),))
        else:
            message, part = found[index]
            is_it = message.role is Role.TOOL and message.parts == (part,)
            yield message if is_it else replace(message, role=Role.TOOL, parts=(part,))
    for message in answers:
        if rest := tuple(part for part in message.parts if not isinstance(part, ToolResultPart)):
            yield _said(message, rest)


def _said(message: Message, parts: tuple[Part, ...]) -> Message:
    """What is left of a message of the person's side."""
    kept = tuple(part for part in parts if not isinstance(part, ToolCallPart | ThinkingPart))
    return replace(message, role=Role.USER, parts=kept)


# ---- blocks of Anthropic's form, as an imported conversation holds them


def is_native(part: Part) -> bool:
    return isinstance(part, OpaquePart) and part.kind in ("tool_use", "tool_result")


def _typed(message: Message) -> Message:
    if not any(map(is_native, message.parts)):
        return message
    return replace(message, parts=tuple(map(_typed_part, message.parts)))


def _typed_part(part: Part) -> Part:
    if not isinstance(part, OpaquePart):
        return part
    value: JsonValue = json.loads(part.json)
    match value:
        case {"type": "tool_use", "id": str(call_id), "name": str(name)}:
            arguments = json.dumps(value.get("input", {}), ensure_ascii=False)
            return ToolCallPart(call_id=call_id, name=name, arguments=arguments)
        case {"type": "tool_result", "tool_use_id": str(call_id)}:
            text = _text(value.get("content"))
            is_error = value.get("is_error") is True
            return ToolResultPart(call_id=call_id, name="", text=text, is_error=is_error)
        case _:
            return part


def _text(content: JsonValue) -> str:
    blocks = content if isinstance(content, list) else [content]
    return "\n\n".join(filter(None, map(_block_text, blocks)))


def _block_text(block: JsonValue) -> str:
    match block:
        case str():
            return block
        case {"type": "text", "text": str(text)}:
            return text
        case {"type": str(kind)}:
            return f"[{kind}]"
        case _:
            return ""
