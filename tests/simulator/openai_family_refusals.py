"""What DeepSeek, Gemini and Qwen refuse behind the OpenAI form, each in its own words."""

from __future__ import annotations

import json

from tests.simulator import openai_refusals as openai
from tests.simulator.models import Family
from tests.simulator.openai_pairing import pairing_problem
from tests.simulator.prompt import Asked
from tests.simulator.signatures import is_signed
from tests.simulator.wire import Body, Refusal, integer, mapping, mappings, string

# Google's documentation names these for calls that another model made.
_SKIPPED_SIGNATURES = {"skip_thought_signature_validator", "context_engineering_is_the_way_to_go"}


def _bad(message: str, code: str | None = "invalid_request_error") -> Refusal:
    return Refusal(status=400, message=message, code=code)


def last_user_index(messages: list[Body]) -> int:
    """Where the running turn begins; -1 without a user message."""
    found = [index for index, message in enumerate(messages) if message.get("role") == "user"]
    return found[-1] if found else -1


def thinks(asked: Asked) -> bool:
    """Whether this request is answered with reasoning."""
    kind = mapping(asked.body.get("thinking")).get("type")
    if asked.model.family is Family.QWEN:
        return asked.body.get("enable_thinking") is True
    return kind != "disabled" if asked.model.reasons else kind == "enabled"


# --- DeepSeek ---


def deepseek_messages(asked: Asked) -> Refusal | None:
    if not asked.messages:
        return _bad("Empty input messages")
    for index, message in enumerate(asked.messages):
        for part in mappings(message.get("content")):
            if part.get("type") != "text":
                text = (
                    "Failed to deserialize the JSON body into the target type: "
                    f"messages[{index}]: unknown variant `{string(part.get('type'))}`, expected `text`"
                )
                return _bad(text)
    return None


def deepseek_pairing(asked: Asked) -> Refusal | None:
    problem = pairing_problem(asked.messages)
    if problem is None:
        return None
    if problem.kind == "unanswered":
        return _bad(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            "'tool_call_id'. (insufficient tool messages following tool_calls message)"
        )
    return _bad("Messages with role 'tool' must be a response to a preceding message with 'tool_calls'")


def deepseek_reasoning(asked: Asked) -> Refusal | None:
    """An empty `reasoning_content` counts as given; a missing one doesn't."""
    if not asked.model.demands_reasoning or not thinks(asked):
        return None
    start = 0 if asked.model.demands_reasoning == "always" else last_user_index(asked.messages) + 1
    for index, message in enumerate(asked.messages):
        if (
            index < start
            or not message.get("tool_calls")
            or isinstance(message.get("reasoning_content"), str)
        ):
            continue
        if asked.model.demands_reasoning == "always":
            return _bad("The `reasoning_content` in the thinking mode must be passed back to the API.")
        return _bad(
            f"Missing `reasoning_content` field in the assistant message at message index {index}. For more "
            "information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls"
        )
    return None


def deepseek_length(asked: Asked) -> Refusal | None:
    limit, wanted = asked.model.output_tokens, integer(asked.body.get("max_tokens"))
    if wanted is not None and not 1 <= wanted <= limit:
        return _bad(f"Invalid max_tokens value, the valid range of max_tokens is [1, {limit}]")
    used, room, window = asked.prompt.tokens, wanted or 0, asked.model.window_tokens
    if used + room <= window:
        return None
    return _bad(
        f"This model's maximum context length is {window} tokens. However, you requested {used + room} tokens "
        f"({used} in the messages, {room} in the completion). Please reduce the length of the messages or completion."
    )


# --- Gemini ---


def _invalid_argument(message: str) -> Refusal:
    return Refusal(status=400, message=message)


def gemini_messages(asked: Asked) -> Refusal | None:
    if not any(message.get("role") not in {"system", "developer"} for message in asked.messages):
        return _invalid_argument("* GenerateContentRequest.contents: contents is not specified\n")
    problem = pairing_problem(asked.messages)
    if problem is None:
        return None
    if problem.kind in {"unanswered", "duplicate"}:
        return _invalid_argument(
            "Please ensure that the number of function response parts is equal to the number of function call parts "
            "of the function call turn."
        )
    return _invalid_argument(
        "Please ensure that function response turn comes immediately after a function call turn."
    )


def gemini_signatures(asked: Asked) -> Refusal | None:
    """In the running turn the first call of each step must bring back the signature it came with."""
    start = last_user_index(asked.messages)
    for index, message in enumerate(asked.messages):
        calls = mappings(message.get("tool_calls"))
        if not asked.model.demands_signatures or index < start or not calls:
            continue
        function = mapping(calls[0].get("function"))
        google = mapping(mapping(calls[0].get("extra_content")).get("google"))
        signature, name = string(google.get("thought_signature")), string(function.get("name"))
        if not signature:
            return _invalid_argument(
                "Function call is missing a thought_signature in functionCall parts. This is required for tools to "
                "work correctly, and missing thought_signature may lead to degraded model performance. Additional "
                f"data, function call `default_api:{name}` , position {index + 1}. Please refer to "
                "https://ai.google.dev/gemini-api/docs/thought-signatures for more details."
            )
        signed = is_signed(call_text(name, string(function.get("arguments"))), signature)
        if not signed and signature not in _SKIPPED_SIGNATURES:
            return _invalid_argument("Corrupted thought signature.")
    return None


def call_text(name: str, arguments: str) -> str:
    """What a thought signature vouches for; Gemini keeps arguments as an object, so blanks don't count."""
    return f"{name}\0{json.dumps(_parsed(arguments), sort_keys=True)}"


def gemini_arguments(asked: Asked) -> Refusal | None:
    wrong = broken_arguments(asked)
    return _invalid_argument("Request contains an invalid argument.") if wrong else None


def gemini_length(asked: Asked) -> Refusal | None:
    window, used = asked.model.window_tokens, asked.prompt.tokens
    text = f"The input token count ({used}) exceeds the maximum number of tokens allowed ({window})."
    return _invalid_argument(text) if used > window else None


# --- Qwen ---


def _invalid_parameter(message: str) -> Refusal:
    text = f"<400> InternalError.Algo.InvalidParameter: {message}"
    return Refusal(status=400, message=text, code="invalid_parameter_error")


def qwen_messages(asked: Asked) -> Refusal | None:
    if not any(message.get("role") == "user" for message in asked.messages):
        return _invalid_parameter("The input messages do not contain elements with the role of user")
    problem = pairing_problem(asked.messages)
    if problem is None:
        return None
    if problem.kind == "unanswered":
        return _invalid_parameter(
            'An assistant message with "tool_calls" must be followed by tool messages responding to each '
            '"tool_call_id". The following tool_call_ids did not have response messages: '
            f"message[{problem.index}].role"
        )
    return _invalid_parameter(
        'messages with role "tool" must be a response to a preceeding message with "tool_calls".'
    )


def qwen_arguments(asked: Asked) -> Refusal | None:
    text = 'The "function.arguments" parameter of the code model must be in JSON format.'
    return _invalid_parameter(text) if broken_arguments(asked) else None


def qwen_markers(asked: Asked) -> Refusal | None:
    found = openai.n_markers(asked)
    text = f"A maximum of 4 cache_control markers may be provided. Found {found}."
    return _invalid_parameter(text) if found > 4 else None


def qwen_length(asked: Asked) -> Refusal | None:
    wanted, limit = integer(asked.body.get("max_tokens")), asked.model.output_tokens
    if wanted is not None and not 1 <= wanted <= limit:
        return _invalid_parameter(f"Range of max_tokens should be [1, {limit}]")
    window = asked.model.window_tokens
    text = f"Range of input length should be [1, {window}]"
    return _invalid_parameter(text) if asked.prompt.tokens > window else None


def broken_arguments(asked: Asked) -> str:
    """The first call whose arguments are no JSON object, as a place; "" if there is none."""
    for index, message in enumerate(asked.messages):
        for at, call in enumerate(mappings(message.get("tool_calls"))):
            arguments = string(mapping(call.get("function")).get("arguments"))
            if not isinstance(_parsed(arguments), dict):
                return f"messages[{index}].tool_calls[{at}].function.arguments"
    return ""


def _parsed(arguments: str) -> object:
    try:
        return json.loads(arguments)
    except ValueError:
        return None


_SHAPE = (openai.messages_present, openai.roles, openai.call_shapes)

RULES = {
    Family.OPENAI: openai.RULES,
    Family.DEEPSEEK: (deepseek_messages, *_SHAPE, deepseek_pairing, deepseek_reasoning, deepseek_length),
    Family.GEMINI: (gemini_messages, *_SHAPE, gemini_arguments, gemini_signatures, gemini_length),
    Family.QWEN: (*_SHAPE, qwen_messages, qwen_arguments, qwen_markers, qwen_length),
}
