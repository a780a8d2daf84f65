"""A small HTTP client for the simulator's tests: status, headers and bytes, nothing interpreted for you."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp

from tests.simulator import Simulator

USER = {"role": "user", "content": "Hello"}
_ANTHROPIC = {"anthropic-version": "2023-06-01", "x-api-key": "sk-ant-test-1234"}
_OPENAI = {"Authorization": "Bearer sk-test-1234"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    raw: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.raw)

    @property
    def events(self) -> list[Any]:
        """The data of every server-sent event, parsed, without OpenAI's [DONE]."""
        text = self.raw.decode().replace("\r\n", "\n")
        found = ["\n".join(_data(event)) for event in text.split("\n\n") if _data(event)]
        return [json.loads(data) for data in found if data != "[DONE]"]

    @property
    def text(self) -> str:
        """All text of a stream, in either form."""
        if self.events and "choices" not in self.events[0]:
            deltas = [event.get("delta", {}) for event in self.events]
            return "".join(delta.get("text", "") for delta in deltas)
        choices = [choice for event in self.events for choice in event.get("choices", [])]
        return "".join(choice["delta"].get("content") or "" for choice in choices)


def _data(event: str) -> list[str]:
    return [line.removeprefix("data: ") for line in event.split("\n") if line.startswith("data:")]


async def post(sim: Simulator, path: str, body: object, headers: Mapping[str, str] | None = None) -> Reply:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    async with (
        aiohttp.ClientSession() as session,
        session.post(sim.base_url + path, data=data, headers=headers) as response,
    ):
        return Reply(status=response.status, headers=response.headers, raw=await response.read())


async def get(sim: Simulator, path: str, headers: Mapping[str, str] | None = None) -> Reply:
    async with (
        aiohttp.ClientSession() as session,
        session.get(sim.base_url + path, headers=headers) as response,
    ):
        return Reply(status=response.status, headers=response.headers, raw=await response.read())


async def openai(sim: Simulator, model: str = "gpt-4o", /, **body: Any) -> Reply:
    return await post(sim, "/v1/chat/completions", {"model": model, "messages": [USER], **body}, _OPENAI)


async def anthropic(sim: Simulator, model: str = "claude-sonnet-4-5", /, **body: Any) -> Reply:
    whole = {"model": model, "max_tokens": 2000, "messages": [USER], **body}
    return await post(sim, "/v1/messages", whole, _ANTHROPIC)


def call(identity: str = "call_1", arguments: str = "{}", name: str = "ls") -> dict[str, object]:
    """An OpenAI tool call."""
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}}


def calling(*calls: dict[str, object], **more: object) -> dict[str, object]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls), **more}


def result(identity: str = "call_1", content: str = "a.txt") -> dict[str, object]:
    return {"role": "tool", "tool_call_id": identity, "content": content}


def tool_use(identity: str = "toolu_1", **more: object) -> dict[str, object]:
    """An Anthropic tool call."""
    return {"type": "tool_use", "id": identity, "name": "ls", "input": {}, **more}


def tool_result(identity: str = "toolu_1", content: object = "a.txt") -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": identity, "content": content}


def user(*blocks: object) -> dict[str, object]:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: object) -> dict[str, object]:
    return {"role": "assistant", "content": list(blocks)}


def text(words: str, **more: object) -> dict[str, object]:
    return {"type": "text", "text": words, **more}


MARK = {"cache_control": {"type": "ephemeral"}}
HOUR_MARK = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
