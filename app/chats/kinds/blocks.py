"""Blocks of messages as the makers of models write them, as parts; a block that nobody knows is kept as it is (B88)."""

import base64
import binascii
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

from pydantic import JsonValue

from app.chats.faults import Fault, FaultKind
from app.chats.kinds.tree import Speech
from app.chats.messages import JsonObject
from app.chats.originals import Originals, text_of
from app.core.entries import Origin
from app.core.ids import ModelId
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

_TEXTS = ("text", "input_text", "output_text", "summary_text")
_CALLS = ("tool_use", "toolCall", "function_call", "custom_tool_call", "server_tool_use", "tool_call")
_RESULTS = (
    "tool_result",
    "toolResult",
    "function_call_output",
    "custom_tool_call_output",
    "web_search_tool_result",
    "functionResponse",
)
_PICTURES = ("image", "image_url", "input_image")


@dataclass(kw_only=True)
class Blocks:
    """Reads the messages of one conversation, in order."""

    originals: Originals = field(default_factory=Originals)
    faults: list[Fault] = field(default_factory=list[Fault])
    n: int = 0
    """Which message is read, from 1."""
    _open: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Id and name of calls that wait for their results."""

    def speeches(
        self,
        origin: Origin,
        content: JsonValue,
        *,
        created_at: datetime | None = None,
        model: ModelId | None = None,
    ) -> tuple[Speech, ...]:
        """A message as entries: results of tools are entries of their own, wherever they stand in it."""
        return self.said(origin, self.parts(content), created_at=created_at, model=model)

    def said(
        self,
        origin: Origin,
        parts: list[Part],
        *,
        created_at: datetime | None = None,
        model: ModelId | None = None,
    ) -> tuple[Speech, ...]:
        found: list[Speech] = []
        for is_result, run in groupby(parts, key=lambda part: isinstance(part, ToolResultPart)):
            held = tuple(run)
            if is_result:
                found.extend(
                    Speech(origin=Origin.TOOL, parts=(part,), created_at=created_at) for part in held
                )
            else:
                by = model if origin is Origin.ASSISTANT else None
                found.append(Speech(origin=origin, parts=held, created_at=created_at, model=by))
        return tuple(found)

    def parts(self, content: JsonValue) -> list[Part]:
        match content:
            case None | "":
                return []
            case str(text):
                return [TextPart(text=self.body(text))]
            case list(items):
                return [part for item in items for part in self.parts(item)]
            case dict():
                return list(self._block(content))
            case _:
                return [self.opaque("value", content)]

    def body(self, text: str) -> Body:
        return self.originals.body(text, name=f"message-{self.n}.txt")

    def call(self, call_id: JsonValue, name: JsonValue, arguments: JsonValue) -> ToolCallPart:
        """Args: `arguments`: JSON, or its text as the model wrote it."""
        known = (
            clean_text(call_id)
            if isinstance(call_id, str) and call_id
            else f"call-{self.n}-{len(self._open)}"
        )
        called = clean_text(name) if isinstance(name, str) else ""
        self._open.append((known, called))
        text = arguments if isinstance(arguments, str) else _dumps(arguments or {})
        return ToolCallPart(call_id=known, name=called, arguments=self.body(text))

    def result(
        self, call_id: JsonValue, content: JsonValue, *, name: JsonValue = None, is_error: bool = False
    ) -> list[Part]:
        """The result of a call, and the pictures that came with it; without an id, of the call that waits longest."""
        wanted = clean_text(call_id) if isinstance(call_id, str) and call_id else None
        place = next(
            (at for at, (known, _) in enumerate(self._open) if wanted is None or known == wanted), None
        )
        known, called = self._open.pop(place) if place is not None else (wanted or "", "")
        parts = self.parts(_unwrapped(content))
        # A result has one text: what is none in it stays readable there.
        texts = [
            text_of(body_of(part), self.originals.bytes_of)
            for part in parts
            if isinstance(part, TextPart | OpaquePart)
        ]
        result = ToolResultPart(
            call_id=known,
            name=clean_text(name) if isinstance(name, str) else called,
            text=self.body("\n\n".join(texts)),
            is_error=is_error,
        )
        return [result, *(part for part in parts if isinstance(part, MediaPart))]

    def picture(self, data: str | bytes, mime: str) -> Part | None:
        """None: it is no picture, and a fault tells so."""
        try:
            content = base64.b64decode(data, validate=True) if isinstance(data, str) else data
        except (binascii.Error, ValueError):
            self.faults.append(Fault(kind=FaultKind.BROKEN_PICTURE, n=self.n))
            return None
        ending = mime.partition("/")[2].partition("+")[0]
        blob = self.originals.blob(content, mime=mime, name=f"message-{self.n}.{ending}")
        width, height = image_size(content)
        return MediaPart(source=blob, mime=mime, width_px=width, height_px=height)

    def opaque(self, kind: str, value: JsonValue) -> OpaquePart:
        return OpaquePart(kind=clean_text(kind), json=clean_text(_dumps(value)))

    def _block(self, block: JsonObject) -> Iterator[Part]:
        kind = block.get("type")
        kind = kind if isinstance(kind, str) else _guessed(block)
        reader = _READERS.get(kind)
        parts = reader(self, block) if reader else None
        if parts is None:
            parts = [self.opaque(kind, block)]
        yield from parts


def _guessed(block: JsonObject) -> str:
    """The kind of a block that doesn't say it, as Gemini's don't."""
    names = ("functionCall", "functionResponse", "inlineData", "text", "thought")
    return next((name for name in names if name in block), "block")


Reader = Callable[[Blocks, JsonObject], list[Part] | None]


def _text(at: Blocks, block: JsonObject) -> list[Part] | None:
    if block.get("thought") is True and isinstance(block.get("text"), str):
        return _thinking(at, block)
    return at.parts(block["text"]) if isinstance(block.get("text"), str) else None


def _thinking(at: Blocks, block: JsonObject) -> list[Part] | None:
    text = next(
        (found for name in ("thinking", "think", "text") if isinstance(found := block.get(name), str)), None
    )
    if text is None:
        return None
    signature = block.get("signature") or block.get("thinkingSignature")
    if not text and not signature:
        return []
    kept = clean_text(signature) if isinstance(signature, str) and signature else None
    return [ThinkingPart(text=at.body(text), signature=kept)]


def _redacted(at: Blocks, block: JsonObject) -> list[Part] | None:
    data = block.get("data")
    return [ThinkingPart(text=at.body(data), redacted=True)] if isinstance(data, str) else None


def _reasoning(at: Blocks, block: JsonObject) -> list[Part] | None:
    """OpenAI's: a summary, perhaps the thoughts themselves; what is encrypted is nobody's to read."""
    texts = [part for name in ("summary", "content") for part in at.parts(block.get(name))]
    return [ThinkingPart(text=part.text) for part in texts if isinstance(part, TextPart)]


def _call(at: Blocks, block: JsonObject) -> list[Part] | None:
    if not isinstance(block.get("name"), str):
        return None
    call_id = block.get("call_id") or block.get("id")
    arguments = next((block[name] for name in ("input", "arguments", "args") if name in block), None)
    return [at.call(call_id, block["name"], arguments)]


def _gemini_call(at: Blocks, block: JsonObject) -> list[Part] | None:
    held = block.get("functionCall")
    return _call(at, held) if isinstance(held, dict) else None


def _result(at: Blocks, block: JsonObject) -> list[Part] | None:
    held = block.get("functionResponse")
    if isinstance(held, dict):
        return at.result(held.get("id"), held.get("response"), name=held.get("name"))
    call_id = block.get("tool_use_id") or block.get("call_id") or block.get("toolCallId")
    content = block["output"] if "output" in block else block.get("content")
    is_error = block.get("is_error") is True or block.get("isError") is True
    return at.result(call_id, content, name=block.get("name"), is_error=is_error)


def _picture(at: Blocks, block: JsonObject) -> list[Part] | None:
    match block:
        case {"source": {"data": str(data), "media_type": str(mime)}}:
            pass
        case {"inlineData": {"data": str(data), "mimeType": str(mime)}}:
            pass
        case {"data": str(data), "mimeType": str(mime)}:
            pass
        case {"image_url": {"url": str(url)}} | {"image_url": str(url)} | {"source": {"url": str(url)}}:
            if url.startswith(("http://", "https://")):
                return [MediaPart(source=clean_text(url), mime="image/*")]
            head, comma, data = url.partition(";base64,")
            mime = head.removeprefix("data:")
            if not comma:
                return None
        case {"image_url": None}:
            return []
        case _:
            return None
    if not mime.startswith("image/"):
        return None
    found = at.picture(data, clean_text(mime))
    return [found] if found else None


_READERS: Mapping[str, Reader] = {
    **dict.fromkeys(_TEXTS, _text),
    **dict.fromkeys(_CALLS, _call),
    **dict.fromkeys(_RESULTS, _result),
    **dict.fromkeys(_PICTURES, _picture),
    "inlineData": _picture,
    "thinking": _thinking,
    "think": _thinking,
    "redacted_thinking": _redacted,
    "reasoning": _reasoning,
    "functionCall": _gemini_call,
}


def _unwrapped(content: JsonValue) -> JsonValue:
    """The text of a result that some programs put into an object."""
    if isinstance(content, dict) and "type" not in content:
        inner = content.get("output", content.get("content"))
        return inner if isinstance(inner, str | list) else _dumps(content)
    return content


def _dumps(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)
