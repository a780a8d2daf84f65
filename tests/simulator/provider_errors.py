"""What each provider says about keys, models and its own troubles, by family and HTTP status."""

from __future__ import annotations

from dataclasses import replace

from tests.simulator.models import Family
from tests.simulator.wire import Refusal

GOOGLE_STATUS = {
    400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED",
}  # fmt: skip

_QUOTA_WORDS = (
    "You exceeded your current quota, please check your plan and billing details. For more information on this error, "
    "read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors."
)

_OPENAI = {
    400: Refusal(
        status=400,
        message="We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP "
        "library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)",
    ),
    401: Refusal(
        status=401, code="invalid_api_key",
        message="Incorrect API key provided. You can find your API key at https://platform.openai.com/account/api-keys.",
    ),
    403: Refusal(
        status=403, code="unsupported_country_region_territory", type="request_forbidden",
        message="Country, region, or territory not supported",
    ),
    404: Refusal(status=404, code="model_not_found", message="The model does not exist or you do not have access to it."),
    408: Refusal(status=408, message="Request timed out.", type="timeout", code="request_timeout"),
    413: Refusal(status=413, message="The request body is too large.", code="request_too_large"),
    429: Refusal(
        status=429, type="requests", code="rate_limit_exceeded",
        message="Rate limit reached for requests. Limit: 500 / min. Please try again in 120ms. Visit "
        "https://platform.openai.com/account/rate-limits to learn more.",
    ),
    500: Refusal(
        status=500, type="server_error",
        message="The server had an error while processing your request. Sorry about that!",
    ),
    503: Refusal(
        status=503, type="server_error", message="The engine is currently overloaded, please try again later.",
    ),
}  # fmt: skip

_ANTHROPIC = {
    400: ("invalid_request_error", "The request body is not valid JSON"),
    401: ("authentication_error", "invalid x-api-key"),
    403: ("permission_error", "Your API key does not have permission to use the specified resource."),
    404: ("not_found_error", "Not found"),
    408: ("timeout_error", "Request timed out"),
    413: ("request_too_large", "Request exceeds the maximum size"),
    429: (
        "rate_limit_error",
        "This request would exceed your organization's rate limit of 50 requests per minute.",
    ),
    500: ("api_error", "Internal server error"),
    503: ("api_error", "Service unavailable"),
    529: ("overloaded_error", "Overloaded"),
}


def status_words(family: Family, status: int, message: str | None = None) -> Refusal:
    """This provider's own error for an HTTP status, with other words if `message` is given."""
    if family is Family.ANTHROPIC:
        kind, words = _ANTHROPIC.get(status, ("api_error", f"Error {status}"))
        return Refusal(status=status, type=kind, message=message or words)
    plain = Refusal(status=status, type="server_error", message=f"Error {status}")
    known = _OPENAI.get(status, plain)
    return replace(known, message=message) if message else known


def quota(family: Family) -> Refusal:
    """The account has no money left; waiting doesn't help."""
    match family:
        case Family.ANTHROPIC:
            return Refusal(
                status=400,
                message="Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to "
                "upgrade or purchase credits.",
            )
        case Family.DEEPSEEK:
            return Refusal(
                status=402, message="Insufficient Balance", type="unknown_error", code="invalid_request_error"
            )
        case _:
            return Refusal(
                status=429, message=_QUOTA_WORDS, type="insufficient_quota", code="insufficient_quota"
            )


def missing_key(family: Family) -> Refusal:
    if family is Family.ANTHROPIC:
        return Refusal(status=401, type="authentication_error", message="x-api-key header is required")
    return Refusal(
        status=401,
        message="You didn't provide an API key. You need to provide your API key in an Authorization header using "
        "Bearer auth (i.e. Authorization: Bearer YOUR_KEY). You can obtain an API key from "
        "https://platform.openai.com/account/api-keys.",
    )


def invalid_key(family: Family, key: str) -> Refusal:
    """The key itself is never repeated whole."""
    shown = f"{key[:8]}{'*' * 12}{key[-4:]}" if len(key) > 12 else "*" * len(key)
    match family:
        case Family.ANTHROPIC:
            return status_words(family, 401)
        case Family.DEEPSEEK:
            return Refusal(
                status=401, type="authentication_error", code="invalid_request_error",
                message=f"Authentication Fails, Your api key: ****{key[-4:]} is invalid",
            )  # fmt: skip
        case Family.GEMINI:
            return Refusal(status=400, message="API key not valid. Please pass a valid API key.")
        case _:
            return Refusal(
                status=401, code="invalid_api_key",
                message=f"Incorrect API key provided: {shown}. You can find your API key at "
                "https://platform.openai.com/account/api-keys.",
            )  # fmt: skip


def unknown_model(family: Family, name: str) -> Refusal:
    if family is Family.ANTHROPIC:
        return Refusal(status=404, type="not_found_error", message=f"model: {name}")
    if not name:
        return Refusal(status=400, message="you must provide a model parameter")
    return Refusal(
        status=404, code="model_not_found",
        message=f"The model `{name}` does not exist or you do not have access to it.",
    )  # fmt: skip
