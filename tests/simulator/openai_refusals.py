"""What OpenAI's chat completions refuse, in OpenAI's words; a tuple of rules in the order of checking."""

from __future__ import annotations

import re

from tests.simulator import images
from tests.simulator.openai_pairing import pairing_problem
from tests.simulator.prompt import Asked
from tests.simulator.wire import Refusal, integer, kind_of, mapping, mappings, sequence, string

_ROLES = ("system", "assistant", "user", "function", "tool", "developer")
_NAME = re.compile(r"[a-zA-Z0-9_-]+")
_STRING_CHARACTERS = 10_485_760
_KNOWN = frozenset(
    [
        "model",
        "messages",
        "stream",
        "stream_options",
        "max_tokens",
        "max_completion_tokens",
        "temperature",
        "top_p",
        "n",
        "stop",
        "seed",
        "user",
        "tools",
        "tool_choice",
        "parallel_tool_calls",
        "response_format",
        "presence_penalty",
        "frequency_penalty",
        "logit_bias",
        "logprobs",
        "top_logprobs",
        "reasoning_effort",
        "verbosity",
        "store",
        "metadata",
        "service_tier",
        "prompt_cache_key",
        "prompt_cache_retention",
        "safety_identifier",
        "modalities",
        "prediction",
        "audio",
        "web_search_options",
        "functions",
        "function_call",
    ]
)


def _bad(message: str, param: str | None = None, code: str | None = None) -> Refusal:
    return Refusal(status=400, message=message, param=param, code=code)


def known_parameters(asked: Asked) -> Refusal | None:
    for name in asked.body:
        if name not in _KNOWN:
            return _bad(f"Unknown parameter: '{name}'.", name, "unknown_parameter")
    return None


def messages_present(asked: Asked) -> Refusal | None:
    value = asked.body.get("messages")
    if value is None:
        message = "Missing required parameter: 'messages'."
        return _bad(message, "messages", "missing_required_parameter")
    if not isinstance(value, list):
        message = (
            f"Invalid type for 'messages': expected an array of objects, but got {kind_of(value)} instead."
        )
        return _bad(message, "messages", "invalid_type")
    return None if value else _bad(_empty("messages"), "messages", "empty_array")


def roles(asked: Asked) -> Refusal | None:
    for index, message in enumerate(asked.messages):
        role = message.get("role")
        if role not in _ROLES:
            quoted = ", ".join(f"'{name}'" for name in _ROLES[:-1])
            text = f"Invalid value: '{role}'. Supported values are: {quoted}, and '{_ROLES[-1]}'."
            return _bad(text, f"messages[{index}].role", "invalid_value")
    return None


def contents(asked: Asked) -> Refusal | None:
    for index, message in enumerate(asked.messages):
        content, where = message.get("content"), f"messages[{index}].content"
        if content is None and not (message.get("role") == "assistant" and message.get("tool_calls")):
            text = "Invalid value for 'content': expected a string, got null."
            return _bad(text, f"messages.[{index}].content")
        if isinstance(content, list) and not content:
            return _bad(_empty(where), where, "empty_array")
        if content is not None and not isinstance(content, str) and not isinstance(content, list):
            text = f"Invalid type for '{where}': expected one of a string or array of objects, but got {kind_of(content)} instead."
            return _bad(text, where, "invalid_type")
        if isinstance(content, str) and len(content) > _STRING_CHARACTERS:
            return _too_long(where, _STRING_CHARACTERS, len(content))
        for at, part in enumerate(mappings(message.get("content"))):
            if "cache_control" in part:
                name = f"{where}[{at}].cache_control"
                return _bad(f"Unknown parameter: '{name}'.", name, "unknown_parameter")
    return None


def pairing(asked: Asked) -> Refusal | None:
    problem = pairing_problem(asked.messages)
    if problem is None:
        return None
    where = f"messages.[{problem.index}]"
    match problem.kind:
        case "unanswered":
            text = (
                "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
                "'tool_call_id'. The following tool_call_ids did not have response messages: "
                + ", ".join(problem.ids)
            )
            return _bad(text, f"{where}.role")
        case "orphan":
            text = (
                "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with "
                "'tool_calls'."
            )
            return _bad(text, f"{where}.role")
        case "stranger":
            text = f"Invalid parameter: 'tool_call_id' of '{problem.ids[0]}' not found in 'tool_calls' of previous message."
            return _bad(text, f"{where}.tool_call_id")
        case "duplicate":
            return _bad(f"Duplicate value for 'tool_call_id' of '{problem.ids[0]}' in {where}.", where)


def call_shapes(asked: Asked) -> Refusal | None:
    for index, message in enumerate(asked.messages):
        where = f"messages[{index}].tool_calls"
        if isinstance(message.get("tool_calls"), list) and not message.get("tool_calls"):
            return _bad(_empty(where), where, "empty_array")
        for at, call in enumerate(mappings(message.get("tool_calls"))):
            if refusal := _call_shape(mapping(call), f"{where}[{at}]"):
                return refusal
    return None


def _call_shape(call: object, where: str) -> Refusal | None:
    function, identity = mapping(mapping(call).get("function")), string(mapping(call).get("id"))
    if not identity:
        return _bad(f"Missing required parameter: '{where}.id'.", f"{where}.id", "missing_required_parameter")
    if len(identity) > 40:
        return _too_long(f"{where}.id", 40, len(identity))
    arguments, name = function.get("arguments"), string(function.get("name"))
    if not isinstance(arguments, str):
        where = f"{where}.function.arguments"
        text = f"Invalid type for '{where}': expected a string, but got {kind_of(arguments)} instead."
        return _bad(text, where, "invalid_type")
    return _name(name, f"{where}.function.name")


def tools(asked: Asked) -> Refusal | None:
    given = mappings(asked.body.get("tools"))
    if asked.body.get("tools") == []:
        return _bad(_empty("tools"), "tools", "empty_array")
    if len(given) > 128:
        text = (
            "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with "
            f"length {len(given)} instead."
        )
        return _bad(text, "tools", "array_above_max_length")
    if asked.body.get("tool_choice") is not None and not given:
        text = "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified."
        return _bad(text, "tool_choice")
    named = (string(mapping(tool.get("function")).get("name")) for tool in given)
    return next(
        (bad for at, name in enumerate(named) if (bad := _name(name, f"tools[{at}].function.name"))), None
    )


def sampling(asked: Asked) -> Refusal | None:
    body, model = asked.body, asked.model
    if model.fixed_sampling and "max_tokens" in body:
        text = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        return _bad(text, "max_tokens", "unsupported_parameter")
    temperature = body.get("temperature")
    if model.fixed_sampling and temperature not in {None, 1}:
        text = (
            f"Unsupported value: 'temperature' does not support {temperature} with this model. Only the default (1) "
            "value is supported."
        )
        return _bad(text, "temperature", "unsupported_value")
    if len(string(body.get("prompt_cache_key"))) > 64:
        return _too_long("prompt_cache_key", 64, len(string(body.get("prompt_cache_key"))))
    name = "max_completion_tokens" if "max_completion_tokens" in body else "max_tokens"
    wanted = integer(body.get(name))
    if wanted is not None and wanted < 1:
        text = (
            f"Invalid '{name}': integer below minimum value. Expected a value >= 1, but got {wanted} instead."
        )
        return _bad(text, name, "integer_below_min_value")
    if wanted is not None and wanted > model.output_tokens:
        text = (
            f"max_tokens is too large: {wanted}. This model supports at most {model.output_tokens} completion tokens, "
            f"whereas you provided {wanted}."
        )
        return _bad(text, name, "invalid_value")
    if body.get("stream_options") is not None and body.get("stream") is not True:
        text = "The 'stream_options' parameter is only allowed when 'stream' is enabled."
        return _bad(text, "stream_options")
    return None


def pictures(asked: Asked) -> Refusal | None:
    n_images = 0
    for message in asked.messages:
        for part in mappings(message.get("content")):
            if part.get("type") != "image_url":
                continue
            n_images += 1
            claimed, picture = images.from_url(string(mapping(part.get("image_url")).get("url")))
            if picture and claimed and not picture.kind:
                text = (
                    "You uploaded an unsupported image. Please make sure your image has of one the following formats: "
                    "['png', 'jpeg', 'gif', 'webp']."
                )
                return _bad(text, None, "invalid_image_format")
    if n_images > 500:
        return _bad(f"Too many images in request: {n_images}. The maximum is 500.", "messages")
    return None


def length(asked: Asked) -> Refusal | None:
    """Input and output share the window, except where a model has an input limit of its own."""
    window, used = asked.model.window_tokens, asked.prompt.tokens
    if not asked.model.shares_window:
        text = (
            f"Input tokens exceed the configured limit of {window} tokens. Your messages resulted in {used} tokens. "
            "Please reduce the length of the messages."
        )
        return _bad(text, "messages", "context_length_exceeded") if used > window else None
    wanted = integer(asked.body.get("max_completion_tokens")) or integer(asked.body.get("max_tokens")) or 0
    if used + wanted <= window:
        return None
    functions = asked.prompt.tool_tokens
    shares = [f"{used - functions} in the messages"]
    shares += [f"{functions} in the functions"] if functions else []
    shares += [f"{wanted} in the completion"] if wanted else []
    what = ["messages", *(["functions"] if functions else []), *(["completion"] if wanted else [])]
    said = f"you requested {used + wanted} tokens" if wanted else f"your messages resulted in {used} tokens"
    detail = f" ({', '.join(shares)})" if len(shares) > 1 else ""
    text = (
        f"This model's maximum context length is {window} tokens. However, {said}{detail}. "
        f"Please reduce the length of the {' or '.join(what)}."
    )
    return _bad(text, "messages", "context_length_exceeded")


RULES = (
    known_parameters, messages_present, roles, contents, call_shapes, pairing, tools, sampling, pictures, length,
)  # fmt: skip


def _empty(where: str) -> str:
    return f"Invalid '{where}': empty array. Expected an array with minimum length 1, but got an empty array instead."


def _too_long(where: str, limit: int, got: int) -> Refusal:
    text = (
        f"Invalid '{where}': string too long. Expected a string with maximum length {limit}, but got a string with "
        f"length {got} instead."
    )
    return _bad(text, where, "string_above_max_length")


def _name(name: str, where: str) -> Refusal | None:
    if len(name) > 64:
        return _too_long(where, 64, len(name))
    if _NAME.fullmatch(name):
        return None
    text = (
        f"Invalid '{where}': string does not match pattern. Expected a string that matches the pattern "
        "'^[a-zA-Z0-9_-]+$'."
    )
    return _bad(text, where, "invalid_value")


def n_markers(asked: Asked) -> int:
    """How many `cache_control` markers the messages of an OpenAI form carry (Qwen allows four)."""
    parts = (part for message in asked.messages for part in sequence(message.get("content")))
    return sum("cache_control" in mapping(part) for part in parts)
