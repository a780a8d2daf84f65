"""The OpenAI wire form: prompts, completions, chunks, usage and errors of the families behind it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal

from tests.simulator import images
from tests.simulator.answering import Answer, Frame, text_frames
from tests.simulator.faults import Kind
from tests.simulator.models import Family, Model
from tests.simulator.openai_family_refusals import RULES, broken_arguments, call_text, last_user_index, thinks
from tests.simulator.prompt import Asked, Block, Prompt, first_refusal
from tests.simulator.provider_errors import GOOGLE_STATUS
from tests.simulator.signatures import sign
from tests.simulator.wire import Body, Refusal, dumps, integer, mapping, mappings, string

if TYPE_CHECKING:
    from tests.simulator.counting import Counter

_MESSAGE_TOKENS = 4
_SHOWS_REASONING = {Family.DEEPSEEK, Family.QWEN}
_FINISH = {"stop": "stop", "length": "length", "window": "length", "tool": "tool_calls"}


class OpenAIForm:
    call_prefix = "call_"

    def prompt(self, body: Body, model: Model, counter: Counter) -> Prompt:
        blocks = [
            Block(text=dumps(tool), raw_tokens=counter.raw(dumps(tool)) + 8, part="tools")
            for tool in mappings(body.get("tools"))
        ]
        messages = mappings(body.get("messages"))
        running = last_user_index(messages)
        for index, message in enumerate(messages):
            replayed = bool(message.get("tool_calls")) or index > running
            blocks += _message_blocks(
                message, counter, with_reasoning=replayed and model.family is Family.DEEPSEEK
            )
        return Prompt(blocks=tuple(blocks), counter=counter)

    def refusal(self, asked: Asked) -> Refusal | None:
        return first_refusal(asked, RULES[asked.model.family])

    def remark(self, asked: Asked) -> str:
        """What OpenAI and DeepSeek let pass, and Anthropic, Gemini and Qwen don't."""
        where = broken_arguments(asked)
        return f"{where} is no JSON object" if where else ""

    def shows_reasoning(self, asked: Asked) -> bool:
        return asked.model.family in _SHOWS_REASONING and thinks(asked)

    def room(self, asked: Asked) -> tuple[int, Literal["length", "window"]]:
        wanted = integer(asked.body.get("max_completion_tokens")) or integer(asked.body.get("max_tokens"))
        left = asked.model.window_tokens - asked.prompt.tokens
        room = wanted or asked.model.output_tokens
        return (min(room, left) if asked.model.shares_window else room), "length"

    def usage(self, answer: Answer) -> Mapping[str, object]:
        prompt_tokens, use = answer.asked.prompt.tokens, answer.use
        usage: dict[str, object] = {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": answer.output_tokens,
            "total_tokens": prompt_tokens + answer.output_tokens,
            "prompt_tokens_details": {"cached_tokens": use.read_tokens, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": answer.reasoning_tokens, "audio_tokens": 0},
        }
        if answer.model.family is Family.DEEPSEEK:
            usage["prompt_cache_hit_tokens"] = use.read_tokens
            usage["prompt_cache_miss_tokens"] = prompt_tokens - use.read_tokens
        if answer.model.family is Family.QWEN:
            usage["prompt_tokens_details"] = {
                "cached_tokens": use.read_tokens,
                "cache_creation_input_tokens": use.written_tokens,
                "cache_creation": {"ephemeral_5m_input_tokens": use.written_tokens},
                "cache_type": "ephemeral",
            }
        return usage

    def whole(self, answer: Answer, fault: Kind | None) -> Mapping[str, object]:
        turn = answer.turn
        message: dict[str, object] = {"role": "assistant", "content": turn.text or None, "refusal": None}
        if turn.reasoning:
            message["reasoning_content"] = turn.reasoning
        if turn.tool_calls:
            message["tool_calls"] = [_call(answer, at) for at in range(len(turn.tool_calls))]
        choice = {
            "index": 0,
            "message": message,
            "logprobs": None,
            "finish_reason": self._finish(answer, fault),
        }
        body = {**_head(answer, "chat.completion"), "choices": [choice]}
        return body if fault is Kind.NO_USAGE else {**body, "usage": self.usage(answer)}

    def frames(self, answer: Answer, fault: Kind | None) -> Iterator[Frame]:
        wants_usage = mapping(answer.asked.body.get("stream_options")).get("include_usage") is True
        head = _head(answer, "chat.completion.chunk")
        empty_usage = {"usage": None} if wants_usage else {}

        def chunk(delta: Mapping[str, object], *, tokens: int = 0, finish: str | None = None) -> Frame:
            choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
            return Frame(data=dumps({**head, "choices": [choice], **empty_usage}), tokens=tokens)

        yield chunk({"role": "assistant", "content": "" if answer.turn.text else None})
        for delta, tokens in _deltas(answer):
            yield chunk(delta, tokens=tokens)
        if fault is not Kind.NO_FINISH:
            yield chunk({}, finish=self._finish(answer, fault))
        if wants_usage and fault is not Kind.NO_USAGE:
            choices = {} if fault is Kind.USAGE_WITHOUT_CHOICES else {"choices": list[object]()}
            yield Frame(data=dumps({**head, **choices, "usage": self.usage(answer)}))
        yield Frame(data="[DONE]")

    def error(self, refusal: Refusal, family: Family) -> object:
        if family is Family.GEMINI:
            status = GOOGLE_STATUS.get(refusal.status, "UNKNOWN")
            return [{"error": {"code": refusal.status, "message": refusal.message, "status": status}}]
        return {
            "error": {
                "message": refusal.message, "type": refusal.type, "param": refusal.param, "code": refusal.code,
            },
        }  # fmt: skip

    def error_frame(self) -> Frame:
        message = "The server had an error while processing your request. Sorry about that!"
        return Frame(
            data=dumps({"error": {"message": message, "type": "server_error", "param": None, "code": None}})
        )

    def _finish(self, answer: Answer, fault: Kind | None) -> str | None:
        return None if fault is Kind.NO_FINISH else answer.turn.finish_reason or _FINISH[answer.end]


def _message_blocks(message: Body, counter: Counter, *, with_reasoning: bool) -> Iterator[Block]:
    start = f"{message.get('role')}\0{message.get('name', '')}\0{message.get('tool_call_id', '')}\0"
    part: Literal["system", "messages"] = (
        "system" if message.get("role") in {"system", "developer"} else "messages"
    )
    content, extra = message.get("content"), _MESSAGE_TOKENS
    if with_reasoning and (reasoning := string(message.get("reasoning_content"))):
        yield Block(text=f"{start}reasoning\0{reasoning}", raw_tokens=counter.raw(reasoning))
    if isinstance(content, str) or content is None:
        yield Block(text=start + string(content), raw_tokens=counter.raw(string(content)) + extra, part=part)
        extra = 0
    for item in mappings(content):
        marker = 300.0 if "cache_control" in item else None
        text, tokens = _part(item, counter)
        yield Block(text=start + text, raw_tokens=tokens + extra, part=part, marker=marker)
        extra = 0
    for call in mappings(message.get("tool_calls")):
        function = mapping(call.get("function"))
        text = f"{string(function.get('name'))}\0{string(function.get('arguments'))}"
        yield Block(text=f"call\0{string(call.get('id'))}\0{text}", raw_tokens=counter.raw(text) + 8)


def _part(item: Body, counter: Counter) -> tuple[str, int]:
    if item.get("type") == "image_url":
        picture = mapping(item.get("image_url"))
        url = string(picture.get("url"))
        tokens = images.openai_tokens(images.from_url(url)[1], detail=string(picture.get("detail")))
        # An image has a price of its own, which the vocabulary's factor doesn't touch.
        return hashlib.sha256(url.encode()).hexdigest(), round(tokens / counter.factor)
    text = string(item.get("text"))
    return text, counter.raw(text)


def _head(answer: Answer, kind: str) -> dict[str, object]:
    return {
        "id": f"chatcmpl-sim{answer.number:06d}", "object": kind, "created": answer.created,
        "model": answer.asked.name, "service_tier": "default", "system_fingerprint": "fp_simulator",
    }  # fmt: skip


def _deltas(answer: Answer) -> Iterator[tuple[Mapping[str, object], int]]:
    turn, counter = answer.turn, answer.asked.prompt.counter
    for piece, tokens in text_frames(turn.reasoning, counter):
        yield {"reasoning_content": piece}, tokens
    for piece, tokens in text_frames(turn.text, counter):
        yield {"content": piece}, tokens
    for at, call in enumerate(turn.tool_calls):
        head = _call(answer, at)
        opening = {**head, "index": call.index, "function": {"name": call.name, "arguments": ""}}
        yield {"tool_calls": [opening]}, 8
        for piece, tokens in text_frames(call.arguments, counter):
            yield {"tool_calls": [{"index": call.index, "function": {"arguments": piece}}]}, tokens


def _call(answer: Answer, at: int) -> dict[str, object]:
    call = answer.turn.tool_calls[at]
    head: dict[str, object] = {
        "id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments},
    }  # fmt: skip
    if answer.model.demands_signatures and at == 0:
        signature = sign(call_text(call.name, call.arguments))
        head["extra_content"] = {"google": {"thought_signature": signature}}
    return head
