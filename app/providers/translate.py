"""Both directions of the wire: a `Request` into LiteLLM's arguments, and the provider's chunks into events.

The one place where values of anybody's shape (`dict[str, Any]`) are handled. It imports no LiteLLM, so that
the window's process can write what the worker sends.
"""

import base64
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.context.pairing import loop_start
from app.core.entries import Finish
from app.core.events import (
    Finished,
    GatewayEvent,
    ReasoningArrived,
    TextArrived,
    ToolCallArrived,
    UsageReported,
)
from app.core.parts import (
    Blob,
    Body,
    MediaPart,
    OpaquePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    clean_text,
)
from app.core.requests import Breakpoint, Layer, Message, Request, Role
from app.core.usage import Usage
from app.models.families import CacheKind, Family, Replay, Roles, family_of
from app.providers.templates import Form, Template

_HOUR_S = 3600

Blobs = Mapping[str, bytes]
"""The originals that a request's parts point at, by hash."""

# ---- out: the request


def arguments_of(request: Request, template: Template, *, model: str, blobs: Blobs) -> dict[str, Any]:
    """LiteLLM's arguments for `request`, but for key, address and time-outs.

    Args:
        model: The model's own name at its provider.
        blobs: Every blob of the request's parts.
    """
    family = family_of(template.id, model)
    wires = [*_messages(request.messages, template, family, blobs)]
    takes_marks = family.cache.kind is CacheKind.MARKERS
    marks = {mark.after: _cache_control(mark) for mark in request.breakpoints if takes_marks}
    for at, wire in dict(wires).items():  # of a message that became several, the last
        if at in marks:
            _mark(wire, marks[at], template)
    messages = [wire for _, wire in wires]
    if request.prelude.system:
        system: dict[str, Any] = {"role": "system", "content": clean_text(request.prelude.system)}
        if Layer.SYSTEM in marks:
            _mark(system, marks[Layer.SYSTEM], template)
        messages.insert(0, system)
    arguments: dict[str, Any] = {
        "model": f"{template.prefix}/{model}",
        "messages": messages,
        "stream": True,
        "num_retries": 0,
        "max_retries": 0,
        "drop_params": False,
    }
    if request.prelude.tools:
        arguments["tools"] = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": json.loads(tool.schema),
                },
            }
            for tool in request.prelude.tools
        ]
        # Qwen takes marks in `messages` only; that of the system text closes the tools, which stand before it:
        # https://www.alibabacloud.com/help/en/model-studio/context-cache
        if Layer.TOOLS in marks and template.form is Form.ANTHROPIC:
            arguments["tools"][-1]["cache_control"] = marks[Layer.TOOLS]
    if request.sampling.max_tokens is not None:
        arguments["max_tokens"] = request.sampling.max_tokens
    if request.sampling.temperature is not None:
        arguments["temperature"] = request.sampling.temperature
    return arguments | _family_arguments(request, template)


def _family_arguments(request: Request, template: Template) -> dict[str, Any]:
    effort = request.sampling.reasoning_effort
    if template.form is not Form.OPENAI:
        options = {"stream_options": {"include_usage": True}}
        return options | {"reasoning_effort": effort} if effort else options
    # Beside LiteLLM's own parameters, so that it neither counts tokens where the provider reports none,
    # nor refuses an effort that its table of models does not know.
    body: dict[str, Any] = {"stream_options": {"include_usage": True}}
    if effort:
        body["reasoning_effort"] = effort
    if request.cache_key and template.takes_cache_key:
        body["prompt_cache_key"] = request.cache_key
    if request.allowed_tools and template.narrows_tools:
        tools = [{"type": "function", "function": {"name": name}} for name in request.allowed_tools]
        body["tool_choice"] = {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": tools}}
    return {"extra_body": body}


def _cache_control(mark: Breakpoint) -> dict[str, Any]:
    hour = {"ttl": "1h"} if mark.ttl_s >= _HOUR_S else {}
    return {"type": "ephemeral"} | hour


def _mark(wire: dict[str, Any], control: dict[str, Any], template: Template) -> None:
    """Set the one mark of a message: on its last block, which may carry one (`render` leaves no empty text, case B48).

    The text itself stays the one text that it is without a mark, so that a mark that moves on changes no byte before it.
    """
    content = wire["content"]
    if wire["role"] == "tool" and template.form is Form.ANTHROPIC:
        wire["cache_control"] = control
    elif isinstance(content, str):
        wire["content"] = [{"type": "text", "text": content, "cache_control": control}]
    elif content:
        content[-1] = {**content[-1], "cache_control": control}


def _messages(
    messages: Sequence[Message], template: Template, family: Family, blobs: Blobs
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each wire message with the index of the message that it came from."""
    ids = _CallIds(family.roles)
    loop = loop_start(messages)
    for at, message in enumerate(messages):
        if message.role is Role.TOOL:
            for part in message.parts:
                if isinstance(part, ToolResultPart):
                    text = _text(part.text, blobs)
                    yield at, {"role": "tool", "tool_call_id": ids.of_result(part.call_id), "content": text}
            continue
        wire: dict[str, Any] = {"role": message.role.value, "content": _content(message.parts, blobs)}
        if message.role is Role.ASSISTANT:
            calls = [part for part in message.parts if isinstance(part, ToolCallPart)]
            wire |= _thinking(message.parts, template, family, is_in_loop=at >= loop, blobs=blobs)
            if calls:
                wire["tool_calls"] = [
                    _call(part, wire_id, blobs)
                    for part, wire_id in zip(calls, ids.of_calls(calls), strict=True)
                ]
                wire["content"] = wire["content"] or None
        if message.provider_fields:
            wire |= _unmarked(json.loads(message.provider_fields))
        yield at, wire


class _CallIds:
    """The ids of calls on the wire: as stored, but where a family wants others (C31)."""

    def __init__(self, roles: Roles) -> None:
        self._roles = roles
        self._n_uses = Counter[str]()
        self._open: dict[str, list[str]] = {}
        """Of the newest message with calls: the wire ids that wait for their result, by stored id."""

    def of_calls(self, calls: Sequence[ToolCallPart]) -> list[str]:
        self._open = {}
        wire_ids = [self._wire_id(call.call_id) for call in calls]
        for call, wire_id in zip(calls, wire_ids, strict=True):
            self._open.setdefault(call.call_id, []).append(wire_id)
        return wire_ids

    def of_result(self, call_id: str) -> str:
        waiting = self._open.get(call_id)
        return waiting.pop(0) if waiting else call_id

    def _wire_id(self, call_id: str) -> str:
        self._n_uses[call_id] += 1
        n_uses, pattern = self._n_uses[call_id], self._roles.call_id_pattern
        is_fit = not pattern or re.fullmatch(pattern, call_id)
        if is_fit and (n_uses == 1 or not self._roles.unique_call_ids):
            return call_id
        return hashlib.sha256(f"{call_id} {n_uses}".encode(errors="replace")).hexdigest()[
            :9
        ]  # Mistral's length


def _content(parts: tuple[Part, ...], blobs: Blobs) -> str | list[dict[str, Any]]:
    """A plain string where there is only text: what every server takes, and the same bytes each time."""
    shown = [part for part in parts if isinstance(part, TextPart | MediaPart | OpaquePart)]
    if all(isinstance(part, TextPart) for part in shown):
        return "\n\n".join(_text(part.text, blobs) for part in shown if isinstance(part, TextPart))
    return [_block(part, blobs) for part in shown]


def _block(part: TextPart | MediaPart | OpaquePart, blobs: Blobs) -> dict[str, Any]:
    match part:
        case TextPart():
            return {"type": "text", "text": _text(part.text, blobs)}
        case OpaquePart():
            return _unmarked(json.loads(part.json))
        case MediaPart():
            return _media(part, blobs)


def _unmarked(block: dict[str, Any]) -> dict[str, Any]:
    """Without a mark that an import brought along: the marks of a request are set in one place (case B44)."""
    return {name: value for name, value in block.items() if name != "cache_control"}


def _media(part: MediaPart, blobs: Blobs) -> dict[str, Any]:
    if isinstance(part.source, str):
        return {"type": "image_url", "image_url": {"url": part.source}}
    data = base64.b64encode(blobs[part.source.sha256]).decode()
    if part.mime.startswith("audio/"):
        return {"type": "input_audio", "input_audio": {"data": data, "format": part.mime.partition("/")[2]}}
    url = f"data:{part.mime};base64,{data}"
    if part.mime.startswith("image/"):
        return {"type": "image_url", "image_url": {"url": url}}
    return {"type": "file", "file": {"filename": part.source.name, "file_data": url}}


def _thinking(
    parts: tuple[Part, ...], template: Template, family: Family, *, is_in_loop: bool, blobs: Blobs
) -> dict[str, Any]:
    """Reasoning that goes back, as the family's rule says by the message and its place alone (S1).

    Signed blocks byte for byte, never with a copy beside; else as plain text.
    """
    has_calls = any(isinstance(part, ToolCallPart) for part in parts)
    keeps = {
        Replay.NEVER: False,
        Replay.LOOP: is_in_loop,
        Replay.CALLS: is_in_loop or has_calls,
        Replay.ALWAYS: True,
    }[family.thinking.replay]
    thoughts = [part for part in parts if isinstance(part, ThinkingPart)] if keeps else []
    if template.form is Form.ANTHROPIC:
        blocks = [_signed(part, blobs) for part in thoughts if part.redacted or part.signature]
        return {"thinking_blocks": blocks} if blocks else {}
    plain = [_text(part.text, blobs) for part in thoughts if not part.redacted and not part.signature]
    if plain or (family.thinking.demands_field and has_calls):
        return {"reasoning_content": "".join(plain)}
    return {}


def _signed(part: ThinkingPart, blobs: Blobs) -> dict[str, Any]:
    text = _raw(part.text, blobs)  # a cleaned one would not fit its signature
    if part.redacted:
        return {"type": "redacted_thinking", "data": text}
    return {"type": "thinking", "thinking": text, "signature": part.signature}


def _call(part: ToolCallPart, wire_id: str, blobs: Blobs) -> dict[str, Any]:
    unread: dict[str, Any] = json.loads(part.provider_fields) if part.provider_fields else {}
    return {
        "id": wire_id,
        "type": "function",
        "function": {"name": part.name, "arguments": _arguments(_text(part.arguments, blobs))},
        **unread,
    }


def _arguments(text: str) -> str:
    """As the model wrote them where they are an object; providers refuse anything else (C32)."""
    try:
        is_object = isinstance(json.loads(text or "{}"), dict)
    except ValueError:
        is_object = False
    return (text or "{}") if is_object else json.dumps({"_raw": text}, ensure_ascii=False)


def _text(body: Body, blobs: Blobs) -> str:
    return clean_text(_raw(body, blobs))


def _raw(body: Body, blobs: Blobs) -> str:
    return blobs[body.sha256].decode(errors="replace") if isinstance(body, Blob) else body


# ---- in: the chunks

_FINISHES: Mapping[str, Finish] = {
    "stop": Finish.STOP,
    "length": Finish.LENGTH,
    "max_tokens": Finish.LENGTH,
    "tool_calls": Finish.TOOL_CALLS,
    "function_call": Finish.TOOL_CALLS,
    "tool_use": Finish.TOOL_CALLS,
    "content_filter": Finish.REFUSED,
    "refusal": Finish.REFUSED,
}
_MESSAGE_FIELDS = ("reasoning_details", "extra_content")
"""Unread fields of a message that its provider wants back: OpenRouter's reasoning, Gemini's signature of a text."""


@dataclass(slots=True)
class _Call:
    index: int
    theirs: object
    call_id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class ChunkReader:
    """One answer's chunks into events; made anew for each request."""

    has_tokens: bool = False
    _calls: list[_Call] = field(default_factory=list[_Call])
    _finish: Finish | None = None
    _usage: Usage | None = None
    _half: str = ""
    """The first half of a character that a provider cut into two chunks (case B76)."""
    _fields: dict[str, Any] = field(default_factory=dict[str, Any])

    def read(self, chunk: Mapping[str, Any]) -> Iterator[GatewayEvent]:
        """The events of one chunk; usage and finish are kept until `end`, since the last one counts (case B56)."""
        if usage := chunk.get("usage"):
            self._usage = usage_of(usage)
        for choice in chunk.get("choices") or ():
            if usage := choice.get("usage"):  # Kimi reports it here
                self._usage = usage_of(usage)
            if reason := choice.get("finish_reason"):
                self._finish = _FINISHES.get(reason, Finish.STOP)
            yield from self._delta(choice.get("delta") or choice.get("message") or {})

    def end(self) -> Iterator[GatewayEvent]:
        """The last events, in order; nothing where nothing that could be read had come."""
        for call in self._calls:
            if not call.call_id:
                yield ToolCallArrived(index=call.index, call_id=f"call_{call.index}")
        if self._half:
            yield TextArrived(text="\ufffd")
        if self._usage:
            yield UsageReported(usage=self._usage)
        finish = self._finish or Finish.STOP
        if self._calls and finish is Finish.STOP:
            finish = Finish.TOOL_CALLS
        fields = json.dumps(self._fields, ensure_ascii=False) if self._fields else ""
        yield Finished(finish=finish, provider_fields=fields)

    @property
    def is_empty(self) -> bool:
        """Nothing came that belongs to an answer. A reason to end alone is none: LiteLLM invents one."""
        return not (self.has_tokens or self._usage)

    @property
    def is_cut(self) -> bool:
        """It ended without a reason and without the usage that stands at the end: too early, though properly."""
        return self._finish is None and self._usage is None

    def _delta(self, delta: Mapping[str, Any]) -> Iterator[GatewayEvent]:
        yield from self._reasoning(delta)
        if text := self._whole(_joined(delta.get("content"))):
            self.has_tokens = True
            yield TextArrived(text=text)
        if refusal := delta.get("refusal"):
            self.has_tokens, self._finish = True, Finish.REFUSED
            yield TextArrived(text=clean_text(str(refusal)))
        for piece in delta.get("tool_calls") or ():
            self.has_tokens = True
            event = self._call_piece(piece)
            if event != ToolCallArrived(index=event.index):
                yield event
        for name in _MESSAGE_FIELDS:
            if value := delta.get(name):
                known = self._fields.get(name)
                self._fields[name] = known + value if isinstance(known, list) else value

    def _reasoning(self, delta: Mapping[str, Any]) -> Iterator[GatewayEvent]:
        blocks = delta.get("thinking_blocks") or ()
        for block in blocks:
            self.has_tokens = True
            if block.get("type") == "redacted_thinking":
                yield ReasoningArrived(text=block.get("data") or "", redacted=True)
            else:
                # Signed text is carried byte for byte, so it is not cleaned.
                yield ReasoningArrived(
                    text=block.get("thinking") or "", signature=block.get("signature") or None
                )
        if not blocks and (text := delta.get("reasoning_content") or delta.get("reasoning")):
            self.has_tokens = True
            yield ReasoningArrived(text=clean_text(str(text)))

    def _call_piece(self, piece: Mapping[str, Any]) -> ToolCallArrived:
        function: Mapping[str, Any] = piece.get("function") or {}
        call_id, name = piece.get("id") or "", function.get("name") or ""
        arguments = function.get("arguments") or ""
        if not isinstance(arguments, str):  # an object where a text of JSON belongs
            arguments = json.dumps(arguments, ensure_ascii=False)
        call = self._call_of(piece.get("index"), call_id, name, arguments)
        is_new_id, is_new_name = bool(call_id) and not call.call_id, bool(name) and not call.name
        call.call_id, call.name = call.call_id or call_id, call.name or name
        call.arguments += arguments
        unread = {
            key: value
            for key, value in piece.items()
            if key not in {"index", "id", "type", "function"} and value is not None
        }
        return ToolCallArrived(
            index=call.index,
            call_id=call_id if is_new_id else "",
            name=name if is_new_name else "",
            arguments=clean_text(arguments),
            provider_fields=json.dumps(unread, ensure_ascii=False) if unread else "",
        )

    def _call_of(self, theirs: object, call_id: str, name: str, arguments: str) -> _Call:
        """The call that a piece belongs to; a new one where it can't belong to any (case B55)."""
        if call_id and (known := [call for call in self._calls if call.call_id == call_id]):
            return known[-1]
        beside = [call for call in self._calls if call.theirs == theirs]
        call = beside[-1] if beside else None
        if call is None and self._calls and not call_id and not name:
            call = self._calls[-1]
        if call is None or self._is_another(call, call_id, name, arguments):
            call = _Call(index=len(self._calls), theirs=theirs)
            self._calls.append(call)
        return call

    @staticmethod
    def _is_another(call: _Call, call_id: str, name: str, arguments: str) -> bool:
        if (call_id and call.call_id) or (name and call.name and name != call.name):
            return True
        begins = arguments.lstrip().startswith("{") or (name and not arguments)
        return bool(begins) and call.arguments.rstrip().endswith("}") and _is_json(call.arguments)

    def _whole(self, text: str) -> str:
        text, self._half = self._half + text, ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return clean_text(text)


def _joined(content: object) -> str:
    """The text of a delta; Mistral's reasoning models send a list of blocks."""
    if isinstance(content, str):
        return content
    blocks: list[Any] = content if isinstance(content, list) else []  # pyright: ignore[reportUnknownVariableType]  # JSON of anybody
    return "".join(block.get("text") or "" for block in blocks if isinstance(block, Mapping))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def usage_of(raw: Mapping[str, Any]) -> Usage:
    """A provider's report in our meaning, Anthropic's own as well as OpenAI's form (case B26)."""
    said: Mapping[str, Any] = raw.get("prompt_tokens_details") or raw.get("input_tokens_details") or {}
    made: Mapping[str, Any] = raw.get("completion_tokens_details") or raw.get("output_tokens_details") or {}
    cached = _first(
        said.get("cached_tokens"),
        raw.get("cache_read_input_tokens"),
        raw.get("prompt_cache_hit_tokens"),  # DeepSeek
        raw.get("cached_tokens"),  # Kimi
    )
    written = _first(
        raw.get("cache_creation_input_tokens"),
        said.get("cache_write_tokens"),
        said.get("cache_creation_input_tokens"),  # Qwen
    )
    lives: Mapping[str, Any] = said.get("cache_creation_token_details") or raw.get("cache_creation") or {}
    if "prompt_tokens" in raw:
        prompt = raw["prompt_tokens"] or 0
    else:
        prompt = raw.get("input_tokens") or 0
        if "input_tokens_details" not in raw:  # Anthropic's own leaves out what touched the cache
            prompt += cached + written
    return Usage(
        prompt_tokens=prompt,
        completion_tokens=_first(raw.get("completion_tokens"), raw.get("output_tokens")),
        cached_tokens=cached,
        cache_write_tokens=written,
        cache_write_1h_tokens=min(written, _first(lives.get("ephemeral_1h_input_tokens"))),
        reasoning_tokens=_first(made.get("reasoning_tokens")),
    )


def _first(*values: Any) -> int:
    return next((int(value) for value in values if value), 0)
