"""What Anthropic refuses in a conversation: roles, empty content, calls without results, altered thinking."""

from __future__ import annotations

import re

from tests.simulator.anthropic_blocks import (
    THINKING,
    binding,
    blocks,
    ids,
    loop_start,
    thinking_kind,
    thinking_signatures,
)
from tests.simulator.prompt import Asked
from tests.simulator.signatures import is_sealed, is_signed, split_binding
from tests.simulator.wire import Body, Refusal, string

_ID = re.compile(r"[a-zA-Z0-9_-]+")
_USER_BLOCKS = ("document", "image", "search_result", "text", "tool_result")
_ASSISTANT_BLOCKS = ("redacted_thinking", "text", "thinking", "tool_use")
_PREFILL = (
    "This model does not support assistant message prefill. The conversation must end with a user message."
)


def _bad(message: str) -> Refusal:
    return Refusal(status=400, message=message)


def roles(asked: Asked) -> Refusal | None:
    for index, message in enumerate(asked.messages):
        role = string(message.get("role"))
        if role == "system":
            return _bad(
                'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not '
                '"system" as an input message role.'
            )
        if role not in {"user", "assistant"}:
            return _bad(f"messages.{index}.role: Input should be 'user' or 'assistant'")
        extra = [key for key in message if key not in {"role", "content"}]
        if extra:
            return _bad(f"messages.{index}.{extra[0]}: Extra inputs are not permitted")
        if not isinstance(message.get("content"), str | list):
            return _bad(f"messages.{index}.content: Field required")
    if asked.messages[0].get("role") != "user":
        return _bad('messages: first message must use the "user" role')
    return None


def content(asked: Asked) -> Refusal | None:
    last = len(asked.messages) - 1
    for index, message in enumerate(asked.messages):
        role = string(message.get("role"))
        if not blocks(message) and not (index == last and role == "assistant"):
            return _bad(
                f"messages.{index}: all messages must have non-empty content except for the optional final assistant "
                "message"
            )
        for at, block in enumerate(blocks(message)):
            if refusal := _block(f"messages.{index}", at, block, role):
                return refusal
    return None


def _block(where: str, at: int, block: Body, role: str) -> Refusal | None:
    kind, allowed = string(block.get("type")), _USER_BLOCKS if role == "user" else _ASSISTANT_BLOCKS
    if kind not in {*_USER_BLOCKS, *_ASSISTANT_BLOCKS}:
        tags = ", ".join(f"'{name}'" for name in sorted({*_USER_BLOCKS, *_ASSISTANT_BLOCKS}))
        return _bad(
            f"{where}.content.{at}: Input tag '{kind}' found using 'type' does not match any of the expected tags: "
            f"{tags}"
        )
    if kind not in allowed:
        other = "user" if role == "assistant" else "assistant"
        return _bad(f"{where}: `{kind}` blocks can only be in `{other}` messages")
    if kind == "text":
        text = string(block.get("text"))
        if not text:
            return _bad("messages: text content blocks must be non-empty")
        return (
            None if text.strip() else _bad("messages: text content blocks must contain non-whitespace text")
        )
    return _call(f"{where}.content.{at}", block) if kind == "tool_use" else None


def _call(where: str, block: Body) -> Refusal | None:
    if not _ID.fullmatch(string(block.get("id"))):
        return _bad(f"{where}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'")
    if not isinstance(block.get("input"), dict):
        return _bad(f"{where}.tool_use.input: Input should be a valid dictionary")
    return None if block.get("name") else _bad(f"{where}.tool_use.name: Field required")


def unique_calls(asked: Asked) -> Refusal | None:
    """Across the whole request, not only inside a message."""
    seen = set[str]()
    for index, message in enumerate(asked.messages):
        for at, block in enumerate(blocks(message)):
            if block.get("type") != "tool_use":
                continue
            if block.get("id") in seen:
                return _bad(f"messages.{index}.content.{at}: `tool_use` ids must be unique")
            seen.add(string(block.get("id")))
    return None


def results(asked: Asked) -> Refusal | None:
    """Every call is answered in the next message, before anything else there, once, and nothing unasked."""
    messages = asked.messages
    for index, message in enumerate(messages):
        answered = [result for after in messages[index + 1 : index + 2] for result in _leading_results(after)]
        missing = [call for call in ids(message, "tool_use", "id") if call not in answered]
        if missing:
            return _bad(
                f"messages.{index}: `tool_use` ids were found without `tool_result` blocks immediately after: "
                f"{', '.join(missing)}. Each `tool_use` block must have a corresponding `tool_result` block in the "
                "next message."
            )
        called = ids(messages[index - 1], "tool_use", "id") if index else []
        if refusal := _unasked(index, message, called):
            return refusal
    return None


def _leading_results(message: Body) -> list[str]:
    found = list[str]()
    for block in blocks(message):
        if block.get("type") != "tool_result":
            break
        found.append(string(block.get("tool_use_id")))
    return found


def _unasked(index: int, message: Body, called: list[str]) -> Refusal | None:
    seen = set[str]()
    for at, block in enumerate(blocks(message)):
        if block.get("type") != "tool_result":
            continue
        identity, where = string(block.get("tool_use_id")), f"messages.{index}.content.{at}"
        if identity not in called:
            return _bad(
                f"{where}: unexpected `tool_use_id` found in `tool_result` blocks: {identity}. Each `tool_result` "
                "block must have a corresponding `tool_use` block in the previous message."
            )
        if identity in seen:
            return _bad(
                f"{where}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: "
                f"{identity}"
            )
        seen.add(identity)
    return None


def signatures(asked: Asked) -> Refusal | None:
    is_first = True
    for index, message in enumerate(asked.messages):
        for at, block in enumerate(blocks(message)):
            where, signature = f"messages.{index}.content.{at}", block.get("signature")
            if block.get("type") not in THINKING:
                continue
            own, bound = split_binding(string(signature) or string(block.get("data")))
            if block.get("type") == "thinking":
                if not isinstance(signature, str):
                    return _bad(f"{where}.thinking.signature: Field required")
                if not is_signed(string(block.get("thinking")), own):
                    return _bad(f"{where}: Invalid `signature` in `thinking` block")
            elif not is_sealed(own):
                return _bad(f"{where}: Invalid `data` in `redacted_thinking` block")
            if bound and asked.model.binds_thinking and not _is_bound(asked, index, bound, is_first=is_first):
                return _bad(
                    f"{where}: Invalid `signature` in `thinking` block. The block is bound to a different "
                    "conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "
                    '"drop_block".'
                )
            is_first = False
    return None


def _is_bound(asked: Asked, index: int, bound: str, *, is_first: bool) -> bool:
    """Whether a block stands where it was made; those before the first that came back may be gone."""
    now = binding(asked.body, index)
    return now.rpartition(".")[0] == bound.rpartition(".")[0] if is_first else now == bound


def thinking_first(asked: Asked) -> Refusal | None:
    """With thinking enabled the running tool loop, or a prefilled answer, starts with a thinking block."""
    if thinking_kind(asked.body) != "enabled":
        return None
    messages, last = asked.messages, len(asked.messages) - 1
    index = last if messages[last].get("role") == "assistant" else loop_start(messages)
    if index > last or not blocks(messages[index]):
        return None
    kind = string(blocks(messages[index])[0].get("type"))
    if kind in THINKING:
        return None
    return _bad(
        f"messages.{index}.content.0.type: Expected `thinking` or `redacted_thinking`, but found `{kind}`. When "
        "`thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost "
        "set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To "
        "avoid this requirement, disable `thinking`. Please consult our documentation at "
        "https://docs.claude.com/en/docs/build-with-claude/extended-thinking"
    )


def unmodified_thinking(asked: Asked) -> Refusal | None:
    """Of the newest assistant message's thinking nothing may be left out, added or moved."""
    messages = asked.messages
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if message.get("role") != "assistant":
            continue
        given = thinking_signatures(blocks(message))
        issued = [
            asked.thinking_of[call] for call in ids(message, "tool_use", "id") if call in asked.thinking_of
        ]
        if not given or not issued or issued[0] == given:
            return None
        at = next(at for at, block in enumerate(blocks(message)) if block.get("type") in THINKING)
        return _bad(
            f"messages.{index}.content.{at}: `thinking` or `redacted_thinking` blocks in the latest assistant message "
            "cannot be modified. These blocks must remain as they were in the original response."
        )
    return None


def prefill(asked: Asked) -> Refusal | None:
    last = asked.messages[-1]
    if last.get("role") != "assistant":
        return None
    if not asked.model.prefill or thinking_kind(asked.body) in {"enabled", "adaptive"}:
        return _bad(_PREFILL)
    found = blocks(last)
    text = string(found[-1].get("text")) if found else ""
    if text != text.rstrip():
        return _bad("messages: final assistant content cannot end with trailing whitespace")
    return None


RULES = (roles, content, unique_calls, results, signatures, thinking_first, unmodified_thinking, prefill)
