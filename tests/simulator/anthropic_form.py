"""The Anthropic wire form: prompts, messages, events, usage and errors."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal

from tests.simulator import images
from tests.simulator.answering import Answer, Frame, text_frames
from tests.simulator.anthropic_blocks import THINKING, binding, blocks, loop_start, thinking_kind
from tests.simulator.anthropic_refusals import RULES
from tests.simulator.cache import HOUR_S
from tests.simulator.faults import Kind
from tests.simulator.models import Family, Model
from tests.simulator.prompt import Asked, Block, Prompt, first_refusal
from tests.simulator.signatures import seal, sign
from tests.simulator.wire import Body, Refusal, dumps, integer, mapping, mappings, string

if TYPE_CHECKING:
    from tests.simulator.counting import Counter

_MESSAGE_TOKENS = 4
_TOOLS_TOKENS = 300  # the system text that Anthropic adds by itself when there are tools
_FINISH = {
    "stop": "end_turn", "length": "max_tokens", "window": "model_context_window_exceeded", "tool": "tool_use",
}  # fmt: skip


class AnthropicForm:
    call_prefix = "toolu_sim"

    def prompt(self, body: Body, model: Model, counter: Counter) -> Prompt:
        """Tools, system, messages: the order in which the cache compares, whatever the order in the JSON."""
        found = list[Block]()
        for at, tool in enumerate(mappings(body.get("tools"))):
            text = dumps({key: value for key, value in tool.items() if key != "cache_control"})
            raw = counter.raw(text) + (_TOOLS_TOKENS if at == 0 else 0)
            found.append(Block(text=text, raw_tokens=raw, part="tools", marker=_marker(tool)))
        system = body.get("system")
        for item in [{"text": system}] if isinstance(system, str) else mappings(system):
            text = string(item.get("text"))
            found.append(Block(text=text, raw_tokens=counter.raw(text), part="system", marker=_marker(item)))
        # Another tool_choice, other thinking parameters or another effort void what was cached of the messages.
        settings = dumps([body.get("tool_choice"), body.get("thinking"), body.get("output_config")])
        found.append(Block(text=settings, raw_tokens=0, barrier=True))
        messages = mappings(body.get("messages"))
        running = loop_start(messages)
        for index, message in enumerate(messages):
            kept = model.keeps_thinking or index >= running
            found += _message_blocks(message, counter, with_thinking=kept)
        return Prompt(blocks=_with_automatic_marker(found, body), counter=counter)

    def refusal(self, asked: Asked) -> Refusal | None:
        return first_refusal(asked, RULES)

    def remark(self, asked: Asked) -> str:
        return ""

    def shows_reasoning(self, asked: Asked) -> bool:
        return thinking_kind(asked.body) in {"enabled", "adaptive"}

    def room(self, asked: Asked) -> tuple[int, Literal["length", "window"]]:
        wanted = integer(asked.body.get("max_tokens")) or 0
        left = asked.model.window_tokens - asked.prompt.tokens
        return (left, "window") if left < wanted else (wanted, "length")

    def usage(self, answer: Answer) -> Mapping[str, object]:
        use = answer.use
        return {
            "input_tokens": answer.asked.prompt.tokens - use.read_tokens - use.written_tokens,
            "cache_creation_input_tokens": use.written_tokens,
            "cache_read_input_tokens": use.read_tokens,
            "cache_creation": {
                "ephemeral_5m_input_tokens": use.written_5m_tokens,
                "ephemeral_1h_input_tokens": use.written_1h_tokens,
            },
            "output_tokens": answer.output_tokens,
            "service_tier": "standard",
        }

    def whole(self, answer: Answer, fault: Kind | None) -> Mapping[str, object]:
        usage = {} if fault is Kind.NO_USAGE else {"usage": self.usage(answer)}
        content = [_finished(block) for block in answer_blocks(answer)]
        return {**_message(answer), "content": content, "stop_reason": _finish(answer, fault), **usage}

    def frames(self, answer: Answer, fault: Kind | None) -> Iterator[Frame]:
        usage = self.usage(answer)
        started = {**_message(answer), "content": list[object](), "stop_reason": None}
        if fault is not Kind.NO_USAGE:
            started["usage"] = {**usage, "output_tokens": 1}
        yield _event("message_start", {"message": started})
        for index, block in enumerate(answer_blocks(answer)):
            yield _event("content_block_start", {"index": index, "content_block": _opened(block)})
            if index == 0:
                yield _event("ping", {})
            for delta, tokens in _deltas(block, answer.asked.prompt.counter):
                yield _event("content_block_delta", {"index": index, "delta": delta}, tokens=tokens)
            yield _event("content_block_stop", {"index": index})
        ending: dict[str, object] = {"delta": {"stop_reason": _finish(answer, fault), "stop_sequence": None}}
        if fault is not Kind.NO_USAGE:
            ending["usage"] = {key: value for key, value in usage.items() if key.endswith("_tokens")}
        yield _event("message_delta", ending)
        yield _event("message_stop", {})

    def error(self, refusal: Refusal, family: Family) -> object:
        error = {"type": refusal.type, "message": refusal.message}
        return {"type": "error", "error": error, "request_id": "req_simulator"}

    def error_frame(self) -> Frame:
        return _event("error", {"error": {"type": "overloaded_error", "message": "Overloaded"}})


def answer_blocks(answer: Answer) -> list[dict[str, object]]:
    """The content of an answer: thinking with its signature, text, calls with their raw arguments."""
    turn, found = answer.turn, list[dict[str, object]]()
    bound = binding(answer.asked.body) if answer.model.binds_thinking else ""
    if turn.reasoning and turn.redacted:
        found.append({"type": "redacted_thinking", "data": seal(turn.reasoning) + bound})
    elif turn.reasoning:
        signature = sign(turn.reasoning) + bound
        found.append({"type": "thinking", "thinking": turn.reasoning, "signature": signature})
    if turn.text:
        found.append({"type": "text", "text": turn.text})
    for call in turn.tool_calls:
        found.append({"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments})
    return found


def _finished(block: Mapping[str, object]) -> Mapping[str, object]:
    if block["type"] != "tool_use":
        return block
    try:
        parsed: object = json.loads(string(block["input"]))
    except ValueError:
        parsed = {}
    return {**block, "input": parsed}


def _opened(block: Mapping[str, object]) -> Mapping[str, object]:
    match block["type"]:
        case "thinking":
            return {"type": "thinking", "thinking": "", "signature": ""}
        case "text":
            return {"type": "text", "text": ""}
        case "tool_use":
            return {**block, "input": {}}
        case _:
            return block


def _deltas(block: Mapping[str, object], counter: Counter) -> Iterator[tuple[Mapping[str, object], int]]:
    match block["type"]:
        case "thinking":
            for piece, tokens in text_frames(string(block["thinking"]), counter):
                yield {"type": "thinking_delta", "thinking": piece}, tokens
            yield {"type": "signature_delta", "signature": block["signature"]}, 0
        case "text":
            for piece, tokens in text_frames(string(block["text"]), counter):
                yield {"type": "text_delta", "text": piece}, tokens
        case "tool_use":
            yield {"type": "input_json_delta", "partial_json": ""}, 0
            for piece, tokens in text_frames(string(block["input"]), counter):
                yield {"type": "input_json_delta", "partial_json": piece}, tokens
        case _:
            return


def _message_blocks(message: Body, counter: Counter, *, with_thinking: bool) -> Iterator[Block]:
    extra = _MESSAGE_TOKENS
    for block in blocks(message):
        if block.get("type") in THINKING and not with_thinking:
            continue
        text, tokens = _content(block, counter)
        yield Block(
            text=f"{message.get('role')}\0{block.get('type')}\0{text}",
            raw_tokens=tokens + extra,
            marker=_marker(block),
        )
        extra = 0


def _content(block: Body, counter: Counter) -> tuple[str, int]:
    """What of a block decides a hit, and its raw tokens."""
    match block.get("type"):
        case "text":
            text = string(block.get("text"))
        case "image":
            source = mapping(block.get("source"))
            data = string(source.get("data")) or string(source.get("url"))
            picture = images.from_base64(data) if source.get("type") == "base64" else None
            # An image has a price of its own, which the vocabulary's factor doesn't touch.
            tokens = round(images.anthropic_tokens(picture) / counter.factor)
            return hashlib.sha256(data.encode()).hexdigest(), tokens
        case "tool_result":
            content = block.get("content")
            inner = [{"type": "text", "text": content}] if isinstance(content, str) else mappings(content)
            parts = [_content(item, counter) for item in inner]
            text = f"{block.get('tool_use_id')}\0{block.get('is_error')}\0" + "\0".join(
                part for part, _ in parts
            )
            return text, sum(tokens for _, tokens in parts) + 8
        case _:
            text = dumps(
                {key: value for key, value in block.items() if key not in {"cache_control", "signature"}}
            )
    return text, counter.raw(text)


def _marker(block: Body) -> float | None:
    control = block.get("cache_control")
    if control is None:
        return None
    return HOUR_S if mapping(control).get("ttl") == "1h" else 300.0


def _with_automatic_marker(found: list[Block], body: Body) -> tuple[Block, ...]:
    """A `cache_control` on the request itself marks its last block."""
    if body.get("cache_control") is None or not found or found[-1].barrier:
        return tuple(found)
    last = found[-1]
    return (
        *found[:-1],
        Block(text=last.text, raw_tokens=last.raw_tokens, part=last.part, marker=_marker(body)),
    )


def _message(answer: Answer) -> dict[str, object]:
    return {
        "id": f"msg_sim{answer.number:06d}", "type": "message", "role": "assistant", "model": answer.asked.name,
        "stop_sequence": None,
    }  # fmt: skip


def _finish(answer: Answer, fault: Kind | None) -> str | None:
    return None if fault is Kind.NO_FINISH else answer.turn.finish_reason or _FINISH[answer.end]


def _event(kind: str, data: Mapping[str, object], *, tokens: int = 0) -> Frame:
    return Frame(event=kind, data=dumps({"type": kind, **data}), tokens=tokens)
