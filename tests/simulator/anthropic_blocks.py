"""How Anthropic's messages are read: blocks, the running tool loop, thinking, markers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tests.simulator.wire import Body, dumps, mapping, mappings, string

if TYPE_CHECKING:
    from collections.abc import Sequence

THINKING = {"thinking", "redacted_thinking"}


def blocks(message: Body) -> list[Body]:
    """The content of a message as blocks; a string is one text block, an empty one is none."""
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return mappings(content)


def ids(message: Body, kind: str, key: str) -> list[str]:
    """The call ids in a message: `tool_use` with "id", `tool_result` with "tool_use_id"."""
    return [string(block.get(key)) for block in blocks(message) if block.get("type") == kind]


def is_result_turn(message: Body) -> bool:
    """A user message that only goes on with a tool loop."""
    found = blocks(message)
    return message.get("role") == "user" and bool(found) and found[0].get("type") == "tool_result"


def loop_start(messages: Sequence[Body]) -> int:
    """Index of the first assistant message of the tool loop that is still running; its length if none is."""
    start = len(messages)
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].get("role") == "assistant":
            start = index
        elif not is_result_turn(messages[index]):
            break
    return start if messages and is_result_turn(messages[-1]) else len(messages)


def thinking_signatures(content: Sequence[Body]) -> tuple[str, ...]:
    """What identifies the thinking in a message, in order."""
    return tuple(
        string(block.get("signature")) or string(block.get("data"))
        for block in content
        if block.get("type") in THINKING
    )


def binding(body: Body, until: int | None = None) -> str:
    """What the newest models add to a signature: a hash of all that stands before it but thinking and marks, and the
    end of the thinking before it.

    Args:
        until: Of so many first messages; None: of all.
    """
    messages = mappings(body.get("messages"))[:until]
    said = [[message.get("role"), _unmarked(_said(message))] for message in messages]
    system = body.get("system")
    system = [{"type": "text", "text": system}] if isinstance(system, str) else system
    prefix = hashlib.sha256(dumps([_unmarked(system), _unmarked(body.get("tools")), said]).encode())
    thoughts = [item for message in messages for item in thinking_signatures(blocks(message))]
    last = hashlib.sha256(thoughts[-1].encode()).hexdigest()[:12] if thoughts else ""
    return f".{prefix.hexdigest()[:32]}.{last}"


def _said(message: Body) -> list[Body]:
    return [block for block in blocks(message) if block.get("type") not in THINKING]


def _unmarked(value: object) -> object:
    return [{key: item for key, item in block.items() if key != "cache_control"} for block in mappings(value)]


def thinking_kind(body: Body) -> str:
    """ "enabled", "adaptive", "disabled", or "" where nothing is said."""
    return string(mapping(body.get("thinking")).get("type"))


def marked(body: Body) -> Iterator[tuple[str, Body, Body]]:
    """Every block with a `cache_control` in the provider's order: its place, the block, the marker."""
    groups = [("tools", mappings(body.get("tools"))), ("system", mappings(body.get("system")))]
    groups += [
        (f"messages.{index}.content", mappings(message.get("content")))
        for index, message in enumerate(mappings(body.get("messages")))
    ]
    for where, group in groups:
        for at, block in enumerate(group):
            if block.get("cache_control") is not None:
                yield f"{where}.{at}", block, mapping(block.get("cache_control"))
            for nested, inner in enumerate(mappings(block.get("content"))):
                if inner.get("cache_control") is not None:
                    yield f"{where}.{at}.content.{nested}", inner, mapping(inner.get("cache_control"))
