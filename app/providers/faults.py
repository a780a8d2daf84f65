"""What an exception or a status of a provider means, as a `Fault`.

Nothing here imports LiteLLM or httpx: exceptions are known by the names in their classes' ancestry, since
LiteLLM's import takes seconds and its classes often hide the true cause one or two `__cause__` below.
"""

import email.utils
import errno
import json
import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import cast

from app.core.parts import clean_text
from app.providers.errors import Failed, Fault
from app.settings import Endpoint

DETAIL_CHARACTERS = 2000


def fault_of(error: BaseException, *, has_tokens: bool = False, secrets: tuple[str, ...] = ()) -> Fault:
    """What `error` means.

    Args:
        has_tokens: Something of an answer had come, so that a broken connection is a cut stream.
        secrets: Never left in the detail, wherever the other side repeats them.
    """
    chain = tuple(_causes(error))
    text = _words(chain)
    status = _status(chain)
    code = (
        _transport_code(chain, has_tokens=has_tokens)
        or _told_code(text, status)
        or _class_code(chain, status)
    )
    facts: dict[str, str | float] = {}
    if status:
        facts["status"] = status
    if code in {"rate_limited", "overloaded", "server_error"} and (wait := _retry_after_s(chain)) is not None:
        facts["retry_after_s"] = wait
    if code == "context_too_long" and (limit := limit_tokens(text)):
        facts["limit_tokens"] = limit
    return Fault(code=code, detail=scrubbed(text, secrets), facts=facts)


def fault_of_status(
    status: int, body: str, headers: Mapping[str, str], *, secrets: tuple[str, ...] = ()
) -> Fault:
    """What an HTTP answer other than 2xx means, where no library stands between."""
    text = _message_in(body)
    code = _told_code(text, status) or _status_code(status)
    facts: dict[str, str | float] = {"status": status}
    if (wait := _wait_in(headers)) is not None:
        facts["retry_after_s"] = wait
    if code == "context_too_long" and (limit := limit_tokens(text)):
        facts["limit_tokens"] = limit
    return Fault(code=code, detail=scrubbed(text, secrets), facts=facts)


def usable_key(endpoint: Endpoint, key: str) -> str:
    """`key` without the blanks that came along when it was copied.

    Raises:
        Failed: it is missing, or nothing that fits into a header.
    """
    key = key.strip()
    if endpoint.needs_key and not key:
        raise Failed(Fault(code="key_missing"))
    if not (key.isascii() and key.isprintable()):
        raise Failed(Fault(code="key_wrong", detail="A key holds letters, digits and signs of ASCII only."))
    return key


# ---- what the exceptions say


def _causes(error: BaseException) -> Iterator[BaseException]:
    """`error` and everything below it, the outermost first; a circle ends."""
    waiting, seen = [error], set[int]()
    while waiting:
        current = waiting.pop(0)
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        below: list[object] = [
            current.__cause__,
            current.__context__,
            getattr(current, "original_exception", None),
        ]
        if isinstance(current, BaseExceptionGroup):
            below += cast("BaseExceptionGroup[BaseException]", current).exceptions
        waiting += [item for item in below if isinstance(item, BaseException)]


_REFUSED = {errno.ECONNREFUSED}
_TIMEOUTS = {
    "ConnectTimeout",
    "ReadTimeout",
    "WriteTimeout",
    "PoolTimeout",
    "TimeoutException",
    "APITimeoutError",
}
_BROKEN = {"RemoteProtocolError", "ReadError", "WriteError", "ClientPayloadError", "ConnectionResetError"}
_UNREADABLE = {"JSONDecodeError", "APIResponseValidationError", "UnicodeDecodeError", "DecodingError"}


def _transport_code(chain: tuple[BaseException, ...], *, has_tokens: bool) -> str:
    """The code of a connection that failed or broke; empty: there was an answer."""
    names = {kind.__name__ for error in chain for kind in type(error).__mro__}
    if any(isinstance(error, socket.gaierror) for error in chain):
        return "dns"
    if any(isinstance(error, ssl.SSLError) for error in chain):
        return "tls"
    # A proxy that the HTTP library can't speak to is refused when the client is made, by built-in exceptions.
    odd = [str(error) for error in chain if isinstance(error, ValueError | ImportError)]
    if "ProxyError" in names or any("proxy URL" in text or "SOCKS" in text for text in odd):
        return "proxy"
    if any(isinstance(error, OSError) and error.errno in _REFUSED for error in chain):
        return "refused"
    if names & _TIMEOUTS or any(isinstance(error, TimeoutError) for error in chain):
        return "stalled" if has_tokens else "timeout"
    if names & _BROKEN:
        return "cut" if has_tokens else "disconnected"
    if names & {"ConnectError", "InvalidURL", "UnsupportedProtocol"}:
        return "unreachable"
    return ""


_TOLD: tuple[tuple[str, str], ...] = (
    (
        "quota",
        r"insufficient[ _](user_)?(quota|balance)|exceeded your current quota|credit balance is too low",
    ),
    ("too_large", r"request_too_large|request entity too large|payload too large"),
    (
        "context_too_long",
        r"context[ _]length|context[ _]window|context limit|prompt is too long|context size"
        r"|exceed_context|range of input length|model token limit|maximum (prompt|context) length"
        r"|input token count .* exceeds|input is too long|exceeds? (the )?max(imum)? length",
    ),
    ("key_wrong", r"api[ _-]?key not valid|invalid[ _]api[ _-]?key|incorrect api key"),
    ("content_refused", r"content[ _]?(filter|policy)|content exists risk|data_inspection_failed"),
    ("model_missing", r"model_not_found|model .{0,80}(does not exist|not found)|unknown model"),
    ("overloaded", r"overloaded"),
)
"""What providers say in words where their status says less; the first that fits counts."""


def _told_code(text: str, status: int) -> str:
    if status in {401, 403} or (status == 429 and not re.search(_TOLD[0][1], text, re.IGNORECASE)):
        return ""
    return next((code for code, words in _TOLD if re.search(words, text, re.IGNORECASE)), "")


_STATUS_CODES: Mapping[int, str] = {
    400: "bad_request",
    401: "key_wrong",
    402: "quota",
    403: "forbidden",
    404: "model_missing",
    405: "garbage",
    407: "proxy",
    408: "server_error",
    413: "too_large",
    422: "bad_request",
    429: "rate_limited",
    500: "server_error",
    502: "server_error",
    503: "overloaded",
    504: "server_error",
    529: "overloaded",
}


def _status_code(status: int) -> str:
    if status < 400:  # the API of a provider sends nobody elsewhere
        return "garbage"
    return _STATUS_CODES.get(status) or ("server_error" if status >= 500 else "bad_request")


_CLASS_CODES: Mapping[str, str] = {
    "ContextWindowExceededError": "context_too_long",
    "ContentPolicyViolationError": "content_refused",
    "RejectedRequestError": "content_refused",
    "GuardrailRaisedException": "content_refused",
    "BlockedPiiEntityError": "content_refused",
    "ModifyResponseException": "content_refused",
    "SensitiveDataRouteException": "content_refused",
    "PaymentRequiredError": "quota",
    "BudgetExceededError": "quota",
    "AuthenticationError": "key_wrong",
    "PermissionDeniedError": "forbidden",
    "NotFoundError": "model_missing",
    "ModelNotMappedError": "model_missing",
    "RateLimitError": "rate_limited",
    "Timeout": "timeout",
    "MidStreamFallbackError": "cut",
    "ServiceUnavailableError": "overloaded",
    "BadGatewayError": "server_error",
    "InternalServerError": "server_error",
    "APIConnectionError": "unreachable",
    "UnprocessableEntityError": "bad_request",
    "InvalidRequestError": "bad_request",
    "BadRequestError": "bad_request",
    "APIError": "server_error",
    "OpenAIError": "server_error",
}
"""LiteLLM's classes, the narrower first."""


def _class_code(chain: tuple[BaseException, ...], status: int) -> str:
    own = {kind.__name__ for kind in type(chain[0]).__mro__}
    by_class = next((code for name, code in _CLASS_CODES.items() if name in own), "")
    if by_class in {"context_too_long", "content_refused", "quota"}:
        return by_class
    names = {kind.__name__ for error in chain for kind in type(error).__mro__}
    if names & _UNREADABLE:
        return "garbage"
    if "MidStreamFallbackError" in own and status in {0, 500, 503}:
        return "cut"
    return (_status_code(status) if status else "") or by_class or "provider"


def _status(chain: tuple[BaseException, ...]) -> int:
    """The HTTP status nearest to the wire: LiteLLM's own are invented at times (529 becomes 500)."""
    for error in reversed(chain):
        for value in (
            getattr(error, "status_code", None),
            getattr(getattr(error, "response", None), "status_code", None),
        ):
            if isinstance(value, int) and value >= 300:
                return value
    return 0


def _words(chain: tuple[BaseException, ...]) -> str:
    """What the provider said, else what the innermost exception says of itself."""
    for error in chain:
        body: object = getattr(error, "body", None)
        if isinstance(body, Mapping) and (said := _message_in(json.dumps(body, default=str))):
            return said
    first = getattr(chain[0], "message", None) or str(chain[0])
    return _message_in(str(first)) or str(chain[-1]) or type(chain[-1]).__name__


_ADAPTER = re.compile(r"^(?:[\w.]*(?:Exception|Error)(?: - |: | ))+(?=\S)")
_TAG = re.compile(r"<[^>]*>")


def _message_in(text: str) -> str:
    """The sentence inside an error body, with its code, freed from what adapters put around it."""
    text = _ADAPTER.sub("", text.strip())
    if text[:2] in {"b'", 'b"'}:  # bytes that an adapter printed
        text = (
            text[2:-1]
            .encode("latin-1", "ignore")
            .decode("unicode_escape")
            .encode("latin-1", "ignore")
            .decode(errors="replace")
        )
    if "<html" in text[:200].lower():
        text = " ".join(_TAG.sub(" ", text).split())
    start, end = text.find("{"), text.rfind("}")
    if 0 <= start < end:
        try:
            body: object = json.loads(text[start : end + 1])
        except ValueError:
            return text
        found = tuple(_messages(body))
        return " · ".join(dict.fromkeys(found)) or text
    return text


def _messages(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:  # pyright: ignore[reportUnknownVariableType]  # JSON of anybody
            yield from _messages(item)  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(value, dict):
        for name in ("message", "error", "detail", "msg", "code", "type"):
            if name in value:
                yield from _messages(value[name])  # pyright: ignore[reportUnknownArgumentType]


def _retry_after_s(chain: tuple[BaseException, ...]) -> float | None:
    for error in chain:
        for headers in (
            getattr(error, "litellm_response_headers", None),
            getattr(getattr(error, "response", None), "headers", None),
        ):
            if isinstance(headers, Mapping) and (wait := _wait_in(headers)) is not None:  # pyright: ignore[reportUnknownArgumentType]  # httpx.Headers
                return wait
    return None


def _wait_in(headers: Mapping[str, str]) -> float | None:
    """Seconds of `Retry-After`, which holds seconds or an HTTP date; None: not said."""
    if (in_ms := headers.get("retry-after-ms", "")).isdigit():
        return int(in_ms) / 1000
    said = headers.get("retry-after") or headers.get("Retry-After") or ""
    try:
        return max(0.0, float(said))
    except ValueError:
        pass
    try:
        at = email.utils.parsedate_to_datetime(said)
    except ValueError:
        return None
    return max(0.0, (at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds())


_LIMITS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"> *([\d,]{4,}) *(?:maximum|tokens)?",
        r"max(?:imum)? (?:context|prompt|model) length (?:of|is|:)?[^\d]{0,12}([\d,]{4,})",
        r"([\d,]{4,}) max(?:imum)? context length",
        r"context (?:size|window|length|limit)[^\d]{0,24}([\d,]{4,})",
        r"model token limit: *([\d,]{4,})",
        r"maximum number of (?:input )?tokens allowed \(?([\d,]{4,})",
        r"\[ *\d+ *, *([\d,]{4,}) *\]",
        r"n_ctx[^\d]{0,6}([\d,]{4,})",
        r"limit (?:of|is) ([\d,]{4,})",
    )
)


def limit_tokens(text: str) -> int | None:
    """The window that an overflow's text names; None: it names none (C1 rank 4)."""
    for pattern in _LIMITS:
        if match := pattern.search(text):
            return int(match[1].replace(",", ""))
    return None


_SECRETS = re.compile(
    r"\b(?:sk|pk|gsk|xai|AIza|ya29|key|ghp|hf)[-_.][\w*.\-]{6,}|\bAIza[\w\-]{10,}"
    r"|(?i:bearer|api[-_]?key['\"]?\s*[:=])\s*['\"]?[\w*.\-]{6,}|(?<=://)[^/\s@:]+:[^/\s@]+(?=@)"
)


def scrubbed(text: str, secrets: tuple[str, ...] = ()) -> str:
    """`text` that may be shown and logged: no key, none of `secrets`, and not endless (A4)."""
    for secret in secrets:
        if len(secret) >= 4:
            text = text.replace(secret, "•••")
    return clean_text(_SECRETS.sub("•••", text))[:DETAIL_CHARACTERS]
