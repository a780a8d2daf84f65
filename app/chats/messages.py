"""One message of the chat-completions form as parts, and back again to the letter.

`write_message` gives a message its usual shape. Where a message had another one (another order of keys, fields
that no part holds), its own shape is kept beside the entry, in `Chat.source`: the message as it was, with each text
that a part holds replaced by `{"palimpsest:part": index}`. It can't stay in `provider_fields`, which are sent.
"""

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from app.chats.faults import Fault, FaultKind
from app.chats.originals import Originals, text_of
from app.core.entries import Entry, Origin
from app.core.parts import (
    Body,
    MediaPart,
    OpaquePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    body_of,
    clean_text,
)
from app.vault.images import image_size

JsonObject = dict[str, JsonValue]

ORIGINS = {
    "user": Origin.USER,
    "assistant": Origin.ASSISTANT,
    "tool": Origin.TOOL,
    "function": Origin.TOOL,
    "system": Origin.SYSTEM,
    "developer": Origin.SYSTEM,
}
"""Role decides, never the text (C33, case B42)."""

_REFERENCE = "palimpsest:part"


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A message that was read."""

    origin: Origin
    parts: tuple[Part, ...]
    shape: JsonObject | None
    """None: the usual one."""


def read_message(raw: JsonValue, *, n: int, originals: Originals, faults: list[Fault]) -> Read | None:
    """Args: `n` counts from 1, for the faults. Returns: None when it can't be an entry."""
    if not isinstance(raw, dict):
        faults.append(Fault(kind=FaultKind.NOT_A_MESSAGE, n=n))
        return None
    message = cleaned(raw)
    role = message.get("role")
    if not isinstance(role, str) or role not in ORIGINS:
        faults.append(Fault(kind=FaultKind.UNKNOWN_ROLE, n=n, detail="" if role is None else str(role)))
        return None
    reader = _Reader(n=n, originals=originals, faults=faults)
    origin = ORIGINS[role]
    parts = tuple(reader.result(message) if origin is Origin.TOOL else reader.speech(message))
    bytes_of = originals.bytes_of
    is_usual = json.dumps(write_message(origin, parts, bytes_of)) == json.dumps(message)
    return Read(origin=origin, parts=parts, shape=None if is_usual else _shape(message, parts, bytes_of))


def cleaned(value: JsonObject) -> JsonObject:
    """All its texts as SQLite and UTF-8 can carry them (case B76)."""

    def clean(value: JsonValue) -> JsonValue:
        match value:
            case str():
                return clean_text(value)
            case list():
                return [clean(item) for item in value]
            case dict():
                return cleaned(value)
            case _:
                return value

    return {clean_text(key): clean(item) for key, item in value.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reader:
    n: int
    originals: Originals
    faults: list[Fault]

    def speech(self, message: JsonObject) -> Iterator[Part]:
        """What a user, an assistant or the system says."""
        reasoning = message.get("reasoning_content")
        if isinstance(reasoning, str) and reasoning:
            yield ThinkingPart(text=self._body(reasoning))
        content = message.get("content")
        if isinstance(content, str) and content:
            yield TextPart(text=self._body(content))
        elif isinstance(content, list):
            for block in content:
                yield self._block(block)
        elif isinstance(content, dict):
            yield _opaque("content", content)
        calls = message.get("tool_calls")
        if isinstance(calls, list):
            for call in calls:
                yield self._call(call)

    def result(self, message: JsonObject) -> Iterator[Part]:
        """A tool's answer: one result, and the pictures that came with it."""
        call_id, name, content = message.get("tool_call_id"), message.get("name"), message.get("content")
        blocks = [self._block(block) for block in content] if isinstance(content, list) else []
        texts = [text_of(part.text, self.originals.bytes_of) for part in blocks if isinstance(part, TextPart)]
        yield ToolResultPart(
            call_id=call_id if isinstance(call_id, str) else "",
            name=name if isinstance(name, str) else "",
            text=self._body(content if isinstance(content, str) else "\n\n".join(texts)),
        )
        yield from (part for part in blocks if not isinstance(part, TextPart))

    def _body(self, text: str) -> Body:
        return self.originals.body(text, name=f"message-{self.n}.txt")

    def _block(self, block: JsonValue) -> Part:
        match block:
            case str():
                return TextPart(text=self._body(block))
            case {"type": "text", "text": str(text)}:
                return TextPart(text=self._body(text))
            case {"type": "image_url", "image_url": {"url": str(url)}}:
                return self._picture(url) or self._broken(FaultKind.BROKEN_PICTURE, "image_url", block)
            case {"type": str(kind)}:
                return _opaque(kind, block)
            case _:
                return _opaque("block", block)

    def _picture(self, url: str) -> MediaPart | None:
        if url.startswith(("http://", "https://")):
            return MediaPart(source=url, mime="image/*")
        head, comma, data = url.partition(";base64,")
        if not comma or not head.startswith("data:image/"):
            return None
        try:
            content = base64.b64decode(data, validate=True)
        except binascii.Error:
            return None
        mime = head.removeprefix("data:")
        ending = mime.removeprefix("image/").partition("+")[0]
        blob = self.originals.blob(content, mime=mime, name=f"message-{self.n}.{ending}")
        width, height = image_size(content)
        return MediaPart(source=blob, mime=mime, width_px=width, height_px=height)

    def _call(self, call: JsonValue) -> Part:
        match call:
            case {"function": {"name": str(name), **rest}}:
                call_id, arguments = call.get("id"), rest.get("arguments", "")
                text = arguments if isinstance(arguments, str) else _dumps(arguments)
                call_id = call_id if isinstance(call_id, str) else ""
                return ToolCallPart(call_id=call_id, name=name, arguments=self._body(text))
            case _:
                return self._broken(FaultKind.BROKEN_CALL, "tool_call", call)

    def _broken(self, kind: FaultKind, name: str, value: JsonValue) -> OpaquePart:
        self.faults.append(Fault(kind=kind, n=self.n))
        return _opaque(name, value)


def _opaque(kind: str, value: JsonValue) -> OpaquePart:
    return OpaquePart(kind=kind, json=_dumps(value))


def _dumps(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)


# ---- and back


def messages_of(
    entry: Entry, bytes_of: Mapping[str, bytes], shape: JsonObject | None
) -> Iterator[JsonObject]:
    """An entry in its own shape, else in the usual one. Notes of ours are left out."""
    if entry.origin is Origin.NOTE:
        return
    if shape:
        yield _filled(shape, [_string_of(part, bytes_of) for part in entry.parts])
    elif len(entry.results) > 1:
        yield from (write_message(Origin.TOOL, (part,), bytes_of) for part in entry.results)
    else:
        yield write_message(entry.origin, entry.parts, bytes_of)


def write_message(origin: Origin, parts: tuple[Part, ...], bytes_of: Mapping[str, bytes]) -> JsonObject:
    """The usual shape: role, content, reasoning, calls."""
    if origin is Origin.TOOL:
        return _result(parts, bytes_of)
    message: JsonObject = {"role": origin.value, "content": _content(parts, bytes_of)}
    thoughts = [
        text_of(part.text, bytes_of) for part in parts if isinstance(part, ThinkingPart) and not part.redacted
    ]
    calls: list[JsonValue] = [
        {
            "id": part.call_id,
            "type": "function",
            "function": {"name": part.name, "arguments": text_of(part.arguments, bytes_of)},
        }
        for part in parts
        if isinstance(part, ToolCallPart)
    ]
    if thoughts:
        message["reasoning_content"] = "\n\n".join(thoughts)
    if calls:
        message["tool_calls"] = calls
        message["content"] = message["content"] or None
    return message


def _result(parts: tuple[Part, ...], bytes_of: Mapping[str, bytes]) -> JsonObject:
    message: JsonObject = {"role": "tool"}
    for part in parts:
        if isinstance(part, ToolResultPart):
            message["tool_call_id"] = part.call_id
            if part.name:
                message["name"] = part.name
            message["content"] = text_of(part.text, bytes_of)
    return message


def _content(parts: tuple[Part, ...], bytes_of: Mapping[str, bytes]) -> JsonValue:
    blocks: list[JsonValue] = []
    for part in parts:
        match part:
            case TextPart():
                blocks.append({"type": "text", "text": text_of(part.text, bytes_of)})
            case MediaPart():
                blocks.append({"type": "image_url", "image_url": {"url": _string_of(part, bytes_of)}})
            case OpaquePart():
                blocks.append(json.loads(part.json))
            case _:
                pass
    texts = [text_of(part.text, bytes_of) for part in parts if isinstance(part, TextPart)]
    return "\n\n".join(texts) if len(texts) == len(blocks) else blocks  # as a provider gets them


def _string_of(part: Part, bytes_of: Mapping[str, bytes]) -> str:
    """The one long text of a part as a message writes it."""
    if not isinstance(part, MediaPart):
        return text_of(body_of(part), bytes_of)
    if isinstance(part.source, str):
        return part.source
    return f"data:{part.mime};base64,{base64.b64encode(bytes_of[part.source.sha256]).decode()}"


def _shape(message: JsonObject, parts: tuple[Part, ...], bytes_of: Mapping[str, bytes]) -> JsonObject:
    index_of = {_string_of(part, bytes_of): index for index, part in enumerate(parts)}

    def shape(value: JsonValue) -> JsonValue:
        match value:
            case str() if value and value in index_of:
                return {_REFERENCE: index_of[value]}
            case list():
                return [shape(item) for item in value]
            case {"palimpsest:part": item} if len(value) == 1:  # the file's own, told from ours by the list
                return {_REFERENCE: [shape(item)]}
            case dict():
                return {key: shape(item) for key, item in value.items()}
            case _:
                return value

    return {key: shape(item) for key, item in message.items()}


def _filled(shape: JsonObject, strings: list[str]) -> JsonObject:
    def fill(value: JsonValue) -> JsonValue:
        match value:
            case {"palimpsest:part": int(index)} if len(value) == 1:
                return strings[index]
            case {"palimpsest:part": [item]} if len(value) == 1:
                return {_REFERENCE: fill(item)}
            case list():
                return [fill(item) for item in value]
            case dict():
                return {key: fill(item) for key, item in value.items()}
            case _:
                return value

    return {key: fill(item) for key, item in shape.items()}
