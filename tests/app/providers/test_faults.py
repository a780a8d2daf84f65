"""Failures into codes, codes into sentences."""

import inspect
import json
import socket
import ssl
import string
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import ContextTooLong, Overloaded, ProviderError, RateLimited, Unreachable
from app.providers.errors import SENTENCES, Fault, to_error
from app.providers.faults import DETAIL_CHARACTERS, fault_of, fault_of_status, limit_tokens, scrubbed
from app.providers.llm_work import ENVIRONMENT
from app.settings import Endpoint

ENDPOINT = Endpoint(id="e", kind="compatible", name="Mine", base_url="https://api.example.org/v1")


class StatusError(Exception):
    """As HTTP libraries raise them."""

    def __init__(self, status_code: int, body: object = None) -> None:
        super().__init__(f"Error code: {status_code}")
        self.status_code = status_code
        self.body = body


def below(outer: Exception, inner: BaseException) -> Exception:
    outer.__cause__ = inner
    return outer


@pytest.mark.parametrize("code", SENTENCES)
def test_every_code_is_told_with_the_names_it_concerns(code: str) -> None:
    error = to_error(Fault(code=code, detail="their words"), endpoint=ENDPOINT, model="m-1")

    told = f"{error.message} {error.hint}"
    assert isinstance(error, ProviderError)
    assert (error.code, error.detail) == (code, "their words")
    assert error.message.endswith(".")
    assert "{" not in told
    assert error.actions


@pytest.mark.parametrize("code", SENTENCES)
def test_a_translation_finds_every_field_of_a_sentence_among_the_facts(code: str) -> None:
    error = to_error(Fault(code=code), endpoint=ENDPOINT, model="m-1")

    sentence = SENTENCES[code]
    fields = {
        name for text in (sentence.message, sentence.hint) for _, name, _, _ in string.Formatter().parse(text)
    }
    assert {name for name in fields if name} <= set(error.facts)


@pytest.mark.parametrize(
    ("fault", "kind", "can_retry"),
    [
        (Fault(code="rate_limited", facts={"retry_after_s": 3.0}), RateLimited, True),
        (Fault(code="overloaded", facts={"retry_after_s": 3.0}), Overloaded, True),
        (Fault(code="refused"), Unreachable, True),
        (Fault(code="context_too_long", facts={"limit_tokens": 8192}), ContextTooLong, False),
        (Fault(code="cut"), ProviderError, False),
        (Fault(code="unknown_outcome"), ProviderError, False),
        (Fault(code="quota"), ProviderError, False),
    ],
)
def test_those_who_catch_get_the_class_they_know(
    fault: Fault, kind: type[ProviderError], can_retry: bool
) -> None:
    error = to_error(fault, endpoint=ENDPOINT, model="m")

    assert type(error) is kind
    assert error.can_retry is can_retry
    match error:
        case RateLimited() | Overloaded():
            assert error.retry_after_s == 3.0
        case ContextTooLong():
            assert error.limit_tokens == 8192
        case _:
            pass


@pytest.mark.parametrize(
    ("cause", "code"),
    [
        (ConnectionRefusedError(111, "refused"), "refused"),
        (socket.gaierror(-2, "Name or service not known"), "dns"),
        (ssl.SSLCertVerificationError("certificate verify failed"), "tls"),
        (TimeoutError(), "timeout"),
        (ConnectionResetError(104, "reset"), "disconnected"),
        (StatusError(529), "overloaded"),
    ],
)
def test_the_true_cause_lies_below_what_litellm_raises(cause: Exception, code: str) -> None:
    """All of these come as InternalServerError with status 500."""
    outer = below(StatusError(500), below(RuntimeError("Connection error."), cause))

    assert fault_of(outer).code == code


@pytest.mark.parametrize(
    ("cause", "code"), [(TimeoutError(), "stalled"), (ConnectionResetError(104, "reset"), "cut")]
)
def test_a_connection_that_breaks_after_the_first_token_is_a_cut(cause: Exception, code: str) -> None:
    assert fault_of(below(StatusError(500), cause), has_tokens=True).code == code


OVERFLOWS = [
    (
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
        8192,
    ),
    ("prompt is too long: 210000 tokens > 200000 maximum", 200_000),
    (
        "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length",
        200_000,
    ),
    ("the request exceeds the available context size (4096 tokens), try increasing it", 4096),
    ("The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576),
    ("Range of input length should be [1, 129024]", 129_024),
    ("Invalid request: Your request exceeded model token limit: 8192", 8192),
    (
        "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
        32_768,
    ),
    ("This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131_072),
    ("Your input exceeds the context window of this model. Please adjust your input and try again.", None),
    ("Prompt exceeds max length", None),
]


@pytest.mark.parametrize(("text", "limit"), OVERFLOWS)
def test_an_overflow_is_known_and_its_limit_read_whoever_says_it(text: str, limit: int | None) -> None:
    """C1 rank 4."""
    fault = fault_of_status(400, json.dumps({"error": {"message": text}}), {})

    assert (fault.code, fault.facts.get("limit_tokens"), limit_tokens(text)) == (
        "context_too_long",
        limit,
        limit,
    )


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (400, "API key not valid. Please pass a valid API key.", "key_wrong"),  # Gemini
        (402, "Insufficient Balance", "quota"),  # DeepSeek
        (429, "You exceeded your current quota, please check your plan", "quota"),  # OpenAI
        (429, "Rate limit reached for gpt-4o. Visit the page on context length.", "rate_limited"),
        (400, "Content Exists Risk", "content_refused"),  # DeepSeek
        (400, "The model `gpt-9` does not exist or you do not have access to it.", "model_missing"),
        (404, "", "model_missing"),
        (413, "", "too_large"),
        (302, "", "garbage"),
        (418, "", "bad_request"),
        (599, "", "server_error"),
    ],
)
def test_words_count_where_the_status_says_less(status: int, body: str, code: str) -> None:
    assert fault_of_status(status, json.dumps({"error": {"message": body}}), {}).code == code


def test_waiting_is_said_in_seconds_in_milliseconds_or_as_a_date() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)

    waits = [
        fault_of_status(429, "", headers).facts.get("retry_after_s")
        for headers in (
            {"retry-after": "7"},
            {"retry-after-ms": "1500"},
            {"retry-after": date},
            {"retry-after": "soon"},
        )
    ]

    assert waits[:2] == [7.0, 1.5]
    assert isinstance(waits[2], float)
    assert 55 < waits[2] <= 60
    assert waits[3] is None


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-proj-abc***DEFG.",
        "Authorization: Bearer abcdefgh12345678",
        "https://someone:hunter22@proxy.example.org refused",
        "api_key=AIzaSyA1234567890abcdefg is bad",
        "the value topsecretheader was refused",
    ],
)
def test_no_secret_stays_in_what_is_shown(text: str) -> None:
    """A4."""
    shown = scrubbed(text, ("topsecretheader",))

    assert "•••" in shown
    for secret in ("abc***DEFG", "abcdefgh", "hunter22", "AIzaSy", "topsecret"):
        assert secret not in shown


@given(st.integers(min_value=100, max_value=599), st.text(), st.text())
def test_whatever_a_server_answers_has_a_code_and_a_bounded_detail(status: int, body: str, wait: str) -> None:
    """Q21."""
    fault = fault_of_status(status, body, {"retry-after": wait})

    assert fault.code in SENTENCES
    assert len(fault.detail) <= DETAIL_CHARACTERS


def test_a_circle_of_causes_ends() -> None:
    first, second = StatusError(503), StatusError(503)
    first.__cause__, second.__cause__ = second, first

    assert fault_of(first).code == "overloaded"


def test_words_are_freed_from_what_adapters_put_around_them() -> None:
    error = RuntimeError(
        'litellm.BadRequestError: AnthropicException - b\'{"type":"error","error":{"message":"Too \\\\u4f60 warm"}}\''
    )

    assert "warm" in fault_of(error).detail
    assert "litellm" not in fault_of(error).detail


@pytest.mark.slow
def test_every_exception_of_litellm_has_a_translation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Imports LiteLLM into this process."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    import litellm.exceptions as theirs

    kinds = [
        kind
        for _, kind in inspect.getmembers(theirs, inspect.isclass)
        if issubclass(kind, Exception) and kind.__module__ == theirs.__name__
    ]

    codes = {kind.__name__: fault_of(made(kind)).code for kind in kinds}

    assert len(codes) > 25
    assert set(codes.values()) <= set(SENTENCES)
    assert [name for name, code in codes.items() if code == "provider"] == []
    assert {name: codes[name] for name in KNOWN} == KNOWN


KNOWN = {
    "AuthenticationError": "key_wrong",
    "PermissionDeniedError": "forbidden",
    "NotFoundError": "model_missing",
    "RateLimitError": "rate_limited",
    "ContextWindowExceededError": "context_too_long",
    "ContentPolicyViolationError": "content_refused",
    "PaymentRequiredError": "quota",
    "BadRequestError": "bad_request",
    "UnsupportedParamsError": "bad_request",
    "ServiceUnavailableError": "overloaded",
    "InternalServerError": "server_error",
    "BadGatewayError": "server_error",
    "MidStreamFallbackError": "cut",
    "Timeout": "timeout",
}


def made(kind: type[Exception]) -> Exception:
    """One of `kind`, its arguments made up."""
    if kind.__init__ is Exception.__init__:
        return kind("1")
    known: dict[str, object] = {
        "response": httpx.Response(403, request=httpx.Request("POST", "http://x")),
        "request": httpx.Request("POST", "http://x"),
        "status_code": 500,
        "original_exception": None,
        "failures": [],
    }
    needed = [
        item.name
        for item in inspect.signature(kind).parameters.values()
        if item.default is item.empty
        and item.kind is not item.VAR_KEYWORD
        and item.kind is not item.VAR_POSITIONAL
    ]
    return kind(**{name: known.get(name, "1") for name in needed})
