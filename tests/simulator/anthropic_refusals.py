"""What Anthropic's messages refuse before they look at the conversation: parameters, tools, markers, sizes."""

from __future__ import annotations

import re
from itertools import chain

from tests.simulator import images
from tests.simulator.anthropic_blocks import THINKING, blocks, marked, thinking_kind
from tests.simulator.anthropic_message_refusals import RULES as MESSAGE_RULES
from tests.simulator.prompt import Asked
from tests.simulator.wire import Body, Refusal, integer, mapping, mappings, string

_DOCS = "https://docs.claude.com/en/docs/build-with-claude/extended-thinking"
_TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_IMAGE_BYTES = 5 * 1024 * 1024
_KNOWN = frozenset(
    [
        "model",
        "messages",
        "system",
        "max_tokens",
        "metadata",
        "stop_sequences",
        "stream",
        "temperature",
        "top_k",
        "top_p",
        "tools",
        "tool_choice",
        "thinking",
        "service_tier",
        "container",
        "context_management",
        "mcp_servers",
        "output_config",
        "output_format",
        "cache_control",
        "inference_geo",
        "speed",
        "betas",
    ]
)


def _bad(message: str) -> Refusal:
    return Refusal(status=400, message=message)


def fields(asked: Asked) -> Refusal | None:
    for name in asked.body:
        if name not in _KNOWN:
            return _bad(f"{name}: Extra inputs are not permitted")
    for name in ("max_tokens", "messages"):
        if asked.body.get(name) is None:
            return _bad(f"{name}: Field required")
    if not isinstance(asked.body.get("messages"), list):
        return _bad("messages: Input should be a valid list")
    return None if asked.messages else _bad("messages: at least one message is required")


def output_limit(asked: Asked) -> Refusal | None:
    wanted, limit = integer(asked.body.get("max_tokens")), asked.model.output_tokens
    if wanted is None:
        return _bad("max_tokens: Input should be a valid integer")
    if wanted < 0:
        return _bad("max_tokens: Input should be greater than or equal to 0")
    if wanted > limit:
        return _bad(
            f"max_tokens: {wanted} > {limit}, which is the maximum allowed number of output tokens for {asked.name}"
        )
    forced = mapping(asked.body.get("tool_choice")).get("type") in {"any", "tool"}
    thinks = thinking_kind(asked.body) in {"enabled", "adaptive"}
    if wanted == 0 and (asked.body.get("stream") is True or forced or thinks):
        return _bad("max_tokens: 0 is not supported with streaming, thinking, or a forced tool choice")
    return None


def system_text(asked: Asked) -> Refusal | None:
    empty = any(
        block.get("type") == "text" and not block.get("text") for block in mappings(asked.body.get("system"))
    )
    return _bad("system: text content blocks must be non-empty") if empty else None


def tools(asked: Asked) -> Refusal | None:
    names = list[str]()
    for at, tool in enumerate(mappings(asked.body.get("tools"))):
        name = string(tool.get("name"))
        if not _TOOL_NAME.fullmatch(name):
            return _bad(f"tools.{at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'")
        if string(tool.get("type")) in {"", "custom"}:
            if not isinstance(tool.get("input_schema"), dict):
                return _bad(f"tools.{at}.custom.input_schema: Field required")
            if mapping(tool.get("input_schema")).get("type") != "object":
                return _bad(f"tools.{at}.custom.input_schema.type: Input should be 'object'")
        names.append(name)
    return None if len(set(names)) == len(names) else _bad("tools: Tool names must be unique.")


def thinking_parameters(asked: Asked) -> Refusal | None:
    body, kind = asked.body, thinking_kind(asked.body)
    if kind not in {"enabled", "adaptive"}:
        return None
    if kind == "enabled":
        if asked.model.adaptive_only:
            return _bad(
                '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and '
                '"output_config.effort" to control thinking behavior.'
            )
        budget = integer(mapping(body.get("thinking")).get("budget_tokens"))
        if budget is None:
            return _bad("thinking.enabled.budget_tokens: Field required")
        if budget < 1024:
            return _bad("thinking.enabled.budget_tokens: Input should be greater than or equal to 1024")
        if budget >= (integer(body.get("max_tokens")) or 0):
            return _bad(
                f"`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at "
                f"{_DOCS}#max-tokens-and-context-window-size"
            )
    if body.get("temperature") not in {None, 1}:
        return _bad(
            "`temperature` may only be set to 1 when thinking is enabled. Please consult our documentation at "
            f"{_DOCS}#important-considerations-when-using-extended-thinking"
        )
    if mapping(body.get("tool_choice")).get("type") in {"any", "tool"}:
        return _bad("Thinking may not be enabled when tool_choice forces tool use.")
    return None


def markers(asked: Asked) -> Refusal | None:
    """At most four, none on empty text or thinking, an hour before five minutes."""
    found = list(marked(asked.body))
    n_found = len(found) + (asked.body.get("cache_control") is not None)
    if n_found > 4:
        return _bad(f"A maximum of 4 blocks with cache_control may be provided. Found {n_found}.")
    short_seen = False
    for where, block, marker in found:
        if refusal := _marker(where, block, marker):
            return refusal
        if marker.get("ttl") == "1h" and short_seen:
            return _bad(
                f"{where}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' "
                "cache_control block. Note that blocks are processed in the following order: `tools`, `system`, "
                "`messages`."
            )
        short_seen = short_seen or marker.get("ttl") != "1h"
    return None


def _marker(where: str, block: Body, marker: Body) -> Refusal | None:
    kind = string(block.get("type"))
    if marker.get("type") != "ephemeral":
        return _bad(
            f"{where}.cache_control: Input tag '{marker.get('type')}' found using 'type' does not match any of "
            "the expected tags: 'ephemeral'"
        )
    if marker.get("ttl") not in {None, "5m", "1h"}:
        return _bad(f"{where}.cache_control.ephemeral.ttl: Input should be '5m' or '1h'")
    if kind == "text" and not block.get("text"):
        return _bad(f"{where}: cache_control cannot be set for empty text blocks")
    if kind in THINKING:
        return _bad(f"{where}.{kind}.cache_control: Extra inputs are not permitted")
    return None


def media(asked: Asked) -> Refusal | None:
    found = list[tuple[str, Body]]()
    for index, message in enumerate(asked.messages):
        for at, block in enumerate(blocks(message)):
            where = f"messages.{index}.content.{at}"
            nested = enumerate(mappings(block.get("content")))
            inner = ((f"{where}.tool_result.content.{inside}", part) for inside, part in nested)
            found += [
                (place, part) for place, part in chain([(where, block)], inner) if part.get("type") == "image"
            ]
    if len(found) > asked.model.images:
        return _bad(f"Too much media: 0 document pages + {len(found)} images > {asked.model.images}")
    return next((bad for where, block in found if (bad := _image(where, block, n_images=len(found)))), None)


def _image(where: str, block: Body, *, n_images: int) -> Refusal | None:
    source = mapping(block.get("source"))
    if source.get("type") != "base64":
        return None
    where, claimed = f"{where}.image.source.base64", string(source.get("media_type"))
    picture = images.from_base64(string(source.get("data")))
    if picture.n_encoded > _IMAGE_BYTES:
        return _bad(f"{where}: image exceeds 5 MB maximum: {picture.n_encoded} bytes > {_IMAGE_BYTES} bytes")
    if not picture.kind:
        return _bad("Could not process image")
    if picture.kind != claimed:
        return _bad(
            f"{where}.data: The image was specified using the {claimed} media type, but the image appears to be a "
            f"{picture.kind} image"
        )
    largest = max(picture.width, picture.height)
    if largest > 8000:
        return _bad(
            f"{where}.data: At least one of the image dimensions exceed max allowed size: 8000 pixels"
        )
    if n_images > 20 and largest > 2000:
        return _bad(
            f"{where}.data: At least one of the image dimensions exceed max allowed size for many-image requests: "
            "2000 pixels"
        )
    return None


def length(asked: Asked) -> Refusal | None:
    used, window = asked.prompt.tokens, asked.model.window_tokens
    if used > window:
        return _bad(f"prompt is too long: {used} tokens > {window} maximum")
    wanted = integer(asked.body.get("max_tokens")) or 0
    if asked.model.shares_window and used + wanted > window:
        return _bad(
            f"input length and `max_tokens` exceed context limit: {used} + {wanted} > {window}, decrease input length "
            "or `max_tokens` and try again"
        )
    return None


RULES = (
    fields, output_limit, system_text, tools, thinking_parameters, *MESSAGE_RULES, markers, media, length,
)  # fmt: skip
